"""sidestep lab: experiments that print tables; every published figure comes from here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro
from rich.table import Table

from ..database import Database
from ..errors import AskedWrongly, UnknownName
from .talk import console, put_json


@dataclass(frozen=True)
class Lab:
    """Run an experiment and print its tables; without a name, list what there is.

    Example: sidestep lab performer --json performer.json --mocap mocap/
    """

    name: tyro.conf.Positional[str] = ""
    """Which experiment."""
    json: Path | None = None
    """Write all figures as JSON, too."""
    quick: bool = False
    """A small part of the work: to see whether it runs, not to publish."""
    seed: int = 0
    """Source of chance."""
    mocap: Annotated[Path | None, tyro.conf.arg(help="Folder of real clips (also SIDESTEP_MOCAP).")] = None
    sheets: Path | None = None
    """Folder for contact sheets."""
    database: Path | None = None
    """Run on this database instead of the default one."""
    verify: bool = False
    """Hold every exact search of the run against brute force."""

    def run(self) -> int:
        """Run it and show it."""
        # Only now: experiments need nearly everything, and other commands should not wait for that.
        from ..lab import EXPERIMENTS

        if not self.name:
            for name, experiment in EXPERIMENTS.items():
                console.print(f"  {name:<12} {experiment.about}")
            return 0
        if self.name not in EXPERIMENTS:
            raise UnknownName.among("experiment", self.name, EXPERIMENTS)
        experiment = EXPERIMENTS[self.name]
        extra: dict[str, Any] = {}
        if experiment.on_any_database:
            extra = {
                "database": None if self.database is None else Database.load(self.database),
                "verify": self.verify,
            }
        elif self.database is not None or self.verify:
            able = ", ".join(name for name, other in EXPERIMENTS.items() if other.on_any_database)
            raise AskedWrongly(f"lab {self.name} takes neither --database nor --verify; these do: {able}")
        result = experiment.run(self.seed, self.mocap, self.quick, self.sheets, **extra)
        for title, columns, rows in experiment.describe(result):
            table = Table(title=title, box=None, title_justify="left", pad_edge=False)
            for column in columns:
                table.add_column(column, overflow="fold")
            for row in rows:
                table.add_row(*row)
            console.print(table)
            console.print()
        if self.json is not None:
            put_json(result, self.json)
        return 0
