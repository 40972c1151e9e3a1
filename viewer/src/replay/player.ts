// The time that is shown, and how it passes.
import { countUpTo } from "../search";

export interface Place {
  index: number; // of the last frame that is not later
  blend: number; // 0 at this frame, 1 at the next one
}

export function placeAt(times: Float64Array, t: number): Place {
  const index = Math.max(0, countUpTo(times, t) - 1);
  const span = times[index + 1] - times[index];
  return { index, blend: span > 0 ? Math.max(0, (t - times[index]) / span) : 0 };
}

// 1, 2, 5, 10, ...: the one that is nearest in proportion.
function roundSpeed(speed: number): number {
  const decade = 10 ** Math.floor(Math.log10(speed));
  const distance = (step: number) => Math.abs(Math.log(speed / (step * decade)));
  const step = [1, 2, 5, 10].reduce((best, other) => (distance(other) < distance(best) ? other : best));
  return Number((step * decade).toPrecision(1));
}

// Real time if that takes between 3 and 30 seconds, otherwise a speed at which the run takes about 10 seconds.
export function naturalSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= 3 && duration <= 30)) return 1;
  return roundSpeed(duration / 10);
}

// 0.01, 0.02, 0.05, ... 10, and further if the natural speed is beyond.
export function speedChoices(natural: number): number[] {
  const low = Math.min(0.01, natural);
  const high = Math.max(10, natural);
  const choices: number[] = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); ++exponent)
    for (const step of [1, 2, 5]) choices.push(Number(`${step}e${exponent}`));
  return choices.filter((speed) => speed >= 0.999 * low && speed <= 1.001 * high);
}

export class Player {
  t: number;
  playing = false;
  loop = false;
  speed = 1;

  constructor(private times: Float64Array) {
    this.t = this.first;
  }

  get first(): number {
    return this.times[0] ?? 0;
  }

  get last(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  get place(): Place {
    return placeAt(this.times, this.t);
  }

  // If the end of a run that is being computed is shown, its end remains shown.
  setTimes(times: Float64Array): void {
    const atEnd = this.times.length > 0 && this.t >= this.last;
    this.times = times;
    this.seek(atEnd && !this.playing ? this.last : this.t);
  }

  seek(t: number): void {
    if (!Number.isNaN(t)) this.t = Math.min(this.last, Math.max(this.first, t));
  }

  play(): void {
    if (this.t >= this.last) this.t = this.first;
    this.playing = this.last > this.first;
  }

  advance(seconds: number): void {
    const t = this.t + seconds * this.speed;
    if (t < this.last) this.t = t;
    else if (this.loop) this.t = this.first + ((t - this.first) % (this.last - this.first));
    else {
      this.t = this.last;
      this.playing = false;
    }
  }

  // To the next or previous frame that has another time.
  step(direction: 1 | -1): void {
    this.playing = false;
    let k = this.place.index;
    while (this.times[k] !== undefined && direction * (this.times[k] - this.t) <= 0) k += direction;
    this.seek(this.times[k] ?? this.t);
  }
}
