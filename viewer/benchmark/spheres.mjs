// Pictures per second of a replay of many spheres, in headless Chromium that draws in software.
//   node benchmark/spheres.mjs [spheres=10000] [contacts of each=0] [seconds=6]
// After each picture one pixel is read back, so that a picture counts when it has been drawn, not when it was ordered.
import { cpus, loadavg } from "node:os";
import { bundlePage, openBrowser, openScene } from "../test/replay_page.mjs";

const [count = 10000, contacts = 0, seconds = 6] = process.argv.slice(2).map(Number);

function countPictures() {
  const request = window.requestAnimationFrame.bind(window);
  const getContext = HTMLCanvasElement.prototype.getContext;
  window.drawn = { pictures: 0, drawCalls: 0, milliseconds: 0 };
  HTMLCanvasElement.prototype.getContext = function (...args) {
    const context = getContext.apply(this, args);
    if (args[0] === "webgl2" && context && !window.gl) {
      window.gl = context;
      for (const name of ["drawElements", "drawArrays", "drawElementsInstanced", "drawArraysInstanced"]) {
        const draw = context[name].bind(context);
        context[name] = (...parameters) => {
          ++window.drawn.drawCalls;
          draw(...parameters);
        };
      }
    }
    return context;
  };
  const pixel = new Uint8Array(4);
  window.requestAnimationFrame = (callback) =>
    request((now) => {
      const before = window.drawn.drawCalls;
      const begin = performance.now();
      callback(now);
      if (window.drawn.drawCalls === before) return;
      const { gl } = window;
      gl.readPixels(gl.drawingBufferWidth >> 1, gl.drawingBufferHeight >> 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      window.drawn.milliseconds += performance.now() - begin;
      ++window.drawn.pictures;
    });
}

function measure(seconds) {
  const begin = performance.now();
  const { pictures, drawCalls, milliseconds } = window.drawn;
  return new Promise((resolve) =>
    setTimeout(() => {
      const elapsed = (performance.now() - begin) / 1000;
      const drawn = window.drawn.pictures - pictures;
      resolve({
        fps: drawn / elapsed,
        work: (window.drawn.milliseconds - milliseconds) / drawn,
        calls: (window.drawn.drawCalls - drawCalls) / drawn,
        size: `${window.gl.drawingBufferWidth} x ${window.gl.drawingBufferHeight}`,
        shown: document.getElementById("host").dataset.fps,
      });
    }, 1000 * seconds),
  );
}

const page = await bundlePage();
const browser = await openBrowser();
try {
  const scene = `spheres,${count},${contacts}`;
  const [load] = loadavg(); // of others: it must be small for the numbers to mean much
  const viewport = { width: 924, height: 860 };
  const { tab, errors } = await openScene(browser, page.url, scene, { prepare: countPictures, viewport });
  await tab.getByRole("button", { name: "Loop" }).click();
  await tab.getByRole("button", { name: "Play" }).click();
  await tab.waitForTimeout(2000);
  const { fps, work, calls, size, shown } = await tab.evaluate(measure, seconds);
  console.log(`${count} spheres, ${contacts * count} contacts, ${size} pixels, ${calls.toFixed(1)} draw calls`);
  console.log(`${fps.toFixed(1)} pictures/s (data-fps: ${shown}), ${work.toFixed(1)} ms each, with a pixel read back`);
  console.log(`${cpus().length} processors, load ${load.toFixed(1)} before`);
  for (const error of errors) console.log(`error: ${error}`);
} finally {
  await browser.close();
  await page.remove();
}
