// Curves over the shared time window.
import uPlot from "uplot";
import {
  linearAxis,
  linearRange,
  logarithmicAxis,
  logarithmicRange,
  PADDING,
  timeAxis,
  VALUE_AXIS_WIDTH,
} from "./axes";
import { coalesced } from "./coalesced";
import type { Context } from "./context";
import { attachCursors } from "./cursors";
import { make, messageOf } from "./dom";
import { formatNumber } from "./format";
import { type Curve, isEmpty, lonelyIndices, withGaps } from "./gaps";
import { attachGestures } from "./gestures";
import { handleKeys, KEYS_HELP } from "./keys";
import { Legend } from "./legend";
import { drawMarks } from "./marks";
import { nearest } from "./search";
import type { Samples } from "./source";
import { curveColor, curveDash, theme } from "./theme";

const RELOAD_PAUSE = 60; // milliseconds
const SAMPLES_PER_PIXEL = 2;
const NO_SAMPLES: Samples = { t: new Float64Array(), values: [], complete: true };

export interface PlotSpec {
  columns: number[];
  logarithmic: boolean;
  label: string; // for those who cannot see it
  height: (width: number) => number;
  names?: string[]; // those of the columns, if not given
  derive?: (samples: Samples) => Float64Array[]; // what to draw of the columns
  empty?: (samples: Samples) => string; // why nothing is drawn, if not for the values of the columns
}

export class TimePlot {
  readonly root = make("div", { class: "plot", "data-points": 0, "data-state": "loading" });
  private readonly chart = make("div", { class: "chart", role: "group", tabindex: 0 });
  private readonly message = make("p", { class: "plot-message", hidden: true });
  private readonly spoken = make("p", { class: "spoken", "aria-live": "polite" });
  private legend = new Legend([], () => {});
  private plot: uPlot | null = null;
  private samples = NO_SAMPLES;
  private curves: Curve[] = [];
  private readonly reload = coalesced(() => this.load(), RELOAD_PAUSE);
  private readonly resize = new ResizeObserver(() => this.fit());
  private readonly forget: (() => void)[];
  private forgetPlot: (() => void)[] = [];

  constructor(
    private readonly context: Context,
    private spec: PlotSpec,
  ) {
    const { timeline, marks } = context;
    handleKeys(this.chart, timeline);
    this.chart.addEventListener("keydown", ({ shiftKey, key }) => {
      if (shiftKey && key.startsWith("Arrow")) this.speak();
    });
    this.forget = [
      timeline.window.subscribe(() => this.showWindow()),
      timeline.onCursor(() => this.showValues()),
      marks.loaded.subscribe(() => this.plot?.redraw(false)),
      marks.shown.subscribe(() => this.plot?.redraw(false)),
      theme.subscribe(() => this.plot?.redraw(false)),
    ];
    this.resize.observe(this.chart);
    this.change(spec);
  }

  change(spec: PlotSpec): void {
    this.spec = spec;
    this.samples = NO_SAMPLES;
    this.legend.dispose();
    const names = this.names();
    this.legend = new Legend(names, (index, on) => this.plot?.setSeries(index + 1, { show: on }));
    this.chart.setAttribute("aria-label", `${spec.label}: ${names.slice(0, 8).join(", ")} over time. ${KEYS_HELP}`);
    this.chart.replaceChildren(this.message, this.spoken);
    this.root.replaceChildren(this.legend.root, this.chart);
    this.forgetChart();
    void this.reload();
  }

  // New samples of a run that goes on.
  update(): void {
    void this.reload();
  }

  dispose(): void {
    this.resize.disconnect();
    this.forget.forEach((unsubscribe) => unsubscribe());
    this.legend.dispose();
    this.forgetChart();
  }

  private async load(): Promise<void> {
    const { spec } = this;
    const { from, to } = this.context.timeline.window.value;
    const points = SAMPLES_PER_PIXEL * Math.max(this.chart.clientWidth, 300);
    try {
      const samples =
        spec.columns.length > 0 ? await this.context.source.window(spec.columns, from, to, points) : NO_SAMPLES;
      if (spec === this.spec) this.show(samples);
    } catch (error) {
      if (spec === this.spec) this.tell(messageOf(error), "error");
    }
  }

  private show(samples: Samples): void {
    this.samples = samples;
    const values = this.spec.derive?.(samples) ?? samples.values;
    const drawable = (value: number) => Number.isFinite(value) && (!this.spec.logarithmic || value > 0);
    this.curves = values.map((column) => withGaps(column, drawable, !samples.complete));
    const data = [samples.t, ...this.curves] as uPlot.AlignedData;
    if (this.plot) this.plot.setData(data);
    else this.build(data);
    this.root.dataset.points = String(samples.t.length);
    const empty = emptiness(samples, this.curves, this.spec);
    if (empty) this.tell(empty, "empty");
    else this.root.dataset.state = "drawn";
    this.message.hidden = !empty;
    this.showValues();
  }

  private tell(text: string, state: "error" | "empty"): void {
    this.root.dataset.state = state;
    this.message.textContent = text;
    this.message.hidden = false;
  }

  private build(data: uPlot.AlignedData): void {
    if (this.chart.clientWidth === 0) return; // not in the page yet: fit() will ask again
    this.plot = new uPlot(this.options(), data, this.chart);
    const { timeline } = this.context;
    this.forgetPlot = [attachGestures(this.plot.over, timeline), attachCursors(this.plot.over, timeline)];
  }

  private options(): uPlot.Options {
    const { timeline, marks } = this.context;
    const { logarithmic } = this.spec;
    return {
      ...this.size(),
      padding: PADDING,
      legend: { show: false },
      cursor: {
        x: false,
        y: false,
        bind: NO_MOUSE,
        drag: { x: false, y: false, setScale: false },
        points: { size: 7, width: 1, fill: (_plot, k) => curveColor(k - 1), stroke: (_plot, k) => curveColor(k - 1) },
      },
      scales: {
        x: { time: false, range: () => [timeline.window.value.from, timeline.window.value.to] },
        y: {
          distr: logarithmic ? 3 : 1,
          range: (_plot, low, high) => (logarithmic ? logarithmicRange : linearRange)(low, high),
        },
      },
      axes: [timeAxis(), (logarithmic ? logarithmicAxis : linearAxis)(VALUE_AXIS_WIDTH)],
      series: [
        {},
        ...this.curves.map((_, k) => ({
          stroke: () => curveColor(k),
          width: 1.5,
          pxAlign: 0, // in whole pixels smooth curves are rough
          dash: curveDash(k),
          points: {
            size: 4,
            width: 1,
            fill: () => curveColor(k),
            filter: (_plot: uPlot, _k: number, all: boolean) => (all ? null : lonelyIndices(this.curves[k])),
          },
        })),
      ],
      hooks: { drawAxes: [(plot) => drawMarks(plot, marks)] },
    };
  }

  private size(): { width: number; height: number } {
    const width = Math.max(this.chart.clientWidth, 120);
    return { width, height: this.spec.height(width) };
  }

  private fit(): void {
    if (!this.plot) return void this.reload();
    const size = this.size();
    if (size.width === this.plot.width && size.height === this.plot.height) return;
    this.plot.setSize(size);
    void this.reload();
  }

  private showWindow(): void {
    const { from, to } = this.context.timeline.window.value;
    this.plot?.setScale("x", { min: from, max: to });
    this.showValues();
    void this.reload();
  }

  private showValues(): void {
    const index = this.cursorIndex();
    if (index === null) {
      this.legend.setValues(null);
      this.plot?.setCursor({ left: -10, top: -10 }, false);
      return;
    }
    this.legend.setValues(this.valuesAt(index));
    this.plot?.setCursor({ left: this.plot.valToPos(this.samples.t[index], "x"), top: 0 }, false);
  }

  private cursorIndex(): number | null {
    const time = this.context.timeline.cursor;
    const { t } = this.samples;
    const { t_first, t_last } = this.context.source.manifest;
    const notHereYet = time === null || (time < t[0] && t[0] > t_first) || (time > t[t.length - 1] && time <= t_last);
    return notHereYet ? null : nearest(t, time);
  }

  private valuesAt(index: number): (number | null)[] {
    const values = this.spec.derive ? this.curves : this.samples.values;
    return values.map((curve) => curve[index] ?? null);
  }

  private names(): string[] {
    const { columns } = this.context.source.manifest;
    return this.spec.names ?? this.spec.columns.map((column) => columns[column].name);
  }

  // Only what a key has asked for: values under a moving pointer would never end.
  private speak(): void {
    const index = this.cursorIndex();
    if (index === null) return;
    const names = this.names();
    const values = this.valuesAt(index).map((value, k) => `${names[k]} ${formatNumber(value)}`);
    this.spoken.textContent = `t ${formatNumber(this.samples.t[index])}: ${values.join(", ")}`;
  }

  private forgetChart(): void {
    this.forgetPlot.forEach((unsubscribe) => unsubscribe());
    this.forgetPlot = [];
    this.plot?.destroy();
    this.plot = null;
  }
}

const NONE = () => null;
const NO_MOUSE: uPlot.Cursor.Bind = {
  mousedown: NONE,
  mouseup: NONE,
  click: NONE,
  dblclick: NONE,
  mousemove: NONE,
  mouseleave: NONE,
  mouseenter: NONE,
};

function emptiness(samples: Samples, curves: Curve[], spec: PlotSpec): string {
  if (spec.columns.length === 0) return "No channels chosen.";
  if (samples.t.length === 0) return "No samples.";
  if (!curves.every(isEmpty)) return "";
  const reason = spec.empty?.(samples);
  if (reason) return reason;
  return spec.logarithmic ? "No positive values here." : "No finite values here.";
}
