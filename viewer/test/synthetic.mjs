// Pages made of dist/ and data of this file, so that the page can be tested without the command.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

const DIST = process.env.VIEWER_DIST ?? join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const ARRAYS = { f64: Float64Array, f32: Float32Array, u16: Uint16Array, i32: Int32Array, u8: Uint8Array };

// A block as manifest.ts says: differences, transposed bytes, zlib, base64.
export function encodeBlock(type, shape, values, delta = false) {
  const array = ARRAYS[type].from(values);
  if (delta) {
    const length = shape[shape.length - 1];
    for (let start = 0; start < array.length; start += length) {
      for (let i = start + length - 1; i > start; i--) array[i] -= array[i - 1];
    }
  }
  const width = array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(array.buffer);
  const transposed = new Uint8Array(bytes.length);
  for (let i = 0; i < array.length; i++) {
    for (let b = 0; b < width; b++) transposed[b * array.length + i] = bytes[i * width + b];
  }
  return { block: { type, shape, ...(delta ? { delta } : {}) }, text: deflateSync(transposed).toString("base64") };
}

// `columns`: { name, group, values }; `marks`: { switches: [[t, interaction, row, from, to]], impacts:
// [[t, interaction, before, after, percussion]], events: [[t, kind, interaction, row]] }.
export function makePage({ t = [], columns = [], marks = {}, blocks = {}, ...overrides }) {
  const encoded = { t: encodeBlock("f64", [t.length], t), ...blocks };
  columns.forEach(({ values }, k) => {
    if (values) encoded[`column-${k}`] = encodeBlock("f64", [t.length], values);
  });
  addMarks(encoded, marks);
  const manifest = {
    ...emptyManifest(t),
    columns: columns.map(({ name, group = "state", values }) => ({ name, group, present: Boolean(values) })),
    marks: Object.fromEntries(["switches", "impacts", "events"].map((kind) => [kind, marks[kind]?.length ?? 0])),
    blocks: Object.fromEntries(Object.entries(encoded).map(([name, { block }]) => [name, block])),
    ...overrides,
  };
  manifest.summary = { ...emptySummary(), ...overrides.summary };
  return { manifest, texts: Object.fromEntries(Object.entries(encoded).map(([name, { text }]) => [name, text])) };
}

function addMarks(encoded, { switches = [], impacts = [], events = [] }) {
  const column = (list, k) => list.map((row) => row[k]);
  const table = (list, first, end) => Array.from({ length: end - first }, (_, k) => column(list, first + k)).flat();
  for (const [kind, list] of Object.entries({ switches, impacts, events })) {
    if (list.length > 0) encoded[`${kind}-t`] = encodeBlock("f64", [list.length], column(list, 0));
  }
  if (switches.length > 0) encoded.switches = encodeBlock("i32", [4, switches.length], table(switches, 1, 5), true);
  if (events.length > 0) encoded.events = encodeBlock("i32", [3, events.length], table(events, 1, 4));
  if (impacts.length === 0) return;
  encoded.impacts = encodeBlock("i32", [1, impacts.length], table(impacts, 1, 2));
  encoded["impact-values"] = encodeBlock("f64", [3, impacts.length], table(impacts, 2, 5));
}

function emptySummary() {
  return {
    name: "synthetic",
    settings: "",
    scheme: "moreau-jean, theta = 0.5",
    end: "reached",
    message: "",
    step: 1e-3,
    t_end: 10,
    t: 10,
    steps: 10000,
    switches: 0,
    impacts: 0,
    events: 0,
    unsolved: 0,
    retried: 0,
    worst_residual: 1.4e-13,
    seconds: 0.42,
  };
}

function emptyManifest(t) {
  return {
    format: "saltus-page",
    version: 1,
    run: "",
    file: "synthetic.h5",
    description: "",
    kind: "lagrangian",
    model: 'name = "synthetic"\n',
    samples: t.length,
    embedded: t.length,
    t_first: t[0] ?? 0,
    t_last: t[t.length - 1] ?? 0,
    missing: 0,
    interactions: [],
    plots: [],
    phases: [],
    health: { residual: 0, iterations: null, seconds: null },
    scene: null,
    warnings: [],
    live: false,
  };
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
// The page as the command writes it. Without data it is that of a server.
export function pageText({ manifest, texts } = {}) {
  const json = manifest && JSON.stringify(manifest).replaceAll("<", "\\u003c");
  const data = manifest
    ? `<script type="application/json" id="saltus-manifest">${json}</script>` +
      Object.entries(texts)
        .map(([name, text]) => `<script type="application/octet-stream" id="block-${name}">${text}</script>`)
        .join("\n")
    : "";
  return readFileSync(join(DIST, "page.html"), "utf8")
    .replace("<!--saltus:title-->", () => escaped(manifest?.summary.name ?? "saltus view"))
    .replace("<!--saltus:data-->", () => data);
}

const FOLDER = join(tmpdir(), `saltus-viewer-${process.pid}`);

export function writePage(name, page) {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}.html`);
  writeFileSync(file, pageText(page));
  return pathToFileURL(file).href;
}

export function removePages() {
  rmSync(FOLDER, { recursive: true, force: true });
}

export function range(count, value) {
  return Array.from({ length: count }, (_, k) => value(k));
}

// A ball that bounces on the ground, sampled: parabolas between impacts, with all that a result of it has.
export function bouncingBall({ samples = 2001, t_end = 4, scene = false } = {}) {
  const [g, e] = [9.81, 0.8];
  const t = range(samples, (k) => (t_end * k) / (samples - 1));
  const impacts = [];
  let flight = { start: 0, height: 1, speed: 0 };
  const at = (time) => {
    const s = time - flight.start;
    const { height, speed } = flight;
    return flight.rests ? [0, 0] : [height + speed * s - (g * s * s) / 2, speed - g * s];
  };
  const states = t.map((time) => {
    while (at(time)[0] < 0) {
      const { start, height, speed } = flight;
      const after = start + (speed + Math.sqrt(speed * speed + 2 * g * height)) / g;
      const before = at(after)[1];
      impacts.push([after, 0, before, -e * before, -(1 + e) * before]);
      flight = { start: after, height: 0, speed: -e * before, rests: before > -0.2 };
    }
    return at(time);
  });
  const q = states.map(([value]) => value);
  const v = states.map(([, value]) => value);
  const switches = impacts.flatMap(([time, k]) => [
    [time, k, 0, 0, 2],
    [time + 0.01, k, 0, 2, 0],
  ]);
  switches.pop();
  const kinetic = v.map((value) => (value * value) / 2);
  const potential = q.map((value) => g * value);
  const columns = [
    { name: "ball.q[0]", values: q },
    { name: "ball.v[0]", values: v },
    { name: "ground.gap", group: "contact", values: q },
    { name: "energy.kinetic", group: "energy", values: kinetic },
    { name: "energy.potential", group: "energy", values: potential },
    { name: "energy.total", group: "energy", values: kinetic.map((value, k) => value + potential[k]) },
    { name: "run.residual", group: "run", values: t.map((_, k) => 1e-14 * (1 + 40 * Math.abs(Math.sin(k * k)))) },
    { name: "run.iterations", group: "run", values: t.map((_, k) => 1 + (k % 7 === 0 ? 2 : 0)) },
    { name: "run.seconds", group: "run", values: t.map((_, k) => 1e-5 * k + 1e-4 * Math.floor(k / 300)) },
  ];
  return makePage({
    t,
    columns,
    marks: { switches, impacts },
    ...(scene ? ballScene(t, q) : {}),
    description: "A ball falls on the ground and bounces with a coefficient of restitution of 0.8.",
    interactions: [{ name: "ground", kind: "contact", places: [0, 0] }],
    plots: [
      { title: "Coordinates", columns: [0], logarithmic: false },
      { title: "Velocities", columns: [1], logarithmic: false },
      { title: "Energies", columns: [3, 4, 5], logarithmic: false },
      { title: "Gaps", columns: [2], logarithmic: false },
    ],
    phases: [{ title: "ball", x: 0, y: 1 }],
    health: { residual: 6, iterations: 7, seconds: 8 },
    summary: { name: "bouncing_ball", t_end, t: t_end, impacts: impacts.length, switches: switches.length },
  });
}

// The ball over a plane; its height is the only thing that moves.
function ballScene(t, q) {
  const frames = t.filter((_, k) => k % 10 === 0);
  const heights = q.filter((_, k) => k % 10 === 0);
  const step = 1 / 65535;
  const pose = (z) => [0, 0, z, 0, 0, 0, 1, 1];
  const touching = heights.map((height) => (height < 1e-3 ? 1 : 0));
  return {
    blocks: {
      "poses-rest": encodeBlock("f32", [2, 8], [...pose(heights[0] + 0.1), ...pose(0)]),
      "poses-moving": encodeBlock("i32", [1], [2]),
      "poses-scale": encodeBlock("f64", [2, 1], [0.1, step]),
      poses: encodeBlock("u16", [1, frames.length], heights.map((height) => Math.round(height / step)), true),
      "contacts-points": encodeBlock("f32", [frames.length, 1, 3], frames.flatMap(() => [0, 0, 0])),
      "contacts-forces": encodeBlock("f32", [frames.length, 1, 3], touching.flatMap((on) => [0, 0, 9.81 * on])),
      "contacts-states": encodeBlock("u8", [frames.length, 1], touching.map((on) => 3 * on)),
    },
    scene: {
      bodies: [
        { name: "ball", shape: { type: "sphere", radius: 0.1 }, color: null, columns: [0, 1] },
        { name: "ground", shape: { type: "plane", size: [2, 2] }, color: null, columns: [] },
      ],
      contacts: [{ name: "ground", interaction: 0, column: 2 }],
      frame_times: frames,
      bounds: { low: [-1, -1, 0], high: [1, 1, 1.2] },
      largest_force: 9.81,
    },
  };
}
