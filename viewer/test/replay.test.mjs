// The replay by itself, on made-up scenes, in a browser that draws in software.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { bundlePage, openBrowser, openScene } from "./replay_page.mjs";
import { findHues, pictureOf } from "./replay_pixels.mjs";
import { encodeBlock } from "./synthetic.mjs";

const timeout = 60000; // ms: what never comes must not stop the suite

let page;
let browser;

before(async () => {
  [page, browser] = await Promise.all([bundlePage(), openBrowser()]);
});

after(async () => {
  await browser.close();
  await page.remove();
});

// Runs a test on a scene, which must leave no error on the console.
function onScene(title, scene, check, options = {}) {
  test(title, { timeout }, async () => {
    const { tab, errors } = await openScene(browser, page.url, scene, options);
    await check(tab);
    assert.deepEqual(errors, []);
    await tab.context().close();
  });
}

const host = (tab) => tab.locator("#host");
const dataOf = (tab) => host(tab).evaluate((node) => ({ ...node.dataset }));
const press = (tab, name) => tab.getByRole("button", { name }).click();
const whenFrame = (tab, frame) => tab.waitForSelector(`#host[data-frame="${frame}"]`);
const picks = (tab) => tab.evaluate(() => demo.events.picks);

async function setTime(tab, t) {
  await tab.evaluate((t) => demo.replay.setTime(t), t);
  await tab.waitForFunction((t) => Number(document.getElementById("host").dataset.time) === t, t);
}

// Hues of default colours of bodies, and of the states of contacts.
const firstBody = { hue: 210, saturation: 0.3 };
const secondBody = { hue: 15, saturation: 0.35 };
const sticks = { hue: 202, saturation: 0.85 };
const slips = { hue: 26, saturation: 0.85 };
const frictionless = { hue: 164, saturation: 0.85 };

onScene("play moves the bodies and shows the time; pause stops", "bouncingBall", async (tab) => {
  const before = await pictureOf(tab);
  await press(tab, "Play");
  await tab.waitForFunction(() => Number(document.getElementById("host").dataset.time) > 0.5);
  await press(tab, "Pause");
  await tab.waitForSelector('#host[data-playing="false"]');
  const { time } = await dataOf(tab);
  assert.notEqual(await pictureOf(tab), before);
  const times = await tab.evaluate(() => demo.events.times);
  assert.equal(times.at(-1), Number(time));
  assert.ok(times.every((t, i) => i === 0 || t >= times[i - 1]));
});

onScene("a run is played once, or again and again", "states", async (tab) => {
  await tab.getByLabel("Speed").selectOption("5");
  await press(tab, "Play");
  await tab.waitForSelector('#host[data-playing="false"][data-frame="60"]');
  await press(tab, "Loop");
  await press(tab, "Play");
  await tab.waitForFunction(() => {
    const { times } = demo.events;
    return times.filter((t, i) => i > 0 && t < times[i - 1]).length >= 3; // at the start of play and twice at the end
  });
});

onScene("between two frames bodies are between their poses", "bouncingBall", async (tab) => {
  const at = async (t) => {
    await setTime(tab, t);
    return (await findHues(tab, [secondBody]))[0].x;
  };
  const [left, middle, right] = [await at(0.5), await at(0.51), await at(0.52)];
  assert.ok(left < middle && middle < right, `${left} ${middle} ${right}`);
});

onScene("keys play, step and jump", "bouncingBall", async (tab) => {
  await tab.locator(".replay-stage").focus();
  await tab.keyboard.press("ArrowRight");
  await tab.keyboard.press("ArrowRight");
  await whenFrame(tab, 2);
  await tab.keyboard.press("ArrowLeft");
  await whenFrame(tab, 1);
  await tab.keyboard.press("End");
  await whenFrame(tab, 200);
  await tab.keyboard.press("Home");
  await whenFrame(tab, 0);
  await tab.keyboard.press("Space");
  await tab.waitForSelector('#host[data-playing="true"]');
  await tab.keyboard.press("Space");
  await tab.waitForSelector('#host[data-playing="false"]');
});

onScene("directions, and a key back to the first one", "bouncingBall", async (tab) => {
  const start = await pictureOf(tab);
  await press(tab, "Side");
  assert.notEqual(await pictureOf(tab), start);
  await tab.locator(".replay-stage").focus();
  await tab.keyboard.press("r");
  assert.equal(await pictureOf(tab), start);
});

onScene("the time set from outside is not told back", "bouncingBall", async (tab) => {
  await setTime(tab, 2);
  assert.equal((await dataOf(tab)).frame, "100");
  assert.deepEqual(await tab.evaluate(() => demo.events.times), []);
});

onScene("the scrub bar is a slider of time", "bouncingBall", async (tab) => {
  await tab.getByRole("slider", { name: "Time" }).fill("3");
  await whenFrame(tab, 150);
  assert.deepEqual(await tab.evaluate(() => demo.events.times), [3]);
});

onScene("a click picks the body under it, a click beside all of them none", "states", async (tab) => {
  const [orange] = await findHues(tab, [secondBody]);
  await tab.mouse.click(orange.x, orange.y);
  assert.equal(await tab.locator(".replay-label").textContent(), "sticks");
  await tab.mouse.click(460, 40);
  assert.deepEqual(await picks(tab), [1, null]);
  await tab.locator(".replay-label").waitFor({ state: "hidden" });
});

onScene("a drag turns the camera and picks nothing", "states", async (tab) => {
  const before = await pictureOf(tab);
  await tab.mouse.move(400, 200);
  await tab.mouse.down();
  await tab.mouse.move(500, 220, { steps: 3 });
  await tab.mouse.up();
  assert.notEqual(await pictureOf(tab), before);
  assert.deepEqual(await picks(tab), []);
});

onScene("a body is picked by its name, which is text whatever it is", "diverging", async (tab) => {
  await tab.getByRole("combobox", { name: "Body" }).fill("<b>stays</b>");
  assert.deepEqual(await picks(tab), [1]);
  assert.equal(await tab.locator(".replay-label").textContent(), "<b>stays</b>");
  assert.equal(await tab.locator(".replay-label b").count(), 0);
});

onScene("ten thousand names: a search offers some of them", "spheres,10000", async (tab) => {
  await tab.getByRole("combobox", { name: "Body" }).fill("grain 999");
  const options = tab.locator("#replay-bodies option");
  const offered = await options.evaluateAll((nodes) => nodes.map(({ value }) => value));
  assert.ok(offered.length <= 40 && offered.includes("grain 9990"));
  assert.deepEqual(await picks(tab), [999]);
});

onScene("the camera follows the picked body", "bouncingBall", async (tab) => {
  await tab.getByRole("combobox", { name: "Body" }).fill("ball");
  await press(tab, "Follow");
  const [before] = await findHues(tab, [secondBody]);
  await setTime(tab, 3);
  const [after] = await findHues(tab, [secondBody]);
  assert.ok(Math.hypot(after.x - before.x, after.y - before.y) < 6);
});

onScene("forces are arrows in the colours of their states", "states", async (tab) => {
  for (const { count } of await findHues(tab, [sticks, slips, frictionless])) assert.ok(count > 200, `${count} pixels`);
  await press(tab, "Forces");
  for (const { count } of await findHues(tab, [sticks, slips, frictionless])) assert.ok(count < 60, `${count} pixels`);
});

onScene("the slider makes the arrows longer", "states", async (tab) => {
  const [before] = await findHues(tab, [frictionless]);
  await tab.getByRole("slider", { name: "Length of the arrows" }).fill("-0.5");
  const [after] = await findHues(tab, [frictionless]);
  assert.ok(after.count < 0.6 * before.count);
});

onScene("trails, wireframes, rings, directions and the theme change the picture", "states", async (tab) => {
  await setTime(tab, 1);
  const pictures = [await pictureOf(tab)];
  for (const name of ["Trails", "Wireframe", "Open contacts", "Top", "Front", "Side"]) {
    await press(tab, name);
    pictures.push(await pictureOf(tab));
  }
  await tab.evaluate(() => demo.replay.setTheme(true));
  pictures.push(await pictureOf(tab));
  assert.equal(new Set(pictures).size, pictures.length);
});

onScene("a body whose pose is not finite is not seen, and comes back", "diverging", async (tab) => {
  const counts = async (t) => {
    await setTime(tab, t);
    return (await findHues(tab, [firstBody, secondBody])).map(({ count }) => count);
  };
  const [lost, stays] = await counts(0.5);
  assert.ok(lost > 500 && stays > 500);
  assert.ok((await counts(1.5))[0] < 0.05 * lost);
  assert.ok((await counts(1.5))[1] > 0.9 * stays);
  assert.ok((await counts(2.5))[0] > 0.9 * lost);
});

onScene("nothing is drawn while nothing changes", "mechanism", async (tab) => {
  await tab.waitForTimeout(300);
  const requests = await tab.evaluate(async () => {
    const request = window.requestAnimationFrame;
    let count = 0;
    window.requestAnimationFrame = (callback) => {
      ++count;
      return request.call(window, callback);
    };
    await new Promise((resolve) => setTimeout(resolve, 500));
    return count;
  });
  assert.equal(requests, 0);
});

const withoutWebGl = () => {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...rest);
  };
};

onScene("without WebGL a text says what to do, and time passes", "bouncingBall", async (tab) => {
  assert.match(await tab.getByRole("status").textContent(), /hardware acceleration/);
  await press(tab, "Play");
  await tab.waitForFunction(() => Number(document.getElementById("host").dataset.time) > 0.2);
}, { prepare: withoutWebGl });

onScene("a lost context is told, and the picture comes back", "bouncingBall", async (tab) => {
  await tab.evaluate(() => {
    const context = document.querySelector(".replay-canvas").getContext("webgl2");
    window.loss = context.getExtension("WEBGL_lose_context");
    window.loss.loseContext();
  });
  await tab.getByText(/dropped the picture/).waitFor();
  await tab.evaluate(() => window.loss.restoreContext());
  await tab.getByText(/dropped the picture/).waitFor({ state: "hidden" });
  await tab.waitForTimeout(300);
  const [ball] = await findHues(tab, [secondBody]);
  assert.ok(ball.count > 500);
});

onScene("a run that grows keeps its time, or its end", "bouncingBall", async (tab) => {
  const grow = (frames) =>
    tab.evaluate((count) => {
      const { frames } = demo;
      demo.replay.updateFrames({ times: frames.times.subarray(0, count), frame: (k) => frames.frame(k), onLoad: null });
    }, frames);
  await setTime(tab, 1);
  await grow(101);
  await tab.waitForTimeout(100);
  assert.equal((await dataOf(tab)).time, "1");
  await setTime(tab, 2);
  await grow(201);
  await whenFrame(tab, 200);
});

onScene("a page that is disposed of leaves nothing", "states", async (tab) => {
  await tab.evaluate(() => demo.replay.dispose());
  assert.equal(await host(tab).evaluate((node) => node.childElementCount), 0);
});

onScene("a ray meets a body of any shape where it is, not beside it", "mechanism", async (tab) => {
  const met = await tab.evaluate(() => {
    const { scene, frames, pickBody, Ray, Vector3 } = demo;
    const { poses } = frames.frame(0);
    return scene.bodies.map((body, index) => {
      const pose = poses.slice(8 * index, 8 * index + 8);
      const inside = body.shape.type === "mesh" ? 0.05 : 0; // its origin is a corner
      const pickAt = (dx) => {
        const origin = new Vector3(pose[0] + inside + dx, pose[1] - 5, pose[2] + inside);
        return pickBody([body], pose, new Ray(origin, new Vector3(0, 1, 0)), 0);
      };
      return [body.shape.type, pickAt(0), pickAt(3)];
    });
  });
  for (const [shape, at, beside] of met) assert.deepEqual([shape, at, beside], [shape, 0, null]);
});

onScene("a ball behind a larger one is left out, one beside it is not", "states", async (tab) => {
  const seen = await tab.evaluate(() => {
    const camera = new demo.PerspectiveCamera(30, 2, 0.1, 100); // looks along -z
    camera.updateMatrixWorld();
    const balls = new Float32Array([
      [0, 0, -20, 0.5], // behind the next one
      [0, 0, -10, 1],
      [1.5, 0, -20, 1], // half behind it
      [0, 0, 10, 1], // behind the camera
      [30, 0, -20, 1], // not in the picture
    ].flat());
    return [...new demo.Culling(5).visible(balls, camera, 800, 400)];
  });
  assert.deepEqual(seen, [1, 2]);
});

onScene("the speed is such that a run takes about ten seconds", "states", async (tab) => {
  const speeds = await tab.evaluate(() => [1e-3, 0.5, 4, 20, 1000].map(demo.naturalSpeed));
  assert.deepEqual(speeds, [1e-4, 0.05, 1, 1, 100]);
  const choices = await tab.evaluate(() => [demo.speedChoices(1), demo.speedChoices(1e-3)]);
  assert.deepEqual(choices[0], [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]);
  assert.deepEqual(choices[1].slice(0, 4), [0.001, 0.002, 0.005, 0.01]);
});

onScene("frames of a page: what moves is decoded, the rest is at rest", "states", async (tab) => {
  const blocks = {
    "poses-rest": encodeBlock("f32", [2, 8], [1, 2, 3, 0, 0, 0, 1, 1, 4, 5, 6, 0, 0, 0, 1, 1]),
    "poses-moving": encodeBlock("i32", [2], [2, 8]),
    "poses-scale": encodeBlock("f64", [2, 2], [10, -1, 0.5, 0.25]),
    poses: encodeBlock("u16", [2, 3], [0, 1, 2, 4, 0, 8], true),
    "contacts-points": encodeBlock("f32", [3, 1, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    "contacts-forces": encodeBlock("f32", [3, 1, 3], [0, 0, 1, 0, 0, 2, 0, 0, 3]),
    "contacts-states": encodeBlock("u8", [3, 1], [0, 1, 2]),
  };
  const frames = await tab.evaluate(async (blocks) => {
    for (const [name, { text }] of Object.entries(blocks)) {
      const holder = document.createElement("script");
      holder.type = "application/octet-stream";
      holder.id = `block-${name}`;
      holder.textContent = text;
      document.body.append(holder);
    }
    const described = Object.fromEntries(Object.entries(blocks).map(([name, { block }]) => [name, block]));
    const scene = { bodies: [{}, {}], contacts: [{}], frame_times: [0, 1, 2] };
    const source = await demo.embeddedFrames({ scene, blocks: described });
    return [0, 1, 2, 3].map((k) => {
      const { t, ...arrays } = source.frame(k) ?? { t: null };
      return { t, ...Object.fromEntries(Object.entries(arrays).map(([name, numbers]) => [name, [...numbers]])) };
    });
  }, blocks);
  const poses = [1, 2, 10.5, 0, 0, 0, 1, 1, -1, 5, 6, 0, 0, 0, 1, 1];
  assert.deepEqual(frames[1], { t: 1, poses, points: [4, 5, 6], forces: [0, 0, 2], states: [1] });
  assert.deepEqual(frames.map(({ t }) => t), [0, 1, 2, null]);
  assert.deepEqual(frames.slice(0, 3).map(({ poses }) => [poses[2], poses[8]]), [[10, 0], [10.5, -1], [11, 1]]);
});

test("frames of a run that is gone are asked for once, then the page is reloaded", { timeout }, async (context) => {
  const asked = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    answer.setHeader("Access-Control-Allow-Origin", "*");
    answer.writeHead(409).end();
  });
  context.after(() => server.close());
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { tab } = await openScene(browser, page.url, "states");
  const loads = [];
  tab.on("load", () => loads.push(1));
  const reloaded = tab.waitForEvent("load");
  await tab.evaluate((port) => {
    const get = window.fetch;
    window.fetch = (path) => get(new URL(path, `http://127.0.0.1:${port}/`));
    const source = demo.servedFrames({ run: "a&b", scene: { bodies: [{}], contacts: [], frame_times: [0, 1] } });
    source.onLoad = () => {};
    source.frame(0);
  }, server.address().port);
  await reloaded;
  await tab.waitForTimeout(1200);
  assert.deepEqual(asked, ["/frames?first=0&count=2&run=a%26b"]);
  assert.equal(loads.length, 1);
  await tab.context().close();
});

// A server with 100 frames of one body and one contact that fails at first.
function frameServer(asked) {
  return createServer((request, answer) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    const [first, count] = [Number(searchParams.get("first")), Number(searchParams.get("count"))];
    asked.push([first, count]);
    answer.setHeader("Access-Control-Allow-Origin", "*");
    if (asked.length === 1) return answer.writeHead(500).end();
    const bytes = Buffer.alloc(8 + count * 60);
    bytes.writeUInt32LE(first, 0);
    bytes.writeUInt32LE(count, 4);
    for (let i = 0; i < count; ++i) {
      bytes.writeFloatLE(first + i, 8 + 60 * i); // x
      bytes.writeFloatLE(7, 8 + 60 * i + 32); // of the point
      bytes.writeFloatLE(9, 8 + 60 * i + 52); // z of the force
      bytes.writeUInt8(2, 8 + 60 * i + 56);
    }
    return answer.end(bytes);
  });
}

test("frames of a server come in pieces, ahead of the time, and again after an error", { timeout }, async (context) => {
  const asked = [];
  const server = frameServer(asked);
  context.after(() => server.close());
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { tab } = await openScene(browser, page.url, "states");
  const found = await tab.evaluate(async (port) => {
    const get = window.fetch;
    window.fetch = (path) => get(new URL(path, `http://127.0.0.1:${port}/`));
    const times = Array.from({ length: 100 }, (_, k) => k);
    const source = demo.servedFrames({ scene: { bodies: [{}], contacts: [{}], frame_times: times } });
    const loads = [];
    await new Promise((done) => {
      source.onLoad = () => loads.push(1) === 2 && done();
      loads.push(...(source.frame(3) === null ? [] : ["too early"]));
    });
    const frame = source.frame(70);
    return [frame.t, frame.poses[0], frame.points[0], frame.forces[2], frame.states[0], source.frame(100)];
  }, server.address().port);
  assert.deepEqual(found, [70, 70, 7, 9, 2, null]);
  assert.deepEqual(asked, [[0, 64], [0, 64], [64, 36]]);
  await tab.context().close();
});
