// The paths of some bodies up to the time that is shown.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments,
} from "three";
import { poseSize, type FrameSource } from "../frames";
import type { Body } from "../manifest";
import { bodyColors } from "./colors";

const nodeLimit = 2000; // along a path
const fillTime = 8; // ms in one picture: to decode all frames of a large scene takes longer

export class Trails {
  readonly object = new Group();
  private readonly stride: number; // frames from node to node
  private readonly nodes: number;
  private filled = 0; // nodes
  private readonly points: BufferAttribute; // nodes x bodies
  private readonly tips: BufferAttribute; // bodies x 2: from the last node that is past to where a body is now
  private readonly paths: LineSegments;
  private readonly ends: LineSegments;
  private readonly material = new LineBasicMaterial({ vertexColors: true });

  constructor(bodies: Body[], private readonly traced: number[], private readonly frames: FrameSource) {
    this.stride = Math.max(1, Math.ceil(frames.times.length / nodeLimit));
    this.nodes = Math.ceil(frames.times.length / this.stride);
    const all = bodyColors(bodies);
    const colors = traced.map((body) => new Color(all[body]));
    this.points = new BufferAttribute(new Float32Array(3 * this.nodes * traced.length), 3);
    this.tips = new BufferAttribute(new Float32Array(6 * traced.length), 3).setUsage(DynamicDrawUsage);
    this.paths = this.makeLines(this.points, (vertex) => colors[vertex % traced.length]);
    this.paths.geometry.setIndex(segmentsByNode(this.nodes, traced.length));
    this.ends = this.makeLines(this.tips, (vertex) => colors[vertex >> 1]);
    this.object.add(this.paths, this.ends);
  }

  // Reads what can be read now; true if there is more.
  fill(): boolean {
    const begin = performance.now();
    const before = this.filled;
    while (this.filled < this.nodes && performance.now() - begin < fillTime) {
      const frame = this.frames.frame(this.filled * this.stride);
      if (!frame) break;
      this.addNode(frame.poses);
    }
    this.points.needsUpdate = this.filled > before;
    return this.filled > before && this.filled < this.nodes;
  }

  update(index: number, poses: Float32Array): void {
    const node = Math.floor(index / this.stride);
    const known = Math.min(node, this.filled - 1);
    this.paths.geometry.setDrawRange(0, 2 * this.traced.length * Math.max(0, known));
    this.ends.visible = known === node;
    this.traced.forEach((body, i) => {
      const from = 3 * (node * this.traced.length + i);
      this.tips.array.set(this.points.array.subarray(from, from + 3), 6 * i);
      this.tips.array.set(poses.subarray(poseSize * body, poseSize * body + 3), 6 * i + 3);
    });
    this.tips.needsUpdate = true;
  }

  dispose(): void {
    this.paths.geometry.dispose();
    this.ends.geometry.dispose();
    this.material.dispose();
  }

  private addNode(poses: Float32Array): void {
    this.traced.forEach((body, i) => {
      const position = poses.subarray(poseSize * body, poseSize * body + 3);
      this.points.array.set(position, 3 * (this.filled * this.traced.length + i));
    });
    ++this.filled;
  }

  private makeLines(points: BufferAttribute, colorOf: (vertex: number) => Color): LineSegments {
    const colors = new Float32Array(points.array.length);
    for (let vertex = 0; vertex < points.count; ++vertex) colorOf(vertex).toArray(colors, 3 * vertex);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", points);
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    const lines = new LineSegments(geometry, this.material);
    lines.frustumCulled = false;
    return lines;
  }
}

// In the order of time, so that the past is a beginning of the list.
function segmentsByNode(nodes: number, bodies: number): BufferAttribute {
  const indices = new Uint32Array(2 * bodies * Math.max(0, nodes - 1));
  for (let end = bodies, i = 0; end < nodes * bodies; ++end) {
    indices[i++] = end - bodies;
    indices[i++] = end;
  }
  return new BufferAttribute(indices, 1);
}
