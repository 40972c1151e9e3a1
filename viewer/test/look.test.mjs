// Contrast of both themes, and layouts from a phone to a large screen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, useBrowser } from "./browser.mjs";
import { bouncingBall } from "./synthetic.mjs";

useBrowser();

const BACKS = ["surface", "back"];
const TEXTS = ["text", "muted", "accent"];
const LABELS = [
  ["good", "good-back"],
  ["warn", "warn-back"],
  ["bad", "bad-back"],
  ["text", "control-on"],
];
const CURVES = Array.from({ length: 8 }, (_, k) => `curve-${k}`);
const MARKS = ["mark-impacts", "mark-events", "mark-switches", "mode-between", "mode-upper", "axis"];

function luminance(hex) {
  const [r, g, b] = [1, 3, 5].map((k) => {
    const value = parseInt(hex.slice(k, k + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const colorScheme of ["light", "dark"]) {
  test(`contrast of the ${colorScheme} theme`, async () => {
    const { page } = await open("look", bouncingBall(), { colorScheme });
    assert.equal(await page.locator("html").getAttribute("data-theme"), colorScheme);
    const colors = await page.evaluate((names) => {
      const style = getComputedStyle(document.documentElement);
      return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    }, [...TEXTS, ...LABELS.flat(), ...CURVES, ...MARKS, ...BACKS]);
    const check = (front, back, least) => {
      const ratio = contrast(colors[front], colors[back]);
      assert.ok(ratio >= least, `${front} on ${back}: ${ratio.toFixed(2)}`);
    };
    for (const back of BACKS) for (const text of TEXTS) check(text, back, 4.5);
    for (const [front, back] of LABELS) check(front, back, 4.5);
    for (const curve of [...CURVES, ...MARKS]) check(curve, "surface", 3);
    const canvas = page.locator("#plots canvas").last();
    const before = await canvas.evaluate((node) => node.toDataURL());
    await page.getByRole("button", { name: "Dark colours" }).click();
    assert.notEqual(await page.locator("html").getAttribute("data-theme"), colorScheme);
    await page.waitForTimeout(50);
    assert.notEqual(await canvas.evaluate((node) => node.toDataURL()), before, "plots take the other theme");
    await page.close();
  });
}

for (const [width, height, columns] of [
  [390, 844, 1],
  [1366, 768, 2],
  [3840, 2160, 4],
]) {
  test(`layout at ${width} pixels`, async () => {
    const { page, errors } = await open("look", bouncingBall(), { viewport: { width, height } });
    const overflow = await page.locator("html").evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    const lefts = await page.locator("#plots .card").evaluateAll((cards) => cards.map((card) => card.offsetLeft));
    assert.equal(new Set(lefts).size, columns);
    assert.deepEqual(errors, []);
    await page.close();
  });
}

test("plots follow the width of the page", async () => {
  const { page } = await open("look", bouncingBall());
  await page.setViewportSize({ width: 500, height: 800 });
  await page.waitForTimeout(300);
  const [chart, canvas] = await page.evaluate(() =>
    ["#plots .chart", "#plots .uplot"].map((query) => document.querySelector(query).getBoundingClientRect().width),
  );
  assert.ok(Math.abs(chart - canvas) <= 1, `${chart} ${canvas}`);
  await page.close();
});
