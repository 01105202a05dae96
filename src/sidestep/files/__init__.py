"""Read and write motion; the suffix says how. What was guessed about a file is in its report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..errors import SidestepError, UnknownFormat
from ..motion.clip import Clip
from .bvh import read_bvh
from .bvh_write import write_bvh
from .npz import read_npz, write_npz
from .repair import Raw, repaired
from .report import Motion, Report

__all__ = ["READABLE", "WRITABLE", "Motion", "Raw", "Report", "read", "read_raw", "write"]

READABLE = (".bvh", ".npz")
WRITABLE = (".bvh", ".npz", ".glb", ".usda", ".usdc", ".usd")


def read_raw(path: Path | str) -> Raw:
    """Read a file as it stands: its own units, axes and frames.

    Raises:
        BadFile: It cannot be read; the message names the file, the place and the cure.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".bvh":
        bvh = read_bvh(path)
        return Raw(
            path.stem, "BVH", bvh.skeleton, bvh.rotations, bvh.translations, bvh.frame_time_s, bvh.orders, bvh.notes
        )
    if suffix == ".npz":
        found = read_npz(path)
        if isinstance(found, Raw):
            return found
        return Raw(path.stem, "sidestep npz", found.skeleton, found.rotations, found.translations, 1 / found.fps, {})
    raise UnknownFormat(f"{path.name}: no reader for '{suffix or 'no suffix'}'; readable are {', '.join(READABLE)}")


def read(path: Path | str, fps: float | None = None) -> Motion:
    """Read a file into our world: metres, y up, ground at zero; its report says what was guessed and done.

    ``Motion.clip`` is the whole take; where the body teleports, ``Motion.parts`` are the pieces between.

    Args:
        path: What to read.
        fps: Believe this frame rate instead of the file's.

    Raises:
        BadFile, BadSkeleton: It cannot be used; the message names the file and the cure.
    """
    path = Path(path)
    if path.suffix.lower() == ".npz":
        found = read_npz(path)
        if isinstance(found, Clip):
            report = Report(format="sidestep npz", frames=len(found), fps=found.fps, unit_m=1.0, up="+y", facing="+z")
            return Motion(found, report, (found,), (0,))
    raw = read_raw(path)
    try:
        return repaired(raw if fps is None else replace(raw, frame_time_s=1 / fps))
    except SidestepError as error:
        # What is wrong with a body does not know which file it came from; whoever reads the message must.
        raise type(error)(f"{path.name}: {error}") from error


def write(path: Path | str, clip: Clip) -> None:
    """Write a clip; the suffix chooses the format.

    Raises:
        UnknownFormat: No writer for this suffix.
        CannotWrite: The place cannot be written; what stood there still stands.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".bvh":
        write_bvh(path, clip)
    elif suffix == ".npz":
        write_npz(path, clip)
    elif suffix == ".glb":
        from .glb import write_glb

        write_glb(path, [clip])
    elif suffix in {".usda", ".usdc", ".usd"}:
        from .usd import write_usd

        write_usd(path, clip)
    else:
        raise UnknownFormat(f"{path.name}: no writer for '{suffix or 'no suffix'}'; writable are {', '.join(WRITABLE)}")
