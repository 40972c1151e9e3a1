"""Times a solver of another library: each in a process of its own, with a limit, so that neither a crash nor an endless
loop reaches the caller. And what all comparisons print: machine, tables, durations.

What is timed is a trial, an object with
    name             of the solver
    tolerances       to ask for, the loosest first: libraries measure in other norms, the loosest accepted is timed
    set_up()         builds the problem, in the process of the trial
    solve(tolerance) seconds of one call from a zero guess, by stopwatch()
    residual()       of the last answer, in the norm of Saltus
    overhead()       seconds of a call that has nothing to solve: the way from Python to the solver and back
    is_hopeless(tolerance, residual)    whether tighter tolerances need not be tried"""

import ctypes
import datetime
import multiprocessing
import os
import platform
import re
import signal
import subprocess
import sys
import time

ACCEPTED = 1e-8  # on residual(); an answer above it does not count
TIME_LIMIT = 30.0  # seconds of the processor for one call
LATE = "more than"  # begins the reason of a failure by lack of time


def stopwatch(action):
    """Seconds of action(). Above 20 milliseconds those of the processor, which do not count what others run meanwhile;
    below, by the clock: see measure.hpp."""
    processor = time.process_time_ns()
    wall = time.perf_counter_ns()
    action()
    wall = time.perf_counter_ns() - wall
    processor = time.process_time_ns() - processor
    return (processor if processor > 20e6 else wall) * 1e-9


def first_accepted(trial, limit):
    """The tolerance, seconds and residual of the first answer that is accepted, or of the last one if none is. A call
    that takes longer than `limit` seconds of the processor ends the process."""
    start = time.process_time()
    for tolerance in trial.tolerances:
        signal.setitimer(signal.ITIMER_PROF, limit)
        seconds = trial.solve(tolerance)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        error = trial.residual()
        is_late = time.process_time() - start > 3.0 * limit
        if error <= ACCEPTED or is_late or trial.is_hopeless(tolerance, error):
            break
    return tolerance, seconds, error


def measurements(trial, limit, best_rival):
    """Yields the first time of an accepted answer (slow: nothing is in the caches), then the best of at least three
    calls (fewer if they are long) and, unless that is far above the best rival, of a fifth of a second, less the
    overhead of the call."""
    trial.set_up()
    start, calls = time.monotonic(), 1
    tolerance, best, error = first_accepted(trial, limit)
    result = {"solver": trial.name, "seconds": best, "residual": error, "tolerance": tolerance}
    if not error <= ACCEPTED:
        yield result | {"failed": "residual %.0e" % error}
        return
    yield result

    def is_enough():
        elapsed = time.monotonic() - start
        return calls >= 3 and (elapsed > 0.2 or best > 3.0 * best_rival) or elapsed > 10.0

    while not is_enough():
        best, calls = min(best, trial.solve(tolerance)), calls + 1
    error = max(error, trial.residual())
    overhead = trial.overhead() if best < 1e-3 else 0.0
    yield result | {"seconds": max(best - overhead, 1e-9), "residual": error, "overhead": overhead, "calls": calls}


def work(trial, limit, best_rival, connection):
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # Siconos prints
    os.dup2(silence, 2)
    try:
        for result in measurements(trial, limit, best_rival):
            connection.send(result)
    except Exception as error:
        connection.send({"solver": trial.name, "failed": (str(error).strip() or "error").splitlines()[-1]})


def time_trial(trial, limit=TIME_LIMIT, best_rival=float("inf")):
    """The best time of a solver on a problem, or {"solver", "failed": why}. The limit is for one call."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(trial, limit, best_rival, sender))
    process.start()
    sender.close()
    result, deadline = None, time.monotonic() + 60.0 + 20.0 * limit  # for a solver that waits without working
    try:
        while receiver.poll(max(0.0, deadline - time.monotonic())):
            result = receiver.recv()
        process.kill()
    except EOFError:
        pass
    process.join()
    if result is None:
        is_late = process.exitcode in (-signal.SIGPROF, -signal.SIGKILL)
        why = LATE + " %.3g s" % limit if is_late else "crashed, exit code %d" % process.exitcode
        result = {"solver": trial.name, "failed": why}
    return result


def best_of_processes(trial, limit, best_rival, processes=5):
    """time_trial(); some solvers do not survive a second call on the same problem, and get a process for each."""
    first = time_trial(trial, limit, best_rival)
    if "failed" in first or "calls" in first or first["seconds"] > 1.0:
        return first
    again = [time_trial(trial, limit, best_rival) for _ in range(processes - 1)]
    return best_of([first] + again)


def succeeded(results):
    return [result for result in results if "failed" not in result]


def best_of(results):
    return min(succeeded(results), key=lambda result: result["seconds"], default=None)


def blas_in_use():
    """The BLAS that this process has loaded, and its version if it is known."""
    with open("/proc/self/maps") as maps:
        libraries = sorted(set(re.findall(r"/\S*/lib(?:openblas|blas|mkl|atlas)[^/\s]*", maps.read())))
    for library in libraries:
        try:
            version = ctypes.CDLL(library).openblas_get_config
        except AttributeError:
            continue
        version.restype = ctypes.c_char_p
        return version().decode()
    return ", ".join(libraries) or "unknown"


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
            "blas": blas_in_use(), "processors": os.cpu_count(), "load": os.getloadavg()[2]}


def load_text(on):
    """Says so where others had the processors too: the load of the last quarter of an hour includes this run."""
    if on["load"] <= on["processors"]:
        return ""
    return f"The machine was busy (load average {on['load']:.1f} on {on['processors']} processors): provisional. "


def machine_text(on, compiler):
    return (f"Measured on {on['date']}: {on['processor']}, one thread, {compiler}, preset `release` "
            "(`-O2 -march=native`, `-O3` for the innermost loops), "
            f"Eigen {on['eigen']}; Siconos {on['siconos']} with {on['blas']}. {load_text(on)}"
            "A ratio is the time of Siconos over the time of Saltus: above 1, Saltus is faster.")


def duration(seconds):
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"


def peer_text(result):
    return f"{result['solver']} {duration(result['seconds'])}" if result else "none"


def own_text(measured):
    return duration(measured["seconds"]) if measured["residual"] <= ACCEPTED else "not solved"


def ratio_text(peer, own):
    if peer is None or own["residual"] > ACCEPTED:
        return "-"
    return f"{peer['seconds'] / own['seconds']:.3g}"


def markdown(heads, rows):
    lines = [heads, ["---:"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_between_markers(document, name, text):
    """Replaces the text between <!-- NAME: begin --> and <!-- NAME: end -->."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    content = document.read_text()
    if content.count(begin) != 1 or content.count(end) != 1:
        sys.exit(f"{document}: expected the markers {begin} and {end} once each")
    before, rest = content.split(begin)
    document.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}")
