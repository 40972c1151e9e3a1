// What all views over time share: the interval they show, the time under the pointer and the current time.
import { Store } from "./store";

export interface Interval {
  from: number;
  to: number;
}

export class Timeline {
  readonly window: Store<Interval>;
  readonly hover = new Store<number | null>(null);
  readonly now = new Store<number | null>(null); // of the replay, or where the reader clicked
  private whole: Interval;

  constructor(first: number, last: number) {
    this.whole = widened(first, last);
    this.window = new Store(this.whole);
  }

  get full(): Interval {
    return this.whole;
  }

  get zoomed(): boolean {
    return this.window.value !== this.whole;
  }

  // The time whose values are told.
  get cursor(): number | null {
    return this.hover.value ?? this.now.value;
  }

  onCursor(listener: () => void): () => void {
    const forget = [this.hover.subscribe(listener), this.now.subscribe(listener)];
    return () => forget.forEach((unsubscribe) => unsubscribe());
  }

  show(from: number, to: number): void {
    const { from: first, to: last } = this.whole;
    // Below this neighbouring times are the same double.
    const least = Math.max((last - first) * 1e-9, Math.max(Math.abs(first), Math.abs(last)) * 1e-13);
    const width = Math.max(to - from, least);
    if (width >= last - first) return this.showAll();
    const start = Math.min(Math.max((from + to - width) / 2, first), last - width);
    this.window.set({ from: start, to: start + width });
  }

  showAll(): void {
    this.window.set(this.whole);
  }

  zoom(factor: number, centre = (this.window.value.from + this.window.value.to) / 2): void {
    const { from, to } = this.window.value;
    this.show(centre - (centre - from) * factor, centre + (to - centre) * factor);
  }

  pan(time: number): void {
    if (!this.zoomed) return;
    const { from, to } = this.window.value;
    const { from: first, to: last } = this.whole;
    const shift = Math.min(Math.max(time, first - from), last - to);
    this.show(from + shift, to + shift);
  }

  moveNow(time: number): void {
    const { from, to } = this.whole;
    this.now.set(Math.min(Math.max((this.now.value ?? this.window.value.from) + time, from), to));
  }

  // For a run that is going on: follows the end unless the reader looks at a part.
  extend(first: number, last: number): void {
    const follows = !this.zoomed;
    this.whole = widened(first, last);
    if (follows) this.window.set(this.whole);
  }
}

// A run without or with one sample has an interval to draw too.
function widened(first: number | null, last: number | null): Interval {
  const from = first ?? 0;
  const to = last ?? from;
  return to > from ? { from, to } : { from: from - 0.5, to: from + 0.5 };
}
