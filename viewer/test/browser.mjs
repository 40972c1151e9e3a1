import { existsSync } from "node:fs";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { removePages, writePage } from "./synthetic.mjs";

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const WITH_WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const WITHOUT_WEBGL = ["--disable-gpu", "--disable-3d-apis"];
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

let browser;

// One browser for the tests of a file.
export function useBrowser({ webgl = false } = {}) {
  before(async () => {
    const args = [...ARGUMENTS, ...(webgl ? WITH_WEBGL : WITHOUT_WEBGL)];
    browser = await chromium.launch({ executablePath: EXECUTABLE, args });
  });
  after(async () => {
    await browser.close();
    removePages();
  });
}

// Opens an address; `errors` collects what a reader would find in the console.
export async function openAddress(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, reducedMotion: "reduce", ...options });
  const errors = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, errors };
}

export async function open(name, data, options = {}) {
  const opened = await openAddress(writePage(name, data), options);
  await opened.page.waitForSelector("main, .notice-error");
  await settled(opened.page);
  return opened;
}

// No plot waits for samples.
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('.plot[data-state="loading"]'));
  await page.waitForTimeout(150); // longer than the pauses in which requests are gathered
}

export function plot(page, title) {
  return page.locator(".card", { has: page.locator("h3", { hasText: title }) });
}

export async function windowOf(page) {
  const { from, to } = await page.locator(".timebar").first().evaluate((node) => ({ ...node.dataset }));
  return { from: Number(from), to: Number(to) };
}

// Positions are fractions of the plotting area.
export async function positionIn(card, x, y = 0.5) {
  const box = await card.locator(".u-over").boundingBox();
  return [box.x + x * box.width, box.y + y * box.height];
}

export async function drag(page, card, from, to, modifiers = []) {
  for (const key of modifiers) await page.keyboard.down(key);
  await page.mouse.move(...(await positionIn(card, from)));
  await page.mouse.down();
  await page.mouse.move(...(await positionIn(card, (from + to) / 2)));
  await page.mouse.move(...(await positionIn(card, to)));
  await page.mouse.up();
  for (const key of modifiers) await page.keyboard.up(key);
}

// Pixels of the colour of the first curve.
export function inkOf(card) {
  return card.locator(".uplot canvas").evaluate((canvas) => {
    const style = getComputedStyle(document.documentElement).getPropertyValue("--curve-0").trim();
    const [r, g, b] = [1, 3, 5].map((k) => parseInt(style.slice(k, k + 2), 16));
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) {
      const distance = Math.abs(data[k] - r) + Math.abs(data[k + 1] - g) + Math.abs(data[k + 2] - b);
      if (data[k + 3] > 200 && distance < 30) count++;
    }
    return count;
  });
}
