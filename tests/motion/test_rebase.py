"""Skeletons whose zero pose is no body are redrawn; nothing moves elsewhere than before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sidestep.files import read, read_raw
from sidestep.motion import Clip, Skeleton
from sidestep.motion import quaternion as quat
from sidestep.motion.rebase import rebased
from sidestep.motion.rest import is_strange, reference_world
from sidestep.motion.roles import find_roles


def drawn_along_x(clip: Clip) -> Clip:
    """The same motion with every bone drawn along x, as LAFAN1 does."""
    skeleton = clip.skeleton
    along = np.zeros_like(skeleton.offsets)
    along[:, 0] = np.linalg.norm(skeleton.offsets, axis=-1)
    # Each joint's frame is turned so that its first child lies along x; side branches keep their place in it.
    turn = quat.identity(len(skeleton))
    for joint in range(len(skeleton)):
        children = skeleton.children(joint)
        if children:
            turn[joint] = quat.between(np.array([1, 0, 0], np.float32), skeleton.offsets[children[0]])
    above = np.concatenate([quat.identity(1), turn[skeleton.parents[1:]]])
    offsets = quat.rotate(quat.inverse(above), skeleton.offsets)
    _, turned = clip.world()
    world = quat.multiply(turned, turn)
    rotations = world.copy()
    parents = skeleton.parents[1:]
    rotations[:, 1:] = quat.multiply(quat.inverse(world[:, parents]), world[:, 1:])
    ends = {j: quat.rotate(quat.inverse(turn[j]), tip) for j, tip in skeleton.ends.items()}
    stick = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.moving, ends)
    return replace(clip, skeleton=stick, rotations=rotations)


def test_a_sound_skeleton_stays_as_it_is(walk: Clip) -> None:
    assert rebased(walk, find_roles(walk.skeleton)) is walk


def test_a_stick_becomes_a_body_and_moves_as_before(walk: Clip) -> None:
    stick = drawn_along_x(walk)
    roles = find_roles(stick.skeleton)
    assert is_strange(stick.skeleton, roles)
    body = rebased(stick, roles)
    assert not is_strange(body.skeleton, roles)
    assert body.world()[0] == pytest.approx(walk.world()[0], abs=1e-4)
    positions, turned = reference_world(body.skeleton, roles)
    # Its zero pose is the T-pose.
    assert np.abs(turned[:, 0]) == pytest.approx(1, abs=2e-3)
    assert positions[roles.left_arm.end, 0] > positions[roles.left_arm.upper, 0] + 0.4
    assert positions[roles.head, 1] > positions[roles.hips, 1] + 0.4


@pytest.mark.mocap
def test_lafan1_is_redrawn_when_read(mocap: Path | None) -> None:
    if mocap is None:
        pytest.skip("no real clips")
    path = mocap / "lafan1" / "walk4_subject1.bvh"
    raw, motion = read_raw(path), read(path)
    assert any("redrawn" in note for note in motion.report.notes)
    roles = find_roles(motion.clip.skeleton)
    assert not is_strange(motion.clip.skeleton, roles)
    # Bone lengths are those of the file.
    lengths = np.linalg.norm(raw.skeleton.offsets[1:], axis=-1) * motion.report.unit_m
    assert np.linalg.norm(motion.clip.skeleton.offsets[1:], axis=-1) == pytest.approx(lengths, abs=1e-4)
