// The directions x, y, z of the world in a corner of the picture, and the spacing of the grid.
import { Quaternion, Vector3, type Camera } from "three";
import { make } from "../dom";
import { formatNumber } from "../format";

const namespace = "http://www.w3.org/2000/svg";
const axes = [
  { name: "x", direction: new Vector3(1, 0, 0) },
  { name: "y", direction: new Vector3(0, 1, 0) },
  { name: "z", direction: new Vector3(0, 0, 1) },
];
const reach = 20; // pixels

function svg(tag: string, attributes: Record<string, string>): SVGElement {
  const node = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

export class Triad {
  readonly element: HTMLElement;
  private readonly lines: SVGElement[];
  private readonly letters: SVGElement[];
  private readonly seen = new Quaternion(0, 0, 0, 0); // of the camera

  constructor(spacing: number) {
    const drawing = svg("svg", { viewBox: "-32 -32 64 64", width: "64", height: "64", "aria-hidden": "true" });
    this.lines = axes.map(({ name }) => svg("line", { x1: "0", y1: "0", class: `axis-${name}` }));
    this.letters = axes.map(() => svg("text", { "text-anchor": "middle", "dominant-baseline": "central" }));
    this.letters.forEach((letter, i) => (letter.textContent = axes[i].name));
    drawing.append(...this.lines, ...this.letters);
    this.element = make("div", { class: "replay-triad" }, drawing, `grid ${formatNumber(spacing)}`);
  }

  update(camera: Camera): void {
    if (this.seen.equals(camera.quaternion)) return;
    this.seen.copy(camera.quaternion);
    const toCamera = camera.quaternion.clone().conjugate();
    axes.forEach(({ direction }, i) => {
      const { x, y, z } = direction.clone().applyQuaternion(toCamera);
      this.lines[i].setAttribute("x2", (reach * x).toFixed(1));
      this.lines[i].setAttribute("y2", (-reach * y).toFixed(1));
      this.letters[i].setAttribute("x", ((reach + 7) * x).toFixed(1));
      this.letters[i].setAttribute("y", (-(reach + 7) * y).toFixed(1));
      const facing = Math.hypot(x, y) < 0.3; // along the line of sight the letter would be on the others
      this.letters[i].setAttribute("opacity", facing ? "0" : String(0.75 + 0.25 * z));
    });
  }
}
