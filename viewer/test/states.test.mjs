// Phase portraits with their sections, and the states of interactions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { drag, open, plot, positionIn, settled, useBrowser, windowOf } from "./browser.mjs";
import { bouncingBall, makePage, range } from "./synthetic.mjs";

useBrowser();

// Ten turns of the circle x = cos t, y = sin t.
function circle() {
  const t = range(4001, (k) => (20 * Math.PI * k) / 4000);
  return makePage({
    t,
    columns: [
      { name: "x", values: t.map(Math.cos) },
      { name: "y", values: t.map(Math.sin) },
    ],
    plots: [{ title: "time", columns: [0, 1], logarithmic: false }],
    phases: [{ title: "circle", x: 0, y: 1 }],
  });
}

async function sectionOf(page) {
  await page.waitForTimeout(300);
  return JSON.parse(await page.locator("#phases .card").getAttribute("data-section"));
}

function assertPoints(points, expected, tolerance = 1e-4) {
  assert.equal(points.length, expected.length, JSON.stringify(points));
  points.forEach(([x, y], k) => {
    const distance = Math.hypot(x - expected[k][0], y - expected[k][1]);
    assert.ok(distance < tolerance, `${x}, ${y} is not ${expected[k]}`);
  });
}

test("sections of a circle", async () => {
  const { page, errors } = await open("circle", circle());
  const card = page.locator("#phases .card");
  assert.equal(await card.getAttribute("data-points"), "4001");
  await card.getByLabel("Poincar\u00e9 section").selectOption("crossing");
  assertPoints(await sectionOf(page), range(10, () => [0, -1]));
  await card.getByLabel("Direction").selectOption("down");
  assertPoints(await sectionOf(page), range(10, () => [0, 1]));
  await card.getByLabel("Direction").selectOption("both");
  assert.equal((await sectionOf(page)).length, 20);
  await card.getByLabel("Poincar\u00e9 section").selectOption("period");
  await card.getByLabel("Period").fill(String(Math.PI));
  assertPoints((await sectionOf(page)).slice(0, 3), [[1, 0], [-1, 0], [1, 0]]);
  assert.deepEqual(errors, []);
  await page.close();
});

test("a section is that of the window", async () => {
  const { page } = await open("window", circle());
  await page.locator("#phases").getByLabel("Poincar\u00e9 section").selectOption("crossing");
  await drag(page, plot(page, "time"), 0, 0.5);
  await settled(page);
  assert.ok((await windowOf(page)).to < 33);
  assert.equal((await sectionOf(page)).length, 5);
  await page.close();
});

test("of a part of the samples a section is not exact, and says so", async () => {
  const whole = circle();
  const { page } = await open("thinned", { ...whole, manifest: { ...whole.manifest, samples: 80_001 } });
  const card = page.locator("#phases .card");
  await card.getByLabel("Poincar\u00e9 section").selectOption("crossing");
  const note = "not exact: the page has 4\u202f001 of 80\u202f001 samples; saltus view shows an exact section";
  await card.getByText(note).waitFor();
  await page.close();
});

test("that a page has only the first impacts is said", async () => {
  const data = bouncingBall({ t_end: 2 });
  const known = data.manifest.marks.impacts;
  data.manifest.marks.impacts = 50_000;
  const { page } = await open("first-impacts", data);
  const missing = page.locator(".mark-missing");
  assert.match(await missing.textContent(), /^impacts after t = 1\.\d+ are not marked: saltus view shows them$/);
  const card = page.locator("#phases .card");
  await card.getByLabel("Poincar\u00e9 section").selectOption("impacts");
  await card.getByText(`It has the first ${known} of 50\u202f000 impacts: saltus view shows them.`).waitFor();
  await drag(page, plot(page, "Coordinates"), 0.1, 0.4);
  await settled(page);
  assert.equal(await missing.textContent(), "", "before the last one all are there");
  await page.close();
});

test("a section after impacts", async () => {
  const { page } = await open("impacts", bouncingBall({ t_end: 2, samples: 20_001 }));
  await page.locator("#phases").getByLabel("Poincar\u00e9 section").selectOption("impacts");
  const speed = 0.8 * Math.sqrt(2 * 9.81);
  assertPoints(await sectionOf(page), [[0, speed], [0, 0.8 * speed], [0, 0.64 * speed]], 2e-3);
  await page.close();
});

test("bars of the states have the intervals of the switches", async () => {
  const t = range(11, (k) => k);
  const { page, errors } = await open(
    "modes",
    makePage({
      t,
      columns: [{ name: "x", values: t }],
      plots: [{ title: "x", columns: [0], logarithmic: false }],
      interactions: [
        { name: "diode", kind: "law", places: [0] },
        { name: "foot", kind: "contact", places: [2, 2] },
      ],
      marks: {
        switches: [
          [2, 0, 0, 0, 2],
          [3, 1, 1, 2, 1],
          [6, 0, 0, 2, 1],
          [7, 1, 0, 2, 0],
          [7, 1, 1, 1, 0],
        ],
      },
    }),
  );
  const rows = page.locator(".mode-row");
  const intervals = async (k) => JSON.parse(await rows.nth(k).getAttribute("data-intervals"));
  assert.deepEqual(await intervals(0), [[0, 2, 0], [2, 6, 2], [6, 10, 1]]);
  assert.deepEqual(await intervals(1), [[0, 7, 2], [7, 10, 0]]);
  assert.deepEqual(await intervals(2), [[0, 3, 2], [3, 7, 1], [7, 10, 0]]);
  await page.mouse.move(...(await positionIn(plot(page, "x"), 0.5)));
  const words = () => page.locator(".mode-word").allTextContents();
  assert.deepEqual(await words(), ["between (conducting)", "closed", "slips"]);
  await page.mouse.move(...(await positionIn(plot(page, "x"), 0.1)));
  assert.deepEqual(await words(), ["at lower bound (open)", "closed", "sticks"]);
  await page.locator(".modes-area").scrollIntoViewIfNeeded();
  const area = await page.locator(".modes-area").boundingBox();
  await page.mouse.move(area.x + 0.2 * area.width, area.y + 10);
  await page.mouse.down();
  await page.mouse.move(area.x + 0.5 * area.width, area.y + 10);
  await page.mouse.up();
  const { from, to } = await windowOf(page);
  assert.ok(Math.abs(from - 2) < 0.02 && Math.abs(to - 5) < 0.02, `${from} to ${to}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test("behind the first of many switches states are not known", async () => {
  const t = range(11, (k) => k);
  const switches = [[2, 0, 0, 0, 2], [4, 0, 0, 2, 0]];
  const interactions = [{ name: "diode", kind: "law", places: [0] }];
  const data = makePage({ t, columns: [{ name: "x", values: t }], interactions, marks: { switches } });
  data.manifest.marks.switches = 5;
  const { page } = await open("truncated", data);
  const intervals = JSON.parse(await page.locator(".mode-row").getAttribute("data-intervals"));
  assert.deepEqual(intervals, [[0, 2, 0], [2, 4, 2], [4, 10, null]]);
  await page.close();
});

test("of many rows the first thirty are shown", async () => {
  const t = [0, 1];
  const { page } = await open(
    "rows",
    makePage({
      t,
      columns: [{ name: "x", values: t }],
      interactions: range(1000, (k) => ({ name: `diode${k}`, kind: "law", places: [0] })),
    }),
  );
  assert.equal(await page.locator(".mode-row").count(), 30);
  assert.match(await page.locator("#modes > .note").textContent(), /970 more/);
  await page.getByRole("button", { name: "Show more rows" }).click();
  assert.equal(await page.locator(".mode-row").count(), 200);
  await page.getByLabel("Filter rows by name").fill("diode77");
  assert.equal(await page.locator(".mode-row").count(), 11);
  await page.close();
});
