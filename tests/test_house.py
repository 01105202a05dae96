"""The plan of the house, held true: imports run one way, sources hold nothing they should not."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "sidestep"
ROOMS = [
    "base", "geometry", "motion", "mannequin", "files", "pictures", "jobs", "performer", "database", "search",
    "world", "intent", "body", "controllers", "stage", "lab", "commands", "cli", "__main__",
]  # fmt: skip
BASE = {"errors", "arrays", "caches", "jit", "machine", "__init__"}


def room_of(path: Path) -> str:
    if path == PACKAGE / "__init__.py":
        return "cli"  # the map of the whole house
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "base" if first in BASE else first


def imported_rooms(path: Path) -> set[str]:
    found = set()
    depth = len(path.relative_to(PACKAGE).parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            for name in [node.module] if node.module else [alias.name for alias in node.names]:
                first = str(name).split(".")[0]
                found.add("base" if first in BASE or first == "__version__" else first)
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    rank = ROOMS.index(room_of(path))
    late = [room for room in imported_rooms(path) if ROOMS.index(room) > rank]
    assert not late, f"{path.name} in room '{room_of(path)}' must not know {late}"


def test_no_source_file_holds_two_ideas() -> None:
    lengths = {p.relative_to(PACKAGE): len(p.read_text().splitlines()) for p in PACKAGE.rglob("*.py")}
    assert max(lengths.values()) <= 500, max(lengths.items(), key=lambda item: item[1])


def test_nothing_unfinished_and_no_machine_paths() -> None:
    bad = re.compile(r"\bTODO\b|\bFIXME\b|\bXXX\b|/root/|/home/|/work/")
    for path in [*PACKAGE.rglob("*.py"), *(PACKAGE.parent.parent / "docs").rglob("*.md")]:
        assert not bad.search(path.read_text(encoding="utf-8")), path
