// Geometry of the shapes. Bodies whose shapes differ only by scale share one geometry, and so one draw call.
import {
  BoxGeometry, BufferGeometry, CylinderGeometry, Float32BufferAttribute, PlaneGeometry, SphereGeometry, Vector3,
} from "three";
import type { Shape } from "../manifest";

export interface Prototype {
  key: string; // the same for shapes that share a geometry
  scale: readonly [number, number, number];
  // Swept: `position` is on the centre line, which is stretched by the scale; `sweep` leads from it to the surface, in
  // units of the scale along x, and is not stretched. So a link keeps round ends and a spring a round wire.
  swept: boolean;
}

export function prototypeOf(shape: Shape): Prototype {
  switch (shape.type) {
    case "sphere":
      return { key: "sphere", scale: [shape.radius, shape.radius, shape.radius], swept: false };
    case "box":
      return { key: "box", scale: shape.size, swept: false };
    case "cylinder":
      return { key: "cylinder", scale: [shape.radius, shape.radius, shape.length], swept: false };
    case "plane":
      return { key: "plane", scale: [shape.size[0], shape.size[1], 1], swept: false };
    case "capsule":
      return { key: "capsule", scale: [shape.radius, shape.radius, shape.length], swept: true };
    case "segment":
      return { key: "capsule", scale: [shape.radius, shape.radius, 1], swept: true };
    case "spring":
      return { key: `spring ${shape.turns}`, scale: [shape.radius, shape.radius, 1], swept: true };
    case "mesh":
      return { key: JSON.stringify(shape), scale: [1, 1, 1], swept: false };
  }
}

// Coarser where there are many: under 50 bodies one looks at the roundness, over 1000 at the crowd.
export function makeGeometry(shape: Shape, count: number): BufferGeometry {
  const around = count <= 50 ? 48 : count <= 1000 ? 20 : 12;
  switch (shape.type) {
    case "sphere":
      return new SphereGeometry(1, around, around / 2).rotateX(Math.PI / 2);
    case "box":
      return new BoxGeometry(1, 1, 1);
    case "cylinder":
      return new CylinderGeometry(1, 1, 1, around).rotateX(Math.PI / 2);
    case "plane":
      return new PlaneGeometry(1, 1);
    case "capsule":
    case "segment":
      return sweptCapsule(around);
    case "spring":
      return sweptCoil(shape.turns, count <= 50 ? 24 : 12);
    case "mesh":
      return triangleMesh(shape.vertices, shape.triangles);
  }
}

function sweptCapsule(around: number): BufferGeometry {
  const geometry = new SphereGeometry(1, around, around / 2 - 1).rotateX(Math.PI / 2); // odd: no ring at the equator
  const sweep = geometry.getAttribute("position");
  const centers: number[] = [];
  for (let i = 0; i < sweep.count; ++i) centers.push(0, 0, sweep.getZ(i) > 0 ? 0.5 : -0.5);
  geometry.setAttribute("sweep", sweep);
  geometry.setAttribute("position", new Float32BufferAttribute(centers, 3));
  return geometry;
}

const wireRadius = 0.13; // of the radius of the coil
const coilAspect = 6; // length / radius for which the wire is exactly round

const straightEnd = 0.08; // of the length

function coilAngle(s: number, turns: number): number {
  return 2 * Math.PI * turns * Math.min(1, Math.max(0, (s - straightEnd) / (1 - 2 * straightEnd)));
}

// A helix whose ends run to the axis, where a spring is attached.
function coilPoint(s: number, turns: number): Vector3 {
  const radius = Math.min(1, Math.max(0, (Math.min(s, 1 - s) / straightEnd - 0.7) / 0.6));
  const angle = coilAngle(s, turns);
  return new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), s - 0.5);
}

// Two unit vectors across the wire, the first as radial as can be.
function coilFrame(s: number, turns: number, step: number): [Vector3, Vector3] {
  const stretch = new Vector3(1, 1, coilAspect);
  const before = coilPoint(s - step, turns).multiply(stretch);
  const tangent = coilPoint(s + step, turns).multiply(stretch).sub(before).normalize();
  const angle = coilAngle(s, turns);
  const radial = new Vector3(Math.cos(angle), Math.sin(angle), 0);
  const side = radial.addScaledVector(tangent, -radial.dot(tangent)).normalize();
  return [side, tangent.cross(side)];
}

function sweptCoil(turns: number, perTurn: number): BufferGeometry {
  const along = Math.max(8, Math.ceil(turns * perTurn)) + 24;
  const around = 8;
  const centers: number[] = [];
  const sweep: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= along; ++i) {
    const center = coilPoint(i / along, turns);
    const [side, other] = coilFrame(i / along, turns, 0.5 / along);
    for (let j = 0; j < around; ++j) {
      const angle = (2 * Math.PI * j) / around;
      const offset = side.clone().multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
      centers.push(...center.toArray());
      sweep.push(...offset.multiplyScalar(wireRadius).toArray());
      if (i === along) continue;
      const a = i * around + j;
      const b = i * around + ((j + 1) % around);
      triangles.push(a, b, a + around, b, b + around, a + around);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(centers, 3));
  geometry.setAttribute("sweep", new Float32BufferAttribute(sweep, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(sweep, 3));
  geometry.setIndex(triangles);
  return geometry;
}

// Flat faces: the meshes of mechanisms have edges.
function triangleMesh(vertices: number[], triangles: number[]): BufferGeometry {
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new Float32BufferAttribute(vertices, 3));
  indexed.setIndex(triangles);
  const geometry = indexed.toNonIndexed();
  geometry.computeVertexNormals();
  return geometry;
}
