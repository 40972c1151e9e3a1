// The identity of the run that a page was built from: by now its file may hold another run.

export function runParameter(run: string): string {
  return run ? `&run=${encodeURIComponent(run)}` : "";
}

export const OTHER_RUN = 409; // status of an answer

let reloading = false;

// Never answers: a request for data of the run that is gone must neither report an error nor be repeated until the new
// page is there.
export function reloadPage(): Promise<never> {
  if (!reloading) location.reload();
  reloading = true;
  return new Promise(() => {});
}
