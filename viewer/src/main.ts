import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { Context } from "./context";
import { make, messageOf } from "./dom";
import { Header, modelText } from "./header";
import { HealthSection } from "./health";
import { handleKeys } from "./keys";
import { MarkLayer } from "./marks";
import { ModesSection } from "./modestrip";
import { openSource } from "./open";
import { PhasesSection } from "./phases";
import { ChannelPicker } from "./picker";
import { PlotsSection } from "./plots";
import { ReplaySection } from "./replaysection";
import type { Source } from "./source";
import { startTheme } from "./theme";
import { TimeBar } from "./timebar";
import { Timeline } from "./timeline";

const POLL_MILLISECONDS = 1000;

interface Part {
  update(): void;
}

async function start(): Promise<void> {
  startTheme();
  const host = document.getElementById("saltus")!;
  try {
    const source = await openSource();
    document.title = `${source.manifest.summary.name} · Saltus`;
    const refresh = await build(host, source);
    if (source.manifest.live) void follow(source, refresh);
  } catch (error) {
    host.replaceChildren(make("p", { class: "notice notice-error", role: "alert" }, messageOf(error)));
  }
}

// Answers what to do when the manifest has changed.
async function build(host: HTMLElement, source: Source): Promise<() => void> {
  const { manifest } = source;
  const timeline = new Timeline(manifest.t_first, manifest.t_last);
  const marks = new MarkLayer(source, timeline);
  const context: Context = { source, timeline, marks, picker: new ChannelPicker(() => source.manifest.columns) };
  const header = new Header(manifest);
  const timebar = new TimeBar(context);
  const plots = new PlotsSection(context);
  const replay = manifest.scene ? new ReplaySection(context, plots) : null;
  const modes = ModesSection.wanted(context) ? [new ModesSection(context)] : [];
  const phases = new PhasesSection(context);
  const health = new HealthSection(context);
  const parts: Part[] = [timebar, plots, ...modes, phases, health];

  const workspace = make("div", { class: replay ? "workspace with-replay" : "workspace" }, plots.root);
  if (replay) workspace.prepend(replay.root);
  const lower = make("div", { class: "lower" }, phases.root, health.root);
  const strips = modes.map((part) => part.root);
  const main = make("main", {}, timebar.root, workspace, ...strips, lower, modelText(manifest));
  host.replaceChildren(header.root, main);
  handleKeys(document, timeline);
  if (replay && manifest.scene) await startReplay(replay, manifest.scene);

  return () => {
    if (!replay && source.manifest.scene) return location.reload(); // the first frames of a run that has just begun
    const { t_first, t_last } = source.manifest;
    timeline.extend(t_first, t_last);
    header.update(source.manifest);
    marks.load();
    parts.forEach((part) => part.update());
    void replay?.update();
  };
}

async function startReplay(replay: ReplaySection, scene: Parameters<ReplaySection["start"]>[0]): Promise<void> {
  try {
    await replay.start(scene);
  } catch (error) {
    replay.root.append(make("p", { class: "notice notice-error" }, messageOf(error)));
  }
}

async function follow(source: Source, refresh: () => void): Promise<void> {
  while (source.manifest.live && source.refresh) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    const { samples, live } = source.manifest;
    const next = await source.refresh().catch(() => null); // the server may answer again
    if (next && (next.samples !== samples || next.live !== live)) refresh();
  }
}

void start();
