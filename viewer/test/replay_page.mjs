// Bundles the page of the tests of the replay and opens it in a browser.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const page = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src file:; style-src file:; connect-src *">
<link rel="stylesheet" href="demo.css">
<div id="host"></div>
<script src="demo.js"></script>
`;

const flags = [
  "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

export async function bundlePage() {
  const folder = await mkdtemp(join(tmpdir(), "saltus-replay-"));
  await build({
    entryPoints: [fileURLToPath(new URL("replay_demo.mjs", import.meta.url))],
    bundle: true,
    minify: true,
    format: "iife",
    outfile: join(folder, "demo.js"),
  });
  await writeFile(join(folder, "page.html"), page);
  return { url: pathToFileURL(join(folder, "page.html")).href, remove: () => rm(folder, { recursive: true }) };
}

export function openBrowser(extraFlags = []) {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: [...flags, ...extraFlags] });
}

// Errors of the page are collected: a test that ends with some has failed.
export async function openScene(browser, url, scene, options = {}) {
  const context = await browser.newContext({ viewport: { width: 924, height: 640 }, ...options });
  const tab = await context.newPage();
  const errors = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  tab.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  if (options.prepare) await tab.addInitScript(options.prepare);
  await tab.goto(`${url}#${scene}`);
  await tab.waitForSelector("#host[data-frame]");
  return { tab, errors };
}
