// Bundles src/ into one page, dist/page.html, of which the command is built: it fills in the title and the data. Same
// sources, same bytes: the versions of all tools are in package-lock.json, and a test compares.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const outdir = process.argv[2] ?? "dist";

const { outputFiles } = await build({
  entryPoints: { viewer: "src/main.ts" },
  bundle: true,
  minify: true,
  charset: "utf8",
  legalComments: "none",
  target: ["chrome110", "firefox115", "safari16.4"],
  format: "iife",
  outdir,
  loader: { ".css": "css" },
  write: false,
});
const textOf = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;
const script = textOf(".js");
const style = textOf(".css");
if (/<\/script|<!--/i.test(script)) throw new Error("the script holds what would end its element");

// Only this script and this style run in the page, whatever the texts of a result contain.
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy =
  `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; ` +
  "connect-src 'self'; base-uri 'none'; form-action 'none'";

const page = (await readFile("src/page.html", "utf8"))
  .replace("saltus:csp", () => policy)
  .replace("<!--saltus:style-->", () => style)
  .replace("<!--saltus:script-->", () => script);
await mkdir(outdir, { recursive: true });
await writeFile(`${outdir}/page.html`, page);
