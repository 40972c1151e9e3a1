"""A bar that shows the progress of a run."""

from __future__ import annotations

import sys
import time
from typing import TextIO


def duration(seconds: float) -> str:
    """"03:20", "2:05:10"."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes:02}:{whole % 60:02}"


class ProgressBar:
    """A line on standard error that is written over and over; called with the time that a run has reached.

    Nothing is shown for a run shorter than half a second.
    """

    def __init__(self, begin: float, end: float, label: str = "", stream: TextIO | None = None) -> None:
        self._begin, self._end, self._label = begin, end, label
        self._stream = sys.stderr if stream is None else stream
        self._start = self._last = time.monotonic()
        self._is_shown = False

    def __call__(self, t: float) -> None:
        now = time.monotonic()
        if now - self._last < (0.1 if self._is_shown else 0.5) or self._end <= self._begin:
            return
        self._last = now
        self._is_shown = True
        self._stream.write("\r" + self._line(t, now - self._start))
        self._stream.flush()

    def close(self) -> None:
        """Removes the line."""
        if self._is_shown:
            self._stream.write("\r" + " " * 78 + "\r")
            self._stream.flush()
            self._is_shown = False

    def _line(self, t: float, elapsed: float) -> str:
        share = min(1.0, max(0.0, (t - self._begin) / (self._end - self._begin)))
        left = duration(elapsed * (1.0 - share) / share) if share > 0 else "?"
        width = 30
        bar = "#" * int(width * share) + "-" * (width - int(width * share))
        return f"{self._label}{100 * share:3.0f}%|{bar}| t = {t:.6g} of {self._end:.6g} [{duration(elapsed)}<{left}]"


def is_wanted(progress: bool | None) -> bool:
    """What the user says, else whether somebody is watching: a terminal, a notebook."""
    if progress is not None:
        return bool(progress)
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
