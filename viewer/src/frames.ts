// Frames of the replay: poses of the bodies and forces of the contacts at some times of a run.
import { readBlock, type BlockArray } from "./blocks";
import type { Manifest } from "./manifest";
import { OTHER_RUN, reloadPage, runParameter } from "./run";

export interface Frame {
  t: number;
  poses: Float32Array; // bodies x 8: position x y z, rotation x y z w, length
  points: Float32Array; // contacts x 3
  forces: Float32Array; // contacts x 3
  states: Uint8Array; // contacts: 0 open, 1 slips, 2 sticks, 3 closed, without friction
}

export interface FrameSource {
  readonly times: Float64Array;
  frame(k: number): Frame | null; // null: not here yet, it is being fetched
  onLoad: (() => void) | null; // called when frames have come
}

export const poseSize = 8;

export async function embeddedFrames(manifest: Manifest): Promise<FrameSource> {
  const times = timesOf(manifest);
  const contacts = manifest.scene?.contacts.length ?? 0;
  const [decodePoses, points, forces, states] = await Promise.all([
    poseDecoder(manifest, times.length),
    readNumbers(manifest, "contacts-points", Float32Array),
    readNumbers(manifest, "contacts-forces", Float32Array),
    readNumbers(manifest, "contacts-states", Uint8Array),
  ]);
  const decode = (k: number): Frame => ({
    t: times[k],
    poses: decodePoses(k),
    points: points.subarray(3 * contacts * k, 3 * contacts * (k + 1)),
    forces: forces.subarray(3 * contacts * k, 3 * contacts * (k + 1)),
    states: states.subarray(contacts * k, contacts * (k + 1)),
  });
  const recent = new Map<number, Frame>(); // playing asks for the same two frames again and again
  const frame = (k: number): Frame | null => {
    if (!(k >= 0 && k < times.length)) return null;
    const known = recent.get(k);
    if (known) return known;
    if (recent.size >= 4) recent.clear();
    const decoded = decode(k);
    recent.set(k, decoded);
    return decoded;
  };
  return { times, frame, onLoad: null };
}

export function servedFrames(manifest: Manifest): FrameSource {
  return new ServedFrames(manifest);
}

function timesOf(manifest: Manifest): Float64Array {
  return Float64Array.from(manifest.scene?.frame_times ?? []);
}

// Empty if the page has no such block: a scene without contacts, or in which nothing moves.
async function readNumbers<T extends BlockArray>(
  manifest: Manifest, name: string, type: new (count: number) => T,
): Promise<T> {
  if (!manifest.blocks[name]) return new type(0);
  const numbers = await readBlock(manifest, name);
  if (!(numbers instanceof type)) throw new Error(`block ${name} has an unexpected type`);
  return numbers;
}

async function poseDecoder(manifest: Manifest, frames: number): Promise<(k: number) => Float32Array> {
  const [rest, moving, scale, columns] = await Promise.all([
    readNumbers(manifest, "poses-rest", Float32Array),
    readNumbers(manifest, "poses-moving", Int32Array),
    readNumbers(manifest, "poses-scale", Float64Array),
    readNumbers(manifest, "poses", Uint16Array),
  ]);
  const count = moving.length;
  const rows = transposed(columns, count, frames);
  return (k) => {
    const poses = rest.slice();
    for (let i = 0; i < count; ++i) poses[moving[i]] = scale[i] + scale[count + i] * rows[k * count + i];
    return poses;
  };
}

// A frame is read as one row. In tiles, so that neither side misses the cache at each number.
function transposed(columns: Uint16Array, count: number, frames: number): Uint16Array {
  const rows = new Uint16Array(columns.length);
  const tile = 32;
  for (let first = 0; first < count; first += tile)
    for (let k0 = 0; k0 < frames; k0 += tile) {
      const k1 = Math.min(k0 + tile, frames);
      for (let i = first; i < Math.min(first + tile, count); ++i)
        for (let k = k0; k < k1; ++k) rows[k * count + i] = columns[i * frames + k];
    }
  return rows;
}

const pieceLimit = 64; // frames, of the server
const pieceBytes = 4e6; // so that the first frames of a large scene come soon
const cacheBytes = 256e6;
const wantedLimit = 8;
const shortestPause = 500; // ms before an answer is asked for again
const longestPause = 16000;

class ServedFrames implements FrameSource {
  readonly times: Float64Array;
  onLoad: (() => void) | null = null;

  private readonly ofRun: string;
  private readonly bodies: number;
  private readonly contacts: number;
  private readonly frameBytes: number;
  private readonly pieceFrames: number;
  private readonly pieces = new Map<number, Frame[]>(); // the least recently used first
  private wanted: number[] = []; // pieces, the most urgent first
  private fetching = false;
  private lastPiece = 0;
  private direction = 1;

  constructor(manifest: Manifest) {
    this.times = timesOf(manifest);
    this.ofRun = runParameter(manifest.run);
    this.bodies = manifest.scene?.bodies.length ?? 0;
    this.contacts = manifest.scene?.contacts.length ?? 0;
    this.frameBytes = 4 * (poseSize * this.bodies + 6 * this.contacts + Math.ceil(this.contacts / 4));
    this.pieceFrames = Math.max(1, Math.min(pieceLimit, Math.floor(pieceBytes / Math.max(1, this.frameBytes))));
  }

  frame(k: number): Frame | null {
    if (!(k >= 0 && k < this.times.length)) return null;
    const piece = Math.floor(k / this.pieceFrames);
    if (piece !== this.lastPiece) this.direction = Math.sign(piece - this.lastPiece);
    this.lastPiece = piece;
    this.want(piece + 2 * this.direction);
    this.want(piece + this.direction);
    this.want(piece);
    return this.use(piece)?.[k - piece * this.pieceFrames] ?? null;
  }

  private use(piece: number): Frame[] | undefined {
    const frames = this.pieces.get(piece);
    if (!frames) return undefined;
    this.pieces.delete(piece);
    this.pieces.set(piece, frames);
    return frames;
  }

  private want(piece: number): void {
    if (piece < 0 || piece * this.pieceFrames >= this.times.length || this.pieces.has(piece)) return;
    this.wanted = [piece, ...this.wanted.filter((other) => other !== piece)].slice(0, wantedLimit);
    if (!this.fetching) void this.fetchWanted();
  }

  private async fetchWanted(): Promise<void> {
    this.fetching = true;
    let pause = shortestPause;
    await Promise.resolve(); // the most urgent of the pieces wanted at one time is the last
    while (this.wanted.length > 0 && this.onLoad) {
      const piece = this.wanted[0];
      try {
        this.keep(piece, await this.fetchPiece(piece));
        pause = shortestPause;
        this.onLoad?.();
      } catch {
        await new Promise((resume) => setTimeout(resume, pause));
        pause = Math.min(2 * pause, longestPause);
      }
    }
    this.fetching = false;
  }

  private keep(piece: number, frames: Frame[]): void {
    this.wanted = this.wanted.filter((other) => other !== piece);
    this.pieces.set(piece, frames);
    const most = Math.max(4, Math.floor(cacheBytes / (this.pieceFrames * Math.max(1, this.frameBytes))));
    for (const oldest of this.pieces.keys()) {
      if (this.pieces.size <= most) break;
      this.pieces.delete(oldest);
    }
  }

  private async fetchPiece(piece: number): Promise<Frame[]> {
    const first = piece * this.pieceFrames;
    const count = Math.min(this.pieceFrames, this.times.length - first);
    const answer = await fetch(`frames?first=${first}&count=${count}${this.ofRun}`);
    if (answer.status === OTHER_RUN) return reloadPage();
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const bytes = await answer.arrayBuffer();
    if (bytes.byteLength !== 8 + count * this.frameBytes) throw new Error("the server answered with other frames");
    return Array.from({ length: count }, (_, i) => this.parse(bytes, 8 + i * this.frameBytes, this.times[first + i]));
  }

  private parse(bytes: ArrayBuffer, offset: number, t: number): Frame {
    const poses = new Float32Array(bytes, offset, poseSize * this.bodies);
    const contacts = new Float32Array(bytes, offset + poses.byteLength, 6 * this.contacts);
    const states = new Uint8Array(bytes, contacts.byteOffset + contacts.byteLength, this.contacts);
    const points = new Float32Array(3 * this.contacts);
    const forces = new Float32Array(3 * this.contacts);
    for (let i = 0; i < points.length; ++i) {
      const from = 6 * Math.floor(i / 3) + (i % 3);
      points[i] = contacts[from];
      forces[i] = contacts[from + 3];
    }
    return { t, poses, points, forces, states };
  }
}
