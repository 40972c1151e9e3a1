"""Where channels are in the values of a sample."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


class Channels:
    """The places of channels, and of the vectors they form: ``"ball.q[0]"`` is one, ``"ball.q"`` all of its entries."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self._places: dict[str, int | slice] = {}
        for k, name in enumerate(self.names):
            self._places[name] = k
            vector, bracket, _ = name.rpartition("[")
            if bracket:
                known = self._places.get(vector)
                self._places[vector] = slice(known.start if isinstance(known, slice) else k, k + 1)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def place(self, name: str) -> int | slice:
        """A number, or a slice for a vector. Raises KeyError with the nearest name."""
        place = self._places.get(name) if isinstance(name, str) else None
        if place is None:
            raise KeyError(self._unknown(name))
        return place

    def _unknown(self, name: object) -> str:
        if not isinstance(name, str):
            return f"a channel has a name, such as '{self.names[0]}'; got {type(name).__name__}"
        near = difflib.get_close_matches(name, list(self._places), 1)
        if near:
            return f"there is no channel '{name}'; did you mean '{near[0]}'?"
        known = ", ".join(self.names[:12]) + (", ..." if len(self.names) > 12 else "")
        return f"there is no channel '{name}'; known are {known}"
