"""Clips: refusals, cutting, resampling, mirroring."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sidestep.errors import BadClip, BadSkeleton, UnknownName
from sidestep.mannequin.cover import covered_points
from sidestep.motion import Clip, Event, Skeleton, Tag
from sidestep.motion import quaternion as quat
from sidestep.motion.mirror import mirror
from sidestep.motion.resample import resample
from sidestep.motion.roles import find_roles
from sidestep.performer import SKELETON, perform
from tests.motion.test_rebase import drawn_along_x

FLIP = np.array([-1, 1, 1])


def test_wrong_shapes_and_empty_clips_are_refused() -> None:
    with pytest.raises(BadClip, match="rotations have shape"):
        Clip(name="x", skeleton=SKELETON, rotations=quat.identity(5, 3), translations=np.zeros((5, 1, 3)))
    with pytest.raises(BadClip, match="has no frames"):
        Clip(name="x", skeleton=SKELETON, rotations=quat.identity(0, 22), translations=np.zeros((0, 1, 3)))
    with pytest.raises(BadClip, match="above zero"):
        Clip(name="x", skeleton=SKELETON, rotations=quat.identity(1, 22), translations=np.zeros((1, 1, 3)), fps=0)
    with pytest.raises(BadSkeleton, match="parents first"):
        Skeleton(("a", "b", "c"), np.array([-1, 2, 0]), np.zeros((3, 3)))
    with pytest.raises(BadSkeleton, match="exactly one root"):
        Skeleton(("a", "b"), np.array([-1, -1]), np.zeros((2, 3)))
    with pytest.raises(UnknownName, match="LeftFoot"):
        SKELETON.index("LeftFot")


def test_cutting_takes_tags_and_events_along(walk: Clip) -> None:
    marked = replace(walk, tags=(Tag("a", 10, 40), Tag("b", 100, 120)), events=(Event("e", 35), Event("f", 200)))
    part = marked.cut(30, 60)
    assert part.tags == (Tag("a", 0, 10),)
    assert part.events == (Event("e", 5),)
    assert np.array_equal(part.rotations, walk.rotations[30:60])


def test_resampling_keeps_whole_frames_and_what_is_known(walk: Clip) -> None:
    double = resample(walk, 120.0)
    assert len(double) == 2 * len(walk) - 1
    assert double.world()[0][::2] == pytest.approx(walk.world()[0], abs=1e-5)
    assert double.events[3].frame == pytest.approx(2 * walk.events[3].frame, abs=1)
    with pytest.raises(BadClip, match="above zero"):
        resample(walk, 0)


def test_thirty_frames_a_second_are_enough_for_sixty(walk: Clip) -> None:
    half = replace(walk, rotations=walk.rotations[::2], translations=walk.translations[::2], contacts=None, fps=30.0)
    again = resample(half, 60.0)
    error = np.abs(again.world()[0] - walk.world()[0][: len(again)])
    assert np.percentile(error, 99.9) < 0.004


@pytest.mark.parametrize("task", ["sidestep", "creep", "rod"])
def test_two_mirrors_give_the_clip_back(task: str) -> None:
    clip = perform(task, 0)
    twice = mirror(mirror(clip))
    assert twice.world()[0] == pytest.approx(clip.world()[0], abs=1e-4)
    assert np.array_equal(twice.contacts, clip.contacts)
    assert twice.tags == clip.tags
    for a, b in zip(twice.props, clip.props, strict=True):
        assert a.joint == b.joint
        assert a.position == pytest.approx(b.position, abs=1e-6)


def test_a_mirror_exchanges_left_and_right(walk: Clip) -> None:
    seen = mirror(walk)
    left, right = SKELETON.index("LeftHand"), SKELETON.index("RightHand")
    assert seen.world()[0][:, left] == pytest.approx(walk.world()[0][:, right] * FLIP, abs=2e-4)
    assert np.array_equal(seen.contacts[:, :2], walk.contacts[:, 2:])
    swapped = {"left step": "right step", "right step": "left step"}
    assert [e.name for e in seen.events] == [swapped[e.name] for e in walk.events]


def test_a_mirror_works_on_any_frames(walk: Clip) -> None:
    """Bones drawn along x, a rod in one hand: what is seen is the mirror image, as near as the T-pose is guessed."""
    plain = perform("rod", 0)
    for clip, within in ((plain, 1e-3), (drawn_along_x(plain), 0.08)):
        seen = mirror(clip)
        for left, right in (("LeftHand", "RightHand"), ("RightToe", "LeftToe"), ("Head", "Head")):
            a, b = clip.skeleton.index(left), clip.skeleton.index(right)
            assert seen.world()[0][:, a] == pytest.approx(clip.world()[0][:, b] * FLIP, abs=within)
        rod, image = (covered_points(c, *c.world(), find_roles(c.skeleton), "joints")[0][:, -8:] for c in (clip, seen))
        # The corners of the rod, in whatever order they are told.
        assert image.mean(1) == pytest.approx(rod.mean(1) * FLIP, abs=within)
        assert np.ptp(image, axis=1) == pytest.approx(np.ptp(rod, axis=1), abs=2 * within)


def test_a_mirror_keeps_helpers_and_moving_joints() -> None:
    """A helper in the neck turns with the head; joints that move in place change sides with their partners."""
    clip = perform("walk", 0).cut(0, 240)
    skeleton, positions = clip.skeleton, clip.world()[0]
    everything = tuple(range(len(skeleton)))
    places = np.array(clip.world()[0])
    _, turned = clip.world()
    for joint in everything[1:]:
        parent = int(skeleton.parents[joint])
        places[:, joint] = quat.rotate(quat.inverse(turned[:, parent]), positions[:, joint] - positions[:, parent])
    moving = replace(
        clip,
        skeleton=Skeleton(skeleton.names, skeleton.parents, skeleton.offsets, everything, skeleton.ends),
        translations=places,
    )
    assert mirror(moving).world()[0] == pytest.approx(mirror(clip).world()[0], abs=1e-4)
    names = tuple("Helper" if name == "Neck" else name for name in skeleton.names)
    renamed = replace(clip, skeleton=Skeleton(names, skeleton.parents, skeleton.offsets, (0,), skeleton.ends))
    assert mirror(renamed).world()[0] == pytest.approx(mirror(clip).world()[0], abs=2e-3)
