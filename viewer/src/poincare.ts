// Sections of a trajectory. A point of it is an index plus the fraction of the way to the next sample; between samples
// all is linear.
import { countUpTo } from "./search";

export type Direction = "up" | "down" | "both";

const MOST_POINTS = 200_000;

// Where values cross the level. A sample on the level belongs to the crossing that reaches it: each counts once.
export function crossings(values: ArrayLike<number>, level: number, direction: Direction): number[] {
  const found: number[] = [];
  for (let i = 0; i + 1 < values.length; i++) {
    const before = values[i] - level;
    const after = values[i + 1] - level;
    const up = before < 0 && after >= 0;
    const down = before > 0 && after <= 0;
    if ((up && direction !== "down") || (down && direction !== "up")) found.push(i + before / (before - after));
  }
  return found;
}

// At origin + k period, within the times.
export function strobe(t: Float64Array, origin: number, period: number): number[] {
  if (t.length === 0 || !(period > 0)) return [];
  const last = Math.min(Math.floor((t[t.length - 1] - origin) / period), MOST_POINTS);
  const positions = Array.from({ length: Math.max(last + 1, 0) }, (_, k) => positionOf(t, origin + k * period));
  return positions.filter((position) => position !== null);
}

// The samples at the times of impacts or next after them: between the samples around an impact velocities jump, and
// there is nothing to interpolate.
export function samplesAfter(t: Float64Array, times: Float64Array): number[] {
  const found = Array.from(times, (time) => {
    const last = countUpTo(t, time) - 1;
    return t[last] === time ? last : last + 1;
  });
  return found.filter((index) => index < t.length);
}

export function positionOf(t: Float64Array, time: number): number | null {
  const i = countUpTo(t, time) - 1;
  if (i < 0 || i >= t.length || (i === t.length - 1 && time > t[i])) return null;
  return i === t.length - 1 ? i : i + (time - t[i]) / (t[i + 1] - t[i]);
}

export function valueAt(values: ArrayLike<number>, position: number): number {
  const i = Math.floor(position);
  const fraction = position - i;
  return fraction === 0 ? values[i] : values[i] + fraction * (values[i + 1] - values[i]);
}
