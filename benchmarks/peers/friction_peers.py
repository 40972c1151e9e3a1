"""friction_peers.py DIRECTORY DOCUMENT [--all]: times Siconos on the problems which peer_friction wrote to DIRECTORY,
writes the table of ratios with the times of Saltus between the markers of DOCUMENT, and all numbers to
DIRECTORY/friction_peers.json. Each problem is given to the solvers that friction_shortlist.json names for it; with
--all to every solver of Siconos (hours), after which the shortlist is rewritten."""

import collections
import json
import pathlib
import sys

import harness
from harness import best_of, duration, markdown, peer_text, succeeded
from siconos_friction import SOLVERS, FrictionFile, FrictionTrial

SHORTLIST = pathlib.Path(__file__).with_name("friction_shortlist.json")
LISTED = 3  # solvers per problem on the shortlist
SPHERES = ("settled", "scattered")  # groups of problems
ROBUST = 12  # solvers tried on assemblies of spheres where none solved a smaller one


def time_limit(row):
    """Seconds that a solver may take."""
    return min(max(2.0, 0.02 * row["contacts"]), 20.0) if row["group"] in SPHERES else 30.0


class Candidates:
    """Which solvers to try on a problem, in which order: those that won most often first, so that the others can be
    stopped early. Among assemblies of spheres with the same friction only the smallest is given to all, a larger one to
    those which took less than 20 times the best, or, where none solved it, to those that won most often so far."""

    def __init__(self, shortlist):
        self.shortlist, self.wins, self.fast = shortlist, collections.Counter(), {}

    def of(self, row, file):
        pairs = [(kind, solver) for kind in file.kinds(row["given_as_global"]) for solver in SOLVERS[kind]]
        if self.shortlist is not None:
            names = self.shortlist[row["group"] if row["group"] in SPHERES else row["name"]]
            return [pair for pair in pairs if pair[1].name in names]
        pairs.sort(key=lambda pair: -self.wins[pair[1].name])
        fast = self.fast.get(self.family(row))
        if fast is None:
            return pairs
        return [pair for pair in pairs if pair[1].name in fast] if fast else pairs[:ROBUST]

    def learn(self, row):
        ranking = sorted(succeeded(row["siconos"]), key=lambda result: result["seconds"])
        for place, result in enumerate(ranking[:5]):
            self.wins[result["solver"]] += 5 - place
        if row["group"] in SPHERES:
            self.fast[self.family(row)] = {result["solver"] for result in ranking
                                           if result["seconds"] < 20.0 * ranking[0]["seconds"]}

    @staticmethod
    def family(row):
        return (row["group"], row["name"].split("_mu")[-1]) if row["group"] in SPHERES else row["name"]


def time_siconos(row, directory, candidates):
    """Adds "siconos", a list of results, to the row. Every solver has a little time, then those which needed more have
    more of it, up to the time limit; but none more than twice that of the best so far."""
    file = FrictionFile(directory / row["local"], directory / row["global"] if "global" in row else None)
    results, waiting = {}, candidates.of(row, file)
    for stage in (0.01, 0.1, 1.0):
        late = []
        for kind, solver in waiting:
            best = best_of(results.values())
            seconds = best["seconds"] if best else float("inf")
            limit = min(stage * time_limit(row), 2.0 * seconds + 0.1)
            result = harness.best_of_processes(FrictionTrial(solver, file, kind), limit, seconds)
            results[solver.name] = result
            if result.get("failed", "").startswith(harness.LATE):
                late.append((kind, solver))
        waiting = late
        best = best_of(results.values())
        if best and 2.0 * best["seconds"] + 0.1 < stage * time_limit(row):
            break
    row["siconos"] = list(results.values())
    candidates.learn(row)
    print(f"siconos: {row['name']}: {peer_text(best)}", flush=True)


def shortlist_of(rows):
    """The fastest solvers of each problem, by name; for assemblies of spheres those which won most often, for all of a
    group."""
    lists, wins = {}, {group: collections.Counter() for group in SPHERES}
    for row in rows:
        ranking = sorted(succeeded(row["siconos"]), key=lambda result: result["seconds"])
        names = [result["solver"] for result in ranking[:LISTED]]
        if row["group"] in SPHERES:
            wins[row["group"]].update(names)
        else:
            lists[row["name"]] = names
    return lists | {group: [name for name, _ in counter.most_common(LISTED)] for group, counter in wins.items()}


def own_best(row):
    """Auto where there is one, else the best of the solvers."""
    own = row["saltus"]
    if "auto" in own:
        return own["auto"]
    solved = [measured for measured in own.values() if measured["residual"] <= harness.ACCEPTED]
    return min(solved or own.values(), key=lambda measured: measured["seconds"])


def table(rows):
    heads = ["problem", "contacts", "best Siconos", "`Auto`", "ratio", "fastest of ours"]
    lines = []
    for row in rows:
        peer, own = best_of(row["siconos"]), own_best(row)
        solved = {name: measured for name, measured in row["saltus"].items()
                  if measured["residual"] <= harness.ACCEPTED and name != "auto"}
        fastest = min(solved.items(), key=lambda item: item[1]["seconds"], default=None)
        lines.append([row["name"], str(row["contacts"]), peer_text(peer), harness.own_text(own),
                      harness.ratio_text(peer, own),
                      f"{fastest[0]} {duration(fastest[1]['seconds'])}" if fastest else "-"])
    return markdown(heads, lines)


def totals(rows):
    """Totals over the problems that both solve, and how many each solves."""
    pairs = [(best_of(row["siconos"]), own_best(row)) for row in rows]
    solved = [own["residual"] <= harness.ACCEPTED for _, own in pairs]
    both = [(peer["seconds"], own["seconds"]) for (peer, own), ok in zip(pairs, solved) if peer and ok]
    theirs, ours = sum(peer for peer, _ in both), sum(own for _, own in both)
    text = (f"Siconos solves {sum(peer is not None for peer, _ in pairs)} of {len(pairs)}, "
            f"Saltus {sum(solved)}.")
    if both:
        text += (f" Total over the {len(both)} which both solve: Siconos {duration(theirs)} (the best solver of each), "
                 f"Saltus {duration(ours)}, ratio {theirs / ours:.3g}. Slower than Siconos on "
                 f"{sum(own > peer for peer, own in both)}, of which take Siconos over 1 ms: "
                 f"{sum(own > peer > 1e-3 for peer, own in both)}.")
    return text


def section(results):
    parts = [harness.machine_text(results["machine"], results["compiler"])]
    for title, groups in (("Collection", None), ("Settled spheres", ["settled"]), ("Scattered spheres", ["scattered"])):
        rows = [row for row in results["problems"]
                if (row["group"] in groups if groups else row["group"] not in SPHERES)]
        parts += [f"### {title}", totals(rows), table(rows)]
    return "\n\n".join(parts)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--all"]
    if len(arguments) != 2:
        sys.exit("usage: friction_peers.py DIRECTORY DOCUMENT [--all]")
    directory, document = pathlib.Path(arguments[0]), pathlib.Path(arguments[1])
    explores = len(arguments) < len(sys.argv) - 1
    results = json.loads((directory / "saltus_friction.json").read_text()) | {"machine": harness.machine()}
    candidates = Candidates(None if explores else json.loads(SHORTLIST.read_text()))
    for row in results["problems"]:
        time_siconos(row, directory, candidates)
        (directory / "friction_peers.json").write_text(json.dumps(results, indent=1) + "\n")
    if explores:
        SHORTLIST.write_text(json.dumps(shortlist_of(results["problems"]), indent=1) + "\n")
    text = section(results)
    harness.write_between_markers(document, "bench-peers-friction", text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'friction_peers.json'}")


if __name__ == "__main__":
    main()
