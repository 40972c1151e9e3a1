// The look of all axes.
import type uPlot from "uplot";
import { formatPower, formatTicks } from "./format";
import { color } from "./theme";

export const VALUE_AXIS_WIDTH = 60;
export const RIGHT_PADDING = 20; // half of the last label of the time axis
export const PADDING: uPlot.Padding = [8, RIGHT_PADDING, 0, 0];

// In whole pixels: uPlot scales no others.
function font(): string {
  const pixels = Math.round(0.85 * parseFloat(getComputedStyle(document.documentElement).fontSize));
  return `${pixels}px system-ui, sans-serif`;
}

function lineStyle(name: string) {
  return { stroke: () => color(name), width: 1 };
}

export function linearAxis(size: number): uPlot.Axis {
  return {
    size,
    font: font(),
    gap: 4,
    stroke: () => color("muted"),
    grid: lineStyle("grid"),
    ticks: { ...lineStyle("grid"), size: 4 },
    border: { show: true, ...lineStyle("axis") },
    values: (_plot, splits, _axis, _space, increment) => formatTicks(splits, increment),
  };
}

export function logarithmicAxis(size: number): uPlot.Axis {
  return { ...linearAxis(size), values: (_plot, splits) => splits.map(formatPower) };
}

export function timeAxis(): uPlot.Axis {
  return { ...linearAxis(24), space: 64 };
}

// Some room above and below; around a constant as much as shows that it is one.
export function linearRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const spread = high - low;
  // Differences of rounding size are drawn as what they are: a constant.
  const room = spread > 1e-12 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * spread : Math.abs(low) * 0.1 || 1;
  return [low - room, high + room];
}

// uPlot goes round for ever where it divides decades below 1e-25: its sums are not powers of ten then.
// Residuals have no unit: what lies below this is zero to everybody.
const LEAST_DECADE = -20;

export function logarithmicRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [0.1, 1];
  const bottom = 10 ** Math.max(LEAST_DECADE, Math.floor(Math.log10(low)));
  const top = 10 ** Math.max(LEAST_DECADE, Math.ceil(Math.log10(high)));
  return [bottom, top > bottom ? top : 10 * bottom];
}
