import type { Timeline } from "./timeline";

const STEP = 0.1; // of the window
const FINE_STEP = 0.01;
const ZOOM = 0.6;

export const KEYS_HELP =
  "Arrow keys pan, with shift they move the current time; + and \u2212 zoom; 0 or Home shows all; Escape clears the " +
  "current time.";

// On the focused view over time, or on the page where nothing has the focus.
export function handleKeys(target: HTMLElement | Document, timeline: Timeline): void {
  target.addEventListener("keydown", (event) => {
    if (target === document && document.activeElement !== document.body) return;
    if (onKey(event as KeyboardEvent, timeline)) event.preventDefault();
  });
}

function onKey(event: KeyboardEvent, timeline: Timeline): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const { from, to } = timeline.window.value;
  const direction = event.key === "ArrowLeft" ? -1 : 1;
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowRight":
      if (event.shiftKey) timeline.moveNow(direction * FINE_STEP * (to - from));
      else timeline.pan(direction * STEP * (to - from));
      return true;
    case "+":
    case "=":
      timeline.zoom(ZOOM);
      return true;
    case "-":
      timeline.zoom(1 / ZOOM);
      return true;
    case "0":
    case "Home":
      if (!timeline.zoomed) return false; // Home then scrolls the page
      timeline.showAll();
      return true;
    case "Escape":
      timeline.hover.set(null);
      timeline.now.set(null);
      return true;
    default:
      return false;
  }
}
