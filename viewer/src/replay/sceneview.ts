// The scene in three dimensions: what is drawn, and from where.
import { make } from "../dom";
import type { Frame, FrameSource } from "../frames";
import type { SceneDescription } from "../manifest";
import { makeBackground } from "./background";
import { Bodies, manyBodies } from "./bodies";
import { Contacts } from "./contacts";
import { extentOf, type Extent } from "./extent";
import { Ground, gridSpacing } from "./ground";
import { pickBody } from "./picking";
import { Selection } from "./selection";
import { Stage } from "./stage";
import { Trails } from "./trails";
import { Triad } from "./triad";
import type { View } from "./views";

const trailLimit = 50; // bodies; of more only the picked one leaves a trail
const pickSlack = 3; // pixels

// A time between two frames.
export interface Moment {
  index: number; // of the earlier frame
  frame: Frame; // whose forces and states are shown
  poses: Float32Array;
  points: Float32Array;
}

export interface SceneViewEvents {
  onChange(): void; // it must be drawn again
  onPick(body: number | null): void;
}

export class SceneView {
  private readonly bodies: Bodies;
  private readonly ground: Ground;
  private readonly contacts: Contacts;
  private readonly selection: Selection;
  private readonly triad: Triad;
  private readonly beautiful: boolean; // few bodies: antialiasing, shadows, a graded background
  private trails: Trails | null = null;
  private trailsWanted = false;
  private moment: Moment | null = null;

  // Null where there is no WebGL.
  static create(
    parent: HTMLElement, scene: SceneDescription, frames: FrameSource, events: SceneViewEvents,
  ): SceneView | null {
    const canvas = make("canvas", { class: "replay-canvas", "aria-hidden": "true" });
    const extent = extentOf(scene.bounds);
    const few = scene.bodies.length < manyBodies;
    const stage = Stage.create(canvas, extent, { antialias: few, shadows: few });
    return stage && new SceneView(parent, stage, extent, scene, frames, events);
  }

  private constructor(
    parent: HTMLElement,
    private readonly stage: Stage,
    extent: Extent,
    private readonly scene: SceneDescription,
    private frames: FrameSource,
    private readonly events: SceneViewEvents,
  ) {
    this.beautiful = scene.bodies.length < manyBodies;
    this.bodies = new Bodies(scene.bodies, this.beautiful);
    this.ground = new Ground(extent, this.beautiful);
    this.contacts = new Contacts(scene, extent.size);
    this.selection = new Selection(scene.bodies, stage.scene);
    this.triad = new Triad(gridSpacing(extent.size));
    stage.scene.add(this.ground.object, this.bodies.object);
    stage.overlay.add(this.contacts.object);
    stage.controls.addEventListener("change", () => events.onChange());
    parent.append(stage.canvas, this.triad.element, this.contacts.legend.element, this.selection.label);
    this.zooming = false;
    this.setTheme(false);
    this.listenToClicks();
  }

  // Wheels scroll the page until the replay has the focus.
  set zooming(on: boolean) {
    this.stage.controls.enableZoom = on;
  }

  get forcesVisible(): boolean {
    return this.contacts.visible;
  }

  get forceScale(): number {
    return this.contacts.scale.factor;
  }

  resize(width: number, height: number): void {
    this.stage.resize(width, height);
  }

  setPixelRatio(ratio: number): void {
    this.stage.setPixelRatio(ratio);
    this.contacts.setPixelRatio(ratio);
  }

  show(moment: Moment): void {
    this.moment = moment;
    this.bodies.update(moment.poses);
    this.contacts.update(moment.frame, moment.points);
    this.selection.update(moment.poses, this.stage);
  }

  draw(): void {
    if (this.stage.width === 0) return;
    if (this.trails?.fill()) this.events.onChange();
    if (this.moment) this.trails?.update(this.moment.index, this.moment.poses);
    this.stage.placeCamera();
    this.bodies.prepare(this.stage.camera, this.stage.width, this.stage.height);
    this.selection.place(this.stage);
    this.triad.update(this.stage.camera);
    this.stage.draw();
  }

  look(view: View): void {
    this.stage.look(view);
    this.events.onChange();
  }

  setTheme(dark: boolean): void {
    this.stage.setBackground(makeBackground(dark, this.beautiful));
    this.ground.setTheme(dark);
    this.contacts.setTheme(dark);
    this.showAgain();
  }

  setFrames(frames: FrameSource): void {
    this.frames = frames;
    this.renewTrails();
  }

  setPicked(body: number | null): void {
    this.selection.pick(body);
    if (this.scene.bodies.length > trailLimit) this.renewTrails();
    this.showAgain();
  }

  setFollowing(on: boolean): void {
    this.selection.follow(on);
  }

  setTrails(on: boolean): void {
    this.trailsWanted = on;
    this.renewTrails();
  }

  setForces(on: boolean): void {
    this.contacts.visible = on;
    this.showAgain();
  }

  setForceScale(factor: number): void {
    this.contacts.scale.factor = factor;
    this.showAgain();
  }

  setOpenContacts(on: boolean): void {
    this.contacts.openVisible = on;
    this.showAgain();
  }

  setWireframe(on: boolean): void {
    this.bodies.setWireframe(on);
    this.events.onChange();
  }

  dispose(): void {
    this.bodies.dispose();
    this.ground.dispose();
    this.contacts.dispose();
    this.selection.dispose();
    this.trails?.dispose();
    this.stage.dispose();
  }

  private showAgain(): void {
    if (this.moment) this.show(this.moment);
    this.events.onChange();
  }

  private renewTrails(): void {
    if (this.trails) {
      this.stage.scene.remove(this.trails.object);
      this.trails.dispose();
      this.trails = null;
    }
    const traced = this.tracedBodies();
    if (this.trailsWanted && traced.length > 0) {
      this.trails = new Trails(this.scene.bodies, traced, this.frames);
      this.stage.scene.add(this.trails.object);
    }
    this.events.onChange();
  }

  private tracedBodies(): number[] {
    if (this.scene.bodies.length <= trailLimit) return this.scene.bodies.map((_, body) => body);
    return this.selection.index === null ? [] : [this.selection.index];
  }

  private listenToClicks(): void {
    const { canvas } = this.stage;
    let pressed: PointerEvent | null = null;
    canvas.addEventListener("pointerdown", (event) => (pressed = event.button === 0 ? event : null));
    canvas.addEventListener("pointerup", (event) => {
      const dragged = !pressed || Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > 4;
      pressed = null;
      if (!dragged) this.events.onPick(this.bodyAt(event));
    });
  }

  private bodyAt(event: PointerEvent): number | null {
    if (!this.moment) return null;
    const { left, top } = this.stage.canvas.getBoundingClientRect();
    const ray = this.stage.rayThrough(event.clientX - left, event.clientY - top);
    return pickBody(this.scene.bodies, this.moment.poses, ray, pickSlack * this.stage.pixelAngle);
  }
}
