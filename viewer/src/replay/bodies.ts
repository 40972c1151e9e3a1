// All bodies, in one draw call for each geometry.
import { Color, DynamicDrawUsage, Group, InstancedMesh, type Object3D, type PerspectiveCamera } from "three";
import { poseSize } from "../frames";
import type { Body } from "../manifest";
import { bodyColors } from "./colors";
import { SphereImpostors } from "./impostors";
import { bodyMaterial, sweptShadowMaterial } from "./materials";
import { writeMatrix } from "./poses";
import { makeGeometry, prototypeOf } from "./shapes";

export const manyBodies = 500; // from here on speed is worth more than beauty

export interface BodyGroup {
  readonly object: Object3D;
  update(poses: Float32Array): void;
  prepare(camera: PerspectiveCamera, width: number, height: number): void; // before each picture
  setWireframe(on: boolean): void;
  dispose(): void;
}

export class Bodies {
  readonly object = new Group();
  private readonly groups: BodyGroup[];

  constructor(bodies: Body[], shadows: boolean) {
    const colors = bodyColors(bodies);
    this.groups = [...membersByGeometry(bodies).values()].map((members) => makeGroup(bodies, colors, members, shadows));
    for (const group of this.groups) this.object.add(group.object);
  }

  update(poses: Float32Array): void {
    for (const group of this.groups) group.update(poses);
  }

  prepare(camera: PerspectiveCamera, width: number, height: number): void {
    for (const group of this.groups) group.prepare(camera, width, height);
  }

  setWireframe(on: boolean): void {
    for (const group of this.groups) group.setWireframe(on);
  }

  dispose(): void {
    for (const group of this.groups) group.dispose();
  }
}

function membersByGeometry(bodies: Body[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  bodies.forEach((body, index) => {
    const { key } = prototypeOf(body.shape);
    const members = groups.get(key);
    if (members) members.push(index);
    else groups.set(key, [index]);
  });
  return groups;
}

function makeGroup(bodies: Body[], colors: string[], members: number[], shadows: boolean): BodyGroup {
  const many = members.length >= manyBodies;
  if (many && bodies[members[0]].shape.type === "sphere") return new SphereImpostors(bodies, colors, members);
  return new InstancedBodies(bodies, colors, members, shadows);
}

class InstancedBodies implements BodyGroup {
  readonly object: InstancedMesh;
  private readonly material;
  private readonly scales: (readonly [number, number, number])[];

  constructor(bodies: Body[], colors: string[], private readonly members: number[], shadows: boolean) {
    const { shape } = bodies[members[0]];
    const { swept } = prototypeOf(shape);
    this.scales = members.map((index) => prototypeOf(bodies[index].shape).scale);
    this.material = bodyMaterial(shape, swept);
    this.object = new InstancedMesh(makeGeometry(shape, members.length), this.material, members.length);
    this.object.instanceMatrix.setUsage(DynamicDrawUsage);
    this.object.frustumCulled = false; // three would need the bounds of all instances, which move
    this.object.castShadow = shadows && shape.type !== "plane";
    this.object.receiveShadow = shadows;
    if (swept) this.object.customDepthMaterial = sweptShadowMaterial();
    members.forEach((index, i) => this.object.setColorAt(i, new Color(colors[index])));
  }

  update(poses: Float32Array): void {
    const matrices = this.object.instanceMatrix.array as Float32Array;
    this.members.forEach((body, i) => writeMatrix(poses, poseSize * body, this.scales[i], matrices, 16 * i));
    this.object.instanceMatrix.needsUpdate = true;
  }

  prepare(): void {}

  setWireframe(on: boolean): void {
    this.material.wireframe = on;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.customDepthMaterial?.dispose();
    this.material.map?.dispose();
    this.material.dispose();
    this.object.dispose();
  }
}
