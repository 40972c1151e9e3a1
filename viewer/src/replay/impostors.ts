// Many spheres: each is one triangle facing the camera on which a shader draws a ball. It does not show how it turns,
// and a pose's length does not stretch it.
//
// The triangles are one mesh. Instances would be natural, but where there is no graphics card each of them costs as
// much as a draw call: 27 us in SwiftShader, ten times what the triangle needs.
import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, GLSL3, Mesh, ShaderMaterial, Vector3,
  type PerspectiveCamera,
} from "three";
import { poseSize } from "../frames";
import type { Body } from "../manifest";
import type { BodyGroup } from "./bodies";
import { Culling } from "./culling";
import { ambientStrength, ground, sky, sunDirection, sunStrength } from "./light";
import { isFinitePose } from "./poses";

// Up to here balls have the depth of balls, so that a rod may stick in one. Of more the discs through their centres
// hide each other, which is as good where nothing overlaps, and makes it easy to leave out those that are not seen.
const exactDepthLimit = 3000;

const vertexShader = `
in vec4 ball; // centre, radius
in vec3 tint; // sRGB
out vec2 place; // on the unit disc
flat out vec3 color;
flat out vec2 depth; // of the centre in view space, radius

void main() {
  vec4 center = viewMatrix * vec4(ball.xyz, 1.0);
  place = position.xy;
  color = tint * tint; // nearly linear
  depth = vec2(center.z, ball.w);
  gl_Position = projectionMatrix * (center + vec4(ball.w * place, 0.0, 0.0));
}`;

const fragmentShader = `
uniform vec3 skyLight;
uniform vec3 groundLight;
uniform vec3 sunLight;
uniform vec3 sunDirection; // both in view space
uniform vec3 zenith;
uniform bool hollow;
uniform mat4 projectionMatrix;
in vec2 place;
flat in vec3 color;
flat in vec2 depth;
out vec4 result;

void main() {
  float square = dot(place, place);
  if (square > 1.0 || (hollow && square < 0.8)) discard;
  vec3 normal = vec3(place, sqrt(1.0 - square));
  vec3 light = mix(groundLight, skyLight, 0.5 + 0.5 * dot(normal, zenith));
  light += sunLight * max(0.0, dot(normal, sunDirection));
  float rim = 0.5 + 0.5 * min(1.0, 2.5 * normal.z); // a dark rim parts neighbours of one colour
  result = vec4(sqrt(color * light * rim), 1.0); // nearly sRGB
#ifdef EXACT_DEPTH
  float z = depth.x + depth.y * normal.z;
  gl_FragDepth = 0.5 - 0.5 * (projectionMatrix[2][2] * z + projectionMatrix[3][2]) / z;
#endif
}`;

export class SphereImpostors implements BodyGroup {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly balls: Float32Array; // centre and radius of each; the radius is 0 if it has no finite pose
  private readonly radii: number[];
  private readonly tints: Uint8Array;
  private readonly drawnBalls: BufferAttribute; // for each corner of the triangles
  private readonly drawnTints: BufferAttribute;
  private readonly all: Uint32Array;
  private readonly culling: Culling | null;

  constructor(bodies: Body[], colors: string[], private readonly members: number[]) {
    const count = members.length;
    this.radii = members.map((index) => {
      const { shape } = bodies[index];
      return shape.type === "sphere" ? shape.radius : 0;
    });
    this.balls = new Float32Array(4 * count);
    this.tints = new Uint8Array(members.flatMap((index) => bytesOf(colors[index])));
    this.drawnBalls = new BufferAttribute(new Float32Array(12 * count), 4).setUsage(DynamicDrawUsage);
    this.drawnTints = new BufferAttribute(new Uint8Array(12 * count), 4, true).setUsage(DynamicDrawUsage);
    this.all = new Uint32Array(count).map((_, i) => i);
    const exact = count <= exactDepthLimit;
    this.culling = exact ? null : new Culling(count);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", corners(count));
    geometry.setAttribute("ball", this.drawnBalls);
    geometry.setAttribute("tint", this.drawnTints);
    this.object = new Mesh(geometry, ballMaterial(exact));
    this.object.frustumCulled = false;
  }

  update(poses: Float32Array): void {
    const { balls, members, radii } = this;
    for (let i = 0; i < members.length; ++i) {
      const from = poseSize * members[i];
      balls[4 * i] = poses[from];
      balls[4 * i + 1] = poses[from + 1];
      balls[4 * i + 2] = poses[from + 2];
      balls[4 * i + 3] = radii[i];
      if (!isFinitePose(poses, from)) balls.fill(0, 4 * i, 4 * i + 4);
    }
  }

  prepare(camera: PerspectiveCamera, width: number, height: number): void {
    const { sunDirection: sun, zenith, hollow } = this.object.material.uniforms;
    sun.value.copy(sunDirection).transformDirection(camera.matrixWorldInverse);
    zenith.value.set(0, 0, 1).transformDirection(camera.matrixWorldInverse);
    const culling = hollow.value ? null : this.culling;
    this.write(culling ? culling.visible(this.balls, camera, width, height) : this.all);
  }

  setWireframe(on: boolean): void {
    this.object.material.uniforms.hollow.value = on;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }

  private write(drawn: Uint32Array): void {
    const balls = this.drawnBalls.array;
    const tints = this.drawnTints.array;
    let at = 0;
    for (const ball of drawn)
      for (let corner = 0; corner < 3; ++corner)
        for (let part = 0; part < 4; ++part, ++at) {
          balls[at] = this.balls[4 * ball + part];
          tints[at] = this.tints[4 * ball + part];
        }
    this.object.geometry.setDrawRange(0, 3 * drawn.length);
    for (const attribute of [this.drawnBalls, this.drawnTints]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, at);
      attribute.needsUpdate = true;
    }
  }
}

function bytesOf(color: string): number[] {
  return [...new Color(color).convertLinearToSRGB().toArray().map((part) => Math.round(255 * part)), 255];
}

// The corners of a triangle around the unit disc.
function corners(count: number): BufferAttribute {
  const triangle = [-Math.sqrt(3), -1, 0, Math.sqrt(3), -1, 0, 0, 2, 0];
  return new BufferAttribute(new Float32Array(9 * count).map((_, i) => triangle[i % 9]), 3);
}

// three's Lambert reflects 1 / pi of the light.
function ballMaterial(exactDepth: boolean): ShaderMaterial {
  const strength = (color: Color, factor: number) => color.clone().multiplyScalar(factor / Math.PI);
  return new ShaderMaterial({
    glslVersion: GLSL3,
    defines: exactDepth ? { EXACT_DEPTH: "" } : {},
    vertexShader,
    fragmentShader,
    uniforms: {
      sunDirection: { value: new Vector3() },
      zenith: { value: new Vector3() },
      skyLight: { value: strength(sky, ambientStrength) },
      groundLight: { value: strength(ground, ambientStrength) },
      sunLight: { value: strength(new Color(1, 1, 1), sunStrength) },
      hollow: { value: false },
    },
  });
}
