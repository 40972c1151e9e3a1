// The typed arrays of an embedded page: see Block in manifest.ts.
import type { Block, Manifest } from "./manifest";

export type BlockArray = Float64Array | Float32Array | Uint16Array | Int32Array | Uint8Array;

const ARRAYS = { f64: Float64Array, f32: Float32Array, u16: Uint16Array, i32: Int32Array, u8: Uint8Array };

export async function readBlock(manifest: Manifest, name: string): Promise<BlockArray> {
  const block = manifest.blocks[name];
  const text = document.getElementById(`block-${name}`)?.textContent;
  if (!block || text == null) throw new Error(`the page has no block "${name}"`);
  const make = ARRAYS[block.type];
  const count = block.shape.reduce((product, extent) => product * extent, 1);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await inflate(decodeBase64(text));
  } catch {
    throw new Error(`the block "${name}" of the page is damaged`);
  }
  if (bytes.length !== count * make.BYTES_PER_ELEMENT) {
    throw new Error(`the block "${name}" of the page is damaged: it has ${bytes.length} bytes`);
  }
  const values = new make(untransposed(bytes, make.BYTES_PER_ELEMENT).buffer);
  if (block.delta) accumulate(values, block);
  return values;
}

export async function unpackedText(text: string): Promise<string> {
  return new TextDecoder().decode(await inflate(decodeBase64(text)));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function untransposed(bytes: Uint8Array<ArrayBuffer>, width: number): Uint8Array<ArrayBuffer> {
  const count = bytes.length / width;
  const result = new Uint8Array(bytes.length);
  for (let byte = 0; byte < width; byte++) {
    for (let i = 0; i < count; i++) result[i * width + byte] = bytes[byte * count + i];
  }
  return result;
}

// Typed arrays of whole numbers wrap by themselves, which is the modulo of the format.
function accumulate(values: BlockArray, block: Block): void {
  const length = block.shape[block.shape.length - 1] ?? 1;
  for (let start = 0; start < values.length; start += length) {
    for (let i = start + 1; i < start + length; i++) values[i] += values[i - 1];
  }
}
