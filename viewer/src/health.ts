// Solver health: how well and at what cost the steps were solved.
import type { Context } from "./context";
import { make, section } from "./dom";
import { formatCount, formatNumber } from "./format";
import type { Manifest } from "./manifest";
import type { Samples } from "./source";
import { type PlotSpec, TimePlot } from "./timeplot";

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
    if (iterations !== null) add("Iterations a step", { columns: [iterations] });
    if (seconds !== null) {
      const derive = (samples: Samples) => secondsPerSample(samples, context.source.manifest);
      add("Seconds a sample", { columns: [seconds], names: ["seconds a sample"], derive });
    }
    this.root = section("health", "Solver health", this.sentence, grid);
    this.tell();
  }

  update(): void {
    this.tell();
    this.plots.forEach((plot) => plot.update());
  }

  private tell(): void {
    const { unsolved, retried, worst_residual, end } = this.context.source.manifest.summary;
    const count = (number: number, text: string) => `${formatCount(number)} step${number === 1 ? "" : "s"} ${text}`;
    const parts = [
      unsolved > 0 ? count(unsolved, "taken though not solved") : "no step was taken unsolved",
      retried > 0 ? count(retried, "divided to be solved") : "none had to be divided",
      `the worst residual is ${formatNumber(worst_residual, 3)}`,
    ];
    const failure = end === "failed" ? " The last step could not be solved." : "";
    const text = parts.join("; ");
    this.sentence.textContent = `${text[0].toUpperCase()}${text.slice(1)}.${failure}`;
    this.sentence.classList.toggle("bad", unsolved > 0 || end === "failed");
  }
}

function plotHeight(width: number): number {
  return Math.round(Math.min(Math.max(0.25 * width, 140), 240));
}

// Of thinned samples the time since the one before is that of several: the mean of one is drawn.
function secondsPerSample({ t, values, complete }: Samples, manifest: Manifest): Float64Array[] {
  const [seconds] = values;
  if (!seconds) return [];
  const spacing = (manifest.t_last - manifest.t_first) / Math.max(manifest.samples - 1, 1);
  const samplesBefore = (i: number) => (complete ? 1 : (t[i] - t[i - 1]) / spacing);
  return [seconds.map((value, i) => (i === 0 ? NaN : (value - seconds[i - 1]) / samplesBefore(i)))];
}
