"""What a task is, and the register of all tasks.

A task is a function that gets a source of chance and returns one take. It is registered under its name with the seconds
it fills in the default data set; ``perform`` asks it for takes until they are filled, each from its own seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import AskedWrongly, UnknownName
from ..motion.clip import Clip

Rng = np.random.Generator
Performance = Callable[[Rng, str], Clip]


@dataclass(frozen=True)
class Task:
    """A scripted task."""

    name: str
    seconds: float
    """How much of it the default data set holds."""
    about: str
    """What is acted out, one line."""
    perform: Performance


TASKS: dict[str, Task] = {}


def task(name: str, seconds: float) -> Callable[[Performance], Performance]:
    """Register a function ``(rng, clip name) -> Clip`` as a task."""

    def register(perform: Performance) -> Performance:
        TASKS[name] = Task(name, seconds, (perform.__doc__ or "").strip().splitlines()[0], perform)
        return perform

    return register


def find_task(name: str) -> Task:
    """A task by its name."""
    _load()
    if name not in TASKS:
        raise UnknownName.among("task", name, TASKS)
    return TASKS[name]


def default_tasks() -> list[Task]:
    """The tasks of the default data set: those that ship with sidestep."""
    home = __name__.rpartition(".")[0]
    return [task for task in all_tasks() if task.perform.__module__.startswith(f"{home}.scripts.")]


def take_name(name: str, seed: int, take: int) -> str:
    """What a take's clip is called."""
    return f"{name} {take}" if seed == 0 else f"{name} {take} (seed {seed})"


def all_tasks() -> list[Task]:
    """Every registered task, in the order of registration."""
    _load()
    return list(TASKS.values())


def _load() -> None:
    # The scripts register themselves; they need this module first.
    from . import scripts  # noqa: F401


def perform(name: str, seed: int, take: int = 0) -> Clip:
    """One take of a task; the same seed and take give the same frames, others give others."""
    found = find_task(name)
    if seed < 0 or take < 0:
        raise AskedWrongly(f"seed {seed}, take {take}: both count from zero")
    chance = np.random.default_rng([seed, take, *name.encode()])
    return found.perform(chance, take_name(name, seed, take))


def sign_of(rng: Rng, take_name: str) -> float:
    """Left (+1) or right (-1), alternating from take to take so that both come equally often."""
    digits = "".join(c for c in take_name.split("(")[0] if c.isdigit())
    first = 1.0 if (int(digits or 0) % 2) == 0 else -1.0
    return first if rng.random() < 0.97 else -first
