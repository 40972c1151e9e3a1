// A rim around the body that is picked: its back faces once more, some pixels larger.
import { BackSide, InstancedMesh, MeshBasicMaterial, Vector2 } from "three";
import { poseSize } from "../frames";
import type { Body } from "../manifest";
import { highlightColor } from "./colors";
import { sweepSurface } from "./materials";
import { writeMatrix } from "./poses";
import { makeGeometry, prototypeOf } from "./shapes";

// Away from the centre, or the centre line, rather than along normals: those of a box would tear it apart.
const inflated = (outward: string) => `
  vec3 scale = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
  vec3 aside = mat3(modelViewMatrix) * mat3(instanceMatrix) * (${outward} / scale);
  vec2 asidePixels = (projectionMatrix * vec4(aside, 0.0)).xy / pixel;
  gl_Position.xy += 3.0 * pixel * gl_Position.w * asidePixels / max(length(asidePixels), 1e-6);`;

export class Outline {
  readonly object: InstancedMesh;
  private readonly pixel = new Vector2(1, 1); // its size in clip space
  private readonly scale: readonly [number, number, number];

  constructor(body: Body, private readonly index: number) {
    const { scale, swept } = prototypeOf(body.shape);
    this.scale = scale;
    const flat = body.shape.type === "plane"; // has no back: its edges are drawn
    const material = new MeshBasicMaterial({ color: highlightColor, side: BackSide, wireframe: flat });
    if (swept) sweepSurface(material);
    this.inflate(material, swept ? "sweep" : "position");
    this.object = new InstancedMesh(makeGeometry(body.shape, 1), material, 1);
    this.object.frustumCulled = false;
  }

  setViewport(width: number, height: number): void {
    this.pixel.set(2 / width, 2 / height);
  }

  update(poses: Float32Array): void {
    writeMatrix(poses, poseSize * this.index, this.scale, this.object.instanceMatrix.array as Float32Array, 0);
    this.object.instanceMatrix.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    (this.object.material as MeshBasicMaterial).dispose();
    this.object.dispose();
  }

  private inflate(material: MeshBasicMaterial, outward: "sweep" | "position"): void {
    const sweep = material.onBeforeCompile;
    material.onBeforeCompile = (shader, renderer) => {
      sweep.call(material, shader, renderer);
      shader.uniforms.pixel = { value: this.pixel };
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nuniform vec2 pixel;")
        .replace("#include <project_vertex>", `#include <project_vertex>${inflated(outward)}`);
    };
    material.customProgramCacheKey = () => `outline by ${outward}`;
  }
}
