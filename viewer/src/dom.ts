type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

// Children that are texts become text nodes, so that names from files can never be read as HTML.
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

export function button(label: string, title: string, click: () => void): HTMLButtonElement {
  return make("button", { type: "button", title, "aria-label": title, click }, label);
}

export function toggleButton(label: string, title: string, on: boolean, change: (on: boolean) => void) {
  const node: HTMLButtonElement = button(label, title, () => {
    const next = node.getAttribute("aria-pressed") !== "true";
    node.setAttribute("aria-pressed", String(next));
    change(next);
  });
  node.setAttribute("aria-pressed", String(on));
  return node;
}

// A name may be very long: it is cut where the layout says so, and whole in the title.
export function named(name: string, className = "name"): HTMLSpanElement {
  return make("span", { class: className, title: name }, name);
}

export function section(id: string, heading: string, ...children: (Node | string)[]): HTMLElement {
  const title = make("h2", { id: `${id}-title` }, heading);
  return make("section", { id, "aria-labelledby": `${id}-title` }, title, ...children);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
