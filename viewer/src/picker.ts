// A dialog to choose channels. Results may have ten thousands: of the matches only the first are listed.
import { button, make, named } from "./dom";
import { formatCount } from "./format";
import type { Column } from "./manifest";

const MOST_LISTED = 200;
const MOST_CHOSEN = 32; // more curves nobody can tell apart

export class ChannelPicker {
  private readonly search = make("input", {
    type: "search",
    placeholder: "search: words of a name, in any order",
    "aria-label": "Search channels",
    autocomplete: "off",
    spellcheck: "false",
    input: () => this.list(),
  });
  private readonly heading = make("h2", { id: "picker-title" });
  private readonly options = make("div", { class: "picker-options", role: "group", "aria-label": "Channels" });
  private readonly note = make("p", { class: "note", "aria-live": "polite" });
  private readonly dialog: HTMLDialogElement;
  private chosen: number[] = [];
  private single = false;

  constructor(private readonly columns: () => Column[]) {
    const form = make("form", { method: "dialog" }, this.heading, this.search, this.options, this.note);
    const cancel = button("Cancel", "Leave the channels as they are", () => this.dialog.close(""));
    const accept = make("button", { value: "accept", class: "primary" }, "Show");
    form.append(make("div", { class: "picker-actions" }, cancel, accept));
    this.dialog = make("dialog", { class: "picker", "aria-labelledby": "picker-title" }, form);
    document.body.append(this.dialog);
  }

  // null: the reader did not choose.
  async choose(title: string, chosen: number[]): Promise<number[] | null> {
    return this.ask(title, chosen, false);
  }

  async chooseOne(title: string, chosen: number): Promise<number | null> {
    return (await this.ask(title, [chosen], true))?.[0] ?? null;
  }

  private ask(title: string, chosen: number[], single: boolean): Promise<number[] | null> {
    this.heading.textContent = title;
    this.chosen = [...chosen];
    this.single = single;
    this.search.value = "";
    this.list();
    this.dialog.returnValue = "";
    this.dialog.showModal();
    this.search.focus();
    return new Promise((resolve) => {
      const answer = () => resolve(this.dialog.returnValue === "accept" ? this.chosen : null);
      this.dialog.addEventListener("close", answer, { once: true });
    });
  }

  private list(): void {
    const columns = this.columns();
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches: number[] = [];
    let count = 0;
    for (let k = 0; k < columns.length; k++) {
      const text = `${columns[k].name} ${columns[k].group}`.toLowerCase();
      if (!words.every((word) => text.includes(word))) continue;
      count++;
      if (matches.length < MOST_LISTED) matches.push(k);
    }
    // What is chosen stays in sight while the reader looks for more.
    const listed = [...this.chosen, ...matches.filter((k) => !this.chosen.includes(k))];
    this.options.replaceChildren(...listed.map((k) => this.option(k, columns[k])));
    const more = count > matches.length ? `, the first ${MOST_LISTED} are listed: search for others` : "";
    this.note.textContent = `${formatCount(count)} of ${formatCount(columns.length)} channels${more}`;
  }

  private option(index: number, column: Column): HTMLElement {
    const input = make("input", {
      type: this.single ? "radio" : "checkbox",
      name: "channel",
      disabled: !column.present,
      change: () => this.toggle(index, input),
    });
    input.checked = this.chosen.includes(index);
    const group = make("span", { class: "note" }, column.present ? column.group : "not in this page");
    return make("label", {}, input, named(column.name), group);
  }

  private toggle(index: number, input: HTMLInputElement): void {
    if (this.single) this.chosen = [index];
    else if (!input.checked) this.chosen = this.chosen.filter((k) => k !== index);
    else if (this.chosen.length < MOST_CHOSEN) this.chosen.push(index);
    else {
      input.checked = false;
      this.note.textContent = `A plot shows at most ${MOST_CHOSEN} channels.`;
    }
  }
}
