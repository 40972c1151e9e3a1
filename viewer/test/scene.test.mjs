// The replay and the plots share the time; a body that is picked has its plot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open, plot, positionIn, settled, useBrowser } from "./browser.mjs";
import { bouncingBall } from "./synthetic.mjs";

useBrowser({ webgl: true });

test("a click in a plot moves the replay, and the replay moves the plots", async () => {
  const { page, errors } = await open("scene", bouncingBall({ scene: true }));
  await page.mouse.click(...(await positionIn(plot(page, "Coordinates"), 0.5)));
  await page.waitForFunction(() => Math.abs(Number(document.querySelector(".replay-host").dataset.time) - 2) < 0.02);
  await page.mouse.move(5, 5);
  await page.locator(".replay-stage").focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector("#plots .value").textContent === "1");
  assert.deepEqual(errors, []);
  await page.close();
});

test("a picked body has its plot, until another is picked", async () => {
  const { page } = await open("scene", bouncingBall({ scene: true }));
  const count = await page.locator("#plots .card").count();
  await page.getByLabel(/^Body, one of/).fill("ball");
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal(await page.locator("#plots .card").count(), count + 1);
  assert.equal(await page.locator("#plots .card h3").first().textContent(), "ball");
  await page.getByLabel(/^Body, one of/).fill("ground");
  await settled(page);
  assert.equal(await page.locator("#plots .card").count(), count);
  await page.close();
});
