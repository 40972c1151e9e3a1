"""No wrong argument crashes or hangs; each raises a clear exception."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SEEDS = range(int(os.environ.get("SALTUS_FUZZ_SEEDS", "4")))
CALLS = 1500


@pytest.mark.parametrize("seed", SEEDS)
def test_nonsense_gets_an_exception(seed: int, tmp_path: Path) -> None:
    script = Path(__file__).with_name("fuzz_calls.py")
    log = tmp_path / "log"
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTHONFAULTHANDLER": "1"}
    command = [sys.executable, str(script), str(seed), str(CALLS), str(log)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    except subprocess.TimeoutExpired:
        pytest.fail(f"hangs in {log.read_text()}")
    assert done.returncode == 0, f"{log.read_text()}\n{done.stderr[-3000:]}"
