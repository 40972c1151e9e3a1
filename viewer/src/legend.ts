// The curves of a plot with their values at the cursor; a click hides or shows a curve.
import { make, named } from "./dom";
import { formatNumber } from "./format";
import { curveColor, curveDash, theme } from "./theme";

const SWATCH = { width: 22, height: 10 };

export class Legend {
  readonly root = make("div", { class: "legend", role: "group", "aria-label": "Curves" });
  private readonly values: HTMLElement[];
  private readonly swatches: HTMLCanvasElement[] = [];
  private readonly forget: () => void;

  constructor(names: string[], toggle: (index: number, on: boolean) => void) {
    this.values = names.map((name, index) => this.addItem(name, index, toggle));
    this.drawSwatches();
    this.forget = theme.subscribe(() => this.drawSwatches());
  }

  setValues(values: (number | null)[] | null): void {
    this.values.forEach((node, index) => (node.textContent = values ? formatNumber(values[index]) : ""));
  }

  dispose(): void {
    this.forget();
  }

  private addItem(name: string, index: number, toggle: (index: number, on: boolean) => void): HTMLElement {
    const swatch = make("canvas", { class: "swatch", "aria-hidden": "true" });
    const value = make("span", { class: "value" });
    const item = make("button", { type: "button", class: "legend-item", "aria-pressed": "true" });
    item.addEventListener("click", () => {
      const on = item.getAttribute("aria-pressed") !== "true";
      item.setAttribute("aria-pressed", String(on));
      toggle(index, on);
    });
    item.append(swatch, named(name), value);
    this.swatches.push(swatch);
    this.root.append(item);
    return value;
  }

  private drawSwatches(): void {
    this.swatches.forEach((canvas, index) => {
      canvas.width = SWATCH.width * devicePixelRatio;
      canvas.height = SWATCH.height * devicePixelRatio;
      const ctx = canvas.getContext("2d")!;
      ctx.scale(devicePixelRatio, devicePixelRatio);
      ctx.strokeStyle = curveColor(index);
      ctx.lineWidth = 2.5;
      ctx.setLineDash(curveDash(index));
      ctx.beginPath();
      ctx.moveTo(0, SWATCH.height / 2);
      ctx.lineTo(SWATCH.width, SWATCH.height / 2);
      ctx.stroke();
    });
  }
}
