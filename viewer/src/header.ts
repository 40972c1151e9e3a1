// How the run ended, its key figures, and what the reader must know before believing the plots.
import { make, named, toggleButton } from "./dom";
import { formatCount, formatNumber, formatSeconds } from "./format";
import type { Manifest, Summary } from "./manifest";
import { setTheme, theme } from "./theme";

type State = Summary["end"] | "killed" | "unconnected";

const BADGES: Record<State, string> = {
  reached: "\u2713 reached the end",
  interrupted: "\u25ae\u25ae interrupted",
  failed: "\u2717 failed",
  running: "\u25b6 running",
  killed: "\u25a0 ended without a word",
  unconnected: "\u25cb not connected",
};

export class Header {
  readonly root: HTMLElement;
  private readonly badge = make("span", { role: "status" });
  private readonly content = make("div");
  private state: State = "running";
  private connected = true;

  constructor(manifest: Manifest) {
    const { summary, file, description } = manifest;
    const dark = toggleButton("dark", "Dark colours", theme.value === "dark", (on) => setTheme(on ? "dark" : "light"));
    theme.subscribe((value) => dark.setAttribute("aria-pressed", String(value === "dark")));
    const title = make("h1", {}, named(summary.name || file));
    const top = make("div", { class: "title-row" }, title, this.badge, named(file, "name file"), dark);
    const about = make("p", { class: "description", hidden: !description }, description);
    this.root = make("header", { class: "page-header" }, top, about, this.content);
    this.update(manifest);
  }

  update(manifest: Manifest): void {
    const { end } = manifest.summary;
    this.state = end === "running" && !manifest.live ? "killed" : end;
    this.showBadge();
    this.content.replaceChildren(figures(manifest), ...notices(manifest));
  }

  setConnected(connected: boolean): void {
    this.connected = connected;
    this.showBadge();
  }

  private showBadge(): void {
    const state = this.connected ? this.state : "unconnected";
    this.badge.className = `badge badge-${state}`;
    const text = BADGES[state];
    if (this.badge.textContent !== text) this.badge.textContent = text; // it is read out when it changes
  }
}

function figures({ summary, samples }: Manifest): HTMLElement {
  const running = summary.end === "running";
  // What is known at the end only is left out before it.
  const known = <T extends number | null>(value: T, format: (value: T) => string) =>
    running && value === null ? "" : format(value);
  const count = (value: number | null) => (value === null ? "" : formatCount(value));
  const time = formatNumber(summary.t) + (summary.t === summary.t_end ? "" : ` of ${formatNumber(summary.t_end)}`);
  const list: [string, string][] = [
    ["scheme", summary.scheme],
    ["settings", summary.settings],
    ["step", formatNumber(summary.step)],
    ["t", time],
    ["steps", count(summary.steps)],
    ["samples", formatCount(samples)],
    ["impacts", formatCount(summary.impacts)],
    ["events", summary.events > 0 ? formatCount(summary.events) : ""],
    ["steps with switches", count(summary.switches)],
    ["worst residual", known(summary.worst_residual, (value) => formatNumber(value, 3))],
    ["time", known(summary.seconds, formatSeconds)],
  ];
  const items = list
    .filter(([, value]) => value !== "")
    .map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", { title: value }, value)));
  return make("dl", { class: "figures" }, ...items);
}

function notices(manifest: Manifest): HTMLElement[] {
  const { summary, warnings, embedded, samples, missing } = manifest;
  const nodes: HTMLElement[] = [];
  if (summary.end === "failed") {
    const why = summary.message || "The run failed.";
    nodes.push(make("p", { class: "notice notice-error", role: "alert" }, why));
  }
  for (const warning of warnings) nodes.push(make("p", { class: "notice notice-warning" }, warning));
  const left: string[] = [];
  if (embedded !== null && embedded < samples) {
    left.push(`${formatCount(embedded)} of ${formatCount(samples)} samples`);
  }
  const channels = formatCount(manifest.columns.length);
  if (missing > 0) left.push(`no samples of ${formatCount(missing)} of ${channels} channels`);
  if (left.length > 0) {
    nodes.push(make("p", { class: "notice" }, `This page has ${left.join(" and ")}; saltus view shows all.`));
  }
  return nodes;
}

export function modelText(manifest: Manifest): HTMLElement {
  const text = make("pre", { tabindex: 0, "aria-label": "Text of the model file" }, manifest.model);
  return make("details", { class: "model" }, make("summary", {}, "Model file"), text);
}
