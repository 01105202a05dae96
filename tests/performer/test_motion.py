"""What is performed looks like a person: planted feet, whole limbs, weight over the feet, arms against legs."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.motion import Clip
from sidestep.motion import quaternion as quat
from sidestep.motion.feet import foot_places, foot_slide
from sidestep.motion.roles import find_roles
from sidestep.performer import perform
from sidestep.performer.body import SHANK_M, THIGH_M
from sidestep.performer.tasks import all_tasks

TASKS = [t.name for t in all_tasks()]
ON_THE_FLOOR = {"creep", "crawl"}


@pytest.fixture(scope="module", params=TASKS)
def clip(request: pytest.FixtureRequest) -> Clip:
    return perform(request.param, 3)


def test_what_stands_stands(clip: Clip) -> None:
    assert np.median(foot_slide(clip)) < 0.01
    places = foot_places(clip)
    speed = np.linalg.norm(np.diff(places[..., [0, 2]], axis=0), axis=-1) * clip.fps
    assert clip.contacts is not None
    held = clip.contacts[1:] & clip.contacts[:-1]
    assert held.any()
    assert np.median(speed[held]) < 0.01
    assert places[..., 1].min() > -0.015  # nobody sinks in


def test_bones_keep_their_length_and_knees_are_never_straight(clip: Clip) -> None:
    roles = find_roles(clip.skeleton)
    positions, _ = clip.world()
    for leg in roles.legs:
        reach = np.linalg.norm(positions[:, leg.upper] - positions[:, leg.end], axis=-1)
        assert reach.max() < 0.9985 * (THIGH_M + SHANK_M)
    length = np.linalg.norm(positions[:, roles.left_arm.upper] - positions[:, roles.left_arm.lower], axis=-1)
    assert np.ptp(length) < 1e-3


def test_nothing_snaps(clip: Clip) -> None:
    """No joint turns faster than limbs do: a flipping elbow or knee makes 180 rad/s, a punch or a hurdle 28."""
    step = quat.multiply(quat.inverse(clip.rotations[:-1]), clip.rotations[1:])
    rate = 2 * np.arctan2(np.linalg.norm(step[..., 1:], axis=-1), np.abs(step[..., 0])) * clip.fps
    limit = 30.0
    worst = np.unravel_index(rate.argmax(), rate.shape)
    assert rate.max() < limit, f"{clip.skeleton.names[worst[1]]} at frame {worst[0]}"


def test_tags_and_events_lie_inside_and_make_sense(clip: Clip) -> None:
    assert clip.tags
    assert all(0 <= t.start < t.stop <= len(clip) for t in clip.tags)
    assert all(0 <= e.frame < len(clip) for e in clip.events)
    up = [e.frame for e in clip.events if e.name == "takeoff"]
    down = [e.frame for e in clip.events if e.name == "landing"]
    assert len(up) == len(down)
    assert clip.contacts is not None
    for start, stop in zip(up, down, strict=True):
        assert not clip.contacts[start + 2 : stop - 1].any()


@pytest.mark.parametrize("task", [t for t in TASKS if t not in ON_THE_FLOOR])
def test_takes_begin_and_end_standing(task: str) -> None:
    clip = perform(task, 3)
    hips = clip.world()[0][:, find_roles(clip.skeleton).hips]
    assert clip.contacts is not None
    for part in (slice(0, 4), slice(-4, None)):
        assert clip.contacts[part].any(0)[[0, 2]].all()  # both heels are down
        assert hips[part, 1].min() > 0.9
        # Only the weight moves, from foot to foot.
        assert np.linalg.norm(np.diff(hips[part], axis=0), axis=-1).max() * 60 < 0.45


def test_arms_swing_against_the_legs() -> None:
    for task in ("walk", "run"):
        clip = perform(task, 1)
        roles = find_roles(clip.skeleton)
        positions, turned = clip.world()
        back = quat.inverse(turned[:, roles.hips])
        arm = quat.rotate(back, positions[:, roles.left_arm.end] - positions[:, roles.left_arm.upper])[:, 2]
        leg = quat.rotate(back, positions[:, roles.right_leg.end] - positions[:, roles.right_leg.upper])[:, 2]
        going = slice(180, 480)
        assert np.corrcoef(arm[going], leg[going])[0, 1] > 0.7


def test_the_weight_is_over_the_feet_while_standing() -> None:
    clip = perform("idle", 1)
    positions, _ = clip.world()
    roles = find_roles(clip.skeleton)
    hips = positions[:, roles.hips, [0, 2]]
    feet = foot_places(clip)[..., [0, 2]]
    still = np.linalg.norm(np.gradient(hips, 1 / 60, axis=0), axis=-1) < 0.05
    low, high = feet.min(1) - 0.02, feet.max(1) + 0.02
    assert ((hips > low) & (hips < high)).all(1)[still].mean() > 0.99


def test_a_mirrored_performance_is_as_likely() -> None:
    """Left and right come equally often over takes."""
    turned = []
    for take in range(12):
        clip = perform("turn_on_spot", 0, take)
        yaw = np.unwrap(quat.yaw_of(quat.rotate(clip.rotations[:, 0], np.array([0.0, 0.0, 1.0]))))
        turned.append(np.abs(np.diff(yaw)[np.diff(yaw) > 0]).sum() - np.abs(np.diff(yaw)[np.diff(yaw) < 0]).sum())
    assert sum(t > 0 for t in turned) in range(3, 10)


@pytest.mark.parametrize(("task", "hold"), [("box", "LeftHand"), ("rod", "LeftHand")])
def test_both_hands_are_at_what_is_carried(task: str, hold: str) -> None:
    clip = perform(task, 0)
    prop = clip.props[0]
    assert prop.joint == hold
    positions, turned = clip.world()
    left, right = clip.skeleton.index("LeftHand"), clip.skeleton.index("RightHand")
    local = quat.rotate(quat.inverse(turned[:, left]), positions[:, right] - positions[:, left])
    half = np.array(prop.size) / 2
    outside = np.linalg.norm(np.maximum(np.abs(local - np.array(prop.position)) - half, 0), axis=-1)
    # While a hold lasts, the other wrist is a hand's length (0.175 m) from the thing; between holds it reaches over.
    assert np.median(outside) < 0.16
    assert np.percentile(outside, 90) < 0.45
