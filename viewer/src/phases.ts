// Phase portraits: those of the manifest at first, then what the reader adds.
import { coalesced } from "./coalesced";
import type { Context } from "./context";
import { button, make, messageOf, named, section, toggleButton } from "./dom";
import { formatCount } from "./format";
import type { Phase } from "./manifest";
import { PhasePlot, type Points } from "./phaseplot";
import { SectionChoice } from "./sectionchoice";

const LINE_SAMPLES = 20_000;
const TOLD_POINTS = 20;

export class PhasesSection {
  readonly root: HTMLElement;
  private readonly grid = make("div", { class: "grid phases-grid" });
  private readonly cards = new Set<PhaseCard>();

  constructor(private readonly context: Context) {
    const add = button("+ portrait", "Add a phase portrait", () => void this.addChosen());
    this.root = section("phases", "Phase portraits", this.grid);
    this.root.querySelector("h2")!.append(add);
    for (const phase of context.source.manifest.phases) this.add(phase);
  }

  update(): void {
    this.cards.forEach((card) => card.update());
  }

  private async addChosen(): Promise<void> {
    const x = await this.context.picker.chooseOne("Horizontal channel", -1);
    if (x === null || x < 0) return;
    const y = await this.context.picker.chooseOne("Vertical channel", -1);
    if (y !== null && y >= 0) this.add({ title: "", x, y });
  }

  private add(phase: Phase): void {
    const card = new PhaseCard(this.context, phase, () => this.cards.delete(card));
    this.cards.add(card);
    this.grid.append(card.root);
  }
}

class PhaseCard {
  readonly root: HTMLElement;
  private readonly heading = make("h3");
  private readonly axes = make("div", { class: "phase-axes" });
  private readonly note = make("p", { class: "note", "aria-live": "polite" });
  private readonly view: PhasePlot;
  private readonly choice: SectionChoice;
  private readonly forget: () => void;
  private readonly reload = coalesced(() => this.load(), 80);
  private line = true;

  constructor(
    private readonly context: Context,
    private phase: Phase,
    onRemove: () => void,
  ) {
    this.view = new PhasePlot(context);
    this.choice = new SectionChoice(context, phase.x, this.reload);
    const line = toggleButton("line", "Draw the trajectory", true, (on) => {
      this.line = on;
      void this.reload();
    });
    const remove = button("\u2715", "Remove this portrait", () => {
      this.dispose();
      onRemove();
    });
    const head = make("header", {}, this.heading, make("div", { class: "actions" }, line, remove));
    this.root = make("article", { class: "card" }, head, this.axes, this.view.root, this.choice.root, this.note);
    this.forget = context.timeline.window.subscribe(this.reload);
    this.tellAxes();
    void this.reload();
  }

  update(): void {
    void this.reload();
  }

  private dispose(): void {
    this.forget();
    this.view.dispose();
    this.root.remove();
  }

  private async load(): Promise<void> {
    const { x, y } = this.phase;
    const { from, to } = this.context.timeline.window.value;
    try {
      const { t, values } = await this.context.source.window([x, y], from, to, LINE_SAMPLES);
      const section = this.choice.active ? await this.choice.points(x, y) : null;
      const points = section?.points ?? { x: [], y: [] };
      const none = new Float64Array();
      this.view.show({ t, x: values[0] ?? none, y: values[1] ?? none }, points, this.line);
      this.tell(t.length, points, section ? `${formatCount(points.x.length)} points. ${section.note}` : "");
    } catch (error) {
      this.root.dataset.state = "error";
      this.note.textContent = messageOf(error);
    }
  }

  private tell(samples: number, { x, y }: Points, note: string): void {
    this.root.dataset.state = "drawn";
    this.root.dataset.points = String(samples);
    this.root.dataset.section = JSON.stringify(x.slice(0, TOLD_POINTS).map((value, k) => [value, y[k]]));
    this.note.textContent = note;
  }

  private tellAxes(): void {
    const { columns } = this.context.source.manifest;
    const pick = (axis: "x" | "y") => {
      const { name } = columns[this.phase[axis]];
      const node = button(name, `${axis === "x" ? "Horizontal" : "Vertical"}: ${name}`, () => void this.choose(axis));
      node.className = "channel";
      return node;
    };
    this.axes.replaceChildren(pick("y"), " over ", pick("x"));
    this.heading.replaceChildren(named(this.phase.title || "Phase portrait"));
  }

  private async choose(axis: "x" | "y"): Promise<void> {
    const title = axis === "x" ? "Horizontal channel" : "Vertical channel";
    const column = await this.context.picker.chooseOne(title, this.phase[axis]);
    if (column === null) return;
    this.phase = { ...this.phase, title: "", [axis]: column };
    this.tellAxes();
    void this.reload();
  }
}
