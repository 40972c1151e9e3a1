// The body that is picked: its outline, its name, and whether the camera follows it.
import { Vector3, type Scene } from "three";
import { make } from "../dom";
import { poseSize } from "../frames";
import type { Body } from "../manifest";
import { Outline } from "./outline";
import { isFinitePose } from "./poses";
import type { Stage } from "./stage";

export class Selection {
  readonly label = make("div", { class: "replay-label", hidden: true });
  private body: number | null = null;
  private outline: Outline | null = null;
  private position: Vector3 | null = null; // null where it has none
  private following = false;

  constructor(private readonly bodies: Body[], private readonly scene: Scene) {}

  get index(): number | null {
    return this.body;
  }

  pick(body: number | null): void {
    this.dispose();
    this.body = body;
    this.position = null;
    this.following = false;
    if (body === null) return;
    this.outline = new Outline(this.bodies[body], body);
    this.scene.add(this.outline.object);
    this.label.textContent = this.bodies[body].name;
  }

  follow(on: boolean): void {
    this.following = on;
  }

  update(poses: Float32Array, stage: Stage): void {
    if (this.body === null) return;
    this.outline?.update(poses);
    const at = poseSize * this.body;
    const position = isFinitePose(poses, at) ? new Vector3().fromArray(poses, at) : null;
    if (this.following && position && this.position) stage.move(position.clone().sub(this.position));
    if (position || !this.following) this.position = position;
  }

  // Before the picture is drawn: the outline has a width in pixels, the label is over the picture.
  place(stage: Stage): void {
    this.outline?.setViewport(stage.width, stage.height);
    const place = this.position && stage.toScreen(this.position);
    this.label.hidden = !place;
    if (place) this.label.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`;
  }

  dispose(): void {
    if (!this.outline) return;
    this.scene.remove(this.outline.object);
    this.outline.dispose();
    this.outline = null;
  }
}
