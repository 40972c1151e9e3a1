// Fewer pixels while playing if the machine does not keep up.

const budget = 31; // ms: 30 pictures a second, with some room
const judged = 20; // pictures
const coarsest = 0.5; // pixels drawn for a pixel of the page

export class Quality {
  private playingRatio: number;
  private elapsed = 0;
  private pictures = 0;

  constructor(private readonly finest: number) {
    this.playingRatio = finest;
  }

  // Each time one plays: what made it slow may have gone.
  restart(): void {
    this.playingRatio = this.finest;
    this.elapsed = this.pictures = 0;
  }

  ratio(playing: boolean): number {
    return playing ? this.playingRatio : this.finest;
  }

  note(milliseconds: number): void {
    this.elapsed += milliseconds;
    if (++this.pictures < judged) return;
    if (this.elapsed > budget * judged) this.playingRatio = Math.max(coarsest, 0.75 * this.playingRatio);
    this.elapsed = this.pictures = 0;
  }
}
