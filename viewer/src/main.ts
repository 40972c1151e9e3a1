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
import { reloadPage } from "./run";
import type { Source } from "./source";
import { startTheme } from "./theme";
import { TimeBar } from "./timebar";
import { Timeline } from "./timeline";

const POLL_MILLISECONDS = 1000;
const IDLE_MILLISECONDS = 3000; // while no run is going on
const FAILURES_TOLD = 3; // in a row: one may be of a moment

interface Page {
  header: Header;
  refresh(): void; // the manifest has changed
}

interface Part {
  update(): void;
}

async function start(): Promise<void> {
  startTheme();
  const host = document.getElementById("saltus")!;
  try {
    const source = await openSource();
    document.title = `${source.manifest.summary.name} · Saltus`;
    const page = await build(host, source);
    void watch(source, page);
  } catch (error) {
    host.replaceChildren(make("p", { class: "notice notice-error", role: "alert" }, messageOf(error)));
  }
}

async function build(host: HTMLElement, source: Source): Promise<Page> {
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

  const refresh = () => {
    if (!replay && source.manifest.scene) return void reloadPage(); // the first frames of a run that has just begun
    const { t_first, t_last } = source.manifest;
    timeline.extend(t_first, t_last);
    header.update(source.manifest);
    marks.load();
    parts.forEach((part) => part.update());
    void replay?.update();
  };
  return { header, refresh };
}

async function startReplay(replay: ReplaySection, scene: Parameters<ReplaySection["start"]>[0]): Promise<void> {
  try {
    await replay.start(scene);
  } catch (error) {
    replay.root.append(make("p", { class: "notice notice-error" }, messageOf(error)));
  }
}

async function watch(source: Source, page: Page): Promise<void> {
  const { run } = source.manifest;
  await follow(source, page, run);
  await awaitOtherRun(source, run);
}

async function follow(source: Source, { header, refresh }: Page, run: string): Promise<void> {
  let failures = 0;
  while (source.manifest.live && source.refresh) {
    await pause(POLL_MILLISECONDS);
    const { samples, live } = source.manifest;
    const next = await source.refresh().catch(() => null); // the server may answer again
    failures = next ? 0 : failures + 1;
    header.setConnected(failures < FAILURES_TOLD);
    if (!next) continue;
    if (next.run !== run) return reloadPage();
    if (next.samples !== samples || next.live !== live) refresh();
  }
}

// The next run into the same file is shown without being asked for.
async function awaitOtherRun(source: Source, run: string): Promise<void> {
  while (source.currentRun) {
    await pause(IDLE_MILLISECONDS);
    const current = await source.currentRun().catch(() => run); // the server may answer again
    if (current !== run) return reloadPage();
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

void start();
