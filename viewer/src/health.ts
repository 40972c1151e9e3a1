// Solver health: how well and at what cost the steps were solved.
import type { Context } from "./context";
import { make, section } from "./dom";
import { formatCount, formatNumber } from "./format";
import type { Manifest, Summary } from "./manifest";
import type { Samples } from "./source";
import { type PlotSpec, TimePlot } from "./timeplot";

const LEAST_EVEN = 0.9; // of the samples; of uneven ones a fifth looks even by chance

export class HealthSection {
  readonly root: HTMLElement;
  private readonly sentence = make("p", { class: "health-sentence" });
  private readonly plots: TimePlot[] = [];

  constructor(private readonly context: Context) {
    const { residual, iterations, seconds } = context.source.manifest.health;
    const grid = make("div", { class: "grid health-grid" });
    const add = (title: string, spec: Partial<PlotSpec> & { columns: number[] }) => {
      const plot = new TimePlot(context, { logarithmic: false, label: title, height: plotHeight, ...spec });
      this.plots.push(plot);
      grid.append(make("article", { class: "card" }, make("header", {}, make("h3", {}, title)), plot.root));
    };
    add("Residual", { columns: [residual], logarithmic: true });
    if (iterations !== null) add("Iterations per step", { columns: [iterations] });
    if (seconds !== null) {
      const derive = (samples: Samples) => secondsPerSample(samples, context.source.manifest);
      const empty = (samples: Samples) => secondsUnknown(samples, context.source.manifest);
      add("Seconds per sample", { columns: [seconds], names: ["seconds per sample"], derive, empty });
    }
    this.root = section("health", "Solver health", this.sentence, grid);
    this.tell();
  }

  update(): void {
    this.tell();
    this.plots.forEach((plot) => plot.update());
  }

  private tell(): void {
    const { manifest } = this.context.source;
    const { unsolved, end } = manifest.summary;
    const failure = end === "failed" ? " The last step could not be solved." : "";
    const text = (end === "running" ? [unsolvedSoFar(manifest)] : solved(manifest.summary)).join("; ");
    this.sentence.textContent = `${text[0].toUpperCase()}${text.slice(1)}.${failure}`;
    this.sentence.classList.toggle("bad", unsolved > 0 || end === "failed");
  }
}

function steps(number: number, text: string): string {
  return `${formatCount(number)} step${number === 1 ? "" : "s"} ${text}`;
}

function unsolvedText({ unsolved }: Summary): string {
  return unsolved > 0 ? steps(unsolved, "taken though not solved") : "no step was taken unsolved";
}

// The rest is known at the end only.
function unsolvedSoFar({ summary, live }: Manifest): string {
  return `${unsolvedText(summary)} ${live ? "so far" : "in what was written"}`;
}

function solved(summary: Summary): string[] {
  const { retried, worst_residual } = summary;
  return [
    unsolvedText(summary),
    ...(retried === null ? [] : [retried > 0 ? steps(retried, "divided to be solved") : "none had to be divided"]),
    `the worst residual is ${formatNumber(worst_residual, 3)}`,
  ];
}

function plotHeight(width: number): number {
  return Math.round(Math.min(Math.max(0.25 * width, 140), 240));
}

function secondsUnknown({ complete }: Samples, { embedded }: Manifest): string {
  if (complete) return "";
  const remedy = embedded === null ? "zoom in" : "saltus view shows all";
  return `Only a part of the samples is here, and they are not even in time: ${remedy}.`;
}

// In thinned samples the time since the one before is that of several: the mean of one is drawn.
function secondsPerSample(samples: Samples, manifest: Manifest): Float64Array[] {
  const [seconds] = samples.values;
  if (!seconds) return [];
  const counts = samplesBetween(samples, manifest);
  return [seconds.map((value, i) => (i === 0 ? NaN : (value - seconds[i - 1]) / counts[i]))];
}

// How many samples of the result lie from each one to the one before; NaN where that is not known. Times tell it if the
// run has recorded at even ones: then all but a few, at its end or at events, are whole numbers of spacings apart.
function samplesBetween({ t, complete }: Samples, { t_first, t_last, samples }: Manifest): Float64Array {
  if (complete) return t.map(() => 1);
  const spacing = (t_last - t_first) / Math.max(samples - 1, 1);
  const counts = t.map((time, i) => (i === 0 ? NaN : wholeOrNone((time - t[i - 1]) / spacing)));
  const known = counts.filter((count) => count > 0).length;
  return known >= LEAST_EVEN * (t.length - 1) ? counts : counts.fill(NaN);
}

function wholeOrNone(ratio: number): number {
  const whole = Math.round(ratio);
  return whole > 0 && Math.abs(ratio - whole) < 0.1 ? whole : NaN;
}
