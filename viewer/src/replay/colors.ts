// Colours that people with any kind of colour vision can tell apart.
import type { Body } from "../manifest";

// Paul Tol's "light" scheme: calm enough that the forces stand out.
const palette = ["#77aadd", "#ee8866", "#44bb99", "#eedd88", "#99ddff", "#ffaabb", "#bbcc33", "#aaaa00"];
// A crowd needs no colour for each: neighbours differ, by lightness too.
const crowdPalette = ["#7fa8d1", "#b5cde6", "#5c86b8", "#e0cf9a", "#93b4c9"];
const crowd = 500; // bodies
const neutral = "#9aa3ad"; // floors and springs are not what one looks at

export function bodyColors(bodies: Body[]): string[] {
  const choices = bodies.length < crowd ? palette : crowdPalette;
  return bodies.map(({ color, shape }, index) => {
    if (color && /^#[0-9a-f]{6}$/i.test(color)) return color;
    return shape.type === "plane" || shape.type === "spring" ? neutral : choices[index % choices.length];
  });
}

// By state of a contact: open, slips, sticks, closed without friction. After Okabe and Ito, lighter on a dark page.
export const stateNames = ["open", "slips", "sticks", "closed, no friction"] as const;
const stateColorsLight = ["#8a8f96", "#d55e00", "#0072b2", "#00805e"] as const;
const stateColorsDark = ["#8a8f96", "#ff9a3c", "#56b4e9", "#3fd6a8"] as const;

export function stateColors(dark: boolean): readonly string[] {
  return dark ? stateColorsDark : stateColorsLight;
}

export const highlightColor = "#f5b400";
