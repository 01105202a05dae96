"""Experiments: each runs from a seed, prints tables, and writes JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .blind import describe_blind, run_blind
from .cones import describe_cones, run_cones
from .crowd import describe_crowd, run_crowd
from .performer import describe, run_performer
from .reading import describe_reading, run_reading
from .retargeting import describe_retargeting, run_retargeting
from .scaling import describe_scaling, run_scaling
from .scenes import describe_scenes, run_scenes
from .search import describe_search, run_search
from .storage import describe_storage, run_storage

Table = tuple[str, list[str], list[list[str]]]


@dataclass(frozen=True)
class Experiment:
    """One experiment behind ``sidestep lab NAME``."""

    about: str
    run: Callable[..., dict[str, Any]]
    """(seed, mocap folder, quick, folder for sheets) -> figures."""
    describe: Callable[[dict[str, Any]], list[Table]]
    on_any_database: bool = False
    """Whether it also takes ``database`` and ``verify``."""


EXPERIMENTS = {
    "performer": Experiment("is the performed data human by measurement?", run_performer, describe),
    "blind": Experiment("can a fresh pair of eyes tell performed from real?", run_blind, describe_blind),
    "reading": Experiment("how fast do BVH files open, beside other readers?", run_reading, describe_reading),
    "storage": Experiment("what does a database cost to make, keep and open?", run_storage, describe_storage),
    "search": Experiment("how fast is the exact search, beside the paper's?", run_search, describe_search),
    "cones": Experiment("EMM Table 1: through a field of cones", run_cones, describe_cones, True),
    "crowd": Experiment("many characters at once, and what a tick costs", run_crowd, describe_crowd),
    "scaling": Experiment("EMM Figure 11: search time by size of the database", run_scaling, describe_scaling),
    "scenes": Experiment("every scene against what its figure shows", run_scenes, describe_scenes, True),
    "retargeting": Experiment("do real clips keep their feet and hips?", run_retargeting, describe_retargeting),
}
