"""Experiments: each runs from a seed, prints tables, and writes JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .performer import describe, run_performer

Table = tuple[str, list[str], list[list[str]]]


@dataclass(frozen=True)
class Experiment:
    """One experiment behind ``sidestep lab NAME``."""

    about: str
    run: Callable[..., dict[str, Any]]
    """(seed, mocap folder, quick, folder for sheets) -> figures."""
    describe: Callable[[dict[str, Any]], list[Table]]


EXPERIMENTS = {
    "performer": Experiment("is the performed data human by measurement?", run_performer, describe),
}
