// The data of `saltus view`: asked for at the server of the page.
import type { Manifest } from "./manifest";
import { OTHER_RUN, reloadPage, runParameter } from "./run";
import { checked, type MarkKind, type Marks, type Samples, type Source } from "./source";

const HEADER_BYTES = 8;

export class ServedSource implements Source {
  private readonly ofRun: string; // the page was built from this one

  private constructor(public manifest: Manifest) {
    this.ofRun = runParameter(manifest.run);
  }

  static async open(): Promise<ServedSource> {
    return new ServedSource(await fetchManifest());
  }

  async window(columns: number[], from: number, to: number, points: number): Promise<Samples> {
    const path = `window?columns=${columns.join()}&from=${from}&to=${to}&points=${points}`;
    const answer = await ask(path + this.ofRun);
    const [count, all] = new Uint32Array(answer, 0, 2);
    const [t, ...values] = rowsOf(answer, count);
    return { t, values, complete: count === all };
  }

  async marks(kind: MarkKind, from: number, to: number): Promise<Marks> {
    const answer = await ask(`marks?kind=${kind}&from=${from}&to=${to}${this.ofRun}`);
    const [count, all] = new Uint32Array(answer, 0, 2);
    const [t, ...rows] = rowsOf(answer, count);
    return { t, rows, all };
  }

  async refresh(): Promise<Manifest> {
    this.manifest = await fetchManifest();
    return this.manifest;
  }

  async currentRun(): Promise<string> {
    return (await answered("run")).text();
  }
}

async function fetchManifest(): Promise<Manifest> {
  return checked(await (await answered("manifest")).json());
}

async function ask(path: string): Promise<ArrayBuffer> {
  return (await answered(path)).arrayBuffer();
}

async function answered(path: string): Promise<Response> {
  const response = await fetch(path, { cache: "no-store" }).catch(() => {
    throw new Error("saltus view does not answer: does it still run?");
  });
  if (response.status === OTHER_RUN) return reloadPage();
  if (!response.ok) throw new Error(`saltus view answered: ${(await response.text()) || response.status}`);
  return response;
}

function rowsOf(answer: ArrayBuffer, count: number): Float64Array[] {
  const rows: Float64Array[] = [];
  for (let at = HEADER_BYTES; count > 0 && at < answer.byteLength; at += 8 * count) {
    rows.push(new Float64Array(answer, at, count));
  }
  return rows.length > 0 ? rows : [new Float64Array()];
}
