"""What a reader found in a file, guessed about it and did to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..motion.clip import Clip


@dataclass(frozen=True, kw_only=True)
class Report:
    """Findings about one file; everything here is shown by ``sidestep info`` and ``sidestep import``."""

    format: str
    frames: int
    """Frames in the file, before anything was cut."""
    fps: float
    unit_m: float
    """How many metres one unit of the file is taken to be."""
    up: str
    """The file's upward axis: "+y", "+z" ..."""
    facing: str
    """Where the resting skeleton faces, in the file's axes; where the first frame does, if it is drawn strangely."""
    tpose_first_frame: bool = False
    orders: dict[str, str] = field(default_factory=dict)
    """Channel order by joint, as listed in the file ("ZYX")."""
    notes: tuple[str, ...] = ()
    """What was found odd and what was done about it, one sentence each."""


@dataclass(frozen=True)
class Motion:
    """A file's motion, in metres, y up, with the ground at zero, and how it got there."""

    clip: Clip
    report: Report
    parts: tuple[Clip, ...] = ()
    """The clip, cut where the body teleports; one part where it does not."""
    starts: tuple[int, ...] = ()
    """Which frame of the file each part begins with."""
