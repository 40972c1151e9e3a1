// The data of `saltus report`: all in the page, read when first needed.
import { type BlockArray, readBlock } from "./blocks";
import { drawnIndices } from "./decimate";
import type { Manifest } from "./manifest";
import { countBelow, countUpTo } from "./search";
import { type MarkKind, type Marks, NO_MARKS, type Samples, type Source } from "./source";

export class EmbeddedSource implements Source {
  private readonly read = new Map<string, Promise<BlockArray>>();

  constructor(readonly manifest: Manifest) {}

  async window(columns: number[], from: number, to: number, points: number): Promise<Samples> {
    const [t, ...values] = await Promise.all([this.block("t"), ...columns.map((column) => this.column(column))]);
    const first = Math.max(countBelow(t, from) - 1, 0);
    const end = Math.min(countUpTo(t, to) + 1, t.length);
    const indices = drawnIndices(values, first, end, points);
    const { embedded, samples } = this.manifest;
    const thinned = embedded !== null && embedded < samples;
    return {
      t: gather(t, indices),
      values: values.map((column) => gather(column, indices)),
      complete: !thinned && indices.length === end - first,
    };
  }

  async marks(kind: MarkKind, from: number, to: number): Promise<Marks> {
    if (!(kind in this.manifest.blocks)) return NO_MARKS;
    const names = kind === "impacts" ? ["impacts", "impact-values"] : [kind];
    const [t, ...tables] = await Promise.all([`${kind}-t`, ...names].map((name) => this.block(name)));
    const first = countBelow(t, from);
    const end = countUpTo(t, to);
    const rows = tables.flatMap((table) => rowsOf(table, t.length)).map((row) => row.subarray(first, end));
    // The page has the first marks only; those that are not here lie behind the last.
    const beyond = end === t.length ? this.manifest.marks[kind] - t.length : 0;
    return { t: Float64Array.from(t.subarray(first, end)), rows, all: end - first + beyond };
  }

  private column(column: number): Promise<BlockArray> {
    const { name, present } = this.manifest.columns[column];
    if (!present) throw new Error(`the page has no samples of ${name}; saltus view shows them`);
    return this.block(`column-${column}`);
  }

  private block(name: string): Promise<BlockArray> {
    let values = this.read.get(name);
    if (!values) this.read.set(name, (values = readBlock(this.manifest, name)));
    return values;
  }
}

function gather(values: BlockArray, indices: Int32Array): Float64Array {
  const result = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) result[i] = values[indices[i]];
  return result;
}

function rowsOf(table: BlockArray, length: number): BlockArray[] {
  const count = length === 0 ? 0 : table.length / length;
  return Array.from({ length: count }, (_, row) => table.subarray(row * length, (row + 1) * length));
}
