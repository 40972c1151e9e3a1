// The page of every example, made by the command: it opens without errors and shows what it should.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openAddress, settled, useBrowser } from "./browser.mjs";
import { examples, hasCommand, reportOf } from "./command.mjs";

useBrowser({ webgl: true });

const manifestOf = (page) => page.evaluate(() => JSON.parse(document.getElementById("saltus-manifest").textContent));

for (const name of examples) {
  test(`the page of ${name}`, { skip: !hasCommand }, async () => {
    const { page, errors } = await openAddress(reportOf(name));
    await page.waitForSelector("main");
    await settled(page);
    const manifest = await manifestOf(page);
    const points = await page.$$eval("[data-points]", (plots) => plots.map((plot) => Number(plot.dataset.points)));
    assert.ok(points.length >= manifest.plots.length, "every plot is there");
    assert.ok(points.every((count) => count >= 1), `plots with ${points} points`);
    if (manifest.scene) assert.equal(await page.locator("canvas").first().isVisible(), true);
    assert.ok((await page.title()).startsWith(manifest.summary.name));
    assert.deepEqual(errors, []);
    await page.close();
  });
}
