// What the colours and tips of the arrows mean.
import { make } from "../dom";
import { stateColors, stateNames } from "./colors";

const order = [2, 1, 3, 0]; // sticks, slips, closed, open
const swatches = ["ring", "diamond", "cone", "cone"]; // by state

export class Legend {
  readonly element: HTMLElement;
  private readonly marks: HTMLElement[];

  constructor() {
    this.marks = order.map((state) => make("span", { class: `replay-swatch ${swatches[state]}` }));
    const entries = order.map((state, i) => make("li", {}, this.marks[i], stateNames[state]));
    this.element = make("ul", { class: "replay-legend", "aria-label": "Contacts" }, ...entries);
  }

  setTheme(dark: boolean): void {
    order.forEach((state, i) => (this.marks[i].style.color = stateColors(dark)[state]));
  }
}
