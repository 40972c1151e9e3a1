// The replay of a run: the scene, its time, and their controls.
import { make } from "../dom";
import { poseSize, type FrameSource } from "../frames";
import type { SceneDescription } from "../manifest";
import { manyBodies } from "./bodies";
import { Player } from "./player";
import { blendPoints, blendPoses } from "./poses";
import { Quality } from "./quality";
import "./replay.css";
import { SceneView } from "./sceneview";
import { TimeBar } from "./timebar";
import { ViewBar } from "./viewbar";

const noWebGl =
  "The motion cannot be drawn: this browser offers no WebGL 2. Enable hardware acceleration in its settings, or open " +
  "the page in another browser. Time and plots work without it.";
const contextLost = "The graphics card has dropped the picture. It comes back by itself; if not, load the page again.";
const keysHelp = "Replay: space plays, arrow keys step, Home and End jump, f follows a body, r resets the view";
const longestStep = 250; // ms between two pictures: after a pause of the browser the replay goes on where it was
const showInterval = 100; // ms

export interface ReplayOptions {
  onTime(t: number): void;
  onPick(body: number | null): void;
}

export class Replay {
  private readonly player: Player;
  private readonly view: SceneView | null;
  private readonly stageElement = make("div", {
    class: "replay-stage", tabindex: 0, role: "group", "aria-label": keysHelp,
  });
  private readonly message = make("p", { class: "replay-message", role: "status", hidden: true });
  private readonly timeBar: TimeBar;
  private readonly viewBar: ViewBar | null;
  private readonly quality: Quality;
  private readonly resizing: ResizeObserver;
  private readonly root: HTMLElement;
  private readonly poses: Float32Array;
  private readonly points: Float32Array;
  private readonly keys: Record<string, () => void> = {
    " ": () => this.togglePlay(),
    ArrowLeft: () => this.change(() => this.player.step(-1)),
    ArrowRight: () => this.change(() => this.player.step(1)),
    Home: () => this.change(() => this.player.seek(this.player.first)),
    End: () => this.change(() => this.player.seek(this.player.last)),
    f: () => this.viewBar?.toggleFollow(),
    r: () => this.view?.look("start"),
  };
  private picked: number | null = null;
  private request = 0; // of a picture; 0: nothing is to be drawn
  private disposed = false;
  private lastPicture = 0; // ms
  private counted = { since: 0, pictures: 0 };
  private lastShown = 0; // ms, of the time in the bar
  private waiting = false; // for frames

  constructor(
    private readonly host: HTMLElement,
    scene: SceneDescription,
    private frames: FrameSource,
    private readonly options: ReplayOptions,
  ) {
    this.player = new Player(frames.times);
    this.poses = new Float32Array(poseSize * scene.bodies.length);
    this.points = new Float32Array(3 * scene.contacts.length);
    const finest = scene.bodies.length < manyBodies ? Math.min(2, devicePixelRatio) : 1;
    this.quality = new Quality(finest);
    this.view = SceneView.create(this.stageElement, scene, frames, {
      onChange: () => this.requestPicture(),
      onPick: (body) => this.pick(body),
    });
    this.timeBar = new TimeBar(this.player, {
      togglePlay: () => this.togglePlay(),
      step: (direction) => this.change(() => this.player.step(direction)),
      seek: (t) => this.change(() => this.player.seek(t)),
    });
    this.viewBar = this.view && new ViewBar(scene, this.view, (body) => this.pick(body));
    this.root = make("div", { class: "replay" }, this.stageElement, this.timeBar.element);
    if (this.viewBar) this.root.append(this.viewBar.element);
    this.stageElement.append(this.message);
    host.append(this.root);
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(this.stageElement);
    if (!this.view) this.say(noWebGl);
    this.listen();
    frames.onLoad = () => this.requestPicture();
    this.requestPicture();
  }

  setTime(t: number): void {
    this.player.seek(t);
    this.requestPicture();
  }

  setTheme(dark: boolean): void {
    this.view?.setTheme(dark);
  }

  updateFrames(frames: FrameSource): void {
    this.frames.onLoad = null;
    this.frames = frames;
    frames.onLoad = () => this.requestPicture();
    this.player.setTimes(frames.times);
    this.view?.setFrames(frames);
    this.requestPicture();
  }

  dispose(): void {
    this.disposed = true;
    cancelAnimationFrame(this.request);
    this.resizing.disconnect();
    this.frames.onLoad = null;
    this.view?.dispose();
    this.root.remove();
  }

  private listen(): void {
    this.root.addEventListener("keydown", (event) => {
      if (this.onKey(event)) event.preventDefault();
    });
    const stage = this.stageElement;
    stage.addEventListener("pointerdown", () => stage.focus({ preventScroll: true }));
    stage.addEventListener("focus", () => this.view && (this.view.zooming = true));
    stage.addEventListener("blur", () => this.view && (this.view.zooming = false));
    stage.addEventListener("webglcontextlost", () => this.say(contextLost), true); // these events do not bubble
    stage.addEventListener("webglcontextrestored", () => {
      this.say("");
      this.requestPicture();
    }, true);
  }

  private onKey(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement;
    const action = this.keys[event.key];
    const forButton = event.key === " " && target instanceof HTMLButtonElement;
    if (!action || event.ctrlKey || event.altKey || event.metaKey || forButton || !listensToKeys(target)) return false;
    action();
    return true;
  }

  private togglePlay(): void {
    if (this.player.playing) this.player.playing = false;
    else this.player.play();
    this.quality.restart();
    this.lastPicture = performance.now();
    this.counted = { since: this.lastPicture, pictures: 0 };
    this.requestPicture();
  }

  private change(seek: () => void): void {
    seek();
    this.options.onTime(this.player.t);
    this.requestPicture();
  }

  private pick(body: number | null): void {
    if (body === this.picked) return;
    this.picked = body;
    this.view?.setPicked(body);
    this.viewBar?.showPicked(body);
    this.options.onPick(body);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.stageElement;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.view?.resize(clientWidth, clientHeight);
    this.view?.draw(); // at once: a canvas that has another size is empty
  }

  private requestPicture(): void {
    if (this.request === 0 && !this.disposed) this.request = requestAnimationFrame((now) => this.picture(now));
  }

  private picture(now: number): void {
    this.request = 0;
    if (this.player.playing && !this.waiting) this.passTime(now);
    this.lastPicture = now;
    this.showMoment();
    this.view?.setPixelRatio(this.quality.ratio(this.player.playing));
    this.view?.draw();
    this.showTime(now);
    this.countPicture(now);
    if (this.player.playing && !this.waiting) this.requestPicture();
  }

  private passTime(now: number): void {
    const passed = Math.min(longestStep, Math.max(0, now - this.lastPicture));
    this.quality.note(passed);
    this.player.advance(passed / 1000);
    this.options.onTime(this.player.t);
  }

  private showMoment(): void {
    const { index, blend } = this.player.place;
    const frame = this.frames.frame(index);
    const next = blend > 0 ? this.frames.frame(index + 1) : frame;
    this.waiting = !frame || !next;
    if (!frame || !next) return;
    blendPoses(frame.poses, next.poses, blend, this.poses);
    blendPoints(frame.points, next.points, blend, this.points);
    this.view?.show({ frame, index, poses: this.poses, points: this.points });
  }

  // Not at each picture: to lay out the page takes its time too.
  private showTime(now: number): void {
    const { playing, t, place } = this.player;
    this.host.dataset.frame = String(place.index);
    this.host.dataset.time = String(t);
    this.host.dataset.playing = String(playing);
    if (playing && now - this.lastShown < showInterval) return;
    this.lastShown = now;
    this.timeBar.update(this.waiting);
  }

  private countPicture(now: number): void {
    ++this.counted.pictures;
    const seconds = (now - this.counted.since) / 1000;
    if (!this.player.playing || seconds < 1) return;
    this.host.dataset.fps = (this.counted.pictures / seconds).toFixed(1);
    this.counted = { since: now, pictures: 0 };
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }
}

// Fields in which keys have another meaning keep it.
function listensToKeys(target: HTMLElement): boolean {
  return target.matches(".replay-scrub, :not(input, select)");
}
