"""python_peers.py DIRECTORY DOCUMENT PROGRAM: the package saltus against python3-siconos, in turns, and against Saltus
in C++ (PROGRAM is peer_python). Prints the tables, writes them between the markers of DOCUMENT, and all numbers to
DIRECTORY/python_peers.json. Fails if both do not compute the same, or if a step calls Python that should not."""

import inspect
import json
import pathlib
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from types import FrameType, ModuleType
from typing import Any

import numpy as np
import siconos.numerics as siconos

import harness
import saltus as sl
import saltus_simulations
import siconos_simulations
from harness import ACCEPTED, duration, markdown, stopwatch
from siconos_lcp import DenseProblem, make_options, residual

Row = dict[str, Any]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SAME = 1e-11  # largest difference, relative to the largest value of a quantity
NEARLY_SAME = 1e-4  # where the laws differ: see Case
ROUNDS, SHORT, LONG = 7, 1.0, 30.0  # both libraries in turns; more rounds within SHORT seconds, two beyond LONG
TURN = 0.05  # seconds, in which short runs are repeated: the first finds the caches full of the other library
PIVOTING = ("LEMKE", "MURTY", "NEWTON_MIN_FBLSA")  # of Siconos, those that end with the answer up to rounding


def fail_unless(is_right: bool, message: str) -> None:
    if not is_right:
        sys.exit(f"python_peers: {message}")


def python_calls(action: Callable[[], Any], name: str | None = None) -> int:
    """How often Python functions, or those of this name, are called in action()."""
    count = 0

    def see(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call" and name in (None, frame.f_code.co_name)

    sys.setprofile(see)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


# -- the same simulations


@dataclass(frozen=True)
class Case:
    """NAME_model(*of_model), NAME_run(model, *of_run) and, of Saltus, NAME_columns(run), all in both modules.

    From the step `differs_from` on the ball rests below the ground, and may move up while it is pressed down. There
    Siconos applies the restitution, which creates energy, and Saltus does not (docs/theory.md)."""

    title: str
    name: str
    steps: int
    model: str = ""  # if not that of the name
    of_model: tuple[int, ...] = ()
    of_run: tuple[int, ...] = ()
    differs_from: int | None = None
    tutorial: int | None = None  # lines of the example of Siconos in Python, without imports, prints and plots
    called: tuple[str, str] | None = None  # what Saltus and Siconos call in Python


CASES = (
    Case("bouncing ball", "ball", 2000, differs_from=1690, tutorial=47),
    Case("the same, its force a Python function", "ball", 2000, model="called_ball", differs_from=1690,
         called=("weight", "computeFExt")),
    Case("diode bridge", "bridge", 5000, tutorial=63),
    Case("column of 10 beads", "column", 5000, of_model=(10,), of_run=(5000,)),
    Case("column of 100 beads", "column", 1000, of_model=(100,), of_run=(1000,)),
    Case("column of 1000 beads", "column", 500, of_model=(1000,), of_run=(500,)),
)


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    results = []
    return stopwatch(lambda: results.append(action())), results[0]


def functions_of(module: ModuleType, case: Case) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return getattr(module, f"{case.model or case.name}_model"), getattr(module, f"{case.name}_run")


def merge_best(best: dict[str, float], more: dict[str, float]) -> None:
    for name, seconds in more.items():
        best[name] = min(best.get(name, float("inf")), seconds)


def take_turn(module: ModuleType, case: Case, best: Row) -> Any:
    """Lowers the times in `best`; the last result."""
    model, run = functions_of(module, case)
    end = time.monotonic() + TURN
    while True:
        model_seconds, made = timed(lambda: model(*case.of_model))
        run_seconds, result = timed(lambda: run(made, *case.of_run))
        merge_best(best, {"model": model_seconds, "run": run_seconds})
        if time.monotonic() > end:
            return result


def largest_difference(a: np.ndarray, b: np.ndarray) -> float:
    """The difference of two tables, relative to the largest value of a column."""
    return float((abs(a - b).max(axis=0) / np.maximum(abs(b).max(axis=0), 1e-300)).max())


def compare(case: Case, own: sl.Run, peer: np.ndarray) -> Row:
    """The initial row is left out: Siconos has no multipliers before the first step."""
    fail_unless(own.success, f"{case.title}: {own.message}")
    table = getattr(saltus_simulations, f"{case.name}_columns")(own)
    fail_unless(table.shape == peer.shape and len(peer) == case.steps + 1, f"{case.title}: not the same steps")
    same = largest_difference(table[1:case.differs_from], peer[1:case.differs_from])
    all_of_it = largest_difference(table[1:], peer[1:])
    fail_unless(same <= SAME and all_of_it <= NEARLY_SAME, f"{case.title}: they differ by {same:.1e}, {all_of_it:.1e}")
    return {"difference": same, "difference_of_all": all_of_it}


def lines_of(module: ModuleType, case: Case) -> int:
    """Without those that are there because the time of model and run is taken apart."""
    bodies = (inspect.getsource(function).splitlines()[1:] for function in functions_of(module, case))
    lines = (line.strip() for body in bodies for line in body)
    return sum(1 for line in lines if line and not line.startswith(("#", "return ")) and "parts[" not in line)


def is_too_few(rounds: int, seconds: float) -> bool:
    return rounds < 2 or seconds < SHORT or (rounds < ROUNDS and seconds < LONG)


def measure_case(case: Case) -> Row:
    libraries = {"saltus": saltus_simulations, "siconos": siconos_simulations}
    row: Row = {"title": case.title, "steps": case.steps, "tutorial": case.tutorial}
    row |= {name: {"lines": lines_of(module, case)} for name, module in libraries.items()}
    start, rounds = time.monotonic(), 0
    while is_too_few(rounds, time.monotonic() - start):
        rounds += 1
        results = {name: take_turn(module, case, row[name]) for name, module in libraries.items()}
    row |= compare(case, results["saltus"], results["siconos"]) | {"rounds": rounds}
    if case.called:
        row["calls"] = [calls_of(name, module, case) / case.steps
                        for name, module in zip(case.called, libraries.values(), strict=True)]
    row["ratio"] = sum_of(row["siconos"]) / sum_of(row["saltus"])
    print(f"{case.title}: ratio {row['ratio']:.3g}, difference {row['difference']:.0e}", flush=True)
    return row


def calls_of(name: str, module: ModuleType, case: Case) -> int:
    """How often a run calls the Python function of this name."""
    model, run = functions_of(module, case)
    made = model(*case.of_model)
    return python_calls(lambda: run(made, *case.of_run), name)


def sum_of(times: Row) -> float:
    return times["model"] + times["run"]


def calls_text(rows: Iterable[Row]) -> str:
    own, peer = next(row["calls"] for row in rows if "calls" in row)
    return f"The force that is a Python function is called {own:.3g} times per step by Saltus, {peer:.3g} by Siconos."


def simulation_table(rows: Iterable[Row]) -> str:
    lines = []
    for row in rows:
        own, peer = row["saltus"], row["siconos"]
        later = "" if row["difference_of_all"] <= SAME else f", {row['difference_of_all']:.0e} at rest"
        lines.append([row["title"], str(row["steps"]), duration(own["model"]), duration(own["run"]),
                      duration(own["run"] / row["steps"]), duration(peer["model"]), duration(peer["run"]),
                      duration(peer["run"] / row["steps"]), f"{row['ratio']:.3g}", f"{row['difference']:.0e}{later}",
                      str(own["lines"]), str(peer["lines"]), str(row["tutorial"] or "")])
    heads = ["simulation", "steps", "Saltus: model", "run", "per step", "Siconos: model", "run", "per step", "ratio",
             "difference", "lines: Saltus", "Siconos", "its tutorial"]
    return markdown(heads, lines)


# -- what Python adds to C++


def measured_in_cpp(program: str, directory: pathlib.Path) -> Row:
    subprocess.run([program, str(directory)], check=True)
    return json.loads((directory / "python.json").read_text())


def best_in_turns(calls: dict[str, Callable[[], Any]], seconds: float = 0.1) -> dict[str, float]:
    """Seconds of one call, the best of many measurements, each of a fifth of a millisecond or one call."""
    timers = {name: timeit.Timer(call) for name, call in calls.items()}
    numbers = {name: 1 + int(200e-6 / timer.timeit(1)) for name, timer in timers.items()}
    best = dict.fromkeys(calls, float("inf"))
    end = time.monotonic() + seconds * len(calls)
    while time.monotonic() < end:
        for name, timer in timers.items():
            best[name] = min(best[name], timer.timeit(numbers[name]) / numbers[name])
    return best


class SmallProblem:
    """An LCP that peer_python wrote, and the ways to solve it in Python."""

    def __init__(self, path: pathlib.Path) -> None:
        self.problem = DenseProblem(path)
        self.M, self.q = np.ascontiguousarray(self.problem.M), self.problem.q
        self.by_columns = np.asfortranarray(self.M)  # as Siconos wants it
        self.object = sl.Lcp(self.M, self.q)
        self.lcp = siconos.LCP(self.by_columns, self.q)
        self.options = {name: make_options(name, ACCEPTED) for name in PIVOTING}
        self.z, self.w = np.zeros(self.q.size), np.zeros(self.q.size)

    def siconos_from_arrays(self) -> np.ndarray:
        z, w = np.zeros(self.q.size), np.zeros(self.q.size)
        options = siconos.SolverOptions(siconos.SICONOS_LCP_LEMKE)
        siconos.linearComplementarity_driver(siconos.LCP(self.by_columns, self.q), z, w, options)
        return z

    def siconos_prepared(self, solver: str) -> np.ndarray:
        self.z.fill(0.0)
        siconos.linearComplementarity_driver(self.lcp, self.z, self.w, self.options[solver])
        return self.z

    def calls(self) -> dict[str, Callable[[], Any]]:
        own = {"solve_lcp": lambda: sl.solve_lcp(self.M, self.q).z, "Lcp.solve": lambda: self.object.solve().z,
               "arrays": self.siconos_from_arrays}
        return own | {solver: partial(self.siconos_prepared, solver) for solver in PIVOTING}

    def verified_calls(self) -> dict[str, Callable[[], Any]]:
        """Without the solvers of Siconos that do not solve it."""
        calls = self.calls()
        wrong = [name for name, call in calls.items() if not residual(self.problem, call()) <= ACCEPTED]
        fail_unless(not {"solve_lcp", "Lcp.solve", "arrays"} & set(wrong), f"LCP: not solved by {', '.join(wrong)}")
        return {name: call for name, call in calls.items() if name not in wrong}


def time_example(run: Row) -> tuple[float, sl.Run]:
    model = sl.load_model(EXAMPLES / f"{run['name']}.toml")
    return timed(lambda: sl.simulate(model, t_end=run["t_end"], progress=False))


def measure_overheads(program: str, directory: pathlib.Path, rounds: int = 3) -> Row:
    """LCPs and runs of model files, in turns with the same in C++."""
    for round_number in range(rounds):
        cpp = measured_in_cpp(program, directory)
        if round_number == 0:
            result = {"compiler": cpp["compiler"], "lcps": [], "runs": cpp["runs"]}
            problems = [SmallProblem(directory / lcp["file"]) for lcp in cpp["lcps"]]
            result["lcps"] = [{"n": lcp["n"], "cpp": lcp["seconds"], "best": {}} for lcp in cpp["lcps"]]
        for row, lcp, problem in zip(result["lcps"], cpp["lcps"], problems, strict=True):
            row["cpp"] = min(row["cpp"], lcp["seconds"])
            merge_best(row["best"], best_in_turns(problem.verified_calls()))
        for row, run in zip(result["runs"], cpp["runs"], strict=True):
            seconds, own = time_example(row)
            row["seconds"] = min(row["seconds"], run["seconds"])
            row["python"] = min(row.get("python", float("inf")), seconds)
            row["difference"] = difference_from_cpp(row, own)
    return result


def difference_from_cpp(row: Row, own: sl.Run) -> float:
    fail_unless(own.success and len(own) == row["steps"] + 1, f"{row['name']}: {own.message}")
    fail_unless(own.channels == row["channels"], f"{row['name']}: the channels differ from those in C++")
    end = np.array([own[name][-1] for name in own.channels])
    difference = float(abs(end - row["end"]).max() / abs(np.array(row["end"])).max())
    fail_unless(difference <= SAME, f"{row['name']}: differs from C++ by {difference:.1e}")
    return difference


def lcp_table(rows: Iterable[Row]) -> str:
    lines = []
    for row in rows:
        best = row["best"]
        solver = min((name for name in PIVOTING if name in best), key=lambda name: best[name])
        lines.append([str(row["n"]), duration(row["cpp"]), duration(best["solve_lcp"]),
                      duration(max(best["solve_lcp"] - row["cpp"], 0.0)), duration(best["Lcp.solve"]),
                      duration(max(best["Lcp.solve"] - row["cpp"], 0.0)), duration(best["arrays"]),
                      f"{best['arrays'] / best['solve_lcp']:.3g}", f"{solver} {duration(best[solver])}",
                      f"{best[solver] / best['Lcp.solve']:.3g}"])
    heads = ["n", "C++", "`solve_lcp(M, q)`", "over C++", "`Lcp.solve()`", "over C++", "Siconos from M, q", "ratio",
             "best Siconos, prepared", "ratio to `Lcp.solve()`"]
    return markdown(heads, lines)


def run_table(rows: Iterable[Row]) -> str:
    lines = [[f"`{row['name']}`", str(row["steps"]), duration(row["seconds"] / row["steps"]),
              duration(row["python"] / row["steps"]), f"{row['python'] / row['seconds']:.2f}",
              f"{row['difference']:.0e}"] for row in rows]
    return markdown(["model file", "steps", "C++, per step", "Python, per step", "Python / C++", "difference"], lines)


# -- functions of a model


def drag(v: Any) -> Any:
    return -9.81 - 0.05 * v * abs(v)


def drag_jacobian(v: Any) -> Any:
    return [[-0.1 * abs(v[0])]]


# What is written, how, whether a step calls Python.
FORCES: tuple[tuple[str, str, Row, bool], ...] = (
    ("linear drag", "numbers and a matrix", {"force": [-9.81], "damping": [[0.05]]}, False),
    ("linear drag", "expression", {"force": [-9.81 - 0.05 * sl.v[0]]}, False),
    ("quadratic drag", "text", {"force": ["-9.81 - 0.05*v[0]*abs(v[0])"]}, False),
    ("quadratic drag", "expression", {"force": [-9.81 - 0.05 * sl.v[0] * abs(sl.v[0])]}, False),
    ("quadratic drag", "traced function", {"force": sl.traced(drag)}, False),
    ("quadratic drag", "Python function", {"force": drag}, True),
    ("quadratic drag", "Python function with its Jacobian", {"force": sl.Function(drag, jacobian=drag_jacobian)}, True),
)
FORCE_STEPS = 10000


def ball_with(entries: Row) -> sl.Simulation:
    model = sl.Model()
    ball = model.lagrangian("ball", mass=1.0, q=[1.0], **entries)
    model.contact("ground", ball, gap=ball.q[0], law=sl.NewtonImpact(restitution=0.9))
    return sl.Simulation(model, step=1e-3)


def calls_per_step(entries: Row) -> float:
    simulation = ball_with(entries)
    of_one = python_calls(lambda: simulation.step(1))
    return (python_calls(lambda: simulation.step(FORCE_STEPS + 1)) - of_one) / FORCE_STEPS


def measure_forces() -> list[Row]:
    rows = [{"force": force, "form": form, "calls": calls_per_step(entries), "seconds": float("inf")}
            for force, form, entries, _ in FORCES]
    ends: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for row, (force, form, entries, _) in zip(rows, FORCES, strict=True):
            simulation = ball_with(entries)
            row["seconds"] = min(row["seconds"], stopwatch(lambda: simulation.step(FORCE_STEPS)) / FORCE_STEPS)
            end = [simulation["ball.q[0]"], simulation["ball.v[0]"]]
            fail_unless(np.allclose(end, ends.setdefault(force, end), rtol=0.0, atol=1e-9), f"{force}, {form}: {end}")
    for row, (_, _, _, is_called) in zip(rows, FORCES, strict=True):
        fail_unless((row["calls"] > 0.0) == is_called, f"{row['form']}: {row['calls']} calls of Python per step")
    return rows


def force_table(rows: list[Row]) -> str:
    bases = {row["force"]: row["seconds"] for row in reversed(rows) if row["calls"] == 0.0}
    lines = []
    for row in rows:
        call = duration((row["seconds"] - bases[row["force"]]) / row["calls"]) if row["calls"] else ""
        lines.append([row["force"], row["form"], duration(row["seconds"]), f"{row['calls']:.3g}", call])
    return markdown(["force", "written as", "per step", "calls of Python per step", "per call"], lines)


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit("usage: python_peers.py DIRECTORY DOCUMENT PROGRAM")
    directory, document, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    directory.mkdir(parents=True, exist_ok=True)
    results = {"simulations": [measure_case(case) for case in CASES], "forces": measure_forces()}
    results |= measure_overheads(program, directory)
    results |= best_in_turns({"bare_call": partial(drag, np.zeros(1))}) | {"machine": harness.machine()}
    (directory / "python_peers.json").write_text(json.dumps(results, indent=1) + "\n")
    text = "\n\n".join([
        harness.machine_text(results["machine"], results["compiler"]),
        "### Simulations", simulation_table(results["simulations"]), calls_text(results["simulations"]),
        "### Small solvers", lcp_table(results["lcps"]),
        "### Model files in C++ and in Python", run_table(results["runs"]),
        "### Functions of a model", force_table(results["forces"]),
        f"The Python function alone, called from Python, takes {duration(results['bare_call'])}."])
    harness.write_between_markers(document, "bench-peers-python", text)
    print(f"\n{text}\n\nWritten to {document}; all numbers in {directory / 'python_peers.json'}")


if __name__ == "__main__":
    main()
