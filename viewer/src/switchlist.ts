// The switches of the current window. If there are more than a source gives at once, the place of a row is that before
// its first switch in the window, or that after its last one known before.
import type { Context } from "./context";
import { indexSwitches, type ModeInterval, modeIntervals, type ModeRow, rowKey, type SwitchIndex } from "./modes";
import { countUpTo } from "./search";
import { type Marks, NO_MARKS } from "./source";

export class SwitchList {
  private whole: Marks | null = null; // from the beginning of the run
  private wholeIndex: SwitchIndex = new Map();
  private part = NO_MARKS; // from the beginning of the window
  private partIndex: SwitchIndex = new Map();
  private start = 0;

  constructor(private readonly context: Context) {}

  get complete(): boolean {
    return this.whole !== null && this.whole.t.length >= this.whole.all;
  }

  forget(): void {
    this.whole = null;
  }

  async load(): Promise<void> {
    const { source, timeline } = this.context;
    const ask = (from: number) =>
      source.manifest.marks.switches > 0 ? source.marks("switches", from, timeline.full.to) : NO_MARKS;
    if (!this.whole) {
      this.whole = await ask(timeline.full.from);
      this.wholeIndex = indexSwitches(this.whole);
    }
    this.start = this.complete ? timeline.full.from : timeline.window.value.from;
    this.part = this.complete ? this.whole : await ask(this.start);
    this.partIndex = this.complete ? this.wholeIndex : indexSwitches(this.part);
  }

  intervals(row: ModeRow): ModeInterval[] {
    const { t, all } = this.part;
    const knownUntil = t.length >= all ? Infinity : Math.max(this.start, t.length > 0 ? t[t.length - 1] : -Infinity);
    const indices = this.partIndex.get(rowKey(row.interaction, row.row)) ?? [];
    const end = this.context.timeline.full.to;
    return modeIntervals(this.part, indices, this.placeAtStart(row), this.start, knownUntil, end);
  }

  private placeAtStart(row: ModeRow): number | null {
    if (!this.whole) return null;
    const { t, rows } = this.whole;
    if (!this.complete && !(t[t.length - 1] >= this.start)) return null;
    const indices = this.wholeIndex.get(rowKey(row.interaction, row.row)) ?? [];
    const before = countUpTo(indices.map((k) => t[k]), this.start);
    const first = this.context.source.manifest.interactions[row.interaction].places[row.row];
    return before > 0 ? rows[3][indices[before - 1]] : first;
  }
}
