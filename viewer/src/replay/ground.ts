// A grid under the scene that fades out, and a plane that takes shadows.
import {
  BufferGeometry, Color, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, PlaneGeometry,
  ShadowMaterial,
} from "three";
import type { Extent } from "./extent";

// 1, 2 or 5 times a power of ten, about a tenth of the scene.
export function gridSpacing(size: number): number {
  const decade = 10 ** Math.floor(Math.log10(size / 10));
  const step = [5, 2, 1].find((step) => step * decade <= size / 10) ?? 1;
  return Number((step * decade).toPrecision(1));
}

const cells = 24;

function gridGeometry(spacing: number): BufferGeometry {
  const points: number[] = [];
  const colors: number[] = []; // white, with an opacity that falls to zero at the rim
  const half = cells / 2;
  const addPoint = (i: number, j: number) => {
    points.push(i * spacing, j * spacing, 0);
    colors.push(1, 1, 1, Math.max(0, 1 - Math.hypot(i, j) / half) ** 1.5);
  };
  for (let line = -half; line <= half; ++line)
    for (let along = -half; along < half; ++along) {
      addPoint(along, line);
      addPoint(along + 1, line);
      addPoint(line, along);
      addPoint(line, along + 1);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colors, 4));
  return geometry;
}

export class Ground {
  readonly object = new Group();
  private readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly shade: Mesh<PlaneGeometry, ShadowMaterial>;

  constructor(extent: Extent, shadows: boolean) {
    const spacing = gridSpacing(extent.size);
    const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    this.lines = new LineSegments(gridGeometry(spacing), material);
    const plane = new PlaneGeometry(8 * extent.size, 8 * extent.size);
    this.shade = new Mesh(plane, new ShadowMaterial({ depthWrite: false }));
    this.shade.receiveShadow = true;
    this.shade.visible = shadows;
    this.object.add(this.lines, this.shade);
    const toGrid = (x: number) => spacing * Math.round(x / spacing);
    // A little lower, so that it does not fight with a floor at the same height.
    const height = extent.box.min.z - 2e-3 * extent.size;
    this.object.position.set(toGrid(extent.center.x), toGrid(extent.center.y), height);
  }

  setTheme(dark: boolean): void {
    this.lines.material.color = new Color(dark ? "#59616d" : "#a9b0ba");
    this.shade.material.opacity = dark ? 0.35 : 0.16;
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
    this.shade.geometry.dispose();
    this.shade.material.dispose();
  }
}
