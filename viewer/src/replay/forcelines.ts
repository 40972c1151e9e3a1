// The forces of many contacts, as lines: of thousands of arrows one would see only the tips.
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineBasicMaterial, LineSegments } from "three";
import type { Frame } from "../frames";
import { stateColors } from "./colors";
import type { ForceDrawing, ForceScale } from "./contacts";

export class ForceLines implements ForceDrawing {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly ends: BufferAttribute;
  private readonly tints: BufferAttribute;
  private colors: Color[] = [];

  constructor(contacts: number, private readonly scale: ForceScale) {
    this.ends = new BufferAttribute(new Float32Array(6 * contacts), 3).setUsage(DynamicDrawUsage);
    this.tints = new BufferAttribute(new Float32Array(6 * contacts), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.ends);
    geometry.setAttribute("color", this.tints);
    this.object = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true }));
    this.object.frustumCulled = false;
  }

  setTheme(dark: boolean): void {
    this.colors = stateColors(dark).map((color) => new Color(color));
  }

  update(frame: Frame, points: Float32Array): void {
    let count = 0;
    for (let i = 0; i < frame.states.length; ++i) if (this.setLine(count, frame, points, i)) ++count;
    this.object.geometry.setDrawRange(0, 2 * count);
    this.ends.needsUpdate = this.tints.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private setLine(line: number, { forces, states }: Frame, points: Float32Array, i: number): boolean {
    const x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
    const fx = forces[3 * i], fy = forces[3 * i + 1], fz = forces[3 * i + 2];
    const force = Math.sqrt(fx * fx + fy * fy + fz * fz);
    if (states[i] === 0 || !(force > 0) || !Number.isFinite(force + x + y + z)) return false;
    const stretch = this.scale.lengthOf(force) / force;
    this.ends.setXYZ(2 * line, x, y, z);
    this.ends.setXYZ(2 * line + 1, x + stretch * fx, y + stretch * fy, z + stretch * fz);
    const color = this.colors[states[i]] ?? this.colors[0];
    color.toArray(this.tints.array, 6 * line);
    color.toArray(this.tints.array, 6 * line + 3);
    return true;
  }
}
