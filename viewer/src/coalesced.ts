// Calls while `work` waits or runs are answered by one more run: the last state wins, and a slow source is never asked
// for two things at once by the same reader.
export function coalesced(work: () => Promise<void>, pauseMilliseconds: number): () => Promise<void> {
  let running = false;
  let wanted = false;
  return async () => {
    wanted = true;
    if (running) return;
    running = true;
    try {
      while (wanted) {
        await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
        wanted = false;
        await work();
      }
    } finally {
      running = false;
    }
  };
}
