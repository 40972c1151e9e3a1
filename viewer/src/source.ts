// Where the manifest and the samples come from.
import type { Manifest } from "./manifest";

export interface Source {
  readonly manifest: Manifest;
  // Samples of the interval and one beyond each end, thinned for drawing if there are more than `points`.
  window(columns: number[], from: number, to: number, points: number): Promise<Samples>;
  marks(kind: MarkKind, from: number, to: number): Promise<Marks>;
  refresh?(): Promise<Manifest>;
  currentRun?(): Promise<string>; // identity of the run that the file holds now
}

export interface Samples {
  t: Float64Array;
  values: Float64Array[]; // a column each
  complete: boolean; // they are all that the result has there
}

export type MarkKind = "switches" | "impacts" | "events";

export interface Marks {
  t: Float64Array;
  rows: ArrayLike<number>[]; // switches: interaction, row, from, to; impacts: interaction, before, after, percussion;
  // events: kind, interaction, row
  all: number; // in the interval; the first of them are here
}

export const NO_MARKS: Marks = { t: new Float64Array(), rows: [], all: 0 };

export function checked(manifest: Manifest): Manifest {
  if (manifest?.format !== "saltus-page" || manifest.version !== 1) {
    throw new Error("the data of this page are of another version of Saltus");
  }
  return { ...manifest, run: manifest.run ?? "" };
}
