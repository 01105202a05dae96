"""The ``sidestep`` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import tyro
from rich.markup import escape

from . import __version__
from .commands.data import DataGet, DataList
from .commands.doctor import Doctor
from .commands.import_ import Import
from .commands.info import Info
from .commands.lab import Lab
from .commands.play import Play
from .commands.run import Run
from .commands.talk import complaints, console
from .errors import AskedWrongly, SidestepError, UnknownName


def data(
    what: Annotated[
        Annotated[DataList, tyro.conf.subcommand("list", prefix_name=False)]
        | Annotated[DataGet, tyro.conf.subcommand("get", prefix_name=False)],
        tyro.conf.arg(name=""),
    ],
) -> DataList | DataGet:
    """Known public data sets: list them, fetch one."""
    return what


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; exit status 0 done, 1 could not, 2 asked wrongly."""
    sys.exit(run(sys.argv[1:] if arguments is None else list(arguments)))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    if arguments == ["--version"]:
        console.print(f"sidestep {__version__}")
        return 0
    command = tyro.extras.subcommand_cli_from_dict(
        {
            "play": Play,
            "run": Run,
            "import": Import,
            "info": Info,
            "data": data,
            "lab": Lab,
            "doctor": Doctor,
        },
        prog="sidestep",
        description="Motion-captured characters that find their way through a world that gets in their way.",
        args=arguments,
    )
    try:
        return int(command.run())
    except (AskedWrongly, UnknownName) as error:
        complaints.print(f"[red]sidestep:[/] {escape(str(error))}", soft_wrap=True)
        return 2
    except SidestepError as error:
        complaints.print(f"[red]sidestep:[/] {escape(str(error))}", soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        complaints.print("stopped")
        return 1
