"""mechanics_peers.py DIRECTORY DOCUMENT PROGRAM: times Siconos (PROGRAM is siconos_mechanics, a loop in C++) on the
systems which peer_mechanics timed, prints the table of ratios, writes it between the markers of DOCUMENT, and all
numbers to DIRECTORY/mechanics_peers.json."""

import json
import pathlib
import subprocess
import sys

import harness
from harness import markdown

# Steps of Siconos, and those before, in which contacts close one by one: the time of a step is that with all of them.
STEPS = {0: 200000, 10: 20000, 100: 500, 1000: 30}
BEFORE = {0: 10, 10: 1000, 100: 1000, 1000: 300}


def time_siconos(program, system):
    beads = system["beads"]
    if beads is None:
        return
    runs = []
    for _ in range(1 if beads == 1000 else 2):
        answer = subprocess.run([program, str(beads), str(STEPS[beads]), str(BEFORE[beads])], check=True, capture_output=True, text=True)
        runs.append(float(answer.stdout.split()[0]) / STEPS[beads])
    system["siconos"] = min(runs)
    print(f"siconos: {system['name']}: {1 / system['siconos']:.4g} steps per second", flush=True)


def table(systems):
    lines = []
    for system in systems:
        own = system["seconds"] / system["steps"]
        line = [system["name"], f"{1 / own:,.3g}"]
        if "siconos" in system:
            line += [f"{1 / system['siconos']:,.3g}", f"{system['siconos'] / own:.3g}"]
        else:
            line += ["", ""]
        lines.append(line)
    return markdown(["system", "Saltus, steps per second", "Siconos", "ratio"], lines)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: mechanics_peers.py DIRECTORY DOCUMENT PROGRAM")
    directory, document, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    results = json.loads((directory / "mechanics.json").read_text()) | {"machine": harness.machine()}
    for system in results["systems"]:
        time_siconos(program, system)
    (directory / "mechanics_peers.json").write_text(json.dumps(results, indent=1) + "\n")
    text = harness.machine_text(results["machine"], results["compiler"]) + "\n\n" + table(results["systems"])
    harness.write_between_markers(document, "bench-peers-mechanics", text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'mechanics_peers.json'}")


if __name__ == "__main__":
    main()
