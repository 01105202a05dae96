"""Forward and inverse kinematics."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.motion import Clip
from sidestep.motion import quaternion as quat
from sidestep.motion.ik import bend_limb, middle_joint
from sidestep.motion.kinematics import forward, to_local
from sidestep.motion.roles import find_roles
from sidestep.performer import SKELETON


def test_forward_agrees_with_the_definition(walk: Clip) -> None:
    frame = walk.cut(100, 101)
    positions, turned = frame.world()
    for joint, parent in enumerate(SKELETON.parents):
        q = frame.rotations[0, joint].astype(np.float64)
        if parent < 0:
            expected, turn = frame.translations[0, 0], q
        else:
            above = turned[0, parent].astype(np.float64)
            expected = positions[0, parent] + quat.rotate(above, SKELETON.offsets[joint])
            turn = quat.multiply(above, q)
        assert positions[0, joint] == pytest.approx(expected, abs=1e-5)
        assert abs(float(turned[0, joint] @ turn)) == pytest.approx(1, abs=1e-5)


def test_local_rotations_come_back(walk: Clip) -> None:
    _, turned = walk.world()
    again = forward(SKELETON, to_local(SKELETON, turned), walk.translations)[0]
    assert again == pytest.approx(walk.world()[0], abs=2e-5)


def test_turning_the_root_turns_the_world(walk: Clip) -> None:
    turn = quat.about("y", np.float32(1.1))
    rotations = np.array(walk.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    moved = forward(SKELETON, rotations, quat.rotate(turn, walk.translations))[0]
    assert moved == pytest.approx(quat.rotate(turn, walk.world()[0]), abs=1e-4)


def test_the_middle_joint_keeps_bone_lengths_and_points_to_the_pole() -> None:
    rng = np.random.default_rng(0)
    root, tip, pole = rng.normal(size=(3, 500, 3))
    tip = root + 0.8 * (tip - root) / np.linalg.norm(tip - root, axis=-1, keepdims=True) * rng.uniform(0.2, 1, (500, 1))
    middle = middle_joint(root, tip, pole, 0.45, 0.41)
    assert np.linalg.norm(middle - root, axis=-1) == pytest.approx(0.45, abs=1e-5)
    assert np.linalg.norm(tip - middle, axis=-1) == pytest.approx(0.41, abs=1e-5)
    along = (tip - root) / np.linalg.norm(tip - root, axis=-1, keepdims=True)
    across = pole - (pole * along).sum(-1, keepdims=True) * along
    out = (middle - root) - ((middle - root) * along).sum(-1, keepdims=True) * along
    assert ((out * across).sum(-1) > 0).all()
    # A pole along the limb names no side; the bones keep their lengths all the same.
    middle = middle_joint(root, tip, along, 0.45, 0.41)
    assert np.linalg.norm(middle - root, axis=-1) == pytest.approx(0.45, abs=1e-5)


def test_a_bent_limb_reaches_its_goal_or_points_at_it(walk: Clip) -> None:
    roles = find_roles(SKELETON)
    _, turned = walk.world()
    world, hips = turned.astype(np.float64), walk.translations[:, 0].astype(np.float64)
    positions = walk.world()[0].astype(np.float64)
    leg = roles.left_leg
    near = positions[:, leg.end] + np.array([0.03, 0.05, -0.04])
    ahead = np.broadcast_to([0.0, 0.0, 1.0], hips.shape)
    bend_limb(SKELETON, world, hips, roles.hips, (leg.upper, leg.lower, leg.end), near, ahead)
    reached = forward(SKELETON, to_local(SKELETON, world), walk.translations)[0]
    assert reached[:, leg.end] == pytest.approx(near, abs=2e-3)
    far = positions[:, leg.upper] + np.array([0.0, -3.0, 0.0])
    bend_limb(SKELETON, world, hips, roles.hips, (leg.upper, leg.lower, leg.end), far, ahead)
    reached = forward(SKELETON, to_local(SKELETON, world), walk.translations)[0]
    assert np.isfinite(reached).all()
    assert (reached[:, leg.end] - reached[:, leg.upper])[:, 1].max() < -0.85


def test_a_straight_leg_bends_ahead_and_does_not_jump() -> None:
    """Through straight and back the knee keeps pointing where it is told to."""
    roles = find_roles(SKELETON)
    leg, frames = roles.left_leg, 81
    rotations = np.tile(quat.identity(len(SKELETON)), (frames, 1, 1)).astype(np.float64)
    half = np.linspace(0.02, -0.02, frames) / 2
    rotations[:, leg.lower] = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=-1)
    places = np.tile(SKELETON.offsets[:1], (frames, 1, 1)).astype(np.float64)
    positions, turned = forward(SKELETON, rotations, places)
    world = turned.astype(np.float64)
    goal = positions[:, leg.end] + [0.0, 0.03, 0.0]
    ahead = np.broadcast_to([0.0, 0.0, 1.0], (frames, 3))
    bend_limb(SKELETON, world, places[:, 0], roles.hips, (leg.upper, leg.lower, leg.end), goal, ahead)
    after = forward(SKELETON, to_local(SKELETON, world), places)[0]
    assert after[:, leg.end] == pytest.approx(goal, abs=2e-3)
    assert (after[:, leg.lower, 2] > after[:, leg.end, 2] + 0.05).all()
    assert np.abs(np.diff(after[:, leg.lower], axis=0)).max() < 0.01
