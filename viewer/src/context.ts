import type { MarkLayer } from "./marks";
import type { ChannelPicker } from "./picker";
import type { Source } from "./source";
import type { Timeline } from "./timeline";

// What the parts of the page share.
export interface Context {
  source: Source;
  timeline: Timeline;
  marks: MarkLayer;
  picker: ChannelPicker;
}
