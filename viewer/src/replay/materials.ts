// Materials of instanced bodies.
import {
  DataTexture, DoubleSide, LinearFilter, LinearMipmapLinearFilter, MeshDepthMaterial, MeshLambertMaterial,
  RGBADepthPacking, SRGBColorSpace, type Material,
} from "three";
import type { Shape } from "../manifest";

// An instance's matrix scales along x by the radius and along z by the length; see Prototype.swept.
const sweptPosition = `
  float sweptRadius = length(instanceMatrix[0].xyz);
  float sweptLength = length(instanceMatrix[2].xyz);
  vec3 transformed = position + vec3(sweep.xy, sweep.z * sweptRadius / sweptLength);`;
// three divides normals by the squared scale, then multiplies with the matrix.
const sweptNormal = `
  vec3 objectNormal = sweep * vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz),
                                   length(instanceMatrix[2].xyz));`;

export function sweepSurface(material: Material): void {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec3 sweep;")
      .replace("#include <beginnormal_vertex>", sweptNormal)
      .replace("#include <begin_vertex>", sweptPosition);
  };
  material.customProgramCacheKey = () => "swept";
}

export function bodyMaterial(shape: Shape, swept: boolean): MeshLambertMaterial {
  const material = new MeshLambertMaterial();
  if (shape.type === "sphere" || shape.type === "cylinder") material.map = quarters();
  if (shape.type === "plane") {
    material.side = DoubleSide;
    material.transparent = true;
    material.opacity = 0.45;
    material.depthWrite = false;
  }
  if (shape.type === "mesh") material.side = DoubleSide; // the sense of its triangles is not known
  if (swept) sweepSurface(material);
  return material;
}

export function sweptShadowMaterial(): MeshDepthMaterial {
  const material = new MeshDepthMaterial({ depthPacking: RGBADepthPacking });
  sweepSurface(material);
  return material;
}

// Two light and two slightly darker quarters, so that one sees a ball or a wheel turn.
function quarters(): DataTexture {
  const size = 128;
  const pixels = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; ++i) {
    const light = i % size < size / 2 === i < (size * size) / 2;
    pixels.fill(light ? 255 : 214, 4 * i, 4 * i + 3);
    pixels[4 * i + 3] = 255;
  }
  const texture = new DataTexture(pixels, size, size);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
