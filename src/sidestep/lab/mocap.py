"""Real clips to measure against: a folder of archives or files named by ``SIDESTEP_MOCAP`` or ``--mocap``."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..caches import cache_folder
from ..errors import AskedWrongly, SidestepError
from ..files import READABLE, read
from ..jobs import Pool
from ..motion.clip import Clip
from ..motion.resample import resample
from ..motion.retarget import retarget
from ..performer.skeleton import SKELETON

VARIABLE = "SIDESTEP_MOCAP"


@dataclass(frozen=True)
class RealClip:
    """A real take on the performer's skeleton at 60 Hz."""

    clip: Clip
    subject: str
    file: str


def mocap_folder(named: Path | None = None) -> Path | None:
    """The folder of real clips, if there is one."""
    if named is None:
        named = Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None
    if named is not None and not named.is_dir():
        raise AskedWrongly(f"{named}: no such folder of real clips; unset {VARIABLE} or name another")
    return named


def unpacked(folder: Path) -> Path:
    """The folder itself, or its archives unpacked once into the cache."""
    archives = sorted(folder.glob("*.tar.*"))
    if not archives:
        return folder
    key = hashlib.sha256("".join(f"{a.name}{a.stat().st_size}" for a in archives).encode()).hexdigest()[:16]
    target = cache_folder() / "mocap" / key
    if not target.exists():
        part = target.with_name(f"{key}.part{os.getpid()}")
        part.mkdir(parents=True, exist_ok=True)
        for archive in archives:
            with tarfile.open(archive) as packed:
                packed.extractall(part, filter="data")
        try:
            part.rename(target)
        except OSError:
            # Another process was faster.
            shutil.rmtree(part, ignore_errors=True)
    return target


def subjects(folder: Path) -> dict[str, str]:
    """File to subject, from the manifest where there is one, else from the folder's and file's name."""
    manifest = folder / "manifest.csv"
    if manifest.exists():
        with manifest.open(newline="", encoding="utf-8") as stream:
            return {row["file"]: row["subject"] for row in csv.DictReader(stream)}
    files = unpacked(folder)
    found = [p for p in files.rglob("*") if p.suffix.lower() in READABLE]
    return {str(p.relative_to(files)): p.stem.split("_")[0] for p in found}


def real_clips(folder: Path, only: Sequence[str] = (), workers: int | None = None) -> list[RealClip]:
    """All real takes of a folder on the performer's skeleton; files that cannot be used are left out.

    Args:
        folder: As ``mocap_folder`` gives it.
        only: Parts of file names; all files if empty.
        workers: Processes.
    """
    files, known = unpacked(folder), subjects(folder)
    if not known:
        raise AskedWrongly(f"{folder}: no real clips in there; readable are {', '.join(READABLE)} and archives of them")
    wanted = [f for f in sorted(known) if not only or any(part in f for part in only)]
    outcomes = Pool(workers, "reading real clips").outcomes(_read, [files / name for name in wanted])
    return [
        RealClip(clip, known[name], name)
        for name, outcome in zip(wanted, outcomes, strict=True)
        if outcome.result is not None
        for clip in outcome.result
    ]


def _read(path: Path) -> list[Clip]:
    result = []
    for part in read(path).parts:
        try:
            result.append(retarget(resample(part, 60.0), SKELETON))
        except SidestepError:
            continue
    return [clip for clip in result if len(clip) >= 30]
