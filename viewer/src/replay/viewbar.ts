// The controls of what is seen: directions, bodies, forces.
import { button, make, toggleButton } from "../dom";
import type { SceneDescription } from "../manifest";
import { BodySearch } from "./bodysearch";
import type { SceneView } from "./sceneview";

const scaleDecades = 1.5; // of the slider, to both sides

export class ViewBar {
  readonly element: HTMLElement;
  private readonly search: BodySearch;
  private readonly follow: HTMLButtonElement;

  constructor(scene: SceneDescription, view: SceneView, pick: (body: number | null) => void) {
    this.search = new BodySearch(scene.bodies, pick);
    this.follow = toggleButton("Follow", "Follow the picked body (f)", false, (on) => view.setFollowing(on));
    const looks = [
      button("Reset", "Reset the view (r)", () => view.look("start")),
      button("Front", "Front view, along +y", () => view.look("front")),
      button("Top", "Top view", () => view.look("top")),
      button("Side", "Side view, along \u2212x", () => view.look("side")),
    ];
    const shown = [
      toggleButton("Trails", "Trails of the bodies; of many only the picked one", false, (on) => view.setTrails(on)),
      toggleButton("Wireframe", "Wireframe", false, (on) => view.setWireframe(on)),
    ];
    const chosen = group(this.search.element, this.follow);
    this.element = make("div", { class: "replay-bar" }, group(...looks), chosen, group(...shown));
    if (scene.contacts.length > 0) this.element.append(forceControls(view));
    this.showPicked(null);
  }

  showPicked(body: number | null): void {
    this.search.show(body);
    this.follow.disabled = body === null;
    this.follow.setAttribute("aria-pressed", "false");
  }

  toggleFollow(): void {
    this.follow.click();
  }
}

function group(...members: HTMLElement[]): HTMLElement {
  return make("span", { class: "replay-group" }, ...members);
}

function forceControls(view: SceneView): HTMLElement {
  const forces = toggleButton("Forces", "Forces of contacts", view.forcesVisible, (on) => view.setForces(on));
  const open = toggleButton("Open", "Open contacts, as rings", true, (on) => view.setOpenContacts(on));
  const scale = make("input", {
    type: "range", min: -scaleDecades, max: scaleDecades, step: 0.05, value: Math.log10(view.forceScale),
    "aria-label": "Length of the arrows of forces", title: "Length of the arrows",
  });
  scale.addEventListener("input", () => view.setForceScale(10 ** Number(scale.value)));
  return group(forces, scale, open);
}
