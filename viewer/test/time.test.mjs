// Plots over time: what they draw, and that they share their window and cursor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drag, inkOf, open, plot, positionIn, settled, useBrowser, windowOf } from "./browser.mjs";
import { bouncingBall, makePage, range } from "./synthetic.mjs";

useBrowser();

// x = t and y = 10 - t, so that values are known at any time.
function lines(samples = 101) {
  const t = range(samples, (k) => (10 * k) / (samples - 1));
  return makePage({
    t,
    columns: [
      { name: "x", values: t },
      { name: "y", values: t.map((value) => 10 - value) },
    ],
    plots: [
      { title: "first", columns: [0], logarithmic: false },
      { title: "second", columns: [1], logarithmic: false },
    ],
  });
}

const points = async (card) => Number(await card.locator(".plot").getAttribute("data-points"));
const value = async (card) => Number((await card.locator(".value").first().textContent()).replace("\u2212", "-"));
const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not near ${b}`);

test("a page opened as a file says nothing in the console and draws all samples", async () => {
  const { page, errors } = await open("ball", bouncingBall({ samples: 801 }));
  assert.equal(await points(plot(page, "Coordinates")), 801);
  assert.equal(await points(plot(page, "Energies")), 801);
  assert.ok((await inkOf(plot(page, "Coordinates"))) > 500, "a curve is drawn");
  assert.equal(await page.locator("h1").textContent(), "bouncing_ball");
  assert.match(await page.locator(".badge").textContent(), /reached/);
  assert.deepEqual(errors, []);
  await page.close();
});

test("many samples are thinned, and all of a part are drawn when zoomed to it", async () => {
  const { page } = await open("many", lines(100_001));
  const card = plot(page, "first");
  const width = await card.locator(".chart").evaluate((node) => node.clientWidth);
  assert.ok((await points(card)) <= 2 * width + 2 && (await points(card)) > width, `${await points(card)} points`);
  for (let k = 0; k < 3; k++) {
    await drag(page, card, 0.45, 0.55);
    await settled(page);
  }
  const { from, to } = await windowOf(page);
  near(to - from, 0.01, 0.002);
  near(await points(card), (to - from) * 10_000 + 2, 1.01);
  await page.close();
});

test("a drag on one plot zooms all; shift-drag pans; a double click shows all", async () => {
  const { page } = await open("linked", lines());
  const [first, second] = [plot(page, "first"), plot(page, "second")];
  await drag(page, first, 0.2, 0.6);
  await settled(page);
  let { from, to } = await windowOf(page);
  near(from, 2, 0.05);
  near(to, 6, 0.05);
  assert.equal(await points(second), await points(first));
  assert.ok((await points(second)) < 50);
  await drag(page, second, 0.75, 0.25, ["Shift"]);
  ({ from, to } = await windowOf(page));
  near(from, 4, 0.1);
  near(to, 8, 0.1);
  await page.mouse.dblclick(...(await positionIn(second, 0.5)));
  assert.deepEqual(await windowOf(page), { from: 0, to: 10 });
  await page.close();
});

test("hovering shows the values of all plots at that time", async () => {
  const { page } = await open("hover", lines(1001));
  await page.mouse.move(...(await positionIn(plot(page, "first"), 0.3)));
  near(await value(plot(page, "first")), 3, 0.03);
  near(await value(plot(page, "second")), 7, 0.03);
  assert.match(await page.locator(".readout").first().textContent(), /t = 3\.0/);
  await page.mouse.move(5, 5);
  assert.equal(await plot(page, "second").locator(".value").first().textContent(), "");
  await page.close();
});

test("a click sets the current time, which stays", async () => {
  const { page } = await open("click", lines(1001));
  await page.mouse.click(...(await positionIn(plot(page, "second"), 0.8)));
  await page.mouse.move(5, 5);
  near(await value(plot(page, "first")), 8, 0.03);
  assert.equal(await page.locator(".line-now:visible").count(), 3); // two plots and the residual
  await page.close();
});

test("the wheel zooms at the pointer", async () => {
  const { page } = await open("wheel", lines());
  await page.waitForTimeout(450);
  await page.mouse.move(...(await positionIn(plot(page, "first"), 0.25)));
  await page.mouse.wheel(0, -400);
  await settled(page);
  const { from, to } = await windowOf(page);
  near((2.5 - from) / (to - from), 0.25, 0.01);
  assert.ok(to - from < 6 && to - from > 4, `${to - from}`);
  await page.close();
});

test("keys zoom, pan and show all", async () => {
  const { page } = await open("keys", lines());
  await plot(page, "first").locator(".chart").focus();
  await page.keyboard.press("+");
  let { from, to } = await windowOf(page);
  near(to - from, 6, 1e-9);
  await page.keyboard.press("ArrowRight");
  near((await windowOf(page)).from, from + 0.6, 1e-9);
  await page.keyboard.press("-");
  await page.keyboard.press("0");
  assert.deepEqual(await windowOf(page), { from: 0, to: 10 });
  await settled(page);
  await page.keyboard.press("Shift+ArrowRight");
  near(await value(plot(page, "first")), 0.1, 0.051);
  assert.equal(await plot(page, "first").locator("[aria-live]").textContent(), "t 0.1: x 0.1");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".line-now:visible").count(), 0);
  await page.close();
});

test("plots are added, changed and removed", async () => {
  const { page, errors } = await open("edit", lines());
  await page.getByRole("button", { name: "Add a plot of channels to choose" }).click();
  await page.keyboard.type("y");
  await page.locator(".picker-options label", { hasText: "y" }).click();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await settled(page);
  assert.equal(await page.locator("#plots .card").count(), 3);
  assert.equal(await points(page.locator("#plots .card").last()), 101);
  await page.locator("#plots .card").last().getByRole("button", { name: "Remove this plot" }).click();
  assert.equal(await page.locator("#plots .card").count(), 2);
  await plot(page, "first").getByRole("button", { name: "Logarithmic axis" }).click();
  await settled(page);
  assert.equal(await points(plot(page, "first")), 101);
  assert.deepEqual(errors, []);
  await page.close();
});

test("marks are told near the cursor and can be hidden", async () => {
  const { page } = await open("marks", bouncingBall());
  const card = plot(page, "Coordinates");
  const firstImpact = Math.sqrt(2 / 9.81) / 4;
  await page.mouse.move(...(await positionIn(card, firstImpact)));
  assert.match(await page.locator(".mark-words").textContent(), /impact of ground: velocity \u22124\.429 to 3\.544/);
  const picture = () => card.locator("canvas").last().evaluate((canvas) => canvas.toDataURL());
  const before = await picture();
  await page.getByRole("button", { name: "Show impacts on the plots" }).click();
  assert.notEqual(await picture(), before);
  await page.close();
});

// Every tenth sample of a run that took 1e-5 s for each; `time` of the k-th one.
function tenth(time) {
  const kept = range(501, (k) => 10 * k);
  const t = kept.map(time);
  const seconds = kept.map((k) => 1e-5 * k);
  return makePage({
    t,
    columns: [{ name: "x", values: t }, { name: "run.seconds", values: seconds }],
    plots: [{ title: "first", columns: [0], logarithmic: false }],
    health: { residual: 0, iterations: null, seconds: 1 },
    samples: 5001,
  });
}

test("seconds per sample of a part of samples that are even in time", async () => {
  const { page } = await open("even", tenth((k) => k / 1000));
  await page.mouse.move(...(await positionIn(plot(page, "first"), 0.5)));
  near(await value(plot(page, "Seconds per sample")), 1e-5, 1e-9);
  await page.close();
});

test("seconds per sample are not shown for a part of others", async () => {
  const { page } = await open("uneven", tenth((k) => (k / 1000) ** 2));
  const message = await plot(page, "Seconds per sample").locator(".plot-message").textContent();
  assert.match(message, /not even in time: saltus view shows all/);
  await page.close();
});

for (const samples of [201, 20_001]) {
  test(`a logarithmic plot of ${samples} samples of which every other is zero shows the others`, async () => {
    const t = range(samples, (k) => k);
    const data = makePage({
      t,
      columns: [{ name: "residual", values: t.map((_, k) => (k % 2 ? 0 : 1e-12 * (2 + Math.sin(k)))) }],
      plots: [{ title: "logarithm", columns: [0], logarithmic: true }],
    });
    const { page } = await open("logarithm", data);
    assert.ok((await inkOf(plot(page, "logarithm"))) > 500);
    await page.close();
  });
}
