// Where the scene is and how large.
import { Box3, Vector3 } from "three";
import type { SceneDescription } from "../manifest";

export interface Extent {
  box: Box3;
  center: Vector3;
  size: number; // diagonal
}

export function extentOf(bounds: SceneDescription["bounds"]): Extent {
  const box = new Box3(new Vector3(...bounds.low), new Vector3(...bounds.high));
  const finite = [...bounds.low, ...bounds.high].every((x) => Number.isFinite(x)); // null where a run has diverged
  if (!finite || box.isEmpty()) box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
  if (box.min.distanceTo(box.max) === 0) box.expandByScalar(0.5);
  return { box, center: box.getCenter(new Vector3()), size: box.min.distanceTo(box.max) };
}

// A planar mechanism, drawn in the x-z plane.
export function isFlatInY(extent: Extent): boolean {
  const edges = extent.box.getSize(new Vector3());
  return edges.y < 0.3 * Math.max(edges.x, edges.z);
}
