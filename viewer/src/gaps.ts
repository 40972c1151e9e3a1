// What uPlot draws: null is a gap, undefined is passed over.
export type Curve = Float64Array | (number | null | undefined)[];

// In thinned samples a single one that cannot be drawn is narrower than a pixel, but would cut the curve between its
// neighbours: it is passed over.
export function withGaps(column: Float64Array, drawable: (value: number) => boolean, thinned: boolean): Curve {
  if (column.every(drawable)) return column;
  const drawn = (i: number) => i >= 0 && i < column.length && drawable(column[i]);
  return Array.from(column, (value, i) => {
    if (drawable(value)) return value;
    return thinned && drawn(i - 1) && drawn(i + 1) ? undefined : null;
  });
}

// Values between two gaps, which no line shows.
export function lonelyIndices(curve: Curve): number[] | null {
  if (curve instanceof Float64Array) return null;
  const lonely: number[] = [];
  curve.forEach((value, i) => {
    const gapAt = (k: number) => k < 0 || k >= curve.length || curve[k] === null;
    if (value != null && gapAt(i - 1) && gapAt(i + 1)) lonely.push(i);
  });
  return lonely;
}

export function isEmpty(curve: Curve): boolean {
  return curve.every((value) => value == null);
}
