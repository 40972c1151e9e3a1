// The 3D replay beside the plots. It drives the current time, and follows it when the reader clicks in a plot.
import type { Context } from "./context";
import { make, section } from "./dom";
import { embeddedFrames, type FrameSource, servedFrames } from "./frames";
import type { Manifest, SceneDescription } from "./manifest";
import { Replay } from "./replay/replay";
import { theme } from "./theme";

export interface PickHandler {
  showBody(name: string, columns: number[]): void;
  hideBody(): void;
}

export class ReplaySection {
  readonly root: HTMLElement;
  private readonly host = make("div", { class: "replay-host" });
  private replay: Replay | null = null;
  private scene: SceneDescription | null = null; // as the replay knows it
  private driving = false; // the replay moves the current time

  constructor(
    private readonly context: Context,
    private readonly onPick: PickHandler,
  ) {
    this.root = section("replay", "Replay", this.host);
  }

  // The host must be in the page: its size is that of the picture.
  async start(scene: SceneDescription): Promise<void> {
    const { timeline, source } = this.context;
    const frames = await framesOf(source.manifest);
    this.create(scene, frames);
    theme.subscribe((value) => this.replay?.setTheme(value === "dark"));
    timeline.now.subscribe((t) => {
      if (t !== null && !this.driving) this.replay?.setTime(t);
    });
    if (timeline.now.value === null && frames.times.length > 0) timeline.now.set(frames.times[0]);
  }

  // A run that is going on may leave the picture: then the picture is rebuilt.
  async update(): Promise<void> {
    const { manifest } = this.context.source;
    const frames = await framesOf(manifest);
    if (manifest.scene && this.scene && hasOutgrown(manifest.scene, this.scene)) this.create(manifest.scene, frames);
    else this.replay?.updateFrames(frames);
  }

  private create(scene: SceneDescription, frames: FrameSource): void {
    const { now } = this.context.timeline;
    this.replay?.dispose();
    this.scene = scene;
    this.replay = new Replay(this.host, scene, frames, {
      onTime: (t) => {
        this.driving = true;
        now.set(t);
        this.driving = false;
      },
      onPick: (body) => this.pick(body),
    });
    this.replay.setTheme(theme.value === "dark");
    if (now.value !== null) this.replay.setTime(now.value);
  }

  private pick(body: number | null): void {
    const picked = body === null ? undefined : this.context.source.manifest.scene?.bodies[body];
    if (picked && picked.columns.length > 0) this.onPick.showBody(picked.name, picked.columns);
    else this.onPick.hideBody();
  }
}

async function framesOf(manifest: Manifest): Promise<FrameSource> {
  return manifest.embedded === null ? servedFrames(manifest) : embeddedFrames(manifest);
}

// What moves goes far beyond the bounds of before, or the first forces act.
function hasOutgrown(next: SceneDescription, before: SceneDescription): boolean {
  const { low, high } = before.bounds;
  const size = Math.hypot(...high.map((x, k) => x - low[k]));
  const beyond = next.bounds.high.map((x, k) => Math.max(x - high[k], low[k] - next.bounds.low[k]));
  return Math.max(...beyond) > 0.3 * size || (before.largest_force === 0 && next.largest_force > 0);
}
