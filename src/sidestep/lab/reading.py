"""sidestep lab reading: how fast BVH files open, beside NumPy on the bare numbers and another reader, in one run."""

from __future__ import annotations

import importlib.util
import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..files.bvh import read_bvh
from ..files.bvh_write import write_bvh
from ..machine import machine
from ..motion.clip import Clip
from ..motion.skeleton import Skeleton
from ..performer import perform
from .mocap import mocap_folder, unpacked

ROUNDS = 5
LONG_FRAMES, LONG_JOINTS = 100_000, 31


def run_reading(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Time the readers on the longest real files (or performed ones) and on a very long one, interleaved."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in _files(Path(folder), mocap, seed, 10_000 if quick else LONG_FRAMES):
            rows.append({"file": name, **_timed(path, 2 if quick else ROUNDS)})
    return {
        "experiment": "reading",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "rounds": 2 if quick else ROUNDS,
        "files": rows,
    }


def describe_reading(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One table: median seconds and how they compare."""
    rows = [
        [
            row["file"],
            f"{row['frames']:,} x {row['joints']}",
            f"{row['seconds']['sidestep']:.3f}",
            f"{row['over_loadtxt']:.2f}",
            "" if row["pymotion_over_ours"] is None else f"{row['pymotion_over_ours']:.1f}",
        ]
        for row in result["files"]
    ]
    columns = ["file", "frames x joints", "seconds", "over np.loadtxt", "upc-pymotion over ours"]
    return [("reading BVH, medians of interleaved rounds", columns, rows)]


def _files(folder: Path, mocap: Path | None, seed: int, long_frames: int) -> list[tuple[str, Path]]:
    found = mocap_folder(mocap)
    files: list[tuple[str, Path]] = []
    if found is not None:
        by_size = sorted(unpacked(found).rglob("*.bvh"), key=lambda p: -p.stat().st_size)
        seen: set[str] = set()
        for path in by_size:
            if path.parent.name not in seen:
                seen.add(path.parent.name)
                files.append((f"{path.parent.name}/{path.name}", path))
    else:
        write_bvh(folder / "walk.bvh", perform("walk", seed))
        files.append(("performed walk", folder / "walk.bvh"))
    write_bvh(folder / "long.bvh", _long(seed, long_frames))
    files.append((f"made, {long_frames:,} frames", folder / "long.bvh"))
    return files


def _long(seed: int, frames: int) -> Clip:
    """Numbers as a take has them, on a chain of 31 joints: only how many there are matters here."""
    rng = np.random.default_rng(seed)
    names = tuple(f"joint{i}" for i in range(LONG_JOINTS))
    chain = Skeleton(names, np.arange(LONG_JOINTS) - 1, np.full((LONG_JOINTS, 3), 0.1, np.float32))
    rotations = np.add(np.cumsum(rng.normal(0, 0.01, (frames, LONG_JOINTS, 4)), axis=0), [1.0, 0, 0, 0])
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return Clip(name="long", skeleton=chain, rotations=rotations, translations=rng.normal(0, 1, (frames, 1, 3)))


def _timed(path: Path, rounds: int) -> dict[str, Any]:
    readers: dict[str, Callable[[Path], object]] = {"sidestep": read_bvh, "loadtxt": _loadtxt}
    if importlib.util.find_spec("pymotion") is not None:
        readers["pymotion"] = _pymotion
    bvh = read_bvh(path)  # and kernels are warm
    took: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(rounds):
        for name, read in readers.items():
            start = time.perf_counter()
            read(path)
            took[name].append(time.perf_counter() - start)
    seconds = {name: float(np.median(values)) for name, values in took.items()}
    return {
        "frames": len(bvh.rotations),
        "joints": len(bvh.skeleton),
        "seconds": seconds,
        "over_loadtxt": seconds["sidestep"] / seconds["loadtxt"],
        "pymotion_over_ours": seconds["pymotion"] / seconds["sidestep"] if "pymotion" in seconds else None,
    }


def _loadtxt(path: Path) -> object:
    data = path.read_bytes()
    start = data.index(b"\n", data.index(b"Frame Time")) + 1
    return np.loadtxt(io.BytesIO(data[start:]))


def _pymotion(path: Path) -> object:
    from pymotion.io.bvh import BVH

    other = BVH()
    other.load(str(path))
    return other
