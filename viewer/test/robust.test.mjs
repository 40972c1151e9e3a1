// Whatever a result holds, the page shows it as text and goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, plot, positionIn, useBrowser } from "./browser.mjs";
import { bouncingBall, makePage, range } from "./synthetic.mjs";

useBrowser();

const t = range(101, (k) => k / 100);

test("hostile names are text", async () => {
  const attack = '</script><img src=x onerror=alert(1)>"\'\n<b>${alert(2)}</b>&amp;';
  const { page, errors } = await open(
    "hostile",
    makePage({
      t,
      columns: [
        { name: attack, values: t },
        { name: "long".repeat(5000), values: t },
      ],
      description: attack,
      file: attack,
      model: attack,
      warnings: [attack],
      interactions: [{ name: attack, kind: "law", places: [0] }],
      plots: [{ title: attack, columns: [0, 1], logarithmic: false }],
      phases: [{ title: attack, x: 0, y: 1 }],
      summary: { name: attack, settings: attack, scheme: attack, end: "failed", message: attack },
    }),
  );
  assert.equal(await page.locator("img, #saltus b").count(), 0);
  assert.equal(await page.locator("h1").textContent(), attack);
  assert.equal(await page.locator("#plots .legend .name").first().textContent(), attack);
  assert.equal(await page.locator(".notice-error").textContent(), attack);
  await page.getByRole("button", { name: "Choose the channels" }).click();
  assert.equal(await page.locator(".picker-options .name").first().textContent(), attack);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  assert.deepEqual(errors, []);
  await page.close();
});

for (const samples of [0, 1]) {
  test(`a run with ${samples} samples`, async () => {
    const { page, errors } = await open(
      `samples-${samples}`,
      makePage({
        t: t.slice(0, samples),
        columns: [{ name: "x", values: t.slice(0, samples) }],
        plots: [{ title: "x", columns: [0], logarithmic: false }],
        phases: [{ title: "p", x: 0, y: 0 }],
        interactions: [{ name: "diode", kind: "law", places: [0] }],
        summary: { end: "interrupted", t: null, worst_residual: null },
      }),
    );
    assert.equal(await plot(page, "x").locator(".plot").getAttribute("data-points"), String(samples));
    if (samples === 0) assert.match(await plot(page, "x").locator(".plot-message").textContent(), /No samples/);
    assert.match(await page.locator(".badge").textContent(), /interrupted/);
    await page.mouse.move(...(await positionIn(plot(page, "x"), 0.5)));
    await page.keyboard.press("+");
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("values that are not numbers are gaps", async () => {
  const broken = t.map((value, k) => [value, NaN, Infinity, -Infinity][k % 10 < 3 ? 0 : 1 + (k % 3)]);
  const { page, errors } = await open(
    "nan",
    makePage({
      t,
      columns: [
        { name: "broken", values: broken },
        { name: "none", values: t.map(() => NaN) },
      ],
      plots: [
        { title: "broken", columns: [0], logarithmic: false },
        { title: "none", columns: [1], logarithmic: false },
        { title: "logarithm", columns: [0], logarithmic: true },
      ],
      phases: [
        { title: "p", x: 0, y: 1 },
        { title: "q", x: 0, y: 0 },
      ],
      health: { residual: 1, iterations: 1, seconds: 1 },
    }),
  );
  assert.equal(await plot(page, "broken").locator(".plot").getAttribute("data-state"), "drawn");
  assert.match(await plot(page, "none").locator(".plot-message").textContent(), /No finite values/);
  await page.mouse.move(...(await positionIn(plot(page, "broken"), 0.055)));
  assert.equal(await plot(page, "broken").locator(".value").textContent(), "\u2013");
  assert.deepEqual(errors, []);
  await page.close();
});

test("ten thousand channels open at once and are found", async () => {
  const count = 10_000;
  const columns = range(count, (k) => ({ name: `body${k}.q[0]`, values: t.map((value) => value * k) }));
  const data = makePage({ t, columns, plots: [{ title: "some", columns: [0, 1, 2], logarithmic: false }] });
  const start = performance.now();
  const { page, errors } = await open("channels", data);
  assert.ok(performance.now() - start < 10_000, "the page opens too slowly");
  await page.getByRole("button", { name: "Choose the channels" }).click();
  assert.ok((await page.locator(".picker-options label").count()) <= 210);
  await page.keyboard.type("body9876");
  await page.locator(".picker-options label", { hasText: "body9876.q[0]" }).click();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.mouse.move(...(await positionIn(plot(page, "some"), 0.5)));
  await page.locator(".legend-item", { hasText: "body9876.q[0]" }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll("#plots .value")[3]?.textContent === "4938");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a damaged block is told where it is missed", async () => {
  const data = makePage({
    t,
    columns: [
      { name: "good", values: t },
      { name: "bad", values: t },
      { name: "absent", values: null },
    ],
    plots: [
      { title: "good", columns: [0], logarithmic: false },
      { title: "bad", columns: [1], logarithmic: false },
      { title: "absent", columns: [2], logarithmic: false },
    ],
    missing: 1,
    samples: 1000,
  });
  data.texts["column-1"] = data.texts["column-1"].slice(0, 40);
  const { page } = await open("damaged", data);
  assert.equal(await plot(page, "good").locator(".plot").getAttribute("data-points"), "101");
  assert.match(await plot(page, "bad").locator(".plot-message").textContent(), /"column-1" .* damaged/);
  assert.match(await plot(page, "absent").locator(".plot-message").textContent(), /saltus view/);
  assert.match(await page.locator(".notice").textContent(), /101 of 1\u202f000 samples .* 1 of 3 channels/);
  await page.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`the page of a run that was killed says so, in ${colorScheme} colours`, async () => {
    const unknown = { steps: null, switches: null, retried: null, worst_residual: null };
    const columns = [{ name: "x", values: t }];
    const data = makePage({ t, columns, summary: { end: "running", ...unknown } });
    const { page, errors } = await open("killed", data, { colorScheme });
    const badge = page.locator(".badge");
    assert.equal(await badge.textContent(), "\u25a0 ended without a word");
    const [front, bad] = await badge.evaluate((node) => {
      const probe = document.body.appendChild(document.createElement("p"));
      probe.style.color = "var(--bad)";
      return [node, probe].map((element) => getComputedStyle(element).color);
    });
    assert.equal(front, bad); // of which look.test.mjs checks the contrast
    assert.doesNotMatch(await page.locator(".health-sentence").textContent(), /residual|divided/);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("a page whose data are broken says so", async () => {
  const { page } = await open("broken", { manifest: { format: "else", summary: { name: "" } }, texts: {} });
  assert.match(await page.locator(".notice-error").textContent(), /another version/);
  await page.close();
});

test("without WebGL the replay says so and the plots are there", async () => {
  const { page } = await open("no-webgl", bouncingBall({ scene: true, samples: 501 }));
  assert.match(await page.locator(".replay-host").textContent(), /WebGL/);
  assert.equal(await plot(page, "Velocities").locator(".plot").getAttribute("data-points"), "501");
  await page.close();
});
