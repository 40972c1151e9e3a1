// Signs of the buttons, in a square of 16.

const paths = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  back: "M3 3h2v10H3zM13 3v10L6 8z",
  forward: "M11 3h2v10h-2zM3 3v10l7-5z",
};

export function icon(name: keyof typeof paths): SVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(namespace, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", paths[name]);
  drawing.append(path);
  return drawing;
}
