// Number of leading elements of a non-decreasing array that are less than (countBelow) or at most (countUpTo) `value`.

export function countBelow(values: ArrayLike<number>, value: number): number {
  return countWhile(values, (element) => element < value);
}

export function countUpTo(values: ArrayLike<number>, value: number): number {
  return countWhile(values, (element) => element <= value);
}

function countWhile(values: ArrayLike<number>, holds: (element: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(values[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function nearest(values: ArrayLike<number>, value: number): number | null {
  if (values.length === 0) return null;
  const after = Math.min(countBelow(values, value), values.length - 1);
  const before = Math.max(after - 1, 0);
  return value - values[before] < values[after] - value ? before : after;
}
