// Contact points and forces, with their legend.
import { Group, type Object3D } from "three";
import type { Frame } from "../frames";
import type { SceneDescription } from "../manifest";
import { Arrows } from "./arrows";
import { ForceLines } from "./forcelines";
import { Legend } from "./legend";
import { Markers } from "./markers";

const arrowLimit = 1000; // contacts
const hiddenFrom = 3000; // contacts: so many are shown only when one asks for them
const usualLength = 0.2; // of the scene's size, at the largest usual force
const longest = 0.4; // of the scene's size: forces of impacts are many times larger

export class ForceScale {
  factor = 1; // chosen by who looks

  constructor(readonly sceneSize: number, private readonly largestForce: number) {}

  lengthOf(force: number): number {
    const relative = this.largestForce > 0 ? force / this.largestForce : 1;
    return this.sceneSize * Math.min(longest, usualLength * this.factor * relative);
  }
}

export interface ForceDrawing {
  readonly object: Object3D;
  setTheme(dark: boolean): void;
  update(frame: Frame, points: Float32Array): void;
  dispose(): void;
}

export class Contacts {
  readonly object = new Group();
  readonly legend = new Legend();
  readonly scale: ForceScale;
  private readonly forces: ForceDrawing;
  private readonly markers: Markers;

  constructor({ contacts, largest_force }: SceneDescription, sceneSize: number) {
    this.scale = new ForceScale(sceneSize, largest_force);
    const many = contacts.length > arrowLimit;
    if (many) this.scale.factor = 0.3;
    this.forces = many ? new ForceLines(contacts.length, this.scale) : new Arrows(contacts.length, this.scale);
    this.markers = new Markers(contacts.length, many ? 4 : 8);
    this.object.add(this.forces.object, this.markers.object);
    this.visible = contacts.length > 0 && contacts.length < hiddenFrom;
    this.setTheme(false);
  }

  get visible(): boolean {
    return this.object.visible;
  }

  set visible(on: boolean) {
    this.object.visible = on;
    this.legend.element.hidden = !on;
  }

  set openVisible(on: boolean) {
    this.markers.showOpen = on;
  }

  setTheme(dark: boolean): void {
    this.forces.setTheme(dark);
    this.markers.setTheme(dark);
    this.legend.setTheme(dark);
  }

  setPixelRatio(ratio: number): void {
    this.markers.setPixelRatio(ratio);
  }

  update(frame: Frame, points: Float32Array): void {
    if (!this.visible) return;
    this.forces.update(frame, points);
    this.markers.update(frame, points);
  }

  dispose(): void {
    this.forces.dispose();
    this.markers.dispose();
  }
}
