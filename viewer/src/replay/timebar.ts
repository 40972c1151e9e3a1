// The controls of time: play, steps, scrub bar, speed.
import { button, make, toggleButton } from "../dom";
import { formatTime } from "../format";
import { icon } from "./icons";
import { naturalSpeed, speedChoices, type Player } from "./player";

export interface TimeBarActions {
  togglePlay(): void;
  step(direction: 1 | -1): void;
  seek(t: number): void;
}

export class TimeBar {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly scrub = make("input", { type: "range", step: "any", class: "replay-scrub", "aria-label": "Time" });
  private readonly clock = make("span", { class: "replay-clock" });

  constructor(private readonly player: Player, actions: TimeBarActions) {
    this.play = button("", "", actions.togglePlay);
    const back = button("", "One frame back", () => actions.step(-1));
    const forward = button("", "One frame forward", () => actions.step(1));
    back.append(icon("back"));
    forward.append(icon("forward"));
    const loop = toggleButton("Loop", "Loop: start again at the end", player.loop, (on) => (player.loop = on));
    this.scrub.addEventListener("input", () => actions.seek(Number(this.scrub.value)));
    const speed = this.makeSpeed();
    this.element = make("div", { class: "replay-bar" }, this.scrub, back, this.play, forward, this.clock, speed, loop);
    this.update(false);
  }

  update(loading: boolean): void {
    const { t, first, last, playing } = this.player;
    this.scrub.min = String(first);
    this.scrub.max = String(last);
    this.scrub.value = String(t);
    this.clock.textContent = `t = ${formatTime(t, last - first)}${loading ? " \u2026" : ""}`;
    const title = playing ? "Pause (space)" : "Play (space)";
    if (this.play.title === title) return;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.play.title = title;
    this.play.setAttribute("aria-label", title);
  }

  private makeSpeed(): HTMLElement {
    const natural = naturalSpeed(this.player.last - this.player.first);
    this.player.speed = natural;
    const choices = speedChoices(natural).map((speed) =>
      make("option", { value: speed, selected: speed === natural }, `${speed}\u00d7 real time`),
    );
    const select = make("select", { "aria-label": "Speed" }, ...choices);
    select.addEventListener("change", () => (this.player.speed = Number(select.value)));
    return select;
  }
}
