// A trajectory in the plane of two channels, of the current time window. uPlot draws the axes.
import uPlot from "uplot";
import { linearAxis, linearRange, RIGHT_PADDING, VALUE_AXIS_WIDTH } from "./axes";
import type { Context } from "./context";
import { make } from "./dom";
import { positionOf, valueAt } from "./poincare";
import { color, curveColor, theme } from "./theme";

export interface Trajectory {
  t: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

export interface Points {
  x: number[];
  y: number[];
}

const ARROWS = 6;

export class PhasePlot {
  readonly root = make("div", { class: "phase-chart" });
  private readonly point = make("div", { class: "phase-point", hidden: true });
  private plot: uPlot | null = null;
  private trajectory: Trajectory = { t: new Float64Array(), x: new Float64Array(), y: new Float64Array() };
  private section: Points = { x: [], y: [] };
  private lineShown = true;
  private readonly resize = new ResizeObserver(() => this.fit());
  private readonly forget: (() => void)[];

  constructor(private readonly context: Context) {
    this.resize.observe(this.root);
    this.forget = [
      context.timeline.onCursor(() => this.placePoint()),
      theme.subscribe(() => this.plot?.redraw(false)),
    ];
  }

  show(trajectory: Trajectory, section: Points, lineShown: boolean): void {
    this.trajectory = trajectory;
    this.section = section;
    this.lineShown = lineShown;
    if (!this.plot) this.build();
    const bounds = (line: Float64Array, points: number[]) => linearRange(...extent(lineShown ? line : points));
    const [left, right] = bounds(trajectory.x, section.x);
    const [bottom, top] = bounds(trajectory.y, section.y);
    this.plot?.batch(() => {
      this.plot?.setScale("x", { min: left, max: right });
      this.plot?.setScale("y", { min: bottom, max: top });
    });
    this.plot?.redraw(false);
    this.placePoint();
  }

  dispose(): void {
    this.resize.disconnect();
    this.forget.forEach((unsubscribe) => unsubscribe());
    this.plot?.destroy();
  }

  private build(): void {
    if (this.root.clientWidth === 0) return;
    this.plot = new uPlot(
      {
        ...this.size(),
        padding: [10, RIGHT_PADDING, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { auto: false } },
        axes: [{ ...linearAxis(24), space: 56 }, linearAxis(VALUE_AXIS_WIDTH)],
        series: [{}, {}],
        hooks: { draw: [(plot) => this.draw(plot)] },
      },
      [[], []],
      this.root,
    );
    this.plot.over.append(this.point);
  }

  private size(): { width: number; height: number } {
    const width = Math.max(this.root.clientWidth, 120);
    return { width, height: Math.round(0.78 * width) };
  }

  private fit(): void {
    if (!this.plot) return this.show(this.trajectory, this.section, this.lineShown);
    if (this.size().width !== this.plot.width) this.plot.setSize(this.size());
    this.placePoint();
  }

  private draw(plot: uPlot): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    if (this.lineShown) this.drawLine(plot);
    this.drawSection(plot);
    ctx.restore();
  }

  private drawLine(plot: uPlot): void {
    const { ctx } = plot;
    const { x, y } = this.trajectory;
    ctx.strokeStyle = ctx.fillStyle = curveColor(0);
    ctx.lineWidth = 1.25 * devicePixelRatio;
    ctx.lineJoin = "round";
    ctx.beginPath();
    let drawing = false;
    for (let i = 0; i < x.length; i++) {
      const [px, py] = pixel(plot, x[i], y[i]);
      if (!Number.isFinite(px + py)) drawing = false;
      else if (drawing) ctx.lineTo(px, py);
      else {
        ctx.moveTo(px, py);
        drawing = true;
      }
    }
    ctx.stroke();
    this.drawDirection(plot);
  }

  // Arrows along the line, a ring where it starts and a square where it ends.
  private drawDirection(plot: uPlot): void {
    const { ctx } = plot;
    const { t, x, y } = this.trajectory;
    const size = 4 * devicePixelRatio;
    for (let k = 1; k <= ARROWS; k++) {
      const position = positionOf(t, t[0] + ((t[t.length - 1] - t[0]) * k) / (ARROWS + 1));
      const i = position === null ? -1 : Math.floor(position);
      if (i >= 0 && i + 1 < t.length) drawArrow(ctx, pixel(plot, x[i], y[i]), pixel(plot, x[i + 1], y[i + 1]), size);
    }
    let first = 0;
    let last = t.length - 1;
    while (first < last && !Number.isFinite(x[first] + y[first])) first++;
    while (last > first && !Number.isFinite(x[last] + y[last])) last--;
    if (last < 0) return;
    const [startX, startY] = pixel(plot, x[first], y[first]);
    const [endX, endY] = pixel(plot, x[last], y[last]);
    ctx.strokeStyle = ctx.fillStyle = color("text");
    ctx.beginPath();
    ctx.arc(startX, startY, size, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.fillRect(endX - size + 1, endY - size + 1, 2 * size - 2, 2 * size - 2);
  }

  private drawSection(plot: uPlot): void {
    const { ctx } = plot;
    const { x, y } = this.section;
    ctx.fillStyle = curveColor(1);
    // Many points are drawn small, so that the structure of a set shows.
    const radius = (x.length > 2000 ? 1 : x.length > 300 ? 1.75 : 3) * devicePixelRatio;
    ctx.beginPath();
    for (let i = 0; i < x.length; i++) {
      const [px, py] = pixel(plot, x[i], y[i]);
      ctx.moveTo(px + radius, py);
      ctx.arc(px, py, radius, 0, 2 * Math.PI);
    }
    ctx.fill();
  }

  private placePoint(): void {
    const time = this.context.timeline.cursor;
    const { t, x, y } = this.trajectory;
    const position = time === null ? null : positionOf(t, time);
    this.point.hidden = position === null || !this.plot;
    if (position === null || !this.plot) return;
    const [vx, vy] = [valueAt(x, position), valueAt(y, position)];
    if (!Number.isFinite(vx + vy)) return void (this.point.hidden = true);
    this.point.style.left = `${this.plot.valToPos(vx, "x")}px`;
    this.point.style.top = `${this.plot.valToPos(vy, "y")}px`;
  }
}

function pixel(plot: uPlot, x: number, y: number): [number, number] {
  return [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
}

function drawArrow(
  ctx: CanvasRenderingContext2D,
  [fromX, fromY]: [number, number],
  [toX, toY]: [number, number],
  size: number,
): void {
  const length = Math.hypot(toX - fromX, toY - fromY);
  if (!(length > 0)) return;
  const [dx, dy] = [(size * (toX - fromX)) / length, (size * (toY - fromY)) / length];
  ctx.beginPath();
  ctx.moveTo(fromX + 1.6 * dx, fromY + 1.6 * dy);
  ctx.lineTo(fromX - dx - dy, fromY - dy + dx);
  ctx.lineTo(fromX - dx + dy, fromY - dy - dx);
  ctx.fill();
}

function extent(values: ArrayLike<number>): [number | null, number | null] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return low <= high ? [low, high] : [null, null];
}
