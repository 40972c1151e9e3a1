// Colours are custom properties of style.css, so that canvases and HTML agree.
import { Store } from "./store";

export type Theme = "light" | "dark";

const CURVES = 8;
const DASHES: number[][] = [[], [7, 3], [2, 2], [8, 3, 2, 3]];

const preference = matchMedia("(prefers-color-scheme: dark)");
const colors = new Map<string, string>();

export const theme = new Store<Theme>(preference.matches ? "dark" : "light");

export function startTheme(): void {
  document.documentElement.dataset.theme = theme.value;
  preference.addEventListener("change", () => setTheme(preference.matches ? "dark" : "light"));
}

export function setTheme(value: Theme): void {
  document.documentElement.dataset.theme = value;
  colors.clear();
  theme.set(value);
}

export function color(name: string): string {
  let value = colors.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    colors.set(name, value);
  }
  return value;
}

export function curveColor(index: number): string {
  return color(`curve-${index % CURVES}`);
}

// From the second cycle of colours on curves differ by their dashes.
export function curveDash(index: number): number[] {
  return DASHES[Math.floor(index / CURVES) % DASHES.length];
}
