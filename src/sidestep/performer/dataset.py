"""The embedded data set: all tasks performed from a seed, kept in the cache until the performer changes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from ..caches import cache_folder
from ..errors import CannotWrite, DamagedFile
from ..files.clips import read_clips, write_clips
from ..jit import sources_hash
from ..jobs import Pool
from ..motion.clip import Clip
from .score import FPS
from .tasks import default_tasks, find_task, perform, take_name

VERSION = "1"
"""Grows whenever the default data set is meant to change."""
FIRST_TASKS = ("walk", "idle", "turn_on_spot", "sidestep", "backward")
"""What a demo needs at once."""


def default_clips(seed: int = 0, workers: int | None = None) -> list[Clip]:
    """All tasks of the default data set at 60 Hz: from the cache, or performed now on all cores.

    Other seeds give other takes of the same tasks, without repeats.
    """
    path = _cached(seed)
    if path.exists():
        try:
            return read_clips(path)[0]
        except DamagedFile:
            path.unlink(missing_ok=True)
    clips = perform_all(seed, workers=workers)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_clips(path, clips, {"version": VERSION, "seed": seed, "hash": dataset_hash(clips)})
    except (CannotWrite, OSError):
        # A cache that cannot be written only costs the next start its time.
        pass
    return clips


def first_minute(seed: int = 0) -> list[Clip]:
    """A first minute of the same data set, made in this process at once, so that a demo can start."""
    known = {clip.name: clip for clip in default_clips(seed)} if _cached(seed).exists() else {}
    clips: list[Clip] = []
    take = 0
    while sum(clip.seconds for clip in clips) < 60:
        for name in FIRST_TASKS:
            clips.append(known.get(take_name(name, seed, take)) or perform(name, seed, take))
        take += 1
    return clips


def perform_all(seed: int = 0, share: float = 1.0, workers: int | None = None, only: Sequence[str] = ()) -> list[Clip]:
    """Perform the tasks, each for its seconds (times ``share``).

    How many takes a task needs is known only by performing them: jobs make a few takes each until there is enough.
    """
    tasks = [find_task(name) for name in only] or default_tasks()
    # Tasks of a script of one's own exist in this process alone.
    workers = workers if all(task in default_tasks() for task in tasks) else 1
    jobs: list[tuple[str, int, int, float]] = []
    for task in tasks:
        parts = max(round(task.seconds * share / 60), 1)
        jobs += [(task.name, seed, part, task.seconds * share / parts) for part in range(parts)]
    made = Pool(workers, "performing").map(_perform_some, jobs)
    return [clip for clips in made for clip in clips]


def _perform_some(job: tuple[str, int, int, float]) -> list[Clip]:
    """Takes of one task, from a take number of their own on, until the seconds are filled."""
    name, seed, part, seconds = job
    clips: list[Clip] = []
    # Stop as near to the wanted length as whole takes allow.
    while not clips or sum(clip.seconds for clip in clips) + 0.5 * clips[-1].seconds < seconds:
        clips.append(perform(name, seed, part * 100 + len(clips)))
    return clips


def dataset_hash(clips: Sequence[Clip]) -> str:
    """Hash of the frames, rounded to what a database keeps of them."""
    digest = hashlib.sha256()
    for clip in clips:
        digest.update(clip.name.encode())
        digest.update(np.rint(clip.rotations * 4096).astype(np.int16).tobytes())
        digest.update(np.rint(clip.translations * 1000).astype(np.int32).tobytes())
    return digest.hexdigest()[:16]


def minutes(clips: Sequence[Clip]) -> float:
    """How long clips are together."""
    return sum(len(clip) for clip in clips) / FPS / 60


@cache
def performer_key() -> str:
    """Changes with the performer's sources: a cached data set belongs to exactly one performer."""
    package = Path(__file__).parent
    return f"{VERSION}-{sources_hash(package)}-{sources_hash(package.parent / 'motion')}"


def _cached(seed: int) -> Path:
    return cache_folder() / "performed" / f"{performer_key()}-seed{seed}.clips"
