// Picks a body by its name. Only some names are offered at a time: there may be ten thousand.
import { make } from "../dom";
import type { Body } from "../manifest";

const offered = 40;

export class BodySearch {
  readonly element: HTMLElement;
  private readonly field: HTMLInputElement;
  private readonly names = make("datalist", { id: "replay-bodies" });
  private readonly indices = new Map<string, number>();
  private readonly lowered: string[];

  constructor(private readonly bodies: Body[], pick: (body: number | null) => void) {
    bodies.forEach(({ name }, index) => this.indices.has(name) || this.indices.set(name, index));
    this.lowered = bodies.map(({ name }) => name.toLowerCase());
    const label = `Body, one of ${bodies.length}`;
    const attributes = { type: "search", list: this.names.id, placeholder: "Body\u2026", "aria-label": label };
    this.field = make("input", { ...attributes, autocomplete: "off", spellcheck: "false" });
    this.field.addEventListener("input", () => {
      this.offer();
      const body = this.indices.get(this.field.value);
      if (body !== undefined || this.field.value === "") pick(body ?? null);
    });
    this.element = make("span", { class: "replay-search" }, this.field, this.names);
    this.offer();
  }

  show(body: number | null): void {
    const name = body === null ? "" : this.bodies[body].name;
    if (this.field.value !== name) this.field.value = name;
  }

  private offer(): void {
    const sought = this.field.value.toLowerCase();
    const options: HTMLOptionElement[] = [];
    for (let i = 0; i < this.bodies.length && options.length < offered; ++i)
      if (this.lowered[i].includes(sought)) options.push(make("option", { value: this.bodies[i].name }));
    this.names.replaceChildren(...options);
  }
}
