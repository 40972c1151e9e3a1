"""lcp_peers.py DIRECTORY DOCUMENT: times Siconos on the problems which peer_lcp wrote to DIRECTORY, prints the table of
ratios with the times of Saltus, writes it between the markers of DOCUMENT, and all numbers to DIRECTORY/peers.json."""

import json
import pathlib
import sys

import harness
from harness import duration, markdown, own_text, peer_text, ratio_text
from siconos_lcp import EXACT, ITERATIVE, SPARSE, DenseProblem, SparseProblem, time_solver

CLASSES = {"well-conditioned": "symmetric, well conditioned: M = A A' + n I",
           "harder": "symmetric, harder: M = A A' / n + I / 100",
           "unsymmetric": "not symmetric: M = A A' / n + I / 100 + (S - S') / sqrt(n)"}


def best_of(results, names):
    return harness.best_of(result for result in results if result["solver"] in names)


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
            # A slow start at small n says nothing about large n; a missing solver does.
            dropped |= {result["solver"] for result in kind if is_hopeless(result, best if row["n"] >= 100 else None)}
        best = best_of(row["siconos"], EXACT + ITERATIVE)
        print(f"siconos: {row['class']}, n = {row['n']}: {best['solver']} {duration(best['seconds'])}", flush=True)


def time_obstacle(directory, rows):
    for row in rows:
        problem = SparseProblem(directory / row["file"], row["side"]**2)
        row["siconos"] = [time_solver(name, problem) for name in SPARSE]
        print(f"siconos: obstacle, {row['side']} x {row['side']}: {peer_text(best_of(row['siconos'], SPARSE))}",
              flush=True)


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


def failures_text(rows):
    """Which sizes each solver failed at, one line per solver; the reasons are in the raw numbers."""
    failed = {}
    for row in rows:
        for result in row["siconos"]:
            if "failed" in result:
                failed.setdefault(result["solver"], {}).setdefault(row["class"], []).append(str(row["n"]))
    return "\n".join(
        f"- {solver}: " + "; ".join(f"{name}, n = {', '.join(sizes)}" for name, sizes in where.items())
        for solver, where in sorted(failed.items()))


def section(results):
    parts = [harness.machine_text(results["machine"], results["compiler"])]
    for name, title in CLASSES.items():
        parts += [f"### Dense, {title}", dense_table([row for row in results["dense"] if row["class"] == name])]
    parts += ["### A few unknowns", small_table(results["small"]),
              "### Obstacle problem, sparse", obstacle_table(results["obstacle"]),
              "### Siconos solvers that did not reach 1e-8", failures_text(results["dense"]) or "None."]
    return "\n\n".join(parts)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: lcp_peers.py DIRECTORY DOCUMENT")
    directory, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    results = json.loads((directory / "saltus.json").read_text()) | {"machine": harness.machine()}
    time_dense(directory, results["dense"])
    time_obstacle(directory, results["obstacle"])
    (directory / "peers.json").write_text(json.dumps(results, indent=1) + "\n")
    text = section(results)
    harness.write_between_markers(document, "bench-peers", text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'peers.json'}")


if __name__ == "__main__":
    main()
