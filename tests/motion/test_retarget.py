"""Bodies on other skeletons, judged by feet and hips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sidestep.errors import BadClip
from sidestep.files import read
from sidestep.motion import Clip, Skeleton
from sidestep.motion import quaternion as quat
from sidestep.motion.feet import foot_slide
from sidestep.motion.kinematics import to_local
from sidestep.motion.rest import leg_length, reference_world
from sidestep.motion.retarget import retarget
from sidestep.motion.roles import find_roles
from sidestep.motion.root import with_root
from sidestep.performer import SKELETON


def test_the_reference_pose_is_a_t_facing_ahead() -> None:
    positions, turned = reference_world(SKELETON, find_roles(SKELETON))
    at = {name: positions[i] for i, name in enumerate(SKELETON.names)}
    assert at["LeftHand"][1] == pytest.approx(at["LeftArm"][1], abs=1e-5)
    assert at["LeftHand"][0] > 0.6
    assert at["LeftFoot"][[0, 2]] == pytest.approx(at["LeftUpLeg"][[0, 2]], abs=1e-5)
    assert at["LeftToe"][2] > at["LeftFoot"][2] + 0.1
    assert np.abs(turned[:, 0]) == pytest.approx(1, abs=1e-5)


def test_onto_itself_nothing_changes(some_clips: list[Clip]) -> None:
    for clip in some_clips:
        again = retarget(clip, SKELETON)
        assert np.abs(again.world()[0] - clip.world()[0]).max() < 0.004, clip.name


def odd(clip: Clip, seed: int = 0) -> Clip:
    """The same motion on a skeleton whose joints' own frames are turned anyhow and whose bones run along odd axes."""
    rng = np.random.default_rng(seed)
    turn = quat.normalize(rng.normal(size=(len(SKELETON), 4)))
    _, world = clip.world()
    strange = quat.multiply(world, quat.inverse(turn))  # own frame = turn * old frame
    offsets = np.array(SKELETON.offsets)
    parents = SKELETON.parents
    offsets[1:] = quat.rotate(turn[parents[1:]], SKELETON.offsets[1:])
    ends = {j: quat.rotate(turn[j], tip) for j, tip in SKELETON.ends.items()}
    skeleton = Skeleton(SKELETON.names, parents, offsets, (0,), ends)
    return replace(clip, skeleton=skeleton, rotations=to_local(skeleton, strange))


def test_joint_frames_do_not_matter(walk: Clip) -> None:
    strange = odd(walk)
    assert strange.world()[0] == pytest.approx(walk.world()[0], abs=1e-4)
    again = retarget(strange, SKELETON)
    error = np.linalg.norm(again.world()[0] - walk.world()[0], axis=-1)
    # The T-pose is found from the clip's most upright frame, so the trunk may stay a degree or two off.
    assert np.median(error) < 0.03
    feet = [SKELETON.index(n) for n in ("LeftFoot", "RightFoot")]
    assert error[:, feet].max() < 0.03


@pytest.mark.parametrize("factor", [0.7, 1.2])
def test_other_sizes_keep_feet_planted_and_knees_as_bent(walk: Clip, factor: float) -> None:
    giant = SKELETON.scaled(factor)
    moved = retarget(walk, giant)
    assert moved.world()[0][:, 0] == pytest.approx(walk.world()[0][:, 0] * factor, abs=0.01)
    slide = np.median(foot_slide(moved)) / factor
    assert slide < np.median(foot_slide(walk)) + 0.003


def test_only_hips_may_carry_the_path(walk: Clip) -> None:
    with pytest.raises(BadClip, match="begins with the hips, and moves no other"):
        retarget(walk, with_root(walk).skeleton)


def test_real_clips_keep_slide_and_hip_height(mocap: Path | None) -> None:
    if mocap is None:
        pytest.skip("no real clips")
    for name in ("cmu_60fps/69_06.bvh", "lafan1/walk4_subject1.bvh", "snu_woody2/wd2_WalkForwardNormal00.bvh"):
        clip = read(mocap / name).clip
        roles = find_roles(clip.skeleton)
        moved = retarget(clip, SKELETON, roles)
        scale = leg_length(SKELETON, find_roles(SKELETON)) / leg_length(clip.skeleton, roles)
        assert np.median(foot_slide(moved)) < 1.15 * scale * np.median(foot_slide(clip)) + 0.004, name
        pelvis = clip.world()[0][:, [roles.left_leg.upper, roles.right_leg.upper]].mean(1)[:, 1]
        hips = moved.world()[0][:, [SKELETON.index("LeftUpLeg"), SKELETON.index("RightUpLeg")]].mean(1)[:, 1]
        assert np.median(np.abs(hips - scale * pelvis)) < 0.04, name
