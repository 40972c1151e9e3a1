// How the run ended, its key figures, and what the reader must know before believing the plots.
import { make, named, toggleButton } from "./dom";
import { formatCount, formatNumber, formatSeconds } from "./format";
import type { Manifest, Summary } from "./manifest";
import { setTheme, theme } from "./theme";

const BADGES: Record<Summary["end"], string> = {
  reached: "\u2713 reached the end",
  interrupted: "\u25ae\u25ae interrupted",
  failed: "\u2717 failed",
  running: "\u25b6 running",
};

export class Header {
  readonly root: HTMLElement;
  private readonly badge = make("span", { role: "status" });
  private readonly content = make("div");

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
    this.badge.className = `badge badge-${end}`;
    if (this.badge.textContent !== BADGES[end]) this.badge.textContent = BADGES[end]; // it is read out when it changes
    this.content.replaceChildren(figures(manifest), ...notices(manifest));
  }
}

function figures({ summary, samples }: Manifest): HTMLElement {
  const time = formatNumber(summary.t) + (summary.t === summary.t_end ? "" : ` of ${formatNumber(summary.t_end)}`);
  const list: [string, string][] = [
    ["scheme", summary.scheme],
    ["settings", summary.settings],
    ["step", formatNumber(summary.step)],
    ["t", time],
    ["steps", formatCount(summary.steps)],
    ["samples", formatCount(samples)],
    ["impacts", formatCount(summary.impacts)],
    ["events", summary.events > 0 ? formatCount(summary.events) : ""],
    ["steps with switches", formatCount(summary.switches)],
    ["worst residual", formatNumber(summary.worst_residual, 3)],
    ["time", formatSeconds(summary.seconds)],
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
