"""sidestep lab storage: what a database costs to make, keep and open, and what its packing loses."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..database import Database
from ..machine import machine
from ..motion.clip import Clip
from ..motion.root import with_root
from ..performer.dataset import default_clips, first_minute, perform_all

ROUNDS = 5
FAR = 1_000_003
"""The first minute is that of a seed so far off that no cache holds it."""


def run_storage(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Make the default data set and its database; save, load, compare."""
    start = time.perf_counter()
    first = first_minute(seed + FAR)
    first_s = time.perf_counter() - start
    start = time.perf_counter()
    clips = perform_all(seed, share=0.25 if quick else 1.0)
    perform_s = time.perf_counter() - start
    default_clips(seed)
    start = time.perf_counter()
    default_clips(seed)
    clips_s = time.perf_counter() - start
    start = time.perf_counter()
    database = Database.build(clips)
    build_s = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.sidestep"
        start = time.perf_counter()
        database.save(path)
        save_s = time.perf_counter() - start
        size = path.stat().st_size
        loads = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            assert len(Database.load(path).values)
            loads.append(time.perf_counter() - start)
    whole = np.concatenate([with_root(clip).rotations for clip in clips]).astype(np.float64)
    kept = database.rotations(slice(None)).astype(np.float64)
    apart = np.minimum(np.linalg.norm(whole - kept, axis=-1), np.linalg.norm(whole + kept, axis=-1))
    degrees = np.degrees(4 * np.arcsin(np.clip(apart / 2, 0, 1)))
    return {
        "experiment": "storage",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "poses": len(database),
        "first_minute": {"seconds_of_motion": sum(c.seconds for c in first), "took_s": first_s},
        "perform_s": perform_s,
        "load_clips_s": clips_s,
        "build_s": build_s,
        "save_s": save_s,
        "load_s": float(np.median(loads)),
        "load_s_at_180000": float(np.median(loads)) * 180_000 / len(database),
        "bytes_a_pose": size / len(database),
        "rotation_error_deg": {"median": float(np.median(degrees)), "max": float(degrees.max())},
        "joint_error_mm_max": float(1000 * _joint_error(database, clips)),
    }


def _joint_error(database: Database, clips: Sequence[Clip]) -> float:
    worst = 0.0
    for index in range(0, len(clips), 8):
        own = with_root(clips[index]).world()[0]
        worst = max(worst, float(np.abs(database.clip(index).world()[0] - own).max()))
    return worst


def describe_storage(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One table."""
    first = result["first_minute"]
    rows = [
        ["poses", f"{result['poses']:,}"],
        [f"a first {first['seconds_of_motion']:.0f} s of motion, s", f"{first['took_s']:.2f}"],
        ["performing all of it on all cores, s", f"{result['perform_s']:.1f}"],
        ["opening the kept clips, s", f"{result['load_clips_s']:.3f}"],
        ["building the database, s", f"{result['build_s']:.2f}"],
        ["saving it, s", f"{result['save_s']:.3f}"],
        ["loading it (checksum, features expanded), s", f"{result['load_s']:.3f}"],
        ["the same for 180,000 poses, s", f"{result['load_s_at_180000']:.3f}"],
        ["bytes a pose", f"{result['bytes_a_pose']:.0f}"],
        ["rotations are off by at most, degrees", f"{result['rotation_error_deg']['max']:.4f}"],
        ["joints are off by at most, mm", f"{result['joint_error_mm_max']:.2f}"],
    ]
    return [("the default database", ["figure", "value"], rows)]
