"""sidestep info: what is in a clip or a database."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro

from ..database import Database
from ..errors import AskedWrongly, SidestepError
from ..files import read, read_raw
from ..motion.kinematics import forward
from .talk import console, put_json


@dataclass(frozen=True)
class Info:
    """Tell what is in a clip or a database.

    Example: sidestep info walk.bvh --json --positions 0,10,last
    """

    file: tyro.conf.Positional[Path]
    """A clip (.bvh, .npz) or a database (.sidestep)."""
    json: Annotated[bool, tyro.conf.arg(help="Print one JSON object.")] = False
    positions: str = ""
    """Frames (as 0,10,last) whose joint positions are told in the file's own units and axes."""

    def run(self) -> int:
        """Look and tell."""
        if not self.file.exists():
            raise AskedWrongly(f"{self.file}: no such file; check the path")
        if self.file.is_dir():
            raise AskedWrongly(f"{self.file}: a folder; name a file in it")
        if self.file.suffix == ".sidestep":
            if self.positions:
                raise AskedWrongly(f"{self.file}: --positions is for clips; a database has no file's units")
            told = database_info(self.file)
        else:
            told = clip_info(self.file, self.positions)
        if self.json:
            put_json(told, None)
            return 0
        for key, value in told.items():
            if key != "parents":
                console.print(f"{key:>18}  {_readable(key, value)}", markup=False)
        return 0


def _readable(key: str, value: Any) -> str:
    if key == "positions":
        return "".join(f"\n{'':>20}frame {f}: {np.round(places, 3).tolist()}" for f, places in value.items())
    if key == "orders":
        return ", ".join(f"{order} x {times}" for order, times in Counter(value.values()).most_common())
    if isinstance(value, list):
        return ", ".join(str(v) for v in value) or "none"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def clip_info(path: Path, positions: str = "") -> dict[str, Any]:
    """What a clip holds and what would be made of it."""
    raw = read_raw(path)
    told: dict[str, Any] = {
        "file": path.name,
        "joints": list(raw.skeleton.names),
        "parents": raw.skeleton.parents.tolist(),
        "frames": len(raw.rotations),
        "fps": 1 / raw.frame_time_s if raw.frame_time_s > 0 else None,
        "orders": raw.orders,
    }
    try:
        motion = read(path)
        report = motion.report
        told |= {
            "seconds": report.frames / report.fps,
            "parts": [[part.name, start, len(part)] for part, start in zip(motion.parts, motion.starts, strict=True)],
            "fps": report.fps,
            "unit_m": report.unit_m,
            "up": report.up,
            "facing": report.facing,
            "tpose_first_frame": report.tpose_first_frame,
            "notes": list(report.notes),
        }
    except SidestepError as error:
        # A file may be sound and still hold no human body; say so and tell the rest.
        told |= {"unit_m": None, "up": None, "facing": None, "tpose_first_frame": None, "notes": [str(error)]}
    if positions:
        frames = frame_numbers(positions, len(raw.rotations), path)
        places, _ = forward(raw.skeleton, raw.rotations[frames], raw.translations[frames])
        told["positions"] = {str(f): np.asarray(p, np.float64) for f, p in zip(frames, places, strict=True)}
    return told


def frame_numbers(text: str, frames: int, path: Path) -> list[int]:
    """Frame numbers from "0,10,last"."""
    result = []
    for word in text.split(","):
        try:
            frame = frames - 1 if word.strip() == "last" else int(word)
        except ValueError:
            raise AskedWrongly(
                f"--positions {text}: '{word}' is no frame; write numbers or 'last', as 0,10,last"
            ) from None
        if not 0 <= frame < frames:
            raise AskedWrongly(f"{path.name}: no frame {frame}; it has 0 to {frames - 1}")
        result.append(frame)
    return result


def database_info(path: Path) -> dict[str, Any]:
    """What a database holds."""
    database = Database.load(path)
    seconds: Counter[str] = Counter()
    for clip in database.clips:
        for tag, start, stop in clip["tags"]:
            seconds[tag] += (stop - start) / clip["fps"]
    return {
        "file": path.name,
        "note": database.note,
        "hash": database.hash,
        "poses": len(database),
        "minutes": len(database) / 3600,
        "clips": len(database.clips),
        "bytes_a_pose": path.stat().st_size / len(database),
        "features": database.features.name,
        "query_dims": database.features.query_dims,
        "dims": database.features.dims,
        "body": database.cover,
        "searchable": float(database.searchable.mean()),
        "joints": list(database.skeleton.names),
        "origins": len({source.origin for source in database.sources}),
        "events": dict(Counter(name for name, _ in database.events())),
        "tags_s": {tag: round(s, 1) for tag, s in seconds.most_common()},
    }
