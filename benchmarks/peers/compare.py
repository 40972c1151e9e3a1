"""compare.py DIRECTORY DOCUMENT: times Siconos on the problems which peer_lcp wrote to DIRECTORY, prints the table of
ratios with the times of Saltus, writes it between the markers of DOCUMENT, and all numbers to DIRECTORY/peers.json."""

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import siconos_times
from siconos_times import EXACT, ITERATIVE, SPARSE, DenseProblem, SparseProblem, time_solver

BEGIN, END = "<!-- bench-peers: begin -->", "<!-- bench-peers: end -->"
CLASSES = {"well-conditioned": "symmetric, well conditioned: M = A A' + n I",
           "harder": "symmetric, harder: M = A A' / n + I / 100",
           "unsymmetric": "not symmetric: M = A A' / n + I / 100 + (S - S') / sqrt(n)"}


def succeeded(results):
    return [result for result in results if "failed" not in result]


def best_of(results, names):
    return min((result for result in succeeded(results) if result["solver"] in names),
               key=lambda result: result["seconds"], default=None)


def is_hopeless(result, best):
    """Whether a solver need not be tried at larger n: it crashed, had no time, or took 10 times the best of its kind.
    Lemke is compared with ours at every size."""
    return result["solver"] != "LEMKE" and ("seconds" not in result or
                                            (best is not None and result["seconds"] > 10.0 * best["seconds"]))


def time_dense(directory, rows):
    """Adds "siconos", a list of results, to each row; the rows are sorted by class, then by n."""
    hopeless = {}
    for row in rows:
        problem = DenseProblem(directory / row["file"])
        dropped = hopeless.setdefault(row["class"], set())
        row["siconos"] = [time_solver(name, problem) for name in EXACT + ITERATIVE if name not in dropped]
        for names in (EXACT, ITERATIVE):
            best = best_of(row["siconos"], names)
            kind = [result for result in row["siconos"] if result["solver"] in names]
            # A slow start at small n says nothing of large n; that a solver is missing does.
            dropped |= {result["solver"] for result in kind if is_hopeless(result, best if row["n"] >= 100 else None)}
        best = best_of(row["siconos"], EXACT + ITERATIVE)
        print(f"siconos: {row['class']}, n = {row['n']}: {best['solver']} {duration(best['seconds'])}", flush=True)


def time_obstacle(directory, rows):
    for row in rows:
        problem = SparseProblem(directory / row["file"], row["side"]**2)
        row["siconos"] = [time_solver(name, problem) for name in SPARSE]
        print(f"siconos: obstacle, {row['side']} x {row['side']}: {peer_text(best_of(row['siconos'], SPARSE))}",
              flush=True)


def duration(seconds):
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def peer_text(result):
    return f"{result['solver']} {duration(result['seconds'])}" if result else "none"


def own_text(measured):
    return duration(measured["seconds"]) if measured["residual"] <= siconos_times.ACCEPTED else "not solved"


def ratio_text(peer, own):
    if peer is None or own["residual"] > siconos_times.ACCEPTED:
        return "-"
    return f"{peer['seconds'] / own['seconds']:.3g}"


def markdown(heads, rows):
    lines = [heads, ["---:"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def dense_table(rows):
    heads = ["n", "best Siconos", "best exact Siconos", "`Auto` cold", "ratio", "`Auto` warm", "ratio",
             "Siconos Lemke", "`Lemke`", "ratio"]
    lines = []
    for row in rows:
        best, exact = best_of(row["siconos"], EXACT + ITERATIVE), best_of(row["siconos"], EXACT)
        lemke = best_of(row["siconos"], ["LEMKE"])
        cold, warm, own_lemke = row["auto_cold"], row["auto_warm"], row["lemke_cold"]
        lines.append([str(row["n"]), peer_text(best), peer_text(exact), own_text(cold), ratio_text(best, cold),
                      own_text(warm), ratio_text(best, warm), duration(lemke["seconds"]) if lemke else "none",
                      own_text(own_lemke), ratio_text(lemke, own_lemke)])
    return markdown(heads, lines)


def small_table(rows):
    sizes = sorted({row["n"] for row in rows})
    lines = []
    for name in CLASSES:
        times = {row["n"]: own_text(row["auto_warm"]) for row in rows if row["class"] == name}
        lines.append([name] + [times[n] for n in sizes])
    return markdown(["`Auto` warm"] + [f"n = {n}" for n in sizes], lines)


def obstacle_table(rows):
    lines = []
    for row in rows:
        best = best_of(row["siconos"], SPARSE)
        failures = "; ".join(f"{result['solver']}: {result['failed']}" for result in row["siconos"]
                             if "failed" in result)
        lines.append([f"{row['side']} x {row['side']}", peer_text(best) if best else failures,
                      f"{row['saltus']['solver']} {own_text(row['saltus'])}", ratio_text(best, row["saltus"])])
    return markdown(["grid", "best Siconos", "Saltus", "ratio"], lines)


def processor():
    with open("/proc/cpuinfo") as information:
        found = re.search(r"model name\s*:\s*(.*)", information.read())
    return found.group(1) if found else platform.processor()


def package_version(name):
    return subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", name],
                          capture_output=True, text=True, check=True).stdout


def machine():
    return {"processor": processor(), "system": platform.platform(), "date": datetime.date.today().isoformat(),
            "siconos": package_version("python3-siconos"), "eigen": package_version("libeigen3-dev"),
            "blas": siconos_times.blas_in_use(),
            "processors": os.cpu_count(), "load": os.getloadavg()[2]}


def load_text(on):
    """Says so where others had the processors too: the load of the last quarter of an hour includes this run."""
    if on["load"] <= on["processors"]:
        return ""
    return f"The machine was busy (load average {on['load']:.1f} on {on['processors']} processors): provisional. "


def failures_text(rows):
    """Which sizes each solver failed at, one line a solver; the reasons are in the raw numbers."""
    failed = {}
    for row in rows:
        for result in row["siconos"]:
            if "failed" in result:
                failed.setdefault(result["solver"], {}).setdefault(row["class"], []).append(str(row["n"]))
    return "\n".join(
        f"- {solver}: " + "; ".join(f"{name}, n = {', '.join(sizes)}" for name, sizes in where.items())
        for solver, where in sorted(failed.items()))


def section(results):
    on = results["machine"]
    parts = [
        f"Measured on {on['date']}: {on['processor']}, one thread, {results['compiler']} with `-O3 -march=native`, "
        f"Eigen {on['eigen']}; Siconos {on['siconos']} with {on['blas']}. {load_text(on)}"
        "A ratio is the time of Siconos over the time of Saltus: above 1, Saltus is faster."]
    for name, title in CLASSES.items():
        parts += [f"### Dense, {title}", dense_table([row for row in results["dense"] if row["class"] == name])]
    parts += ["### A few unknowns", small_table(results["small"]),
              "### Obstacle problem, sparse", obstacle_table(results["obstacle"]),
              "### Siconos solvers that did not reach 1e-8", failures_text(results["dense"]) or "None."]
    return "\n\n".join(parts)


def write_between_markers(document, text):
    content = document.read_text()
    if content.count(BEGIN) != 1 or content.count(END) != 1:
        sys.exit(f"{document}: expected the markers {BEGIN} and {END} once each")
    before, rest = content.split(BEGIN)
    document.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: compare.py DIRECTORY DOCUMENT")
    directory, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    results = json.loads((directory / "saltus.json").read_text()) | {"machine": machine()}
    time_dense(directory, results["dense"])
    time_obstacle(directory, results["obstacle"])
    (directory / "peers.json").write_text(json.dumps(results, indent=1) + "\n")
    text = section(results)
    write_between_markers(document, text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'peers.json'}")


if __name__ == "__main__":
    main()
