"""What is found out about a file: unit, up, facing, T-poses, teleports, frozen frames, frame rates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sidestep.errors import BadFile, BadSkeleton
from sidestep.files import Raw, read
from sidestep.files.repair import repaired
from sidestep.motion import Clip, Skeleton
from sidestep.motion import quaternion as quat
from sidestep.motion.rest import reference_pose
from sidestep.motion.roles import find_roles


def raw_of(clip: Clip, **changes: object) -> Raw:
    raw = Raw(clip.name, "BVH", clip.skeleton, clip.rotations, clip.translations, 1 / clip.fps, {})
    return replace(raw, **changes)


def settled(clip: Clip) -> np.ndarray:
    """Positions with the mean at zero: repair may move the ground."""
    places = clip.world()[0]
    return places - places.mean((0, 1))


@pytest.mark.parametrize("unit", [1.0, 0.01, 0.001, 0.0254, 0.1, 0.0254 / 0.45])
def test_units_are_found_by_the_body(walk: Clip, unit: float) -> None:
    raw = raw_of(walk, skeleton=walk.skeleton.scaled(1 / unit), translations=walk.translations / np.float32(unit))
    motion = repaired(raw)
    assert motion.report.unit_m == pytest.approx(unit)
    assert settled(motion.clip) == pytest.approx(settled(walk), abs=2e-3)


def test_an_unknown_unit_is_scaled_to_a_body_and_told(walk: Clip) -> None:
    raw = raw_of(walk, skeleton=walk.skeleton.scaled(2.2), translations=walk.translations * np.float32(2.2))
    motion = repaired(raw)
    assert any("unit unknown" in note for note in motion.report.notes)
    assert motion.report.unit_m * 2.2 == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize(
    ("up", "turn"),
    [("+z", quat.about("x", np.pi / 2)), ("-y", quat.about("x", np.pi)), ("-z", quat.about("x", -np.pi / 2))],
)
def test_up_is_found_and_turned(walk: Clip, up: str, turn: np.ndarray) -> None:
    rotations = np.array(walk.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    raw = raw_of(
        walk,
        rotations=rotations.astype(np.float32),
        translations=quat.rotate(turn, walk.translations).astype(np.float32),
    )
    motion = repaired(raw)
    assert motion.report.up == up
    assert motion.clip.world()[0][..., 1].max() == pytest.approx(walk.world()[0][..., 1].max(), abs=0.03)


def test_a_skeleton_drawn_lying_says_where_it_faces(walk: Clip) -> None:
    assert repaired(raw_of(walk)).report.facing == "+z"
    turned = Skeleton(
        walk.skeleton.names, walk.skeleton.parents, quat.rotate(quat.about("y", np.pi / 2), walk.skeleton.offsets), (0,)
    )
    assert repaired(raw_of(walk, skeleton=turned)).report.facing == "+x"


def test_an_added_t_pose_is_dropped(walk: Clip) -> None:
    pose = reference_pose(walk.skeleton, find_roles(walk.skeleton))
    raw = raw_of(
        walk,
        rotations=np.concatenate([pose[None], walk.rotations]),
        translations=np.concatenate([walk.translations[:1], walk.translations]),
    )
    motion = repaired(raw)
    assert motion.report.tpose_first_frame
    assert len(motion.clip) == len(walk)
    assert motion.starts == (1,)
    assert not repaired(raw_of(walk)).report.tpose_first_frame


def test_a_body_that_teleports_is_cut_there(walk: Clip) -> None:
    translations = np.array(walk.translations)
    translations[400:] += np.array([4.0, 0, 1.0], np.float32)
    motion = repaired(raw_of(walk, translations=translations))
    assert [len(part) for part in motion.parts] == [400, len(walk) - 400]
    assert motion.starts == (0, 400)
    assert any("teleports at frame 400" in note for note in motion.report.notes)
    assert len(repaired(raw_of(walk)).parts) == 1


def test_running_is_no_teleport() -> None:
    from sidestep.performer import perform

    for task in ("run", "leap", "punch", "push"):
        assert len(repaired(raw_of(perform(task, 3))).parts) == 1


def test_frozen_ends_are_cut_and_held_frames_told(walk: Clip) -> None:
    rotations, translations = np.array(walk.rotations), np.array(walk.translations)
    for array in (rotations, translations):
        array[:40] = array[40]
        array[300:330] = array[300]
        array[500] = array[499]
    motion = repaired(raw_of(walk, rotations=rotations, translations=translations))
    notes = "; ".join(motion.report.notes)
    assert "40 frame(s) cut at the start" in notes
    assert "frozen for a while at frame 300" in notes
    assert "1 dropped frame(s), the first at 499" in notes
    # Behind the freeze the body is elsewhere at once: a cut, too.
    assert motion.starts == (40, 330)


@pytest.mark.parametrize("frame_time", [0.0, -0.01, 3.0, 1e-7])
def test_a_frame_time_that_cannot_be_true(walk: Clip, frame_time: float) -> None:
    motion = repaired(raw_of(walk, frame_time_s=frame_time))
    assert motion.report.fps == 30.0
    assert any("cannot be true" in note for note in motion.report.notes)


def test_a_frame_rate_that_is_not_told(walk: Clip) -> None:
    motion = repaired(raw_of(walk, frame_time_s=float("nan")))
    assert motion.report.fps == 30.0
    assert any("no frame rate is told" in note for note in motion.report.notes)


def test_a_rate_at_which_nobody_moves_is_told(walk: Clip) -> None:
    from sidestep.performer import perform

    motion = repaired(raw_of(perform("run", 0), frame_time_s=1 / 480))
    assert any("probably wrong" in note for note in motion.report.notes)


def test_ground_is_moved_to_zero(walk: Clip) -> None:
    motion = repaired(raw_of(walk, translations=walk.translations + np.array([0, 0.4, 0], np.float32)))
    assert any("ground lay at +0.40 m" in note for note in motion.report.notes)


def test_two_frames_and_broken_bodies_are_refused(walk: Clip) -> None:
    with pytest.raises(BadFile, match="fewer than 3"):
        repaired(raw_of(walk, rotations=walk.rotations[:2], translations=walk.translations[:2]))
    legless = Skeleton(walk.skeleton.names, walk.skeleton.parents, walk.skeleton.offsets * 0, (0,))
    with pytest.raises((BadFile, BadSkeleton), match=r"no length|no human"):
        repaired(raw_of(walk, skeleton=legless))


def test_the_manifest_agrees(mocap: Path | None) -> None:
    """Unit, T-pose and rate of real files, as the manifest of the real clips tells them."""
    if mocap is None:
        pytest.skip("no real clips")
    for name, unit, fps, tpose in (
        ("cmu_60fps/69_01.bvh", 0.0254 / 0.45, 60, True),
        ("snu_woody2/wd2_WalkLean01.bvh", 0.01, 30, False),
        ("lafan1/ground1_subject4.bvh", 0.01, 30, False),
        ("lafan1/obstacles3_subject3_sideways_filtered.bvh", 0.01, 60, False),
    ):
        report = read(mocap / name).report
        assert report.unit_m == pytest.approx(unit)
        assert (report.fps, report.tpose_first_frame, report.up) == (fps, tpose, "+y")


@pytest.mark.parametrize("up", ["+x", "-x", "+y", "-y", "+z", "-z"])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_every_way_to_stand_and_to_face_is_found(up: str, turn: int, walk: Clip) -> None:
    axis = np.zeros(3, np.float32)
    axis["xyz".index(up[1])] = 1.0 if up[0] == "+" else -1.0
    yaw = quat.about("y", np.float32(turn * np.pi / 2))
    stand = quat.multiply(quat.between(np.array([0, 1, 0], np.float32), axis), yaw)
    facing = quat.rotate(stand, np.array([0, 0, 1], np.float32))
    name = ("+" if facing[np.abs(facing).argmax()] > 0 else "-") + "xyz"[int(np.abs(facing).argmax())]
    clip = walk.cut(0, 300)
    # Everything is drawn anew in the turned world: offsets, places and turns.
    offsets = quat.rotate(stand, clip.skeleton.offsets)
    ends = {joint: quat.rotate(stand, tip) for joint, tip in clip.skeleton.ends.items()}
    skeleton = Skeleton(clip.skeleton.names, clip.skeleton.parents, offsets, (0,), ends)
    rotations = quat.multiply(quat.multiply(stand, clip.rotations), quat.inverse(stand))
    motion = repaired(
        raw_of(clip, skeleton=skeleton, rotations=rotations, translations=quat.rotate(stand, clip.translations))
    )
    assert (motion.report.up, motion.report.facing) == (up, name)
    assert motion.clip.world()[0][..., 1].max() > 1.4


def test_teleports_are_told_by_the_files_own_frames(walk: Clip) -> None:
    """A T-pose dropped in front and frozen frames cut do not shift the numbers."""
    places, rotations = np.array(walk.translations[:500]), np.array(walk.rotations[:500])
    places[300:, 0, 0] += 5.0
    places = np.concatenate([places[:1]] * 20 + [places])
    rotations = np.concatenate([rotations[:1]] * 20 + [rotations])
    motion = repaired(raw_of(walk, rotations=rotations, translations=places))
    assert any("teleports at frame 320" in note for note in motion.report.notes), motion.report.notes
    assert 320 in motion.starts


@pytest.mark.parametrize(
    ("seconds", "fps"),
    [(0.0166667, 60), (0.0333, 30), (1 / 29.97, 29.97), (1 / 59.94, 59.94), (0.00833333, 120), (0.04, 25)],
)
def test_frame_rates_are_what_was_meant(seconds: float, fps: float, walk: Clip) -> None:
    assert repaired(raw_of(walk, frame_time_s=seconds)).report.fps == pytest.approx(fps, abs=1e-9)


def test_what_is_not_finite_does_not_travel(walk: Clip) -> None:
    places = np.array(walk.translations)
    places[17] = np.nan
    with pytest.raises(BadFile, match="frame 17 holds values that are not finite"):
        repaired(raw_of(walk, translations=places))
