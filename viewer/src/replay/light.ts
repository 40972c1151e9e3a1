// The light of the scene; the impostors of spheres compute the same without three's lights.
import { Color, DirectionalLight, HemisphereLight, Vector3, type Scene } from "three";

export const sky = new Color(1, 1, 1);
export const ground = new Color(0.62, 0.6, 0.64);
export const ambientStrength = 2.0;
export const sunStrength = 1.9;
export const sunDirection = new Vector3(-0.45, -0.6, 1).normalize(); // to the sun: from the left of the front view

// Returns the sun, which is placed by who wants shadows of it.
export function addLights(scene: Scene): DirectionalLight {
  const hemisphere = new HemisphereLight(sky, ground, ambientStrength);
  hemisphere.position.set(0, 0, 1);
  const sun = new DirectionalLight(0xffffff, sunStrength);
  sun.position.copy(sunDirection);
  scene.add(hemisphere, sun, sun.target);
  return sun;
}
