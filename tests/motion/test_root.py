"""The ground root (EMM 3), also in jumps, on hands and knees, and lying."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sidestep.motion import Clip
from sidestep.motion import quaternion as quat
from sidestep.motion.root import with_root, without_root
from sidestep.performer import perform


@pytest.mark.parametrize("task", ["walk", "jump", "creep", "crawl"])
def test_joints_stay_where_they_were_and_the_root_can_be_taken_off(task: str) -> None:
    clip = perform(task, 0)
    rooted = with_root(clip)
    assert rooted.skeleton.names[0] == "GroundRoot"
    assert rooted.world()[0][:, 1:] == pytest.approx(clip.world()[0], abs=1e-4)
    assert without_root(rooted).world()[0] == pytest.approx(clip.world()[0], abs=1e-4)
    assert with_root(rooted) is rooted


@pytest.mark.parametrize("task", ["walk", "jump", "creep", "crawl"])
def test_the_root_stays_on_the_ground_under_the_hips_and_turns_smoothly(task: str) -> None:
    rooted = with_root(perform(task, 1))
    positions, turned = rooted.world()
    assert np.abs(positions[:, 0, 1]).max() == 0
    assert np.linalg.norm((positions[:, 0] - positions[:, 1])[:, [0, 2]], axis=-1).max() < 0.12
    turn = quat.angle(quat.multiply(quat.inverse(turned[:-1, 0]), turned[1:, 0])) * 60
    assert turn.max() < 7.0


def test_going_down_to_lying_and_up_again_never_turns_about() -> None:
    # This take turns by less than half a turn: a flip of the heading on the floor would show.
    rooted = with_root(perform("crawl", 0))
    ahead = quat.rotate(rooted.world()[1][:, 0], np.array([0.0, 0.0, 1.0]))
    head = rooted.world()[0][:, rooted.skeleton.index("Head")] - rooted.world()[0][:, 1]
    low = rooted.world()[0][:, 1, 1] < 0.3
    assert low.sum() > 100
    assert (ahead * head).sum(-1)[low].min() > 0.3


def test_turning_the_world_turns_the_root(walk: Clip) -> None:
    turn = quat.about("y", np.float32(2.0))
    rotations = np.array(walk.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    turned = with_root(replace(walk, rotations=rotations, translations=quat.rotate(turn, walk.translations)))
    rooted = with_root(walk)
    assert turned.rotations[:, 1:] == pytest.approx(rooted.rotations[:, 1:], abs=2e-4)
    assert turned.translations[:, 1] == pytest.approx(rooted.translations[:, 1], abs=2e-4)


def test_lying_on_the_side_carries_the_heading_over(walk: Clip) -> None:
    # Roll a standing frame onto its side and back within a second: across the body is then up and down.
    still = walk.cut(0, 1)
    angle = np.concatenate([np.linspace(0, np.pi / 2, 30), np.full(10, np.pi / 2), np.linspace(np.pi / 2, 0, 30)])
    rotations = np.repeat(still.rotations, len(angle), axis=0)
    rotations[:, 0] = quat.multiply(quat.about("z", angle), rotations[:, 0])
    rolled = Clip(
        name="roll",
        skeleton=walk.skeleton,
        rotations=rotations.astype(np.float32),
        translations=np.repeat(still.translations, len(angle), axis=0),
    )
    ahead = quat.rotate(with_root(rolled).world()[1][:, 0], np.array([0.0, 0.0, 1.0]))
    assert ahead[:, 2].min() > 0.9
