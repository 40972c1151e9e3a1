// What `saltus view` answers, of columns in memory: viewer/README.md says how.
import { createServer } from "node:http";
import { pageText } from "./synthetic.mjs";

// `data()` answers { manifest, t, columns, marks } as they are now, or null: then nobody answers. `asked` collects the
// paths.
export async function serve(data) {
  const asked = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    asked.push(request.url);
    const answer = ANSWERS[url.pathname];
    if (!answer) return response.writeHead(404).end("no such path");
    const now = data();
    if (!now) return request.socket.destroy();
    if ((url.searchParams.get("run") ?? now.manifest.run) !== now.manifest.run) {
      return response.writeHead(409).end("the file holds another run");
    }
    response.setHeader("content-type", url.pathname === "/" ? "text/html" : "application/octet-stream");
    response.end(answer(now, url.searchParams));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}

const ANSWERS = {
  "/": () => pageText(),
  "/manifest": ({ manifest }) => JSON.stringify(manifest),
  "/run": ({ manifest, run = manifest.run }) => run,
  "/window": ({ t, columns }, query) => {
    const [from, to, points] = ["from", "to", "points"].map((name) => Number(query.get(name)));
    const first = Math.max(t.findIndex((time) => time >= from) - 1, 0);
    const end = Math.min(t.filter((time) => time <= to).length + 1, t.length);
    const stride = Math.max(1, Math.ceil((end - first) / points));
    const indices = [];
    for (let k = first; k < end; k += stride) indices.push(k);
    const chosen = query.get("columns").split(",").map(Number);
    const wanted = [t, ...chosen.map((k) => columns[k])];
    return rows(indices.length, end - first, wanted.map((row) => indices.map((k) => row[k])));
  },
  "/marks": ({ marks }, query) => {
    const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
    const all = marks[query.get("kind")].filter(([time]) => time >= from && time <= to);
    const list = all.slice(0, 20000);
    return rows(list.length, all.length, (list[0] ?? []).map((_, k) => list.map((mark) => mark[k])));
  },
};

function rows(count, all, values) {
  const header = Buffer.from(new Uint32Array([count, all]).buffer);
  return Buffer.concat([header, ...values.map((row) => Buffer.from(Float64Array.from(row).buffer))]);
}
