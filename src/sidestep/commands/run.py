"""sidestep run: a scene without a window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tyro
from rich.markup import escape
from rich.progress import Progress

from .. import __version__
from ..database import Database
from ..errors import AskedWrongly
from ..machine import machine
from ..pictures import contact_sheet, top_view
from ..stage import scene, scene_names
from ..stage.judge import judge
from ..stage.stage import TICKS_PER_SECOND
from .talk import complaints, console, put_json

SHOW_OVER_S = 2.0


@dataclass(frozen=True)
class Run:
    """Play a scene without a window; write the motion, a view from above and a report.

    Example: sidestep run zigzag --seconds 20 --out zigzag.glb --top zigzag.png --report zigzag.json
    """

    scene: tyro.conf.Positional[str] = ""
    """A scene that ships (leave it out for the list), or a .toml file."""
    seconds: float | None = None
    """How long; as the scene says, if left out."""
    out: Annotated[tuple[Path, ...], tyro.conf.arg(help="Motion as .glb, .bvh, .npz; .record for all of it.")] = ()
    report: Path | None = None
    """Write what came of it as JSON."""
    top: Path | None = None
    """PNG from above: trails and footprints."""
    sheet: Path | None = None
    """PNG of the first character's poses on the way."""
    seed: int = 0
    """Which variation of the scene."""
    database: Path | None = None
    """Play from this database instead of the default one."""

    def run(self) -> int:
        """Play it and say how it went."""
        if not self.scene:
            for name in scene_names():
                console.print(f"  {name:<12} {escape(scene(name).about)}")
            return 0
        if self.seconds is not None and not 0 < self.seconds <= 3600:
            raise AskedWrongly(f"--seconds {self.seconds:g}: a run takes above zero and at most an hour")
        if self.seed < 0:
            raise AskedWrongly(f"--seed {self.seed}: seeds count from zero")
        told = scene(self.scene)
        if not told.roles:
            raise AskedWrongly(f"{told.name}: nobody plays in this scene; add [[characters]]")
        for warning in told.warnings():
            complaints.print(f"[yellow]sidestep:[/] {escape(warning)}", soft_wrap=True)
        stage = told.stage(self.seed, None if self.database is None else Database.load(self.database))
        seconds = self.seconds or told.seconds
        with Progress(console=complaints, transient=True) as progress:
            total = seconds * TICKS_PER_SECOND
            task = progress.add_task(told.title, total=total, visible=seconds > SHOW_OVER_S)
            recording = stage.run(seconds, watch=lambda done: progress.update(task, completed=done))
        figures = judge(told, stage, recording)
        for name, one in figures["characters"].items():
            console.print(f"  {escape(name):<18} {_line(one)}")
        for path in self.out:
            for written in recording.save(path):
                console.print(f"wrote {escape(str(written))}")
        if self.top is not None:
            later = [stage.obstacles.at(tick) for tick in range(60, recording.ticks, 60)]
            moving = later if stage.obstacles.standing < len(stage.obstacles) else []
            top_view(self.top, stage.obstacles.at(0), recording.places, recording.now, title=told.title, moving=moving)
        if self.sheet is not None:
            contact_sheet(recording.clip(0), self.sheet, tall_m=2.3)
        if self.report is not None:
            head: dict[str, Any] = {"scene": told.name, "version": __version__, "machine": machine()}
            put_json({**head, "seed": self.seed, "seconds": seconds, **figures}, self.report)
        return 0


def _line(one: dict[str, Any]) -> str:
    arrived = "" if one["arrived_s"] is None else f"arrived after {one['arrived_s']:.1f} s, "
    if one["arrived_s"] is None and one["arrives"]:
        arrived = "[yellow]did not arrive[/], "
    touched = (
        f"touched something {one['capsule_share']:.1%} of the time" if one["capsule_share"] > 0 else "touched nothing"
    )
    nearest = f", {one['nearest_m'] * 100:.0f} cm at the nearest" if np.isfinite(one["nearest_m"]) else ""
    return f"{arrived}went {one['way_m']:.1f} m, {touched}{nearest}"
