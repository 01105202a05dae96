"""sidestep lab crowd: many characters at once, on one core and on all; and what a tick costs beside searching."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from .. import __version__
from ..controllers import MotionMatching
from ..database import Database
from ..intent import Stick
from ..machine import machine
from ..search import exact_many
from ..stage import Stage
from ..stage.field import cones_around, path_through
from .cones import OURS, SPEED_MPS

CHARACTERS = 256
ROUNDS, QUICK_ROUNDS = 30, 4
APART_M = 3.0


def run_crowd(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Let a crowd walk through cones; ask all of them at once, threads in turn; time ticks in which nobody searches."""
    database = Database.default(0)
    path = path_through(seed, 60.0, SPEED_MPS)
    stage = Stage(cones_around(seed, path), seed)
    controller = MotionMatching(database, OURS)
    rng = np.random.default_rng([seed, 97])
    for row in range(16):
        for column in range(CHARACTERS // 16):
            place = (APART_M * (column - 8) + float(rng.uniform(-0.5, 0.5)), APART_M * row + float(rng.uniform(0, 0.5)))
            stage.add(controller, place, float(rng.uniform(-3, 3)), Stick(forward=1.2))
    stage.run(2.0)
    members, crew = stage.crews[0]
    searching: dict[str, list[float]] = {"one": [], "all": []}
    playing: list[float] = []
    assert stage.wishes is not None
    # Both kernels once before the clock runs.
    question = crew.ask(
        stage.tick, members, members, stage.wishes.targets(stage.tick, stage.published).of(members), stage.published,
        stage.surroundings,
    )  # fmt: skip
    for threads in (1, 2):
        exact_many(crew.index, question, threads=threads)
    for _ in range(QUICK_ROUNDS if quick else ROUNDS):
        seen = stage.published.copy()
        targets = stage.wishes.targets(stage.tick, seen)
        question = crew.ask(stage.tick, members, members, targets.of(members), seen, stage.surroundings)
        for name, threads in (("one", 1), ("all", 2)):
            began = time.perf_counter()
            exact_many(crew.index, question, threads=threads)
            searching[name].append(time.perf_counter() - began)
        for _ in range(5):
            began = time.perf_counter()
            crew.play(members, stage.published)
            playing.append(time.perf_counter() - began)
        stage.run(0.2)
    return {
        "experiment": "crowd",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "database": database.hash,
        "characters": CHARACTERS,
        "threads": numba.get_num_threads(),
        "search_us": {name: 1e6 * float(np.mean(times)) / CHARACTERS for name, times in searching.items()},
        "throughput": float(np.sum(searching["one"]) / np.sum(searching["all"])),
        "tick_us": 1e6 * float(np.median(playing)) / CHARACTERS,
    }


def describe_crowd(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One table."""
    rows = [
        ["search per character, one thread, us", f"{result['search_us']['one']:.0f}"],
        [f"the same on {result['threads']} threads, us", f"{result['search_us']['all']:.0f}"],
        ["throughput of all threads over one", f"{result['throughput']:.2f}"],
        ["tick without search per character, one thread, us", f"{result['tick_us']:.1f}"],
    ]
    return [(f"{result['characters']} characters among cones", ["figure", "value"], rows)]
