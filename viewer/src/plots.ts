// The plots over time: those of the manifest at first, then what the reader adds, changes and removes.
import type { Context } from "./context";
import { button, make, named, section, toggleButton } from "./dom";
import { POINTER_HELP } from "./gestures";
import { KEYS_HELP } from "./keys";
import type { Plot } from "./manifest";
import { type PlotSpec, TimePlot } from "./timeplot";

export class PlotsSection {
  readonly root: HTMLElement;
  private readonly grid = make("div", { class: "grid plots-grid" });
  private readonly cards = new Set<PlotCard>();
  private bodyCard: PlotCard | null = null;

  constructor(private readonly context: Context) {
    const add = button("+ plot", "Add a plot of channels to choose", () => void this.addChosen());
    const help = make("p", { class: "note help" }, `${POINTER_HELP} ${KEYS_HELP}`);
    this.root = section("plots", "Over time", this.grid, help);
    this.root.querySelector("h2")!.append(add);
    for (const plot of context.source.manifest.plots) this.add(plot);
  }

  // The plot of the body that was picked last in the replay.
  showBody(name: string, columns: number[]): void {
    const present = columns.filter((column) => this.context.source.manifest.columns[column].present);
    this.hideBody();
    this.bodyCard = this.add({ title: name, columns: present, logarithmic: false });
    this.grid.prepend(this.bodyCard.root);
  }

  hideBody(): void {
    if (this.bodyCard) this.remove(this.bodyCard);
    this.bodyCard = null;
  }

  update(): void {
    this.cards.forEach((card) => card.update());
  }

  private async addChosen(): Promise<void> {
    const columns = await this.context.picker.choose("Channels of the new plot", []);
    if (!columns || columns.length === 0) return;
    this.add({ title: "", columns, logarithmic: false }).root.scrollIntoView({ block: "nearest" });
  }

  private add(plot: Plot): PlotCard {
    const card = new PlotCard(this.context, plot, () => this.remove(card));
    this.cards.add(card);
    this.grid.append(card.root);
    return card;
  }

  private remove(card: PlotCard): void {
    card.dispose();
    this.cards.delete(card);
  }
}

class PlotCard {
  readonly root: HTMLElement;
  private readonly heading = make("h3");
  private readonly view: TimePlot;

  constructor(
    private readonly context: Context,
    private plot: Plot,
    remove: () => void,
  ) {
    this.view = new TimePlot(context, this.spec());
    const logarithmic = toggleButton("log", "Logarithmic axis", plot.logarithmic, (on) =>
      this.change({ ...this.plot, logarithmic: on }),
    );
    const choose = button("channels\u2026", "Choose the channels of this plot", () => void this.chooseColumns());
    const close = button("\u2715", "Remove this plot", remove);
    const actions = make("div", { class: "actions" }, logarithmic, choose, close);
    this.heading.append(named(this.title()));
    this.root = make("article", { class: "card" }, make("header", {}, this.heading, actions), this.view.root);
  }

  update(): void {
    this.view.update();
  }

  dispose(): void {
    this.view.dispose();
    this.root.remove();
  }

  private async chooseColumns(): Promise<void> {
    const columns = await this.context.picker.choose("Channels of the plot", this.plot.columns);
    if (columns) this.change({ ...this.plot, columns });
  }

  private change(plot: Plot): void {
    this.plot = plot;
    this.heading.replaceChildren(named(this.title()));
    this.view.change(this.spec());
  }

  private title(): string {
    const names = this.plot.columns.map((column) => this.context.source.manifest.columns[column].name);
    return this.plot.title || names.join(", ") || "Empty plot";
  }

  private spec(): PlotSpec {
    const { columns, logarithmic } = this.plot;
    return { columns, logarithmic, label: this.title(), height: plotHeight };
  }
}

// Wider plots are higher, so that they do not look stretched.
function plotHeight(width: number): number {
  return Math.round(Math.min(Math.max(0.34 * width, 190), 420));
}
