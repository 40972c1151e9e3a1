// Which body a ray meets first. Computed from the shapes: where the graphics card has drawn them is not known here.
import { Quaternion, Ray, Vector3 } from "three";
import { poseSize } from "../frames";
import type { Body, Shape } from "../manifest";
import { isFinitePose } from "./poses";

// Slack is the angle by which a ray may miss a thin body.
export function pickBody(bodies: Body[], poses: Float32Array, ray: Ray, slack: number): number | null {
  let nearest = Infinity;
  let picked: number | null = null;
  bodies.forEach((body, index) => {
    if (!isFinitePose(poses, poseSize * index)) return;
    const local = localRay(ray, poses, poseSize * index);
    const distance = hit(body.shape, local, poses[poseSize * index + 7], slack * local.origin.length());
    if (distance >= nearest) return;
    nearest = distance;
    picked = index;
  });
  return picked;
}

function localRay(ray: Ray, poses: Float32Array, at: number): Ray {
  const position = new Vector3().fromArray(poses, at);
  const toLocal = new Quaternion().fromArray(poses, at + 3).conjugate();
  const origin = ray.origin.clone().sub(position).applyQuaternion(toLocal);
  return new Ray(origin, ray.direction.clone().applyQuaternion(toLocal));
}

// Distances along the ray; Infinity if it misses.
function hit(shape: Shape, ray: Ray, length: number, slack: number): number {
  switch (shape.type) {
    case "sphere":
      return hitSphere(ray, 0, shape.radius + slack);
    case "box":
      return hitBox(ray, shape.size[0] / 2, shape.size[1] / 2, (shape.size[2] * length) / 2);
    case "plane":
      return hitBox(ray, shape.size[0] / 2, shape.size[1] / 2, 0);
    case "cylinder":
      return hitTube(ray, shape.radius + slack, (shape.length * length) / 2);
    case "capsule":
      return hitCapsule(ray, shape.radius + slack, (shape.length * length) / 2);
    case "segment":
      return hitCapsule(ray, shape.radius + slack, length / 2);
    case "spring":
      return hitTube(ray, shape.radius + slack, length / 2);
    case "mesh":
      return hitMesh(ray, shape.vertices, shape.triangles);
  }
}

// The smaller root of a s^2 + 2 b s + c = 0.
function firstRoot(a: number, b: number, c: number): number {
  const root = Math.sqrt(b * b - a * c);
  const s = (-b - root) / a;
  return s >= 0 ? s : Infinity; // NaN too: it misses
}

function hitSphere(ray: Ray, height: number, radius: number): number {
  const { x, y } = ray.origin;
  const z = ray.origin.z - height;
  const along = x * ray.direction.x + y * ray.direction.y + z * ray.direction.z;
  return firstRoot(1, along, x * x + y * y + z * z - radius * radius);
}

function hitTube(ray: Ray, radius: number, half: number): number {
  const { origin: o, direction: d } = ray;
  const side = firstRoot(d.x * d.x + d.y * d.y, o.x * d.x + o.y * d.y, o.x * o.x + o.y * o.y - radius * radius);
  const onSide = Math.abs(o.z + side * d.z) <= half ? side : Infinity;
  const cap = (Math.sign(o.z) * half - o.z) / d.z;
  const onCap = cap >= 0 && Math.hypot(o.x + cap * d.x, o.y + cap * d.y) <= radius ? cap : Infinity;
  return Math.min(onSide, onCap);
}

function hitCapsule(ray: Ray, radius: number, half: number): number {
  return Math.min(hitTube(ray, radius, half), hitSphere(ray, half, radius), hitSphere(ray, -half, radius));
}

function hitBox(ray: Ray, ...halves: [number, number, number]): number {
  let enter = 0;
  let leave = Infinity;
  halves.forEach((half, axis) => {
    const o = ray.origin.getComponent(axis);
    const d = ray.direction.getComponent(axis);
    const a = (-half - o) / d;
    const b = (half - o) / d;
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  });
  return enter <= leave ? enter : Infinity;
}

function hitMesh(ray: Ray, vertices: number[], triangles: number[]): number {
  const corner = (i: number) => new Vector3().fromArray(vertices, 3 * triangles[i]);
  const point = new Vector3();
  let nearest = Infinity;
  for (let i = 0; i + 2 < triangles.length; i += 3)
    if (ray.intersectTriangle(corner(i), corner(i + 1), corner(i + 2), false, point))
      nearest = Math.min(nearest, point.distanceTo(ray.origin));
  return nearest;
}
