// What is seen on a picture of the replay, by hue: light and shade change a colour, but hardly its hue.

// For each wanted { hue in degrees, least saturation }: how many pixels, and their centre on the page.
export async function findHues(tab, wanted) {
  const canvas = tab.locator(".replay-canvas");
  const box = await canvas.boundingBox();
  const png = (await canvas.screenshot()).toString("base64");
  const found = await tab.evaluate(countHues, { png, wanted });
  return found.map(({ count, x, y }) => ({ count, x: box.x + x, y: box.y + y }));
}

export async function pictureOf(tab) {
  return (await tab.locator(".replay-canvas").screenshot()).toString("base64");
}

// In the page.
async function countHues({ png, wanted }) {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  const sums = wanted.map(() => ({ count: 0, x: 0, y: 0 }));
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
    const largest = Math.max(r, g, b);
    const range = largest - Math.min(r, g, b);
    if (range === 0) continue;
    const sector = largest === r ? (g - b) / range : largest === g ? 2 + (b - r) / range : 4 + (r - g) / range;
    const hue = (60 * sector + 360) % 360;
    wanted.forEach((color, k) => {
      if (range / largest < color.saturation || Math.abs(hue - color.hue) > 8) return;
      sums[k].count += 1;
      sums[k].x += (i / 4) % bitmap.width;
      sums[k].y += Math.floor(i / 4 / bitmap.width);
    });
  }
  return sums.map(({ count, x, y }) => ({ count, x: x / count, y: y / count }));
}
