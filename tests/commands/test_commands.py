"""The commands as a user calls them: exit statuses, one clear sentence for what is wrong, tables, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sidestep.cli import run
from sidestep.database import Database
from sidestep.files import write
from sidestep.motion import Clip
from sidestep.performer import perform


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """What came out, on one line."""
    out = capsys.readouterr()
    assert "Traceback" not in out.out + out.err
    return " ".join((out.out + out.err).split())


@pytest.fixture
def folder(tmp_path: Path, walk: Clip) -> Path:
    """Two good files and six bad ones."""
    mocap = tmp_path / "mocap"
    (mocap / "deep").mkdir(parents=True)
    write(mocap / "good.bvh", walk.cut(0, 400))
    write(mocap / "deep" / "other.npz", perform("run", 0).cut(0, 300))
    text = (mocap / "good.bvh").read_text()
    (mocap / "cut.bvh").write_text(text[: len(text) // 2])
    (mocap / "empty.bvh").write_text("")
    (mocap / "binary.bvh").write_bytes(bytes(range(256)) * 10)
    (mocap / "nan.bvh").write_text(text[:-40] + " nan nan\n")
    head, _, motion = text.partition("Frames:")
    lines = motion.splitlines()
    (mocap / "two.bvh").write_text(head + "Frames: 2\n" + "\n".join([lines[1], *lines[2:4]]) + "\n")
    (mocap / "notes.txt").write_text("not motion")
    legs = "".join(
        f"JOINT {n}1\n{{\nOFFSET {x} 0 {z}\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT {n}2\n{{\nOFFSET 0 -35 0\n"
        f"CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{{\nOFFSET 0 -35 0\n}}\n}}\n}}\n"
        for n, x, z in (("a", 15, 0), ("b", -15, 0), ("c", 15, 70), ("d", -15, 70))
    )
    dog = f"HIERARCHY\nROOT Body\n{{\nOFFSET 0 70 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n{legs}}}\n"
    (mocap / "dog.bvh").write_text(
        dog + "MOTION\nFrames: 9\nFrame Time: 0.016667\n" + (" ".join(["0"] * 27) + "\n") * 9
    )
    return mocap


def test_importing_a_folder_reports_every_file(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "my.sidestep", tmp_path / "report.json"
    assert run(["import", str(folder), "-o", str(out), "--json", str(report), "--workers", "1"]) == 1
    text = said(capsys)
    assert "2 of 8 files read" in text
    assert "deep/other.npz" in text  # two files of one name can be told apart
    database = Database.load(out)
    assert {Path(source.origin).name for source in database.sources} == {"good.bvh", "other.npz"}
    assert database.hash in text
    rows = {Path(row["file"]).name: row for row in json.loads(report.read_text())["files"]}
    assert len(rows) == 8
    for name, word in {
        "cut.bvh": "", "empty.bvh": "empty", "binary.bvh": "binary", "nan.bvh": "no finite number",
        "two.bvh": "frames", "dog.bvh": "",
    }.items():  # fmt: skip
        refused = rows[name]["refused"]
        assert refused, name
        assert name in refused, refused
        assert word in refused, refused
        assert "\n" not in refused, name
    assert rows["good.bvh"]["refused"] is None
    assert rows["good.bvh"]["fps"] == pytest.approx(60)


def test_strict_writes_nothing(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "my.sidestep"
    out.write_text("the old one")
    assert run(["import", str(folder), "-o", str(out), "--strict", "--workers", "1"]) == 1
    assert "--strict asks for all" in said(capsys)
    assert out.read_text() == "the old one"


def test_clean_files_end_with_zero(walk: Clip, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "a.bvh", walk)
    out = tmp_path / "a.sidestep"
    assert run(["import", str(tmp_path / "a.bvh"), "-o", str(out), "--mirror", "--features", "rmm33"]) == 0
    database = Database.load(out)
    assert database.features.name == "rmm33"
    assert [source.mirrored for source in database.sources] == [False, True]
    assert run(["info", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["features"], told["query_dims"], told["poses"]) == ("rmm33", 33, len(database))
    assert told["hash"] == database.hash


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["import", "nowhere", "-o", "a.sidestep"], 2, "nowhere: no such file or folder"),
        (["import", ".", "-o", "a.sidestep"], 2, "no motion files in there; readable are .bvh, .npz"),
        (["import", ".", "-o", "a.sidestep", "--features", "emn"], 2, "no feature set 'emn'; nearest: 'emm'"),
        (["info", "nothing.bvh"], 2, "nothing.bvh"),
        (["lab", "performr"], 2, "no experiment 'performr'; nearest: 'performer'"),
        (["data", "get", "lafan"], 2, "no data set 'lafan'; nearest: 'lafan1'"),
        (["data", "get", "cmu"], 2, "not one file to fetch"),
        (["import", ".", "-o", "walk.bvh"], 2, "a database's name ends in .sidestep"),
        (["import", ".", "-o", "a.sidestep", "--fps", "0"], 2, "--fps 0: no frame rate"),
        (["import", "-o", "a.sidestep"], 2, "name the files or folders to import"),
        (["info", "."], 2, "a folder; name a file in it"),
        (["play", "--seed", "-1"], 2, "seeds count from zero"),
    ],
)
def test_wrong_questions_get_one_sentence(
    arguments: list[str], status: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == status
    assert words in said(capsys)
    assert not (tmp_path / "a.sidestep").exists()


def test_an_output_folder_that_is_missing(walk: Clip, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "a.bvh", walk.cut(0, 200))
    for target in (["-o", "none/a.sidestep"], ["-o", "a.sidestep", "--json", "none/a.json"]):
        paths = [str(tmp_path / word) if "/" in word or "." in word else word for word in target]
        assert run(["import", str(tmp_path / "a.bvh"), *paths]) == 1
        assert "make it or name another" in said(capsys)
    (tmp_path / "b.sidestep").mkdir()
    assert run(["import", str(tmp_path / "a.bvh"), "-o", str(tmp_path / "b.sidestep")]) == 1
    assert "a folder of that name is there" in said(capsys)
    assert run(["import", str(tmp_path / "a.bvh"), "-o", str(tmp_path / "c.sidestep"), "--workers", "-1"]) == 2
    (tmp_path / "file").write_text("")
    assert run(["play", "--out", str(tmp_path / "file")]) == 1
    assert "name another" in said(capsys)


def test_a_cache_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SIDESTEP_CACHE", str(tmp_path / "file"))
    assert run(["doctor"]) == 1
    assert "set SIDESTEP_CACHE to a folder that can" in said(capsys)


def test_joint_names_are_no_markup(walk: Clip, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "b[final].bvh", walk.cut(0, 200))
    text = (tmp_path / "b[final].bvh").read_text().replace("JOINT Spine1", "JOINT [/x]")
    (tmp_path / "b[final].bvh").write_text(text)
    assert run(["import", str(tmp_path / "b[final].bvh"), "-o", str(tmp_path / "a.sidestep")]) == 0
    assert "b[final].bvh" in said(capsys)


def test_info_tells_what_is_in_a_clip(walk: Clip, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.bvh"
    write(path, walk)
    assert run(["info", str(path), "--json", "--positions", "0,10,last"]) == 0
    told = json.loads(capsys.readouterr().out)
    for key in (
        "joints", "parents", "frames", "fps", "orders", "unit_m", "up", "facing", "tpose_first_frame", "notes",
        "positions",
    ):  # fmt: skip
        assert key in told
    assert (told["frames"], told["up"], told["facing"], told["tpose_first_frame"]) == (len(walk), "+y", "+z", False)
    assert set(told["positions"]) == {"0", "10", str(len(walk) - 1)}
    same = [told["joints"].index(name) for name in walk.skeleton.names]
    # In the file's own units (centimetres), before anything is fixed.
    written = np.array(told["positions"]["10"])[same] * told["unit_m"]
    assert written == pytest.approx(walk.world()[0][10], abs=1e-3)
    assert run(["info", str(path), "--positions", "0,ten"]) == 2
    assert "'ten' is no frame" in said(capsys)
    assert run(["info", str(path), "--positions", "99999"]) == 2
    assert f"it has 0 to {len(walk) - 1}" in said(capsys)


def test_lists_and_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "list", "--json"]) == 0
    names = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(names) == {"lafan1", "cmu", "100style", "bandai", "emm"}
    assert "17220516" in names["emm"]["page"]
    assert all(row["licence"] and row["good_for"] and row["megabytes"] for row in names.values())
    assert run(["lab"]) == 0
    assert "performer" in said(capsys)
    assert run(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(check["ok"] for check in told["checks"])
    assert told["packages"]["numba"]


def test_play_acts_out_a_medley(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--out", str(tmp_path / "play")]) == 0
    assert "medley.glb" in said(capsys)
    assert (tmp_path / "play" / "medley.glb").read_bytes()[:4] == b"glTF"
    assert (tmp_path / "play" / "medley.png").stat().st_size > 50_000


def test_the_program_itself() -> None:
    for arguments, status in ((["--help"], 0), (["import", "--help"], 0), (["nonsense"], 2), ([], 2)):
        done = subprocess.run([sys.executable, "-m", "sidestep", *arguments], capture_output=True, text=True)
        assert done.returncode == status, arguments
        assert "Traceback" not in done.stderr
    assert "Example: sidestep import" in subprocess.run(
        [sys.executable, "-m", "sidestep", "import", "--help"], capture_output=True, text=True
    ).stdout.replace("\n", " ")
