// Contact forces as arrows: a cone at the tip where a contact sticks or has no friction, an octahedron where it slips.
import {
  BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, MeshLambertMaterial,
  OctahedronGeometry, Vector3,
} from "three";
import type { Frame } from "../frames";
import { stateColors } from "./colors";
import type { ForceDrawing, ForceScale } from "./contacts";

const open = 0;
const slips = 1;

export class Arrows implements ForceDrawing {
  readonly object = new Group();
  private readonly shafts: InstancedMesh;
  private readonly cones: InstancedMesh;
  private readonly octahedra: InstancedMesh;
  private readonly material = new MeshLambertMaterial();
  private colors: Color[] = [];

  constructor(contacts: number, private readonly scale: ForceScale) {
    const sides = contacts > 100 ? 6 : 16;
    this.shafts = this.makeMesh(new CylinderGeometry(1, 1, 1, sides, 1, true), contacts);
    this.cones = this.makeMesh(new ConeGeometry(1, 1, sides), contacts);
    this.octahedra = this.makeMesh(new OctahedronGeometry(0.5).scale(2.4, 1, 2.4), contacts);
    this.object.add(this.shafts, this.cones, this.octahedra);
  }

  setTheme(dark: boolean): void {
    this.colors = stateColors(dark).map((color) => new Color(color));
  }

  update(frame: Frame, points: Float32Array): void {
    const meshes = [this.shafts, this.cones, this.octahedra];
    for (const mesh of meshes) mesh.count = 0;
    for (let i = 0; i < frame.states.length; ++i) this.addArrow(frame, points, i);
    for (const mesh of meshes) {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  dispose(): void {
    for (const mesh of [this.shafts, this.cones, this.octahedra]) {
      mesh.geometry.dispose();
      mesh.dispose();
    }
    this.material.dispose();
  }

  // The geometries of three are along y and centred: here along z from the origin.
  private makeMesh(geometry: BufferGeometry, contacts: number): InstancedMesh {
    geometry.rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const mesh = new InstancedMesh(geometry, this.material, contacts);
    mesh.setColorAt(0, new Color());
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    return mesh;
  }

  private addArrow(frame: Frame, points: Float32Array, i: number): void {
    const state = frame.states[i];
    const along = new Vector3().fromArray(frame.forces, 3 * i);
    const force = along.length();
    const start = new Vector3().fromArray(points, 3 * i);
    if (state === open || !(force > 0) || !Number.isFinite(force + start.x + start.y + start.z)) return;
    along.divideScalar(force);
    const length = this.scale.lengthOf(force);
    const width = 0.0045 * this.scale.sceneSize;
    const headLength = Math.min(6 * width, 0.6 * length);
    const headWidth = 0.4 * headLength;
    const neck = start.clone().addScaledVector(along, length - headLength);
    const color = this.colors[state] ?? this.colors[open];
    addInstance(this.shafts, start, along, Math.min(width, 0.45 * headWidth), length - 0.9 * headLength, color);
    addInstance(state === slips ? this.octahedra : this.cones, neck, along, headWidth, headLength, color);
  }
}

function addInstance(
  mesh: InstancedMesh, start: Vector3, along: Vector3, width: number, length: number, color: Color,
): void {
  const at = 16 * mesh.count;
  const matrix = mesh.instanceMatrix.array;
  const aside = Math.abs(along.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0);
  const x = aside.cross(along).normalize();
  const y = along.clone().cross(x);
  x.multiplyScalar(width).toArray(matrix, at);
  y.multiplyScalar(width).toArray(matrix, at + 4);
  along.clone().multiplyScalar(length).toArray(matrix, at + 8);
  start.toArray(matrix, at + 12);
  matrix[at + 15] = 1;
  color.toArray(mesh.instanceColor!.array, 3 * mesh.count);
  ++mesh.count;
}
