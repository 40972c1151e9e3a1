// The page of `saltus view`: the same, with samples from a server, also while a run goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drag, openAddress, plot, settled, useBrowser, windowOf } from "./browser.mjs";
import { serve } from "./server.mjs";
import { makePage, range } from "./synthetic.mjs";

useBrowser();

function result(samples, marks, overrides = {}) {
  const t = range(samples, (k) => k / 100);
  const columns = [t.map(Math.sin), t.map(Math.cos)];
  const { manifest } = makePage({
    t,
    columns: columns.map((values, k) => ({ name: "xy"[k], values })),
    marks,
    interactions: ["diode", "relay"].map((name) => ({ name, kind: "law", places: [0] })),
    plots: ["first", "second"].map((title, k) => ({ title, columns: [k], logarithmic: false })),
    phases: [{ title: "circle", x: 0, y: 1 }],
    embedded: null,
    ...overrides,
  });
  manifest.blocks = {};
  return { manifest, t, columns, marks: { switches: [], impacts: [], events: [], ...marks } };
}

const points = async (card) => Number(await card.locator(".plot").getAttribute("data-points"));

async function openServed(server) {
  const opened = await openAddress(server.address);
  await opened.page.waitForSelector("main");
  await settled(opened.page);
  return opened;
}

test("samples and marks come from the server", async () => {
  const data = result(1001, { switches: [[2, 0, 0, 0, 2], [4, 0, 0, 2, 0]] });
  const server = await serve(() => data);
  const { page, errors } = await openServed(server);
  assert.equal(await points(plot(page, "first")), 1001);
  const intervals = await page.locator(".mode-row").first().getAttribute("data-intervals");
  assert.deepEqual(JSON.parse(intervals), [[0, 2, 0], [2, 4, 2], [4, 10, 0]]);
  const before = server.asked.length;
  await drag(page, plot(page, "first"), 0.1, 0.2);
  await settled(page);
  assert.ok(Math.abs((await points(plot(page, "second"))) - 102) <= 2);
  assert.ok(server.asked.length - before < 20, "a zoom asks once, not for each move");
  assert.deepEqual(errors, []);
  await page.close();
  server.close();
});

// The diode switches all the time up to 6, the relay at 6.5, which is none of the first, and at 9.5.
test("places are known in any part of more switches than the server gives at once", async () => {
  const diode = range(50_000, (k) => [1 + k * 1e-4, 0, 0, k % 2 ? 2 : 0, k % 2 ? 0 : 2]);
  const data = result(1001, { switches: [...diode, [6.5, 1, 0, 0, 2], [9.5, 1, 0, 2, 1]] });
  const server = await serve(() => data);
  const { page } = await openServed(server);
  const intervals = async (k) => JSON.parse(await page.locator(".mode-row").nth(k).getAttribute("data-intervals"));
  assert.deepEqual((await intervals(0)).slice(0, 2), [[0, 1, 0], [1, 1.0001, 2]]);
  await drag(page, plot(page, "first"), 0.7, 0.9);
  await settled(page);
  const { from } = await windowOf(page);
  assert.deepEqual(await intervals(0), [[from, 10, null]]);
  assert.deepEqual(await intervals(1), [[from, 9.5, 2], [9.5, 10, 1]]);
  await page.close();
  server.close();
});

test("a run that goes on is followed, unless the reader looks at a part, until it ends", async () => {
  let data = result(101, {}, { live: true, summary: { end: "running" } });
  const server = await serve(() => data);
  const { page, errors } = await openServed(server);
  assert.match(await page.locator(".badge").textContent(), /running/);
  data = result(201, {}, { live: true, summary: { end: "running" } });
  await page.waitForFunction(() => document.querySelector(".timebar").dataset.to === "2");
  await settled(page);
  assert.equal(await points(plot(page, "first")), 201);
  await drag(page, plot(page, "first"), 0.25, 0.5);
  const { from, to } = await windowOf(page);
  data = result(301, {}, { live: false });
  await page.waitForFunction(() => /reached/.test(document.querySelector(".badge").textContent));
  assert.deepEqual(await windowOf(page), { from, to });
  const asked = server.asked.filter((path) => path === "/manifest").length;
  await page.waitForTimeout(1200);
  assert.equal(server.asked.filter((path) => path === "/manifest").length, asked);
  assert.deepEqual(errors, []);
  await page.close();
  server.close();
});
