"""The clock, the cast, scenes and recordings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sidestep.controllers import MotionMatching
from sidestep.database import Database
from sidestep.errors import AskedWrongly, BadFile, DamagedFile, SidestepError, UnknownName
from sidestep.intent import Stick
from sidestep.stage import Recording, Stage, scene, scene_names
from sidestep.stage.measures import contacts
from sidestep.stage.scene import scene_from

BAD = {
    "cars = 3": "no key 'cars'; nearest: 'characters'",
    "seconds = -1": "they must be above zero",
    "seconds = 'long'": "must be a finite number",
    "this is no toml": "this is no TOML",
    "[[obstacles]]\nkind = 'sphere'": "no kind of obstacle 'sphere'",
    "[[obstacles]]\nkind = 'disk'\nat = [0, 0]": "'radius' is None",
    "[[obstacles]]\nkind = 'disk'\nat = [0, nan]\nradius = 1": "must be a finite number",
    "[[obstacles]]\nkind = 'disk'\nat = [0, 0]\nradius = -1": "must be above zero",
    "[[obstacles]]\nkind = 'disk'\nat = 3\nradius = 1": "two numbers, x and z",
    "[[obstacles]]\nkind = 'wall'\nfrom = [0, 0]\nto = [1, 0]\nradius = 2": "no key 'radius'",
    "[[characters]]\nat = [0, 0]\nspeed = 3": "no key 'speed'",
    "[[characters]]\nname = 'ann'\ncontroller = { evasion = -1 }": "evasion is -1",
    "[[characters]]\nname = 'ann'\ncontroller = { evashion = 1 }": "no key 'evashion'; nearest: 'evasion'",
    "[[characters]]\nintent = { kind = 'stick', forward = nan }": "not finite",
    "[[characters]]\nintent = { kind = 'teleport' }": "no kind of intent 'teleport'",
    "[[characters]]\ncontroller = { charges = [{ name = 'fire' }] }": "no penalty 'fire'",
    "[[characters]]\narrives = {}": "a finite x, z or both are wanted",
    "[[characters]]\ncontroller = { weights = { position = 2.0 } }": "no query feature 'position'; nearest",
    "[[characters]]\ncontroller = { environment = { weight = -5.0 } }": "weight is -5.0; it must be zero or above",
    "[[characters]]\ncontroller = { environment = { reach_m = 0.0 } }": "reach_m is 0.0; it must be above zero",
    "[[characters]]\ncontroller = { responsiveness = 'high' }": "a value of the wrong kind",
    "penalties = ['nowhere.py']": "no file of penalties 'nowhere.py'",
    "[vary]\nat_miles = 2": "no key 'at_miles'; nearest: 'at_m'",
}  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_scenes_that_cannot_be_played_are_told_so(small: Database, text: str) -> None:
    with pytest.raises(SidestepError, match="(?s)" + BAD[text].replace("(", r"\(")) as raised:
        scene_from(text, "mine").stage(0, small).crews  # noqa: B018
    # What only the database can tell is told without the scene.
    assert str(raised.value).startswith("mine") or "query feature" in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1 or "TOML" in str(raised.value)


def test_no_such_scene(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no scene 'zigzack'; nearest: 'zigzag'"):
        scene("zigzack")
    with pytest.raises(BadFile, match="no scene can be read there"):
        scene(tmp_path / "none.toml")


def test_every_scene_that_ships_can_be_set() -> None:
    papers = (
        "corridor zigzag still_crowd cubes car passing_155 passing_120 passing_095 speeds fence ceiling two_groups "
        "doors weapon box elbows cones detour facing free"
    )
    assert set(papers.split()) <= set(scene_names())
    for name in scene_names():
        told = scene(name)
        assert told.about
        assert told.roles
        assert not told.warnings()


def small_stage(small: Database) -> Stage:
    stage = Stage()
    stage.add(MotionMatching(small), intent=Stick(forward=1.0), name="one")
    stage.add(MotionMatching(small, responsiveness=0.3), at=(1.5, 0.0), intent=Stick(left=0.4), name="two")
    return stage


def test_what_a_stage_refuses(small: Database) -> None:
    with pytest.raises(AskedWrongly, match="the stage is empty"):
        Stage().step()
    stage = small_stage(small)
    with pytest.raises(AskedWrongly, match="not finite numbers"):
        stage.add(MotionMatching(small), at=(float("nan"), 0.0))
    for seconds in (0.0, -1.0, float("inf")):
        with pytest.raises(AskedWrongly, match="no time to run"):
            stage.run(seconds)
    stage.step()
    with pytest.raises(AskedWrongly, match="before the first tick"):
        stage.add(MotionMatching(small))


def test_recordings_are_kept_whole(small: Database, tmp_path: Path) -> None:
    recording = small_stage(small).run(1.5)
    assert recording.ticks == 90
    recording.save(tmp_path / "two.record")
    again = Recording.load(tmp_path / "two.record")
    assert again.same_as(recording)
    one, two = recording.clip(1), again.clip(1)
    assert np.array_equal(one.rotations, two.rotations)
    files = recording.save(tmp_path / "two.bvh")
    assert [file.name for file in files] == ["two-0-one.bvh", "two-1-two.bvh"]
    with pytest.raises(AskedWrongly, match="there are 2, counted from zero"):
        recording.clip(2)
    with pytest.raises(AskedWrongly, match="this stage was set by hand"):
        again.replay()
    cut = (tmp_path / "two.record").read_bytes()[:-100]
    (tmp_path / "cut.record").write_bytes(cut)
    with pytest.raises(DamagedFile):
        Recording.load(tmp_path / "cut.record")


def test_clips_stand_where_the_characters_stood(small: Database) -> None:
    stage = small_stage(small)
    recording = stage.run(2.0)
    positions, _ = recording.clip(1).world()
    crew = stage.crews[1][1]
    assert positions[-1] == pytest.approx(crew.bodies.positions[0], abs=2e-3)


@pytest.mark.slow
def test_a_recording_replays_to_the_same_frames(tmp_path: Path) -> None:
    stage = scene("zigzag").stage(2)
    first = stage.run(2.0)
    stage.characters[0].intent = Stick(forward=0.4, left=0.5)
    stage.run(1.0)
    other = scene("zigzag").stage(2)
    whole = other.run(3.0, inputs=stage.inputs)
    assert np.array_equal(whole.frames[:120], first.frames)
    whole.save(tmp_path / "zigzag.record")
    assert Recording.load(tmp_path / "zigzag.record").replay().same_as(whole)


def test_a_character_in_a_wall_gets_out_and_a_closed_room_holds(small: Database) -> None:
    text = """
[[obstacles]]
kind = "disk"
at = [0.0, 0.1]
radius = 0.4

[[characters]]
at = [0.0, 0.0]
controller = { route = true, between = true }
intent = { kind = "stick", forward = 1.0 }
"""
    told = scene_from(text, "inside")
    assert "begins inside obstacle 0" in told.warnings()[0]
    stage = told.stage(0, small)
    recording = stage.run(6.0)
    assert np.isfinite(recording.places).all()
    assert contacts(recording, 0, stage.obstacles).ellipse_m[-1] > -0.05
    closed = "".join(
        f'[[obstacles]]\nkind = "wall"\nfrom = {a}\nto = {b}\n'
        for a, b in (([-1, -1], [1, -1]), ([1, -1], [1, 1]), ([1, 1], [-1, 1]), ([-1, 1], [-1, -1]))
    )
    path = '[[characters]]\nintent = { kind = "path", points = [[0, 0], [0, 9]] }\ncontroller = { route = true }\n'
    stage = scene_from(closed + path, "closed").stage(0, small)
    places = stage.run(8.0).places[:, 0]
    assert np.isfinite(places).all()
    assert np.abs(places[:, :2]).max() < 1.2


def test_none_and_many_obstacles(small: Database) -> None:
    rng = np.random.default_rng(0)
    many = "".join(
        f'[[obstacles]]\nkind = "disk"\nat = [{x:.2f}, {z:.2f}]\nradius = 0.1\n'
        for x, z in rng.uniform(-60, 60, (10_000, 2))
        if abs(x) > 0.8 or abs(z) > 0.8
    )
    for things in ("", many):
        told = scene_from(things + "[[characters]]\nintent = { kind = 'stick', forward = 1.0 }\n", "many")
        places = told.stage(0, small).run(2.0).places
        assert np.isfinite(places).all()


def test_the_penalties_of_a_file_beside_the_scene(small: Database, tmp_path: Path) -> None:
    """The thirty lines of docs/penalties.md."""
    (tmp_path / "fire.py").write_text(
        "import numpy as np\n"
        "from sidestep import penalty\n\n\n"
        "@penalty()\n"
        "def warm(frame, slot, bodies, rows, corners, near, first, last, environment, given):\n"
        "    cosine, sine = np.cos(given[2]), np.sin(given[2])\n"
        "    x = given[0] + cosine * bodies[frame, slot, 0] + sine * bodies[frame, slot, 1] - given[3]\n"
        "    z = given[1] - sine * bodies[frame, slot, 0] + cosine * bodies[frame, slot, 1] - given[4]\n"
        "    return max(0.0, given[5] - np.sqrt(x * x + z * z))\n"
    )
    text = "penalties = ['fire.py']\n[[characters]]\nintent = { kind = 'stick', forward = 1.0 }\n"
    burning = "controller = { charges = [{ name = 'warm', numbers = [0.0, 3.0, 2.0] }] }\n"
    far = []
    for extra in ("", burning):
        told = scene_from(text + extra, "fire", tmp_path)
        places = told.stage(0, small).run(6.0).places[:, 0]
        far.append(np.hypot(places[:, 0], places[:, 1] - 3.0).min())
    assert far[0] < 0.8
    assert far[1] > far[0] + 0.4
    # Compiled once, it is found again by the next processes.
    small.save(tmp_path / "small.sidestep")
    (tmp_path / "fire.toml").write_text(text + burning)
    for _ in range(2):
        command = [sys.executable, "-m", "sidestep", "run", str(tmp_path / "fire.toml"), "--seconds", "0.2"]
        done = subprocess.run(
            [*command, "--database", str(tmp_path / "small.sidestep")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
