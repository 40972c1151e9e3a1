// Directions from which the scene is looked at, and how far away the camera must be to see all of it.
import { Vector3, type PerspectiveCamera } from "three";
import { isFlatInY, type Extent } from "./extent";

export type View = "start" | "front" | "top" | "side";

// From the centre of the scene towards the camera. Front looks along +y; top has +y upwards on the screen.
function directionOf(view: View, extent: Extent): Vector3 {
  switch (view) {
    case "front":
      return new Vector3(0, -1, 0);
    case "top":
      return new Vector3(0, -1e-4, 1).normalize(); // not along the axis around which the camera orbits
    case "side":
      return new Vector3(1, 0, 0);
    case "start":
      return (isFlatInY(extent) ? new Vector3(0.1, -1, 0.2) : new Vector3(0.55, -1, 0.5)).normalize();
  }
}

const margin = 1.12;

// The least distance from which the corners of the box are in the picture.
function fittingDistance(camera: PerspectiveCamera, extent: Extent, backwards: Vector3): number {
  const right = new Vector3(0, 0, 1).cross(backwards).normalize();
  const up = backwards.clone().cross(right);
  const tangentUp = Math.tan((camera.fov * Math.PI) / 360);
  const tangentRight = tangentUp * camera.aspect;
  let distance = 0;
  for (let corner = 0; corner < 8; ++corner) {
    const { min, max } = extent.box;
    const x = new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z);
    x.sub(extent.center);
    const across = Math.max(Math.abs(x.dot(right)) / tangentRight, Math.abs(x.dot(up)) / tangentUp);
    distance = Math.max(distance, x.dot(backwards) + margin * across);
  }
  return distance;
}

export function placeCamera(camera: PerspectiveCamera, target: Vector3, extent: Extent, view: View): void {
  const backwards = directionOf(view, extent);
  target.copy(extent.center);
  camera.position.copy(target).addScaledVector(backwards, fittingDistance(camera, extent, backwards));
  camera.lookAt(target);
}

// The depth buffer has few bits: the planes follow the camera. A floor may be much larger than what moves.
export function setDepthRange(camera: PerspectiveCamera, extent: Extent): void {
  const distance = camera.position.distanceTo(extent.center);
  camera.near = Math.max(0.002 * extent.size, 0.02 * distance);
  camera.far = distance + 50 * extent.size;
  camera.updateProjectionMatrix();
}
