// Indices of [first, end) to draw: all if there are at most `points`; else of points / 2 pieces those where one of the
// columns is least and largest, and one that is not a number, since that is a gap.
export function drawnIndices(columns: ArrayLike<number>[], first: number, end: number, points: number): Int32Array {
  const count = end - first;
  if (count <= points) return Int32Array.from({ length: count }, (_, i) => first + i);
  const pieces = Math.max(1, Math.floor(points / 2));
  const chosen: number[] = [first];
  for (let piece = 0; piece < pieces; piece++) {
    const start = first + Math.floor((count * piece) / pieces);
    const stop = first + Math.floor((count * (piece + 1)) / pieces);
    const extremes = columns.flatMap((column) => extremeIndices(column, start, stop));
    for (const index of extremes.sort((a, b) => a - b)) {
      if (index > chosen[chosen.length - 1]) chosen.push(index);
    }
  }
  if (chosen[chosen.length - 1] !== end - 1) chosen.push(end - 1);
  return Int32Array.from(chosen);
}

function extremeIndices(column: ArrayLike<number>, start: number, stop: number): number[] {
  let least = -1;
  let largest = -1;
  let gap = -1;
  for (let i = start; i < stop; i++) {
    const value = column[i];
    if (!Number.isFinite(value)) gap = gap < 0 ? i : gap;
    else {
      if (least < 0 || value < column[least]) least = i;
      if (largest < 0 || value > column[largest]) largest = i;
    }
  }
  return [least, largest, gap].filter((index) => index >= 0);
}
