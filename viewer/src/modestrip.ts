// "Conduction intervals": a bar over time for each row of each interaction.
import { RIGHT_PADDING, VALUE_AXIS_WIDTH } from "./axes";
import { coalesced } from "./coalesced";
import type { Context } from "./context";
import { attachCursors } from "./cursors";
import { button, make, messageOf, named, section } from "./dom";
import { formatCount, formatTime } from "./format";
import { attachGestures } from "./gestures";
import { handleKeys, KEYS_HELP } from "./keys";
import { type ModeInterval, type ModeRow, modeRows, placeWord } from "./modes";
import { countUpTo } from "./search";
import { SwitchList } from "./switchlist";
import { color, theme } from "./theme";

const ROWS_AT_FIRST = 30;
const MOST_ROWS = 200;
const BAR_HEIGHT = 12; // CSS pixels
const TOLD_INTERVALS = 50; // in the text of a row

export class ModesSection {
  readonly root: HTMLElement;
  private readonly list = make("div", { class: "modes-rows" });
  private readonly area = make("div", { class: "modes-area", role: "group", tabindex: 0 });
  private readonly ends = make("div", { class: "modes-ends" });
  private readonly note = make("p", { class: "note" });
  private readonly more: HTMLButtonElement;
  private readonly switches: SwitchList;
  private readonly reload = coalesced(() => this.load(), 60);
  private readonly rows: ModeRow[];
  private bars: ModeBar[] = [];
  private most = ROWS_AT_FIRST;
  private left = 0; // rows that are not shown

  constructor(private readonly context: Context) {
    const { timeline, source } = context;
    this.switches = new SwitchList(context);
    this.rows = modeRows(source.manifest);
    this.more = button("more rows", "Show more rows", () => {
      this.most = MOST_ROWS;
      this.fill();
    });
    const filter = make("input", { type: "search", placeholder: "filter", "aria-label": "Filter rows by name" });
    filter.addEventListener("input", () => this.fill(filter.value));
    filter.hidden = this.rows.length <= ROWS_AT_FIRST;
    const strip = make("div", { class: "modes" }, this.list, this.area, this.ends);
    // The same times below each other as in a plot.
    strip.style.paddingLeft = this.area.style.left = `${VALUE_AXIS_WIDTH}px`;
    strip.style.paddingRight = this.area.style.right = `${RIGHT_PADDING}px`;
    this.area.setAttribute("aria-label", `States of the interactions over time. ${KEYS_HELP}`);
    const head = make("div", { class: "modes-head" }, legend(this.rows, context), filter);
    this.root = section("modes", "States of contacts and laws", head, strip, this.note, this.more);
    attachGestures(this.area, timeline);
    attachCursors(this.area, timeline);
    handleKeys(this.area, timeline);
    timeline.window.subscribe(() => (this.switches.complete ? this.draw() : void this.reload()));
    timeline.onCursor(() => this.tellPlaces());
    theme.subscribe(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.list);
    this.fill();
    void this.reload();
  }

  static wanted(context: Context): boolean {
    return modeRows(context.source.manifest).length > 0;
  }

  update(): void {
    this.switches.forget();
    void this.reload();
  }

  private fill(filter = ""): void {
    const text = filter.toLowerCase();
    const matching = this.rows.filter((row) => row.label.toLowerCase().includes(text));
    const shown = matching.slice(0, this.most);
    this.bars = shown.map((row) => new ModeBar(this.context, row));
    this.list.replaceChildren(...this.bars.map((bar) => bar.root));
    this.left = matching.length - shown.length;
    this.more.hidden = this.left === 0 || this.most === MOST_ROWS;
    this.tellLeft();
    this.setIntervals();
  }

  private tellLeft(): void {
    this.note.textContent = this.left > 0 ? `${formatCount(this.left)} more rows are not shown.` : "";
  }

  private async load(): Promise<void> {
    try {
      await this.switches.load();
      this.root.dataset.state = "drawn";
      this.tellLeft(); // where an error was told
      this.setIntervals();
    } catch (error) {
      this.root.dataset.state = "error";
      this.note.textContent = messageOf(error);
    }
  }

  private setIntervals(): void {
    if (this.root?.dataset.state !== "drawn") return;
    for (const bar of this.bars) bar.setIntervals(this.switches.intervals(bar.row));
    this.draw();
    this.tellPlaces();
  }

  private draw(): void {
    const { from, to } = this.context.timeline.window.value;
    this.ends.replaceChildren(...[from, to].map((time) => make("span", {}, formatTime(time, to - from))));
    const style = barStyle();
    for (const bar of this.bars) bar.draw(style);
  }

  private tellPlaces(): void {
    const time = this.context.timeline.cursor;
    for (const bar of this.bars) bar.tell(time);
  }
}

class ModeBar {
  readonly root: HTMLElement;
  private readonly canvas = make("canvas", { class: "mode-bar", role: "img" });
  private readonly word = make("span", { class: "mode-word" });
  private intervals: ModeInterval[] = [];
  private starts: number[] = [];

  constructor(
    private readonly context: Context,
    readonly row: ModeRow,
  ) {
    const label = make("div", { class: "mode-label" }, named(row.label), this.word);
    this.root = make("div", { class: "mode-row" }, label, this.canvas);
  }

  setIntervals(intervals: ModeInterval[]): void {
    this.intervals = intervals;
    this.starts = intervals.map((interval) => interval.from);
    const told = intervals.slice(0, TOLD_INTERVALS);
    this.root.dataset.intervals = JSON.stringify(told.map(({ from, to, place }) => [from, to, place]));
    const width = this.context.timeline.full.to - this.context.timeline.full.from;
    const texts = told.map(({ from, to, place }) => {
      return `${this.wordOf(place)} from ${formatTime(from, width)} to ${formatTime(to, width)}`;
    });
    this.canvas.setAttribute("aria-label", `${this.row.label}: ${texts.join("; ")}`);
  }

  tell(time: number | null): void {
    const index = time === null ? -1 : countUpTo(this.starts, time) - 1;
    const interval = this.intervals[Math.max(index, 0)];
    this.word.textContent = time === null || !interval ? "" : this.wordOf(interval.place);
  }

  draw(style: BarStyle): void {
    const { canvas } = this;
    const width = canvas.clientWidth;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(BAR_HEIGHT * ratio);
    const ctx = canvas.getContext("2d")!;
    ctx.scale(ratio, ratio);
    const { from, to } = this.context.timeline.window.value;
    const first = Math.max(countUpTo(this.starts, from) - 1, 0);
    for (const interval of this.intervals.slice(first)) {
      if (interval.from > to) break;
      const left = Math.max((width * (interval.from - from)) / (to - from), 0);
      const right = Math.min((width * (interval.to - from)) / (to - from), width);
      drawBar(ctx, style, interval.place, left, right - left);
    }
  }

  private wordOf(place: number | null): string {
    return placeWord(this.context.source.manifest.interactions[this.row.interaction], this.row.row, place);
  }
}

interface BarStyle {
  between: string;
  upper: CanvasPattern;
  open: string;
  unknown: CanvasPattern;
}

function barStyle(): BarStyle {
  return {
    between: color("mode-between"),
    upper: stripes(color("mode-upper"), color("mode-upper-back")),
    open: color("axis"),
    unknown: stripes(color("grid"), color("surface")),
  };
}

// Heights and stripes tell the places apart, not the colours alone: a line where nothing is carried, a low striped bar
// at the upper bound, a whole one between.
function drawBar(
  ctx: CanvasRenderingContext2D,
  style: BarStyle,
  place: number | null,
  left: number,
  width: number,
): void {
  if (place === 0) {
    ctx.fillStyle = style.open;
    ctx.fillRect(left, BAR_HEIGHT - 2, width, 1.5);
    return;
  }
  ctx.fillStyle = place === null ? style.unknown : place === 1 ? style.upper : style.between;
  const height = place === 2 ? BAR_HEIGHT : BAR_HEIGHT * 0.66;
  ctx.fillRect(left, BAR_HEIGHT - height, width, height);
}

function stripes(front: string, back: string): CanvasPattern {
  const tile = make("canvas", { width: 6, height: 6 });
  const ctx = tile.getContext("2d")!;
  ctx.fillStyle = back;
  ctx.fillRect(0, 0, 6, 6);
  ctx.strokeStyle = front;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (const x of [-6, 0, 6]) {
    ctx.moveTo(x, 6);
    ctx.lineTo(x + 6, 0);
  }
  ctx.stroke();
  return ctx.createPattern(tile, "repeat")!;
}

function legend(rows: ModeRow[], context: Context): HTMLElement {
  const { interactions } = context.source.manifest;
  const words = [0, 2, 1].map((place) => {
    const texts = rows.map(({ interaction, row }) =>
      interactions[interaction].kind === "contact" && row === 0 && place === 1
        ? "" // contacts have no such place
        : placeWord(interactions[interaction], row, place),
    );
    return { place, text: [...new Set(texts.filter(Boolean))].join(" / ") };
  });
  const items = words.filter(({ text }) => text).map(({ place, text }) => legendItem(place, text));
  return make("div", { class: "modes-legend" }, ...items);
}

function legendItem(place: number, text: string): HTMLElement {
  const canvas = make("canvas", { class: "mode-swatch", "aria-hidden": "true" });
  const draw = () => {
    canvas.width = 26 * devicePixelRatio;
    canvas.height = BAR_HEIGHT * devicePixelRatio;
    const ctx = canvas.getContext("2d")!;
    ctx.scale(devicePixelRatio, devicePixelRatio);
    drawBar(ctx, barStyle(), place, 0, 26);
  };
  draw();
  theme.subscribe(draw);
  return make("span", {}, canvas, text);
}
