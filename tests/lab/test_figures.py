"""What the lab measures: known values, and real clips by the manifest's own word."""

from __future__ import annotations

import csv
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sidestep.errors import AskedWrongly
from sidestep.lab import EXPERIMENTS
from sidestep.lab.coverage import coverage, kinds_of
from sidestep.lab.likeness import likeness
from sidestep.lab.mocap import RealClip, mocap_folder, real_clips, subjects
from sidestep.lab.performer import run_performer
from sidestep.lab.soundness import joint_angles, self_penetration
from sidestep.lab.strides import strides_of
from sidestep.motion import Clip
from sidestep.motion.mirror import mirror
from sidestep.performer import perform
from sidestep.performer.act import perform_score
from sidestep.performer.score import Score
from tests.database.test_features import moved


def steady(speed: float, **channels: float) -> Clip:
    """A straight way at one speed."""
    return perform_score(Score(3).go(1.5).go(8.0, ahead_mps=speed, **channels), f"steady {speed}")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AskedWrongly, match="no such folder of real clips"):
        mocap_folder(tmp_path / "none")


@pytest.mark.parametrize("speed", [0.7, 1.3, 1.8, 3.0])
def test_strides_tell_the_speed_and_its_product(speed: float) -> None:
    strides = strides_of(steady(speed))
    assert len(strides) >= 6
    found = {name: np.median([getattr(s, name) for s in strides]) for name in ("speed_mps", "step_m", "cadence_hz")}
    assert found["speed_mps"] == pytest.approx(speed, abs=0.06)
    # A step's length times their number is the way.
    assert found["step_m"] * found["cadence_hz"] == pytest.approx(speed, rel=0.06)
    running = speed > 2.05
    assert (np.median([s.flight for s in strides]) > 0.15) == running
    assert (np.median([s.double_support for s in strides]) > 0.05) != running


def test_kinds_are_told_from_motion_alone() -> None:
    bare = {"tags": (), "events": (), "contacts": None}
    seconds = {
        "walk": coverage([replace(steady(1.2), **bare)]),
        "back": coverage([replace(steady(-0.8), **bare)]),
        "run": coverage([replace(steady(3.0), **bare)]),
        "left": coverage([replace(perform_score(Score(3).go(1.5).go(8.0, left_mps=0.6), "left"), **bare)]),
    }
    assert seconds["walk"]["walk"] > 6
    assert seconds["walk"]["ahead_1.2_1.6_mps"] + seconds["walk"]["ahead_0.8_1.2_mps"] > 6
    assert seconds["back"]["backward"] > 6
    assert seconds["run"]["run"] > 5
    assert seconds["left"]["sidestep_left"] > 6
    assert seconds["left"]["sidestep_right"] < 0.5


def test_turned_and_mirrored_worlds_change_only_the_side() -> None:
    clip = perform("sidestep", 1)
    here, there, seen = kinds_of(clip), kinds_of(moved(clip, 2.0, 5, 5)), kinds_of(mirror(clip))
    for name, mask in here.items():
        assert (mask == there[name]).mean() > 0.995, name
        swapped = name.replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right")
        assert (mask == seen[swapped]).mean() > 0.98, name


@pytest.mark.mocap
def test_the_manifest_agrees_on_kinds(mocap: Path | None) -> None:
    if mocap is None:
        pytest.skip("no real clips")
    folder = mocap_folder()
    assert folder is not None
    with (folder / "manifest.csv").open(newline="", encoding="utf-8") as stream:
        rows = {row["file"]: row for row in csv.DictReader(stream)}
    wanted = ["69_15", "69_58", "69_54", "16_35", "91_54", "walk4_subject1"]
    clips = real_clips(folder, only=wanted)
    assert len({found.file for found in clips}) >= 5
    pairs = {"idle": "s_idle", "backward": "s_backward", "run": "s_run_fwd", "walk": "s_walk_fwd"}
    ours, theirs = dict.fromkeys(pairs, 0.0), dict.fromkeys(pairs, 0.0)
    for found in clips:
        seconds = coverage([found.clip])
        for name in pairs:
            ours[name] += seconds[name]
    for file in {found.file for found in clips}:
        for name, column in pairs.items():
            theirs[name] += float(rows[file][column])
    for name in pairs:
        assert ours[name] == pytest.approx(theirs[name], rel=0.35, abs=3.0), (name, ours, theirs)
    assert {found.subject for found in clips} >= {"CMU 69", "CMU 16"}


def test_subjects_without_a_manifest(tmp_path: Path) -> None:
    from sidestep.files import write

    write(tmp_path / "anna_01.bvh", perform("walk", 0).cut(0, 120))
    assert subjects(tmp_path) == {"anna_01.bvh": "anna"}


def test_likeness_of_twins_and_strangers() -> None:
    walks = [perform("walk", seed) for seed in range(4)]
    stiff = []
    for clip in walks:
        rotations = np.array(clip.rotations)
        rotations[:, clip.skeleton.index("LeftArm")] = [1, 0, 0, 0]  # an arm held out like a scarecrow's
        stiff.append(replace(clip, rotations=rotations))
    real = [RealClip(clip, f"person {k % 2}", "") for k, clip in enumerate(perform("walk", s) for s in range(10, 16))]
    speeds = [0.8, 1.0, 1.2, 1.4]
    own, scarecrow = likeness(walks, real, speeds), likeness(stiff, real, speeds)
    assert own["subjects"] >= 4
    assert 0.7 < own["ratio"] < 1.4
    assert scarecrow["ratio"] > 2
    alone = likeness(walks, real[:1], speeds)
    assert np.isnan(alone["ratio"])


def test_an_arm_through_the_belly_is_seen() -> None:
    clip = perform("idle", 0).cut(0, 60)
    sound, _ = self_penetration(clip)
    rotations = np.array(clip.rotations)
    rotations[:, clip.skeleton.index("LeftForeArm")] = [1, 0, 0, 0]
    half = np.radians(-125) / 2  # from straight out to the side down and on, into the trunk
    rotations[:, clip.skeleton.index("LeftArm")] = [np.cos(half), 0, 0, np.sin(half)]
    worst, name = self_penetration(replace(clip, rotations=rotations))
    assert sound.max() < 0.03
    assert worst.max() > sound.max() + 0.02, name


def test_hinges_open_as_told() -> None:
    clip = perform("idle", 0).cut(0, 30)
    rotations = np.array(clip.rotations)
    half = np.radians(60) / 2
    rotations[:, clip.skeleton.index("LeftForeArm")] = [np.cos(half), 0, -np.sin(half), 0]
    elbow = joint_angles(replace(clip, rotations=rotations))["elbow"]
    assert np.degrees(elbow[:30]) == pytest.approx(60, abs=0.5)


@pytest.mark.slow
def test_the_performer_experiment_prints_what_it_promises(mocap: Path | None, tmp_path: Path) -> None:
    folder = None
    if mocap is not None:
        folder = tmp_path / "real"
        for name in ("69_01", "69_02", "69_15", "16_35", "16_15", "91_54"):
            target = folder / "cmu_60fps" / f"{name}.bvh"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(mocap / "cmu_60fps" / f"{name}.bvh", target)
    result = run_performer(0, folder, quick=True, sheets=tmp_path / "sheets")
    for key in ("minutes", "poses", "hash", "seconds_to_make", "slide_cms", "coverage_s", "gait"):
        assert key in result
    assert result["slide_cms"]["median"] < 1.0
    assert {"speed_mps", "step_m", "cadence_hz", "double_support"} <= set(result["gait"][0])
    assert ("distance_ratio" in result) == (folder is not None)
    tasks = {path.stem for path in (tmp_path / "sheets").glob("*.png")}
    assert {"walk", "crawl", "box"} <= tasks
    assert all(rows for _, _, rows in EXPERIMENTS["performer"].describe(result))
