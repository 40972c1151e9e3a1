// The command itself, for tests of the pages that it makes. SALTUS names it; the build's release is the default.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const SALTUS = process.env.SALTUS ?? join(ROOT, "build/release/bin/saltus");
export const hasCommand = existsSync(SALTUS);

export const folder = mkdtempSync(join(tmpdir(), "saltus-pages-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const examples = readdirSync(join(ROOT, "examples"))
  .filter((name) => name.endsWith(".toml"))
  .map((name) => name.slice(0, -".toml".length));

export const exampleFile = (name) => join(ROOT, "examples", `${name}.toml`);

// Runs it to its end; of a run that fails the page is there all the same.
export function saltus(...words) {
  try {
    execFileSync(SALTUS, words, { cwd: folder, stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw error;
  }
}

// The address of the page of an example.
export function reportOf(name) {
  saltus("run", exampleFile(name), "--quiet", "--report", "-o", join(folder, `${name}.h5`));
  return pathToFileURL(join(folder, `${name}.html`)).href;
}

// What a test that failed has left running does not keep the others waiting.
const children = new Set();
export const endAll = () => children.forEach((child) => child.kill("SIGKILL"));

// Begins something that runs on until stop().
export function begin(...words) {
  const child = spawn(SALTUS, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const stopped = new Promise((done) => child.on("exit", done));
  children.add(child);
  return {
    output: child.stdout,
    stop: () => {
      child.kill("SIGINT");
      return stopped;
    },
  };
}

// `saltus view` of a file: its address, and how to end it.
export async function beginView(file) {
  const view = begin("view", file, "--no-open");
  for await (const text of view.output) {
    const found = /http:\/\/\S+/.exec(String(text));
    if (found) return { address: found[0], stop: view.stop };
  }
  throw new Error("saltus view ended before it told its address");
}
