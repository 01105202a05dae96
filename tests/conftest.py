"""What many tests share: performed clips, real clips where there are any, a small database."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sidestep.database import Database
from sidestep.lab.mocap import VARIABLE, mocap_folder, unpacked
from sidestep.motion import Clip
from sidestep.performer import perform


def pytest_report_header() -> str:
    """Say which clips stand for real ones."""
    folder = os.environ.get(VARIABLE)
    return f"real clips: {folder}" if folder else f"real clips: none ({VARIABLE} is not set), the performer stands in"


@pytest.fixture(scope="session")
def walk() -> Clip:
    """A performed walk with a start and a stop."""
    return perform("walk", 0)


@pytest.fixture(scope="session")
def some_clips() -> list[Clip]:
    """A take each of very different tasks."""
    return [perform(name, 0) for name in ("walk", "run", "sidestep", "creep", "crawl", "jump", "box", "turn_on_spot")]


@pytest.fixture(scope="session")
def small(some_clips: list[Clip]) -> Database:
    """A database of those takes."""
    return Database.build(some_clips)


@pytest.fixture(scope="session")
def mocap() -> Path | None:
    """The folder of unpacked real clips, or None."""
    folder = mocap_folder()
    return None if folder is None else unpacked(folder)
