// Contact points: a grey ring where a contact is open, a dot in the colour of its state where it is closed.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, GLSL3, Points, ShaderMaterial,
} from "three";
import type { Frame } from "../frames";
import { stateColors } from "./colors";

const vertexShader = `
uniform float pixelSize;
in vec3 tint;
in float state;
flat out vec3 color;
flat out float isOpen;

void main() {
  color = tint;
  isOpen = state == 0.0 ? 1.0 : 0.0;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = pixelSize;
}`;

const fragmentShader = `
flat in vec3 color;
flat in float isOpen;
out vec4 result;

void main() {
  float radius = 2.0 * length(gl_PointCoord - 0.5);
  float inner = isOpen * 0.55;
  float soft = 0.25;
  float cover = smoothstep(1.0, 1.0 - soft, radius) * (isOpen == 0.0 ? 1.0 : smoothstep(inner - soft, inner, radius));
  if (cover < 0.05) discard;
  result = vec4(color, cover);
}`;

export class Markers {
  readonly object: Points<BufferGeometry, ShaderMaterial>;
  showOpen = true;
  private readonly points: BufferAttribute;
  private readonly tints: BufferAttribute;
  private readonly states: BufferAttribute;
  private colors: Color[] = [];

  constructor(contacts: number, private readonly diameter: number) {
    const attribute = (size: number) =>
      new BufferAttribute(new Float32Array(size * contacts), size).setUsage(DynamicDrawUsage);
    this.points = attribute(3);
    this.tints = attribute(3);
    this.states = attribute(1);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.points);
    geometry.setAttribute("tint", this.tints);
    geometry.setAttribute("state", this.states);
    const uniforms = { pixelSize: { value: diameter } };
    this.object = new Points(
      geometry,
      new ShaderMaterial({ glslVersion: GLSL3, vertexShader, fragmentShader, uniforms, transparent: true }),
    );
    this.object.frustumCulled = false;
  }

  // Colours are written as they are, the shader does not convert them.
  setTheme(dark: boolean): void {
    this.colors = stateColors(dark).map((color) => new Color(color).convertLinearToSRGB());
  }

  setPixelRatio(ratio: number): void {
    this.object.material.uniforms.pixelSize.value = this.diameter * ratio;
  }

  update(frame: Frame, points: Float32Array): void {
    let count = 0;
    for (let i = 0; i < frame.states.length; ++i) {
      const state = frame.states[i];
      const finite = Number.isFinite(points[3 * i] + points[3 * i + 1] + points[3 * i + 2]);
      if (!finite || (state === 0 && !this.showOpen)) continue;
      this.points.setXYZ(count, points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      (this.colors[state] ?? this.colors[0]).toArray(this.tints.array, 3 * count);
      this.states.setX(count, state);
      ++count;
    }
    this.object.geometry.setDrawRange(0, count);
    this.points.needsUpdate = this.tints.needsUpdate = this.states.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
