"""Ctrl-C during a solve, in a process of its own."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

# Problems without a solution within the tolerance 0, or with very many iterations to it.
SETUP = """
import numpy as np
import saltus as sl
rng = np.random.default_rng(1)
n = 300
A = rng.standard_normal((n, n))
M = A @ A.T / n + np.eye(n)
q = rng.standard_normal(n)
mu = np.full(n // 3, 0.5)
islands = np.block([[M, np.zeros((n, 3))], [np.zeros((3, n)), np.eye(3)]])
string = 2 * np.eye(800) - np.eye(800, k=1) - np.eye(800, k=-1)
never = dict(tolerance=0.0, max_iterations=2**31 - 1)
"""
SOLVES = {
    "gauss-seidel": "sl.solve_lcp(string, -np.ones(800), solver='pgs', **never)",
    "enumeration": "sl.solve_lcp(-np.eye(30), -np.ones(30), solver='enumeration', **never)",
    "islands": "sl.solve_friction(islands, np.r_[q, 1.0, 0, 0], np.r_[mu, 0.5], solver='nsgs', threads=2, **never)",
    "nsgs": "sl.solve_friction(M, q, mu, solver='nsgs', **never)",
    "apgd": "sl.solve_friction(M, q, mu, solver='apgd', **never)",
    "admm": "sl.solve_friction(M, q, mu, solver='admm', **never)",
    "one step": "sl.solve_one_step(M, q, [sl.Coulomb3D(0.5)] * (n // 3), solver='extragradient', **never)",
    "object": "sl.FrictionProblem(M, q, mu).solve(solver='tresca', **never)",
    "global": "sl.solve_global_friction(M, np.eye(n), q, 0 * q, mu, solver='global-admm', **never)",
    "vi": "sl.solve_vi(np.negative, np.cos, guess=q, **never)",
}


@pytest.mark.parametrize("name", SOLVES)
def test_ctrl_c_ends_a_solve(name: str) -> None:
    program = SETUP + textwrap.dedent(f"""
        import threading, time
        print("begins", flush=True)
        try:
            print({SOLVES[name]})
        except KeyboardInterrupt:
            print("interrupted at", time.monotonic(), "with", threading.active_count(), "thread", flush=True)
        start, used = time.monotonic(), time.process_time()
        time.sleep(0.3)
        assert time.process_time() - used < 0.2, "somebody goes on computing"
        assert sl.solve_lcp([[2, 1], [1, 2]], [-5, 6]).success
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        assert process.poll() is None
        pressed = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        words = process.stdout.readline().split()
        assert words[:2] == ["interrupted", "at"], words
        assert float(words[2]) - pressed < 5.0  # about 0.02, on a machine with nothing else to do
        assert words[4:] == ["1", "thread"]
        assert process.wait(20) == 0


def test_other_handlers_of_signals_are_called_while_a_solve_goes_on() -> None:
    program = SETUP + textwrap.dedent(f"""
        import signal
        calls = []
        def handle(*_):
            calls.append(1)
            if len(calls) == 3:
                raise LookupError("third")
        signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        try:
            {SOLVES["nsgs"]}
        except LookupError as error:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            print(len(calls), error)
    """)
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout == "3 third\n"


def test_ctrl_c_ends_a_long_step_of_a_run_which_can_go_on() -> None:
    program = textwrap.dedent("""
        import os, signal, threading, time, warnings
        import numpy as np
        import saltus as sl
        rng = np.random.default_rng(1)
        n, contacts = 40, 800
        m = sl.Model()
        points = m.lagrangian("points", q=np.zeros(n), v=rng.standard_normal(n), mass=10.0 ** rng.uniform(-6, 6, n))
        for k in range(contacts):
            gap, *slip = rng.standard_normal((3, n)) @ points.q
            m.contact(f"c{k}", points, gap=gap, slip=slip, law=sl.NewtonImpact(friction=3.0))
        sim = sl.Simulation(m, 1.0)
        pressed = None
        def press():
            global pressed
            time.sleep(0.5)
            pressed = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=press).start()
        try:
            sim.step(1)
        except KeyboardInterrupt:
            assert time.monotonic() - pressed < 5.0
            assert sim.t == 0.0 and sim.result.status == "interrupted" and len(sim.result.t) == 1
            assert np.array_equal(sim.state["v"], sim.copy().state["v"])
            print("interrupted", flush=True)
    """)
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert found.stdout == "interrupted\n", found.stderr
