// The bar that stays in sight: the time at the cursor, zoom, and which marks are shown.
import type { Context } from "./context";
import { button, make, toggleButton } from "./dom";
import { formatCount, formatTime } from "./format";
import { GLYPHS, MARK_KINDS } from "./marks";
import type { MarkKind } from "./source";

export class TimeBar {
  readonly root: HTMLElement;
  private readonly readout = make("span", { class: "readout" });
  private readonly words = make("span", { class: "mark-words" });
  private readonly missing = make("span", { class: "mark-missing", role: "status" });
  private readonly toggles: Record<MarkKind, MarkToggle>;

  constructor(private readonly context: Context) {
    const { timeline, marks } = context;
    const zoom = [
      button("\u2212", "Zoom out", () => timeline.zoom(2)),
      button("+", "Zoom in", () => timeline.zoom(0.5)),
      button("all", "Show the whole time", () => timeline.showAll()),
    ];
    this.toggles = byKind((kind) => markToggle(kind, context));
    const marksGroup = make("div", { class: "actions", role: "group", "aria-label": "Marks on the plots" });
    marksGroup.append(...MARK_KINDS.map((kind) => this.toggles[kind].button));
    const zoomGroup = make("div", { class: "actions", role: "group", "aria-label": "Time window" }, ...zoom);
    this.root = make(
      "div",
      { class: "timebar", role: "toolbar", "aria-label": "Time" },
      this.readout,
      zoomGroup,
      marksGroup,
      this.missing,
      this.words,
    );
    this.update();
    timeline.onCursor(() => this.tell());
    timeline.window.subscribe(() => this.tell());
    marks.error.subscribe(() => this.tell());
    marks.loaded.subscribe(() => this.tellMissing());
    marks.shown.subscribe(() => this.tellMissing());
    this.tell();
  }

  update(): void {
    for (const kind of MARK_KINDS) {
      const count = this.context.source.manifest.marks[kind];
      this.toggles[kind].button.hidden = count === 0;
      this.toggles[kind].count.textContent = formatCount(count);
    }
  }

  private tellMissing(): void {
    const text = this.context.marks.missing().join("; ");
    if (this.missing.textContent !== text) this.missing.textContent = text; // it is read out when it changes
  }

  private tell(): void {
    const { timeline, marks } = this.context;
    const { from, to } = timeline.window.value;
    const time = timeline.cursor;
    const format = (value: number) => formatTime(value, to - from);
    this.readout.textContent = time === null ? `t = ${format(from)} \u2026 ${format(to)}` : `t = ${format(time)}`;
    const error = marks.error.value;
    const words = error instanceof Error ? [error.message] : time === null ? [] : marks.describe(time);
    this.words.textContent = words.join("; ");
    this.words.title = this.words.textContent;
    this.root.dataset.from = String(from);
    this.root.dataset.to = String(to);
  }
}

interface MarkToggle {
  button: HTMLButtonElement;
  count: HTMLElement;
}

function markToggle(kind: MarkKind, { marks }: Context): MarkToggle {
  const count = make("span", { class: "count" });
  const node = toggleButton(kind, `Show ${kind} on the plots`, marks.shown.value[kind], (on) => marks.show(kind, on));
  node.prepend(make("span", { class: `glyph mark-${kind}`, "aria-hidden": "true" }, GLYPHS[kind]));
  node.append(count);
  return { button: node, count };
}

function byKind<T>(value: (kind: MarkKind) => T): Record<MarkKind, T> {
  return { impacts: value("impacts"), events: value("events"), switches: value("switches") };
}
