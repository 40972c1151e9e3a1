// Pointer and wheel on an area whose width is the time window. Mouse: drag selects what to zoom to, with shift or the
// middle button it pans. Fingers: one pans, two zoom. A click sets the current time, a double click shows all.
import { make } from "./dom";
import type { Timeline } from "./timeline";

const CLICK_PIXELS = 4;
const WHEEL_ZOOM = 0.0015; // of a pixel of the wheel, which turns by about 100 a notch
const SCROLL_PAUSE = 400; // milliseconds: a wheel that turns on belongs to the page it scrolls

export const POINTER_HELP =
  "Drag to zoom, with shift to pan; the wheel zooms; a click sets the current time, a double click shows all.";

let lastScroll = -Infinity;
addEventListener("scroll", () => (lastScroll = performance.now()), { passive: true });

export function attachGestures(area: HTMLElement, timeline: Timeline): () => void {
  const gestures = new Gestures(area, timeline);
  const listeners: [string, (event: never) => void][] = [
    ["pointerdown", gestures.down],
    ["pointermove", gestures.move],
    ["pointerup", gestures.up],
    ["pointercancel", gestures.cancel],
    ["pointerleave", gestures.leave],
    ["wheel", gestures.wheel],
    ["dblclick", () => timeline.showAll()],
  ];
  for (const [type, listener] of listeners) area.addEventListener(type, listener as EventListener, { passive: false });
  document.addEventListener("keydown", gestures.escape);
  return () => document.removeEventListener("keydown", gestures.escape);
}

interface Drag {
  kind: "select" | "pan";
  start: number; // where the pointer went down
  last: number;
}

class Gestures {
  private readonly selection = make("div", { class: "selection", hidden: true });
  private readonly pointers = new Map<number, number>(); // horizontal positions
  private drag: Drag | null = null;

  constructor(
    private readonly area: HTMLElement,
    private readonly timeline: Timeline,
  ) {
    area.classList.add("time-area");
    area.append(this.selection);
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button > 1) return;
    if (event.button === 1) event.preventDefault(); // no autoscroll
    this.area.setPointerCapture(event.pointerId);
    const x = this.position(event);
    this.pointers.set(event.pointerId, x);
    const pans = event.pointerType === "touch" || event.shiftKey || event.button === 1;
    this.drag = { kind: pans ? "pan" : "select", start: x, last: x };
  };

  readonly move = (event: PointerEvent): void => {
    const x = this.position(event);
    this.timeline.hover.set(this.timeAt(x));
    if (!this.drag) return;
    if (this.pointers.size === 2) this.pinch(event.pointerId, x);
    else if (this.drag.kind === "pan") this.timeline.pan((this.drag.last - x) * this.timeOfPixel());
    else this.showSelection(this.drag.start, x);
    this.drag.last = x;
    this.pointers.set(event.pointerId, x);
  };

  readonly up = (event: PointerEvent): void => {
    const { drag } = this;
    const x = this.position(event);
    this.cancel(event);
    if (!drag || this.pointers.size > 0) return; // the end of a pinch is not a click
    if (Math.abs(x - drag.start) < CLICK_PIXELS) this.timeline.now.set(this.timeAt(x));
    else if (drag.kind === "select") {
      const times = [this.timeAt(drag.start), this.timeAt(x)];
      this.timeline.show(Math.min(...times), Math.max(...times));
    }
  };

  readonly cancel = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    this.endDrag();
    if (event.pointerType === "touch") this.timeline.hover.set(null);
  };

  readonly leave = (): void => {
    if (!this.drag) this.timeline.hover.set(null);
  };

  readonly escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.endDrag();
  };

  // At the whole interval, turning towards the reader scrolls the page, as everywhere else.
  readonly wheel = (event: WheelEvent): void => {
    const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    const scrolls = performance.now() - lastScroll < SCROLL_PAUSE || (!this.timeline.zoomed && event.deltaY > 0);
    if (!event.ctrlKey && (scrolls || (sideways && !this.timeline.zoomed))) return;
    event.preventDefault();
    if (sideways) this.timeline.pan((event.deltaX || event.deltaY) * this.timeOfPixel());
    else this.timeline.zoom(Math.exp(event.deltaY * WHEEL_ZOOM), this.timeAt(this.position(event)));
  };

  private pinch(moved: number, x: number): void {
    const before = [...this.pointers.values()];
    const after = [...this.pointers].map(([id, position]) => (id === moved ? x : position));
    const factor = Math.abs(before[0] - before[1]) / Math.max(Math.abs(after[0] - after[1]), 1);
    this.timeline.zoom(factor, this.timeAt((after[0] + after[1]) / 2));
  }

  private showSelection(from: number, to: number): void {
    this.selection.hidden = Math.abs(to - from) < CLICK_PIXELS;
    this.selection.style.left = `${Math.min(from, to)}px`;
    this.selection.style.width = `${Math.abs(to - from)}px`;
  }

  private endDrag(): void {
    this.drag = null;
    this.selection.hidden = true;
  }

  private position(event: MouseEvent): number {
    const { left, width } = this.area.getBoundingClientRect();
    return Math.min(Math.max(event.clientX - left, 0), width);
  }

  private timeOfPixel(): number {
    const { from, to } = this.timeline.window.value;
    return (to - from) / Math.max(this.area.clientWidth, 1);
  }

  private timeAt(x: number): number {
    return this.timeline.window.value.from + x * this.timeOfPixel();
  }
}
