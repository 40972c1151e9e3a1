// `saltus view` itself: a large result by pieces, and a run that is still going on.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openAddress, plot, settled, useBrowser } from "./browser.mjs";
import { begin, beginView, endAll, exampleFile, folder, hasCommand, saltus } from "./command.mjs";

useBrowser({ webgl: true });
after(endAll);

const pointsOf = async (card) => Number(await card.locator(".plot").getAttribute("data-points"));

test("a result of a million samples is loaded by pieces", { skip: !hasCommand }, async () => {
  const file = join(folder, "long.h5");
  saltus("run", exampleFile("bouncing_ball"), "--step", "1e-5", "--quiet", "-o", file);
  const view = await beginView(file);
  const { page, errors } = await openAddress(view.address);
  const received = [];
  page.on("response", async (response) => received.push((await response.body().catch(() => "")).length));
  await page.waitForSelector("main");
  await settled(page);
  const positions = plot(page, "Positions");
  const all = await pointsOf(positions);
  assert.ok(all > 500 && all < 20000, `${all} of a million samples`);
  assert.ok(received.reduce((sum, size) => sum + size, 0) < 5e6);
  // Near enough, every sample is there.
  for (let k = 0; k < 14; ++k) await page.getByRole("button", { name: /^(\+|zoom in)/i }).first().click();
  let near = all;
  for (let k = 0; k < 100 && near >= all; ++k) {
    await page.waitForTimeout(100);
    near = await pointsOf(positions);
  }
  assert.ok(near < all && near > 2, `${near} samples near`);
  assert.deepEqual(errors, []);
  await page.close();
  await view.stop();
});

test("a run that goes on is followed", { skip: !hasCommand }, async () => {
  const file = join(folder, "live.h5");
  const model = join(folder, "live.toml"); // without end, and with few samples: a disk is soon full
  const text = readFileSync(exampleFile("bouncing_ball"), "utf8");
  writeFileSync(model, text.replace("[simulation]", "[simulation]\nrecord_every = 1000"));
  const run = begin("run", model, "--t-end", "1e9", "--quiet", "-o", file);
  await new Promise((done) => setTimeout(done, 1500));
  const view = await beginView(file);
  const { page, errors } = await openAddress(view.address);
  await page.waitForSelector("main");
  await page.getByText("running").first().waitFor();
  const samples = async () => (await (await fetch(new URL("manifest", view.address))).json()).samples;
  const before = await samples();
  await page.waitForTimeout(3000);
  assert.ok((await samples()) > before, "the result grows");
  await run.stop();
  await page.getByText("interrupted").first().waitFor({ timeout: 30000 });
  assert.deepEqual(errors, []);
  await page.close();
  await view.stop();
});
