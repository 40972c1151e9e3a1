// Made-up scenes for tests, measurements and pictures of the replay: a SceneDescription and its frames.

const upright = [0, 0, 0, 1];

function turnedAboutY(angle) {
  return [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)];
}

// From (x0, z0) to (x1, z1) in the plane y.
function link(x0, z0, x1, z1, y = 0) {
  return [(x0 + x1) / 2, y, (z0 + z1) / 2, ...turnedAboutY(Math.atan2(x1 - x0, z1 - z0)), Math.hypot(x1 - x0, z1 - z0)];
}

const body = (name, shape, color = null) => ({ name, shape, color, columns: [] });
const contact = (name, interaction) => ({ name, interaction, column: null });

function framesFrom(times, at) {
  const all = times.map((t) => {
    const { poses, points = [], forces = [], states = [] } = at(t);
    return {
      t,
      poses: new Float32Array(poses.flat()),
      points: new Float32Array(points.flat()),
      forces: new Float32Array(forces.flat()),
      states: new Uint8Array(states),
    };
  });
  return { times: Float64Array.from(times), frame: (k) => all[k] ?? null, onLoad: null };
}

const evenly = (count, end) => Array.from({ length: count }, (_, k) => (end * k) / (count - 1));

function describe(bodies, contacts, times, low, high, largest_force) {
  return { bodies, contacts, frame_times: times, bounds: { low, high }, largest_force };
}

export function bouncingBall() {
  const times = evenly(201, 4);
  const radius = 0.1;
  const scene = describe(
    [body("floor", { type: "plane", size: [2, 2] }), body("ball", { type: "sphere", radius })],
    [contact("ball on floor", 0)], times, [-1, -radius, 0], [1, radius, 1.1], 10,
  );
  const frames = framesFrom(times, (t) => {
    const height = Math.abs(Math.cos(1.5 * t)) * Math.exp(-0.4 * t);
    const closed = height < 0.02;
    return {
      poses: [
        [0, 0, 0, ...upright, 1],
        [-0.8 + 0.4 * t, 0, radius + height, ...turnedAboutY(4 * t), 1],
      ],
      points: [[-0.8 + 0.4 * t, 0, 0]],
      forces: [closed ? [0, 0, 10] : [0, 0, 0]],
      states: [closed ? 3 : 0],
    };
  });
  return { scene, frames };
}

export function mechanism() {
  const times = evenly(121, 2);
  const crank = 0.3;
  const rod = 0.9;
  const names = [
    body("frame", { type: "box", size: [2.2, 0.3, 0.05] }, "#8b939d"),
    body("wheel", { type: "cylinder", radius: 0.36, length: 0.05 }),
    body("crank", { type: "segment", radius: 0.035 }),
    body("rod", { type: "segment", radius: 0.028 }),
    body("slider", { type: "box", size: [0.26, 0.18, 0.16] }),
    body("spring", { type: "spring", radius: 0.06, turns: 9 }),
    body("wall", { type: "box", size: [0.06, 0.3, 0.4] }, "#8b939d"),
    body("pill", { type: "capsule", radius: 0.05, length: 0.2 }),
    body("wedge", {
      type: "mesh",
      vertices: [0, -0.1, 0, 0.3, -0.1, 0, 0, -0.1, 0.2, 0, 0.1, 0, 0.3, 0.1, 0, 0, 0.1, 0.2],
      triangles: [0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 3, 2, 3, 0],
    }),
  ];
  const frames = framesFrom(times, (t) => {
    const angle = 2 * Math.PI * t;
    const pin = [crank * Math.cos(angle), crank * Math.sin(angle)];
    const slide = pin[0] + Math.sqrt(rod * rod - pin[1] * pin[1]);
    const slips = Math.abs(Math.sin(angle)) > 0.2;
    const push = 40 * Math.cos(angle);
    return {
      poses: [
        [0.6, 0, -0.42, ...upright, 1],
        [0, 0.06, 0, ...multiply(turnedAboutY(-angle), [Math.SQRT1_2, 0, 0, Math.SQRT1_2]), 1],
        link(0, 0, ...pin),
        link(...pin, slide, 0, -0.05),
        [slide, 0, 0, ...upright, 1],
        link(slide + 0.13, 0, 1.65, 0),
        [1.68, 0, 0, ...upright, 1],
        [0.4, 0, 0.45, ...turnedAboutY(angle / 2), 1],
        [-0.5, 0, -0.395, ...upright, 1],
      ],
      points: [[slide - 0.1, 0, -0.08], [slide + 0.1, 0, -0.08]],
      forces: [[slips ? -Math.sign(Math.sin(angle)) * 8 : 6, 0, 30 + push / 2], [slips ? -8 : 2, 0, 20]],
      states: slips ? [1, 1] : [2, 2],
    };
  });
  const contacts = [contact("slider left", 0), contact("slider right", 1)];
  return { scene: describe(names, contacts, times, [-0.6, -0.2, -0.45], [1.75, 0.2, 0.6], 40), frames };
}

function multiply([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

// Three boxes on a floor, one contact in each state, and an open one.
export function states() {
  const times = evenly(61, 1);
  const box = { type: "box", size: [0.3, 0.3, 0.3] };
  const floor = body("floor", { type: "plane", size: [3, 1.5] });
  const scene = describe(
    [floor, body("sticks", box), body("slips", box), body("frictionless", box), body("lifted", box)],
    ["sticks", "slips", "frictionless", "lifted"].map(contact), times, [-1.2, -0.3, 0], [1.2, 0.3, 0.8], 10,
  );
  const x = [-0.9, -0.3, 0.3, 0.9];
  const frames = framesFrom(times, (t) => ({
    poses: [
      [0, 0, 0, ...upright, 1],
      ...x.map((x, i) => [x + (i === 1 ? 0.2 * t : 0), 0, i === 3 ? 0.3 : 0.15, ...upright, 1]),
    ],
    points: x.map((x, i) => [x + (i === 1 ? 0.2 * t : 0), -0.15, 0]),
    forces: [[4, 0, 10], [-5, 0, 10], [0, 0, 12], [0, 0, 0]],
    states: [2, 1, 3, 0],
  }));
  return { scene, frames };
}

// A ball whose pose is not finite in the middle third of the run, and another one that stays.
export function diverging() {
  const times = evenly(31, 3);
  const ball = { type: "sphere", radius: 0.2 };
  const scene = describe([body("lost", ball), body("<b>stays</b>", ball)], [], times, [-1, -0.2, 0], [1, 0.2, 0.4], 0);
  const frames = framesFrom(times, (t) => ({
    poses: [[-0.5, 0, t > 1 && t < 2 ? NaN : 0.2, ...upright, 1], [0.5, 0, 0.2, ...upright, 1]],
  }));
  return { scene, frames };
}

// Balls on a slowly breathing lattice in a box.
export function spheres(count, contactsEach = 0) {
  const times = evenly(61, 2);
  const edge = Math.ceil(Math.cbrt(count));
  const spacing = 0.1;
  const home = (i) => [i % edge, Math.floor(i / edge) % edge, Math.floor(i / edge / edge)].map((n) => n * spacing);
  const bodies = Array.from({ length: count }, (_, i) =>
    body(`grain ${i}`, { type: "sphere", radius: 0.035 + 0.012 * ((i * 7919) % 13) / 13 }));
  bodies.push(body("floor", { type: "plane", size: [1.4 * edge * spacing, 1.4 * edge * spacing] }));
  const middle = (edge * spacing) / 2;
  const place = (i, t) => {
    const [x, y, z] = home(i);
    const phase = (i * 2654435761) % 1000 / 159;
    const [dx, dy, dz] = [Math.sin(3 * t + phase), Math.cos(3 * t + phase), Math.sin(5 * t + phase)];
    return [x + 0.03 * dx, y + 0.03 * dy, z + 0.05 + 0.03 * dz];
  };
  const contacts = Array.from({ length: contactsEach * count }, (_, i) => contact(`contact ${i}`, i));
  const scene = describe(bodies, contacts, times, [-0.1, -0.1, 0], [2 * middle, 2 * middle, 2 * middle], 1);
  const all = bodies.map((_, i) => i).slice(0, count);
  const frames = framesFrom(times, (t) => ({
    poses: [...all.map((i) => [...place(i, t), ...upright, 1]), [middle, middle, 0, ...upright, 1]],
    points: contacts.map((_, i) => place(Math.floor(i / contactsEach), t)),
    forces: contacts.map((_, i) => [Math.sin(i), Math.cos(3 * i), 0.5]),
    states: contacts.map((_, i) => i % 4),
  }));
  return { scene, frames };
}
