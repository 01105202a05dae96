"""sidestep run: what it refuses, what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sidestep.cli import run
from sidestep.database import Database

SCENE = """
title = "A post"
[[obstacles]]
kind = "disk"
at = [0.0, 2.0]
radius = 0.2

[[characters]]
name = "somebody"
controller = { route = true }
intent = { kind = "stick", forward = 1.2 }
arrives = { z = 4.0 }
"""


@pytest.fixture
def post(tmp_path: Path) -> Path:
    path = tmp_path / "post.toml"
    path.write_text(SCENE)
    return path


def test_what_it_refuses(post: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("title = 'nobody'")
    for arguments, status, words in (
        (["run", "zigzack"], 2, "no scene 'zigzack'; nearest: 'zigzag'"),
        (["run", str(post), "--seconds", "-3"], 2, "above zero and at most an hour"),
        (["run", str(post), "--seconds", "nan"], 2, "above zero and at most an hour"),
        (["run", str(post), "--seed", "-1"], 2, "seeds count from zero"),
        (["run", str(empty)], 2, "nobody plays in this scene"),
        (["run", str(tmp_path / "none.toml")], 1, "no scene can be read there"),
    ):
        assert run(arguments) == status
        assert words in " ".join(capsys.readouterr().err.split())


def test_without_a_name_it_lists_the_scenes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run"]) == 0
    out = capsys.readouterr().out
    assert "corridor" in out
    assert "zigzag" in out


def test_it_plays_and_writes(small: Database, post: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small.save(tmp_path / "small.sidestep")
    arguments = ["run", str(post), "--seconds", "6", "--database", str(tmp_path / "small.sidestep")]
    arguments += ["--out", str(tmp_path / "a.bvh"), str(tmp_path / "a.record"), "--top", str(tmp_path / "a.png")]
    assert run([*arguments, "--report", str(tmp_path / "a.json")]) == 0
    told = json.loads((tmp_path / "a.json").read_text())
    assert told["reached"] is True
    assert told["characters"]["somebody"]["arrived_s"] < 6
    assert told["characters"]["somebody"]["capsule_share"] < 0.05
    assert told["databases"] == [small.hash]
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert (tmp_path / "a.bvh").read_text().startswith("HIERARCHY")
    assert "arrived after" in capsys.readouterr().out
