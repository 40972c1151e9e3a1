// Pictures of the pages of all examples, for docs/gallery.md: node screenshots.mjs [NAME...]. The replay shows a third of
// the run.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { examples, reportOf } from "./test/command.mjs";

const OUTPUT = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../docs/figures/pages");
mkdirSync(OUTPUT, { recursive: true });

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--use-gl=angle", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader"],
});
const names = process.argv.length > 2 ? process.argv.slice(2) : examples;
for (const name of names) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(reportOf(name));
  await page.waitForSelector("main");
  const slider = page.locator(".replay-scrub");
  if ((await slider.count()) > 0) {
    await slider.evaluate((input) => {
      input.value = String(Number(input.min || 0) + 0.33 * (Number(input.max) - Number(input.min || 0)));
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
  await page.waitForTimeout(900);
  await page.screenshot({ path: join(OUTPUT, `${name}.jpg`), type: "jpeg", quality: 80 });
  console.log(name);
  await page.close();
}
await browser.close();
