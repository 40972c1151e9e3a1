// Which Poincare section a phase portrait shows: the controls, and the points it makes of samples.
import type { Context } from "./context";
import { make } from "./dom";
import { formatCount } from "./format";
import type { Manifest } from "./manifest";
import { whereAllMarksAre } from "./marks";
import type { Points } from "./phaseplot";
import { crossings, type Direction, samplesAfter, strobe, valueAt } from "./poincare";
import { type Marks, NO_MARKS, type Samples } from "./source";

type Kind = "none" | "period" | "crossing" | "impacts";

const MOST_SAMPLES = 400_000; // asked for at once; a section of thinned samples would be wrong

export class SectionChoice {
  readonly root = make("div", { class: "section-choice" });
  private readonly details = make("div", { class: "section-choice" });
  private readonly kind: HTMLSelectElement;
  private readonly period = numberInput("Period", "1", () => this.changed());
  private readonly level = numberInput("Value that is crossed", "0", () => this.changed());
  private readonly direction: HTMLSelectElement;
  private readonly channel: HTMLButtonElement;
  private column: number;

  constructor(
    private readonly context: Context,
    column: number,
    private readonly changed: () => void,
  ) {
    this.column = column;
    const kinds: [Kind, string][] = [
      ["none", "no section"],
      ["period", "every period"],
      ["crossing", "where a channel crosses"],
    ];
    if (context.source.manifest.marks.impacts > 0) kinds.push(["impacts", "after impacts"]);
    const change = () => {
      this.layOut();
      changed();
    };
    this.kind = choice("Poincar\u00e9 section", kinds, change);
    const directions: [Direction, string][] = [
      ["up", "upward"],
      ["down", "downward"],
      ["both", "both ways"],
    ];
    this.direction = choice("Direction", directions, change);
    this.channel = make("button", { type: "button", class: "channel", click: () => void this.chooseColumn() });
    this.root.append(make("label", {}, "Poincar\u00e9 section ", this.kind), this.details);
    this.layOut();
  }

  get active(): boolean {
    return this.kind.value !== "none";
  }

  // Points of the section in the current window, with a word where they are not what the reader asked for.
  async points(x: number, y: number): Promise<{ points: Points; note: string }> {
    const { from, to } = this.context.timeline.window.value;
    const samples = await this.context.source.window([x, y, this.column], from, to, MOST_SAMPLES);
    if (samples.t.length === 0) return { points: { x: [], y: [] }, note: "" };
    const { manifest } = this.context.source;
    const [xs, ys, crossed] = samples.values;
    const inWindow = (time: number) => time >= from && time <= to;
    const impacts = this.kind.value === "impacts" ? await this.impactsOf(samples) : NO_MARKS;
    const positions = this.find(samples.t, crossed, impacts).filter((at) => inWindow(valueAt(samples.t, at)));
    const note = [samplesNote(samples, manifest), impactsNote(impacts, manifest)].filter(Boolean).join(" ");
    return { points: { x: positions.map((at) => valueAt(xs, at)), y: positions.map((at) => valueAt(ys, at)) }, note };
  }

  private impactsOf({ t }: Samples): Promise<Marks> {
    return this.context.source.marks("impacts", t[0], t[t.length - 1]);
  }

  private find(t: Float64Array, crossed: Float64Array, impacts: Marks): number[] {
    switch (this.kind.value as Kind) {
      case "period":
        return strobe(t, this.context.timeline.full.from, Number(this.period.value));
      case "crossing":
        return crossings(crossed, Number(this.level.value), this.direction.value as Direction);
      case "impacts":
        return samplesAfter(t, impacts.t);
      case "none":
        return [];
    }
  }

  private async chooseColumn(): Promise<void> {
    const column = await this.context.picker.chooseOne("Channel that crosses", this.column);
    if (column === null) return;
    this.column = column;
    this.layOut();
    this.changed();
  }

  private layOut(): void {
    const { name } = this.context.source.manifest.columns[this.column];
    this.channel.textContent = name;
    this.channel.title = `Crosses: ${name}`;
    const controls: Record<Kind, HTMLElement[]> = {
      none: [],
      period: [this.period],
      crossing: [this.channel, this.level, this.direction],
      impacts: [],
    };
    this.details.replaceChildren(...controls[this.kind.value as Kind]);
  }
}

function samplesNote({ complete }: Samples, { embedded, samples }: Manifest): string {
  if (complete) return "";
  if (embedded === null || embedded >= samples) return "Zoom in for an exact section: there are too many samples.";
  const part = `${formatCount(embedded)} of ${formatCount(samples)} samples`;
  return `This section is not exact: the page has ${part}; saltus view shows an exact section.`;
}

function impactsNote({ t, all }: Marks, manifest: Manifest): string {
  if (all <= t.length) return "";
  const part = `the first ${formatCount(t.length)} of ${formatCount(all)} impacts`;
  return `It has ${part}: ${whereAllMarksAre(manifest)}.`;
}

function numberInput(label: string, value: string, input: () => void): HTMLInputElement {
  return make("input", { type: "number", step: "any", value, "aria-label": label, title: label, input });
}

function choice(label: string, options: [string, string][], change: () => void): HTMLSelectElement {
  const nodes = options.map(([value, text]) => make("option", { value }, text));
  return make("select", { "aria-label": label, title: label, change }, ...nodes);
}
