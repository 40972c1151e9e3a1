"""first_order_peers.py DIRECTORY DOCUMENT: times Siconos on the circuits which peer_first_order wrote to DIRECTORY,
prints the table of ratios with the times of Saltus, writes it between the markers of DOCUMENT, and all numbers to
DIRECTORY/first_order_peers.json."""

import json
import pathlib
import sys
import time

import harness
import siconos_first_order
from harness import duration, markdown

STEPS = 20000  # of Siconos, whose time per step does not depend on their number


def time_siconos(circuit):
    end = siconos_first_order.run(circuit, circuit["compared"])[-1]  # and what is loaded at the first use is not timed
    seconds = []
    for _ in range(3):
        start = time.process_time()
        siconos_first_order.run(circuit, STEPS)
        seconds.append((time.process_time() - start) / STEPS)
    n = len(circuit["x0"])
    scale = max(abs(value) for value in circuit["x0"])
    circuit["siconos"] = min(seconds)
    circuit["difference"] = max(abs(a - b) for a, b in zip(end[1:1 + n], circuit["x"])) / scale
    print(f"siconos: {circuit['name']}: {duration(circuit['siconos'])} per step", flush=True)


def table(circuits):
    heads = ["circuit", "Siconos", "every step in memory", "ratio", "in a file", "ratio", "every hundredth", "ratio",
             "difference"]
    lines = []
    for circuit in circuits:
        line = [f"`{circuit['name']}`", duration(circuit["siconos"])]
        for kind in ("memory", "file", "hundredth"):
            own = circuit[kind] / circuit["steps"]
            line += [duration(own), f"{circuit['siconos'] / own:.3g}"]
        lines.append(line + [f"{circuit['difference']:.0e}"])
    return markdown(heads, lines)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: first_order_peers.py DIRECTORY DOCUMENT")
    directory, document = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    results = json.loads((directory / "first_order.json").read_text()) | {"machine": harness.machine()}
    for circuit in results["circuits"]:
        time_siconos(circuit)
    (directory / "first_order_peers.json").write_text(json.dumps(results, indent=1) + "\n")
    text = harness.machine_text(results["machine"], results["compiler"]) + "\n\n" + table(results["circuits"])
    harness.write_between_markers(document, "bench-peers-first-order", text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'first_order_peers.json'}")


if __name__ == "__main__":
    main()
