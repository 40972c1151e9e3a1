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

const asks = (server, path) => server.asked.filter((asked) => asked === path).length;
const badge = (page, text) =>
  page.waitForFunction((part) => document.querySelector(".badge").textContent.includes(part), text);

async function reloaded(page, server) {
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "second");
  await settled(page);
  assert.equal(asks(server, "/"), 2, "the page is reloaded, once");
}

const first = (overrides) => result(1001, {}, { run: "a&b", ...overrides });
const second = (overrides) => result(501, {}, { run: "c", summary: { name: "second" }, ...overrides });

// What the page is told of the run stays the first one: it learns of the second by the refusal only.
test("samples are asked for of the run that the page shows; if the file holds another, that is shown", async () => {
  let data = first();
  const server = await serve(() => data);
  const { page } = await openServed(server);
  const ofSamples = server.asked.filter((path) => /^\/(window|marks)/.test(path));
  assert.ok(ofSamples.length > 0 && ofSamples.every((path) => path.endsWith("&run=a%26b")), ofSamples.join(" "));
  data = { ...second(), run: "a&b" };
  await drag(page, plot(page, "first"), 0.1, 0.2);
  await reloaded(page, server);
  data.run = "c";
  assert.equal(await points(plot(page, "first")), 501);
  await page.waitForTimeout(1000);
  assert.equal(asks(server, "/"), 2);
  await page.close();
  server.close();
});

test("another run that goes on is shown in the place of one that is followed", async () => {
  const running = { live: true, summary: { end: "running", name: "second" } };
  let data = first(running);
  const server = await serve(() => data);
  const { page, errors } = await openServed(server);
  data = first({ ...running, run: "c" });
  await page.waitForFunction(() => performance.getEntriesByType("navigation")[0].type === "reload");
  await page.waitForSelector("main");
  await reloaded(page, server);
  assert.deepEqual(errors, []);
  await page.close();
  server.close();
});

test("a second run into the file of one that has ended is shown by itself", async () => {
  let data = first();
  const server = await serve(() => data);
  const { page, errors } = await openServed(server);
  await page.waitForTimeout(3500);
  assert.ok(asks(server, "/run") > 0);
  assert.equal(asks(server, "/"), 1, "the same run is not shown again");
  data = null;
  await page.waitForTimeout(3500);
  data = second();
  await reloaded(page, server);
  assert.deepEqual(errors.filter((text) => !/net::ERR_EMPTY_RESPONSE/.test(text)), []);
  await page.close();
  server.close();
});

test("a page that hears nothing of the run it follows says so until it does again", async () => {
  const running = first({ live: true, summary: { end: "running" } });
  let data = running;
  const server = await serve(() => data);
  const { page } = await openServed(server);
  data = null;
  await page.waitForTimeout(1500);
  assert.match(await page.locator(".badge").textContent(), /running/, "one answer that is missing is not told");
  await badge(page, "not connected");
  data = running;
  await badge(page, "running");
  await page.close();
  server.close();
});

test("an error of marks is told until they come", async () => {
  const marks = { switches: [[2, 0, 0, 0, 2], [4, 0, 0, 2, 0]] };
  let data = result(1001, marks);
  const server = await serve(() => data);
  const { page } = await openServed(server);
  data = null;
  await drag(page, plot(page, "first"), 0.1, 0.9);
  await page.locator(".mark-words", { hasText: "does not answer" }).waitFor();
  data = result(1001, marks);
  await page.getByRole("button", { name: "Show the whole time" }).click();
  await page.mouse.move(5, 5);
  await page.locator(".mark-words", { hasText: "does not answer" }).waitFor({ state: "hidden" });
  await page.close();
  server.close();
});

test("an error of states is told until they come", async () => {
  const diode = range(30_000, (k) => [1 + k * 1e-4, 0, 0, k % 2 ? 2 : 0, k % 2 ? 0 : 2]);
  const whole = result(1001, { switches: diode });
  let data = whole;
  const server = await serve(() => data);
  const { page } = await openServed(server);
  data = null;
  await drag(page, plot(page, "first"), 0.2, 0.9);
  const note = page.locator("#modes > .note");
  await page.waitForFunction(() => /not answer/.test(document.querySelector("#modes > .note").textContent));
  data = whole;
  await page.getByRole("button", { name: "Show the whole time" }).click();
  await page.waitForFunction(() => !document.querySelector("#modes > .note").textContent);
  assert.equal(await note.textContent(), "");
  await page.close();
  server.close();
});

// 50 000 impacts up to 6, of which the server gives 20 000.
test("that only the first of many impacts are marked is said, and of which impacts a section is", async () => {
  const impacts = range(50_000, (k) => [1 + k * 1e-4, 0, -1, 1, 2]);
  const server = await serve(() => result(1001, { impacts }));
  const { page, errors } = await openServed(server);
  const missing = page.locator(".mark-missing");
  assert.equal(await missing.textContent(), "impacts after t = 3.000 are not marked: zoom in");
  const card = page.locator("#phases .card");
  await card.getByLabel("Poincar\u00e9 section").selectOption("impacts");
  await card.getByText("It has the first 20\u202f000 of 50\u202f000 impacts: zoom in.").waitFor();
  await page.getByRole("button", { name: "Show impacts on the plots" }).click();
  assert.equal(await missing.textContent(), "", "what is not to be marked is not missed");
  await page.getByRole("button", { name: "Show impacts on the plots" }).click();
  await drag(page, plot(page, "first"), 0.4, 0.55);
  await settled(page);
  assert.equal(await missing.textContent(), "");
  await page.waitForFunction(() => /^[^:]* points\. $/.test(document.querySelector("#phases .note").textContent));
  assert.deepEqual(errors, []);
  await page.close();
  server.close();
});

const UNKNOWN = { steps: null, switches: null, retried: null, worst_residual: null };
const figuresOf = (page) => page.locator(".figures dt").allTextContents();
const healthOf = (page) => page.locator(".health-sentence").textContent();

test("of a run that goes on only what is known is told", async () => {
  let data = result(101, {}, { live: true, summary: { end: "running", ...UNKNOWN } });
  const server = await serve(() => data);
  const { page, errors } = await openServed(server);
  const atTheEnd = ["steps", "steps with switches", "worst residual"];
  assert.deepEqual((await figuresOf(page)).filter((label) => atTheEnd.includes(label)), []);
  assert.equal(await healthOf(page), "No step was taken unsolved so far.");
  data = result(201, {}, { live: true, summary: { end: "running", ...UNKNOWN, unsolved: 2 } });
  await page.getByText("2 steps taken though not solved so far.").waitFor();
  data = result(201, {}, { live: false });
  await badge(page, "reached");
  assert.deepEqual((await figuresOf(page)).filter((label) => atTheEnd.includes(label)), atTheEnd);
  const sentence = "No step was taken unsolved; none had to be divided; the worst residual is 1.4e\u221213.";
  assert.equal(await healthOf(page), sentence);
  assert.deepEqual(errors, []);
  await page.close();
  server.close();
});

test("a run that was killed is not called running", async () => {
  let data = result(101, {}, { live: true, summary: { end: "running", ...UNKNOWN } });
  const server = await serve(() => data);
  const { page } = await openServed(server);
  await badge(page, "running");
  data = result(101, {}, { live: false, summary: { end: "running", ...UNKNOWN } });
  await badge(page, "ended without a word");
  assert.equal(await healthOf(page), "No step was taken unsolved in what was written.");
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
