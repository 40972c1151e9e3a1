const DIGITS = 6;
const MINUS = "\u2212";

// Six digits, without trailing zeros.
export function formatNumber(value: number | null | undefined, digits = DIGITS): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "\u2013";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 10 ** digits) return shortExponential(value, digits - 1);
  return withMinus(String(Number(value.toPrecision(digits))));
}

export function formatCount(value: number): string {
  return value.toLocaleString("en").replaceAll(",", "\u202f");
}

export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return "\u2013";
  if (seconds < 120) return `${formatNumber(seconds, 3)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${formatNumber(minutes / 60, 3)} h`;
}

// A time with as many digits as tell neighbouring pixels of the interval apart.
export function formatTime(time: number, width: number): string {
  const decimals = Math.min(Math.max(Math.ceil(-Math.log10(width / 2000)), 0), 15);
  return Math.abs(time) >= 1e6 || width < 1e-11 ? String(time) : withMinus(time.toFixed(decimals));
}

// Labels of an axis whose neighbours are `increment` apart; null: a label that is left out.
export function formatTicks(values: (number | null)[], increment: number): string[] {
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  const decimals = decimalsOf(increment);
  const magnitude = Math.floor(Math.log10(largest));
  return values.map((value) => {
    if (value === null) return "";
    if (Math.abs(value) < increment / 2) return "0";
    if (largest < 1e6 && largest >= 1e-3) return withMinus(value.toFixed(Math.max(decimals, 0)));
    return shortExponential(value, Math.min(Math.max(decimals + magnitude, 0), 15));
  });
}

// As many as write the increments 1, 2, 2.5 and 5 times a power of ten; negative for large ones.
function decimalsOf(increment: number): number {
  const power = Math.floor(Math.log10(increment) + 1e-9);
  const mantissa = increment / 10 ** power;
  return Math.abs(mantissa - Math.round(mantissa)) < 1e-6 ? -power : 1 - power;
}

export function formatPower(value: number | null): string {
  return value === null ? "" : value >= 1e-3 && value < 1e5 ? String(value) : shortExponential(value, 0);
}

function shortExponential(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  return withMinus(`${short}e${exponent.replace("+", "")}`);
}

function withMinus(text: string): string {
  return text.replaceAll("-", MINUS);
}
