// What a page knows of a result before it asks for any sample: JSON, made by saltus/view/manifest.cpp. Numbers that
// are not finite are null. Texts come from model files and results: show them as text, never as HTML.

export interface Manifest {
  format: "saltus-page";
  version: 1;
  run: string; // identity of the run that wrote the file; empty where the file has none
  file: string; // name of the result file, without its folder
  summary: Summary;
  description: string; // of the model; may be empty
  kind: "first-order" | "lagrangian";
  model: string; // text of the model file
  samples: number; // in the result
  embedded: number | null; // samples in the page; null where a server has all of them
  t_first: number;
  t_last: number;
  // All columns that can be asked for: the channels of the result, then signals, then what the run says of itself
  // ("run.residual", "run.iterations", "run.seconds": the time since the run began).
  columns: Column[];
  missing: number; // columns of the result that the page has no samples of, for their number
  interactions: Interaction[];
  plots: Plot[]; // to be shown at first, in this order
  phases: Phase[];
  health: { residual: number; iterations: number | null; seconds: number | null }; // columns
  marks: MarkCounts; // in the result; the page has the first of them if they are many
  scene: SceneDescription | null;
  warnings: string[]; // of the run and of the page, for people
  blocks: Record<string, Block>; // of an embedded page; empty where a server answers
  live: boolean; // a run is writing the result: ask for the manifest again
}

export interface Summary {
  name: string;
  settings: string;
  scheme: string;
  end: "reached" | "interrupted" | "failed" | "running"; // "running" and not live: the run was killed
  message: string;
  step: number | null;
  t_end: number | null;
  t: number | null;
  steps: number | null; // this and the three others that may be null are known when the run has ended
  switches: number | null;
  impacts: number;
  events: number;
  unsolved: number; // so far
  retried: number | null;
  worst_residual: number | null;
  seconds: number | null;
}

export interface Column {
  name: string;
  group: "state" | "multiplier" | "output" | "contact" | "joint" | "energy" | "signal" | "run";
  present: boolean; // false: the page has no samples of it
}

export interface Interaction {
  name: string;
  kind: "contact" | "law"; // of a contact the rows are normal, then tangential
  places: number[]; // a row: where its multiplier is at the beginning. 0 at the lower bound (a diode or contact: open),
  // 1 at the upper bound (a tangential row: slides), 2 between (conducting, closed, sliding mode; a tangential row: sticks)
}

export interface Plot {
  title: string;
  columns: number[]; // indices into columns
  logarithmic: boolean;
}

export interface Phase {
  title: string;
  x: number;
  y: number;
}

export interface MarkCounts {
  switches: number;
  impacts: number;
  events: number;
}

// Axes are right-handed, z is up.
export interface SceneDescription {
  bodies: Body[];
  contacts: DrawnContact[];
  frame_times: number[]; // of the frames that can be asked for
  bounds: { low: [number, number, number]; high: [number, number, number] }; // of all that moves, over the whole run
  largest_force: number; // 95th percentile of the forces that are not zero; 0 if there are none
}

export interface Body {
  name: string;
  shape: Shape;
  color: string | null; // "#rrggbb"
  columns: number[]; // what the result says of its systems
}

// Centred at the position of the body; `length` of a pose stretches along z.
export type Shape =
  | { type: "sphere"; radius: number }
  | { type: "box"; size: [number, number, number] } // edges
  | { type: "cylinder"; radius: number; length: number } // along z
  | { type: "capsule"; radius: number; length: number } // along z, length without the caps
  | { type: "plane"; size: [number, number] } // normal z
  | { type: "segment"; radius: number } // along z, of length 1
  | { type: "spring"; radius: number; turns: number } // a coil along z, of length 1
  | { type: "mesh"; vertices: number[]; triangles: number[] }; // flat: x, y, z, ...; a, b, c, ...

export interface DrawnContact {
  name: string;
  interaction: number;
  column: number | null; // of its gap
}

// A typed array in the page: little endian, bytes transposed (all first bytes, then all second ones, ...), zlib, base64,
// in <script type="application/octet-stream" id="block-NAME">. Blocks of whole numbers with `delta` hold differences
// modulo 2^bits along the last dimension.
export interface Block {
  type: "f64" | "f32" | "u16" | "i32" | "u8";
  shape: number[];
  delta?: boolean;
}
