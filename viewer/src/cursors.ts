// The lines of the current time and of the time under the pointer, over an area whose width is the time window.
import { make } from "./dom";
import type { Store } from "./store";
import type { Timeline } from "./timeline";

export function attachCursors(area: HTMLElement, timeline: Timeline): () => void {
  const line = (className: string, time: Store<number | null>) => {
    const node = make("div", { class: className, hidden: true });
    area.append(node);
    const place = () => {
      const { from, to } = timeline.window.value;
      const t = time.value;
      node.hidden = t === null || t < from || t > to;
      if (t !== null) node.style.left = `${(100 * (t - from)) / (to - from)}%`;
    };
    place();
    return [time.subscribe(place), timeline.window.subscribe(place)];
  };
  const forget = [...line("line-now", timeline.now), ...line("line-hover", timeline.hover)];
  return () => forget.forEach((unsubscribe) => unsubscribe());
}
