// Behind the scene: one colour, or a soft change from top to bottom where there is time to draw it.
import { Color, DataTexture, LinearFilter, SRGBColorSpace } from "three";

const light = { top: "#fdfdfe", bottom: "#e0e5eb", flat: "#f0f2f5" };
const dark = { top: "#2e343d", bottom: "#16191f", flat: "#20242b" };

export function makeBackground(isDark: boolean, graded: boolean): Color | DataTexture {
  const tones = isDark ? dark : light;
  return graded ? gradient(tones.bottom, tones.top) : new Color(tones.flat);
}

function gradient(bottom: string, top: string): DataTexture {
  const bytes = (color: string) => [...new Color(color).convertLinearToSRGB().toArray().map((part) => 255 * part), 255];
  const texture = new DataTexture(new Uint8Array([...bytes(bottom), ...bytes(top)]), 1, 2);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
