"""sidestep import: mocap files become a database, with a table of what was found, fixed, cut or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro
from rich.table import Table

from ..database import FEATURE_SETS, Database, Source
from ..errors import AskedWrongly, BadClip, BadFile, UnknownName
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
        files = find_files(self.paths)
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
    motion = read(job.path)
    roles: Roles = find_roles(motion.clip.skeleton, motion.clip.world()[0][len(motion.clip) // 2])
    clips, firsts = [], []
    for part, start in zip(motion.parts, motion.starts, strict=True):
        believed = part if job.fps is None else replace(part, fps=job.fps)
        clip = retarget(resample(believed, 60.0), job.target, roles)
        if clip.seconds < 0.2:
            continue
        clips.append(replace(clip, contacts=detect_contacts(clip)))
        firsts.append(start)
    if not clips:
        raise BadClip(f"{job.path.name}: shorter than 0.2 s; a take needs at least that to be searched")
    slides = [foot_slide(clip) for clip in clips]
    speeds = sorted(float(v) for s in slides for v in s)
    median = 100 * speeds[len(speeds) // 2] if speeds else 0.0
    return Found(clips, firsts, motion.report, motion.clip.skeleton, sum(c.seconds for c in clips), median)


def show(rows: Sequence[Row]) -> None:
    """Print the table, and a summary of what was common to many."""
    table = Table(box=None, pad_edge=False)
    for column in ("file", "frames", "fps", "unit", "up", "faces", "kept", "slide", "what was found and done"):
        table.add_column(
            column, overflow="fold", justify="right" if column in {"frames", "fps", "kept", "slide"} else "left"
        )
    for row in rows:
        report = row.report
        if report is None:
            table.add_row(row.path.name, *[""] * 7, f"[red]refused:[/] {row.refused}")
            continue
        unit = f"{report.unit_m * 100:.4g} cm"
        table.add_row(
            row.path.name, str(report.frames), f"{report.fps:g}", unit, report.up, report.facing,
            f"{row.seconds:.1f} s", f"{row.slide_cms:.1f}", "; ".join(report.notes) or "clean",
        )  # fmt: skip
    console.print(table)
    refused = sum(1 for row in rows if row.refused)
    seconds = sum(row.seconds for row in rows)
    console.print(
        f"{len(rows) - refused} of {len(rows)} files read, {seconds / 60:.1f} min; slide is the median in cm/s"
    )
