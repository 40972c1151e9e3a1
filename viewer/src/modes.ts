// Where the multipliers are over time: from the places at the beginning and the switches.
import type { Interaction, Manifest } from "./manifest";
import type { Marks } from "./source";

export type Place = 0 | 1 | 2;

export interface ModeRow {
  interaction: number;
  row: number;
  label: string;
}

export interface ModeInterval {
  from: number;
  to: number;
  place: number | null; // null: the switches that tell are not known
}

const LAW_WORDS = ["at lower bound (open)", "at upper bound", "between (conducting)"];
const NORMAL_WORDS = ["open", "closed", "closed"];
const TANGENTIAL_WORDS = ["open", "slips", "sticks"];

export function placeWord(interaction: Interaction | undefined, row: number, place: number | null): string {
  if (place === null) return "not known";
  const contact = interaction?.kind === "contact";
  const words = !contact ? LAW_WORDS : row === 0 ? NORMAL_WORDS : TANGENTIAL_WORDS;
  return words[place] ?? `place ${place}`;
}

export function modeRows(manifest: Manifest): ModeRow[] {
  return manifest.interactions.flatMap((interaction, k) =>
    interaction.places.map((_, row) => ({ interaction: k, row, label: rowLabel(interaction, row) })),
  );
}

function rowLabel({ name, kind, places }: Interaction, row: number): string {
  if (places.length === 1) return name;
  if (kind === "law") return `${name} [${row}]`;
  if (row === 0) return `${name}, normal`;
  return places.length === 2 ? `${name}, tangential` : `${name}, tangential ${row}`;
}

export type SwitchIndex = Map<string, number[]>;

export function rowKey(interaction: number, row: number): string {
  return `${interaction}:${row}`;
}

// Indices of the switches of each row.
export function indexSwitches(switches: Marks): SwitchIndex {
  const index: SwitchIndex = new Map();
  const [interactions, rows] = switches.rows;
  for (let k = 0; k < switches.t.length; k++) {
    const key = rowKey(interactions[k], rows[k]);
    const list = index.get(key);
    if (list) list.push(k);
    else index.set(key, [k]);
  }
  return index;
}

// Intervals of a row from `start` to `end`. `first` is its place at the start, null if that is not known; the place
// before its first switch is known from that. Behind `knownUntil` there may be switches that are not listed.
export function modeIntervals(
  switches: Marks,
  indices: number[],
  first: number | null,
  start: number,
  knownUntil: number,
  end: number,
): ModeInterval[] {
  const [, , before, after] = switches.rows;
  const intervals: ModeInterval[] = [];
  let from = start;
  let place = indices.length > 0 ? before[indices[0]] : first;
  const close = (to: number, next: number | null) => {
    if (to > from) intervals.push({ from, to, place });
    from = Math.max(from, to);
    place = next;
  };
  for (const k of indices) close(switches.t[k], after[k]);
  if (knownUntil < end) close(knownUntil, null);
  close(end, null);
  return intervals;
}
