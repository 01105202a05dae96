"""sidestep import: mocap files become a database, with a table of what was found, fixed, cut or refused."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_lowercase
from typing import Annotated

import numpy as np
import tyro
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..database import FEATURE_SETS, Database, Source
from ..errors import AskedWrongly, BadClip, BadFile, CannotWrite, UnknownName
from ..files import READABLE, Report, read
from ..jobs import Pool
from ..motion.clip import Clip
from ..motion.feet import detect_contacts, foot_slide
from ..motion.limbs import Roles
from ..motion.resample import resample
from ..motion.retarget import retarget
from ..motion.roles import find_roles
from ..motion.skeleton import Skeleton
from ..performer.skeleton import SKELETON
from .talk import console, put_json

COMMON = 5
"""A note that so many files share is told once."""


@dataclass(frozen=True)
class Import:
    """Turn a folder of mocap files into one searchable database.

    Example: sidestep import mocap/ -o my.sidestep
    """

    paths: tyro.conf.Positional[tuple[Path, ...]]
    """Files and folders (searched through) to read."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """The database to write."""
    mirror: bool = False
    """Add every clip's mirror image."""
    features: str = "emm"
    """What to search by: emm, rmm27 or rmm33."""
    skeleton: Path | None = None
    """Use the skeleton of this file as the database's own; the performer's otherwise."""
    fps: float | None = None
    """Believe this frame rate instead of the files'."""
    strict: bool = False
    """Write nothing if a file had to be refused."""
    workers: int | None = None
    """Processes; one per core otherwise."""
    json: Path | None = None
    """Write the report as JSON, too."""

    def run(self) -> int:
        """Read, report, build, save."""
        if self.features not in FEATURE_SETS:
            raise UnknownName.among("feature set", self.features, FEATURE_SETS)
        if not self.paths:
            raise AskedWrongly("name the files or folders to import, as: sidestep import mocap/ -o my.sidestep")
        if self.fps is not None and not 1 <= self.fps <= 1000:
            raise AskedWrongly(f"--fps {self.fps:g}: no frame rate; write one from 1 to 1000")
        _check_target(self.out)
        files = find_files(self.paths)
        if self.out.absolute() in {file.absolute() for file in files}:
            raise AskedWrongly(f"{self.out}: would take the place of a file to be imported; name another")
        if self.json is not None and not self.json.absolute().parent.is_dir():
            raise CannotWrite(f"{self.json}: no folder '{self.json.parent}'; make it or name another")
        target = SKELETON if self.skeleton is None else own_skeleton(self.skeleton)
        jobs = [Job(path, target, self.fps) for path in files]
        outcomes = Pool(self.workers, "reading").outcomes(read_one, jobs)
        rows, clips, sources, skeletons = [], [], [], []
        for path, outcome in zip(files, outcomes, strict=True):
            found = outcome.result
            if found is None:
                rows.append(Row(path, None, 0.0, 0.0, str(outcome.error)))
                continue
            rows.append(Row(path, found.report, found.seconds, found.slide_cms, None))
            skeletons.append(found.skeleton)
            for clip, first in zip(found.clips, found.first_frames, strict=True):
                clips.append(clip)
                sources.append(Source(clip.name, str(path), first, False, len(skeletons) - 1))
        refused = [row for row in rows if row.refused]
        show(rows)
        written = bool(clips) and not (self.strict and refused)
        if written:
            note = f"imported from {len(files) - len(refused)} files"
            database = Database.build(
                clips,
                FEATURE_SETS[self.features],
                mirrored=self.mirror,
                sources=sources,
                source_skeletons=skeletons,
                note=note,
            )
            database.save(self.out)
            size = self.out.stat().st_size
            console.print(
                f"{self.out}: {len(database):,} poses, {len(database) / 3600:.1f} min, "
                f"{size / 1e6:.1f} MB ({size / len(database):.0f} bytes a pose), hash {database.hash}",
                soft_wrap=True,
            )
        else:
            why = "a file was refused and --strict asks for all" if clips else "no file could be used"
            console.print(f"{self.out}: not written, {why}", soft_wrap=True)
        if self.json is not None:
            put_json({"files": [row.plain() for row in rows], "written": written}, self.json)
        return 1 if refused or not written else 0


@dataclass(frozen=True)
class Job:
    """One file to read."""

    path: Path
    target: Skeleton
    fps: float | None

    def __str__(self) -> str:
        """The file, for error messages."""
        return str(self.path.name)


@dataclass(frozen=True)
class Found:
    """What one file gave."""

    clips: list[Clip]
    first_frames: list[int]
    report: Report
    skeleton: Skeleton
    seconds: float
    slide_cms: float


@dataclass(frozen=True)
class Row:
    """One line of the report."""

    path: Path
    report: Report | None
    seconds: float
    slide_cms: float
    refused: str | None

    def plain(self) -> dict[str, object]:
        """For JSON."""
        report = self.report
        told = {} if report is None else {
            "format": report.format, "frames": report.frames, "fps": report.fps, "unit_m": report.unit_m,
            "up": report.up, "facing": report.facing, "tpose_first_frame": report.tpose_first_frame,
            "notes": list(report.notes),
        }  # fmt: skip
        kept = {"seconds": self.seconds, "slide_cms": self.slide_cms, "refused": self.refused}
        return {"file": str(self.path), **told, **kept}


def find_files(paths: Sequence[Path]) -> list[Path]:
    """All readable files named or inside the named folders, in order."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(p for p in path.rglob("*") if p.suffix.lower() in READABLE and p.is_file())
        elif path.exists():
            files.append(path)
        else:
            raise AskedWrongly(f"{path}: no such file or folder; check the path")
    if not files:
        named = ", ".join(str(path) for path in paths)
        raise AskedWrongly(f"{named}: no motion files in there; readable are {', '.join(READABLE)}")
    return list(dict.fromkeys(files))


def own_skeleton(path: Path) -> Skeleton:
    """A file's skeleton in metres, fit to be a database's own."""
    skeleton = read(path).clip.skeleton
    roles = find_roles(skeleton)
    if skeleton.moving != (roles.hips,) or roles.hips != 0:
        raise BadFile(f"{path.name}: a database's skeleton must begin with moving hips and move nothing else")
    return skeleton


def read_one(job: Job) -> Found:
    """Read one file and bring it onto the database's skeleton (runs in a worker)."""
    motion = read(job.path, job.fps)
    roles: Roles = find_roles(motion.clip.skeleton, motion.clip.world()[0][len(motion.clip) // 2])
    clips, firsts = [], []
    for part, start in zip(motion.parts, motion.starts, strict=True):
        clip = retarget(resample(part, 60.0), job.target, roles)
        if clip.seconds < 0.2:
            continue
        if not (np.isfinite(clip.rotations).all() and np.isfinite(clip.translations).all()):
            raise BadClip(f"{job.path.name}: comes out with values that are not finite; its skeleton is damaged")
        clips.append(replace(clip, contacts=detect_contacts(clip)))
        firsts.append(start)
    if not clips:
        raise BadClip(f"{job.path.name}: shorter than 0.2 s; a take needs at least that to be searched")
    slides = np.concatenate([foot_slide(clip) for clip in clips])
    median = 100 * float(np.median(slides)) if len(slides) else 0.0
    return Found(clips, firsts, motion.report, motion.clip.skeleton, sum(c.seconds for c in clips), median)


def _check_target(out: Path) -> None:
    """Before any work: the database must have a place to stand in."""
    if out.suffix != ".sidestep":
        raise AskedWrongly(f"{out}: a database's name ends in .sidestep; write -o {out.with_suffix('.sidestep')}")
    if out.is_dir():
        raise CannotWrite(f"{out}: a folder of that name is there; name another file")
    if not out.absolute().parent.is_dir():
        raise CannotWrite(f"{out}: no folder '{out.parent}'; make it or name another")


def show(rows: Sequence[Row]) -> None:
    """Print the table; what was found in many files is told once, below it."""
    # Piped into a file a line may be as long as it needs.
    out = console if console.is_terminal else Console(width=200, highlight=False, file=console.file)
    common = _common([note for row in rows if row.report for note in row.report.notes])
    top = Path(os.path.commonpath([str(row.path.absolute().parent) for row in rows]))
    table = Table(box=None, pad_edge=False)
    for column in ("file", "frames", "fps", "unit", "up", "faces", "kept", "slide", "what was found and done"):
        numbers = column in {"frames", "fps", "kept", "slide"}
        last = column.startswith("what")
        table.add_column(column, overflow="fold", justify="right" if numbers else "left", no_wrap=not last)
    for row in rows:
        name, report = escape(str(row.path.absolute().relative_to(top))), row.report
        if report is None:
            table.add_row(name, *[""] * 7, f"[red]refused:[/] {escape(row.refused or '')}")
            continue
        notes = [f"({common[note]})" if note in common else note for note in report.notes]
        table.add_row(
            name, str(report.frames), f"{report.fps:g}", f"{report.unit_m * 100:.4g} cm", report.up, report.facing,
            f"{row.seconds:.1f} s", f"{row.slide_cms:.1f}", escape("; ".join(notes)) or "clean",
        )  # fmt: skip
    out.print(table)
    for note, letter in common.items():
        times = sum(1 for row in rows if row.report and note in row.report.notes)
        out.print(f"({letter}) in {times} files: {note}", markup=False)
    refused = sum(1 for row in rows if row.refused)
    seconds = sum(row.seconds for row in rows)
    out.print(f"{len(rows) - refused} of {len(rows)} files read, {seconds / 60:.1f} min; slide is the median in cm/s")


def _common(notes: Sequence[str]) -> dict[str, str]:
    """Notes that more than a few files share, with a letter each."""
    shared = [note for note, times in Counter(notes).most_common() if times >= COMMON]
    return dict(zip(shared, ascii_lowercase, strict=False))
