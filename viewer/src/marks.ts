// Impacts, events and switches: the current window's, loaded once for all plots, and drawn at the edges of these.
import type uPlot from "uplot";
import { coalesced } from "./coalesced";
import { formatNumber, formatTime } from "./format";
import type { Manifest } from "./manifest";
import { placeWord } from "./modes";
import { nearest } from "./search";
import { type MarkKind, type Marks, NO_MARKS, type Source } from "./source";
import { Store } from "./store";
import { color } from "./theme";
import type { Timeline } from "./timeline";

export const MARK_KINDS: MarkKind[] = ["impacts", "events", "switches"];
export const GLYPHS: Record<MarkKind, string> = { impacts: "\u25b2", events: "\u25c6", switches: "\u2503" };

const EVENT_KINDS = ["impact", "closing", "opening", "sliding", "sticking", "switching", "jump", "accumulation"];
const SPACING = 5; // CSS pixels: marks that are nearer share one glyph
const MOST_LINES = 40; // more than these would hide the curve
const MANY = 80; // from these on glyphs are small
const NEAR = 0.004; // of the window: marks that are told of at the cursor

type ByKind<T> = Record<MarkKind, T>;

export class MarkLayer {
  readonly loaded = new Store<ByKind<Marks>>({ impacts: NO_MARKS, events: NO_MARKS, switches: NO_MARKS });
  readonly shown: Store<ByKind<boolean>>;
  readonly error = new Store<unknown>(null);
  readonly load: () => void;

  constructor(
    private readonly source: Source,
    private readonly timeline: Timeline,
  ) {
    // Most events are switches too: what says more is shown at first.
    const switches = source.manifest.marks.events === 0;
    this.shown = new Store<ByKind<boolean>>({ impacts: true, events: true, switches });
    this.load = coalesced(() => this.loadWindow(), 60);
    timeline.window.subscribe(this.load);
    this.load();
  }

  show(kind: MarkKind, on: boolean): void {
    this.shown.set({ ...this.shown.value, [kind]: on });
  }

  // What happened near the time, in words.
  describe(time: number): string[] {
    const { from, to } = this.timeline.window.value;
    return MARK_KINDS.filter((kind) => this.shown.value[kind]).flatMap((kind) => {
      const marks = this.loaded.value[kind];
      const index = nearest(marks.t, time);
      if (index === null || Math.abs(marks.t[index] - time) > NEAR * (to - from)) return [];
      const at = formatTime(marks.t[index], to - from);
      return [`${describeMark(this.source.manifest, kind, marks, index)} at ${at}`];
    });
  }

  // If there are very many marks only the first are here: the absence of the others must not be mistaken for none.
  missing(): string[] {
    const { from, to } = this.timeline.window.value;
    const remedy = whereAllMarksAre(this.source.manifest);
    return MARK_KINDS.filter((kind) => this.shown.value[kind]).flatMap((kind) => {
      const { t, all } = this.loaded.value[kind];
      if (all <= t.length) return [];
      const which = t.length > 0 ? `after t = ${formatTime(t[t.length - 1], to - from)}` : "in this window";
      return [`${kind} ${which} are not marked: ${remedy}`];
    });
  }

  private async loadWindow(): Promise<void> {
    const { from, to } = this.timeline.window.value;
    try {
      const [impacts, events, switches] = await Promise.all(
        MARK_KINDS.map((kind) =>
          this.source.manifest.marks[kind] > 0 ? this.source.marks(kind, from, to) : NO_MARKS,
        ),
      );
      this.loaded.set({ impacts, events, switches });
      this.error.set(null);
    } catch (error) {
      this.error.set(error);
    }
  }
}

export function whereAllMarksAre(manifest: Manifest): string {
  return manifest.embedded === null ? "zoom in" : "saltus view shows them";
}

function describeMark(manifest: Manifest, kind: MarkKind, marks: Marks, index: number): string {
  const row = marks.rows.map((values) => values[index]);
  const name = (interaction: number) => manifest.interactions[interaction]?.name ?? `interaction ${interaction}`;
  if (kind === "impacts") {
    const [interaction, before, after, percussion] = row;
    const [u0, u1, p] = [before, after, percussion].map((value) => formatNumber(value, 4));
    return `impact of ${name(interaction)}: velocity ${u0} to ${u1}, percussion ${p}`;
  }
  if (kind === "events") return `${EVENT_KINDS[row[0]] ?? "event"} of ${name(row[1])}`;
  const [interaction, number, from, to] = row;
  const words = [from, to].map((place) => placeWord(manifest.interactions[interaction], number, place));
  return `${name(interaction)}: ${words[0]} to ${words[1]}`;
}

export function drawMarks(plot: uPlot, layer: MarkLayer): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const kind of MARK_KINDS) {
    if (!layer.shown.value[kind]) continue;
    const xs = spaced(plot, layer.loaded.value[kind].t, SPACING * ratio);
    ctx.fillStyle = ctx.strokeStyle = color(`mark-${kind}`);
    if (xs.length <= MOST_LINES) drawLines(ctx, xs, bbox, ratio);
    const size = (xs.length < MANY ? 3.5 : 2) * ratio;
    for (const x of xs) drawGlyph(ctx, kind, x, bbox, size);
  }
  ctx.restore();
}

function spaced(plot: uPlot, times: Float64Array, spacing: number): number[] {
  const { min = 0, max = 1 } = plot.scales.x;
  const xs: number[] = [];
  for (const time of times) {
    if (time < min || time > max) continue;
    const x = plot.valToPos(time, "x", true);
    if (xs.length === 0 || x - xs[xs.length - 1] >= spacing) xs.push(x);
  }
  return xs;
}

function drawLines(ctx: CanvasRenderingContext2D, xs: number[], bbox: uPlot.BBox, ratio: number): void {
  ctx.globalAlpha = 0.28;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  for (const x of xs) {
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

// Impacts point up from the axis, events and switches hang from the top.
function drawGlyph(
  ctx: CanvasRenderingContext2D,
  kind: MarkKind,
  x: number,
  bbox: uPlot.BBox,
  size: number,
): void {
  const bottom = bbox.top + bbox.height;
  if (kind === "switches") return ctx.fillRect(x - size / 7, bbox.top, size / 3.5, 2 * size);
  ctx.beginPath();
  if (kind === "impacts") {
    ctx.moveTo(x - size, bottom);
    ctx.lineTo(x, bottom - 2 * size);
    ctx.lineTo(x + size, bottom);
  } else {
    const middle = bbox.top + 2 * size;
    ctx.moveTo(x, middle - size);
    ctx.lineTo(x + size, middle);
    ctx.lineTo(x, middle + size);
    ctx.lineTo(x - size, middle);
  }
  ctx.fill();
}
