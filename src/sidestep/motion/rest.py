"""The reference pose: a T-pose facing +z, the common ground on which different skeletons are compared.

Legs hang straight down, arms point sideways with palms down, toes forward, soles level. What a joint does is its turn
away from this pose, told in the world's axes; that is the same for every skeleton, however its frames are turned.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ..arrays import Array
from . import quaternion as quat
from .kinematics import forward, to_local
from .limbs import Roles
from .skeleton import Skeleton
from .tree import is_below

DOWN, UP, LEFT, AHEAD = (np.array(v, np.float32) for v in ((0, -1, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1)))
STRANGE_RAD = np.radians(75)
"""A resting leg further than this from hanging down says that the offsets' own pose is no standing body."""
SNAP_RAD = np.radians(15)
"""Spines are curved: a trunk this close to an axis stands along it."""
FEWEST_STANDING = 12
"""A sample must stand on a foot in so many frames to tell how its sole lies."""
SOLE_M_PER_LEG = 0.009
"""How far the ground lies below the toe's tip, as a share of leg length."""


def reference_pose(skeleton: Skeleton, roles: Roles, sample: Array | None = None) -> Array:
    """Local rotations of the reference pose.

    The pose with all rotations zero is straightened into a T. Where it is no standing body (LAFAN1 draws every bone
    along x), the most upright frame of ``sample`` is straightened instead, so that bones keep their natural twist.

    Args:
        skeleton: Any humanoid.
        roles: Its body.
        sample: Local rotations of some frames of it in motion. Shape (frames, joints, 4).

    Returns:
        Joint to parent. Shape (joints, 4).
    """
    zero = quat.identity(len(skeleton))
    base = zero
    if sample is not None and len(sample) and is_strange(skeleton, roles):
        base = np.asarray(sample[_most_upright(skeleton, roles, sample)])
    _, world = forward(skeleton, base, _resting_translations(skeleton))
    world = quat.multiply(quat.inverse(_body_frame(skeleton, roles, world, snap=base is zero)), world)
    for joint, child, direction in _wanted_directions(roles):
        _straighten(skeleton, world, joint, child, direction)
    for leg in roles.legs:
        # A foot is level as it stands in the sample, else as it is drawn, unless that points nowhere near forward.
        if leg.tip is not None:
            along = quat.rotate(world[leg.end], bone(skeleton, leg.end, leg.tip))
            drawn = along[2] > 0 and abs(along[1]) < 0.75 * np.linalg.norm(along)
            sole = None if sample is None else _standing_sole(skeleton, roles, sample, leg.end, leg.tip)
            if sole is None and drawn:
                sole = np.array([0.0, along[1], np.hypot(along[0], along[2])], np.float32)
            elif sole is None:
                sole = _default_slope(skeleton, leg.end, leg.tip)
            _turn_below(skeleton, world, leg.end, quat.between(along, sole))
    return quat.normalize(to_local(skeleton, world)).astype(np.float32)


def reference_world(skeleton: Skeleton, roles: Roles, sample: Array | None = None) -> tuple[Array, Array]:
    """Positions (joints, 3) [m], hips at their resting place, and joint-to-world rotations of the reference pose."""
    return forward(skeleton, reference_pose(skeleton, roles, sample), _resting_translations(skeleton))


def is_strange(skeleton: Skeleton, roles: Roles) -> bool:
    """Whether the legs do not hang down from the trunk when all rotations are zero."""
    _, world = forward(skeleton, quat.identity(len(skeleton)), _resting_translations(skeleton))
    up = _trunk(skeleton, roles, world)
    for leg in roles.legs:
        thigh = quat.rotate(world[leg.upper], bone(skeleton, leg.upper, leg.lower))
        if float(thigh @ -up) < np.cos(STRANGE_RAD) * np.linalg.norm(thigh) * np.linalg.norm(up):
            return True
    return False


def leg_length(skeleton: Skeleton, roles: Roles) -> float:
    """Thigh and shank together, mean of both legs, [m]."""
    return float(
        np.mean(
            [
                np.linalg.norm(bone(skeleton, a, b))
                for leg in roles.legs
                for a, b in ((leg.upper, leg.lower), (leg.lower, leg.end))
            ]
        )
        * 2
    )


def ankle_height(skeleton: Skeleton, roles: Roles, positions: Array, turned: Array) -> float:
    """How high the ankles are above the ground when the soles are level, [m].

    Args:
        skeleton: The tree.
        roles: Its body.
        positions: Joint positions of the reference pose. Shape (joints, 3).
        turned: Joint-to-world rotations of it. Shape (joints, 4).
    """
    below = []
    for leg in roles.legs:
        drop = 0.35 * float(np.linalg.norm(bone(skeleton, leg.lower, leg.end))) * 0.45
        if leg.tip is not None:
            drop = positions[leg.end][1] - positions[leg.tip][1]
            if leg.tip in skeleton.ends:
                drop += 0.5 * abs(float(quat.rotate(turned[leg.tip], skeleton.ends[leg.tip])[1]))
        below.append(max(drop, 0.0))
    return float(np.mean(below)) + 2 * SOLE_M_PER_LEG * leg_length(skeleton, roles)


def bone(skeleton: Skeleton, joint: int, child: int) -> Array:
    """From a joint to one below it in the joint's frame, joints between them unturned, [m]. Shape (3,)."""
    result: Array = np.zeros(3, np.float32)
    while child != joint:
        result = result + skeleton.offsets[child]
        child = int(skeleton.parents[child])
    return result


def _resting_translations(skeleton: Skeleton) -> Array:
    return skeleton.offsets[list(skeleton.moving)]


def _body_frame(skeleton: Skeleton, roles: Roles, world: Array, snap: bool) -> Array:
    """Body to world: x to the left hip, y up the trunk (or the axis close to it, for a skeleton drawn standing)."""
    hips = world[roles.hips]
    left = quat.rotate(
        hips, bone(skeleton, roles.hips, roles.left_leg.upper) - bone(skeleton, roles.hips, roles.right_leg.upper)
    )
    up = _trunk(skeleton, roles, world)
    left = left / np.linalg.norm(left)
    axis = int(np.argmax(np.abs(up)))
    if snap and abs(up[axis]) > np.cos(SNAP_RAD) * np.linalg.norm(up):
        up = np.sign(up[axis]) * np.eye(3, dtype=np.float32)[axis]
    up = up - (up @ left) * left
    up = up / np.linalg.norm(up)
    return quat.from_axes(left, up, np.cross(left, up)).astype(np.float32)


def _trunk(skeleton: Skeleton, roles: Roles, world: Array) -> Array:
    """From the hips to where the arms begin, in the world, [m]. Shape (3,)."""
    total: Array = np.zeros(3, np.float32)
    chain = [roles.hips, *roles.spine]
    for joint, child in pairwise(chain):
        total = total + quat.rotate(world[joint], bone(skeleton, joint, child))
    beyond = roles.neck if roles.neck is not None else roles.head
    return total + quat.rotate(world[chain[-1]], bone(skeleton, chain[-1], beyond))


def _most_upright(skeleton: Skeleton, roles: Roles, sample: Array) -> int:
    """The frame that stands straightest: limbs along the trunk, bent little."""
    steps = max(len(sample) // 2000, 1)
    frames = sample[::steps]
    translations = np.broadcast_to(_resting_translations(skeleton), (len(frames), len(skeleton.moving), 3))
    positions, _ = forward(skeleton, frames, translations)
    top = roles.neck if roles.neck is not None else roles.head
    up = positions[:, top] - positions[:, roles.hips]
    up = up / np.linalg.norm(up, axis=-1, keepdims=True)
    score = np.zeros(len(frames))
    for limb in (*roles.legs, *roles.arms):
        for a, b in ((limb.upper, limb.lower), (limb.lower, limb.end)):
            along = positions[:, b] - positions[:, a]
            score += (along * -up).sum(-1) / np.linalg.norm(along, axis=-1)
    return int(np.argmax(score)) * steps


def _wanted_directions(roles: Roles) -> list[tuple[int, int, Array]]:
    """Which bone points where: (joint, its child, direction), parents first."""
    rows: list[tuple[int, int, Array]] = []
    for leg in roles.legs:
        rows += [(leg.upper, leg.lower, DOWN), (leg.lower, leg.end, DOWN)]
    for arm, sideways in zip(roles.arms, (LEFT, -LEFT), strict=True):
        rows += [(arm.upper, arm.lower, sideways), (arm.lower, arm.end, sideways)]
        if arm.tip is not None:
            rows.append((arm.end, arm.tip, sideways))
    return rows


def _straighten(skeleton: Skeleton, world: Array, joint: int, child: int, direction: Array) -> None:
    along = quat.rotate(world[joint], bone(skeleton, joint, child))
    if np.linalg.norm(along) > 1e-6:
        _turn_below(skeleton, world, joint, quat.between(along, direction))


def _turn_below(skeleton: Skeleton, world: Array, top: int, turn: Array) -> None:
    """Turn a joint and all below it in the world."""
    joints = [j for j in range(top, len(skeleton)) if is_below(skeleton, j, top)]
    world[joints] = quat.multiply(turn, world[joints])


def _standing_sole(skeleton: Skeleton, roles: Roles, sample: Array, foot: int, toe: int) -> Array | None:
    """From ankle to toe joint while the body stands upright on the foot; None if it never does. Shape (3,)."""
    frames = sample[:: max(len(sample) // 2000, 1)]
    translations = np.broadcast_to(_resting_translations(skeleton), (len(frames), len(skeleton.moving), 3))
    positions, _ = forward(skeleton, frames, translations)
    trunk = positions[:, roles.head] - positions[:, roles.hips]
    leg = positions[:, foot] - positions[:, roles.hips]
    upright = (trunk[:, 1] > 0.85 * np.linalg.norm(trunk, axis=-1)) & (leg[:, 1] < -0.85 * np.linalg.norm(leg, axis=-1))
    if upright.sum() < FEWEST_STANDING:
        return None
    height = positions[upright, foot, 1]
    along = (positions[upright, toe] - positions[upright, foot])[height <= np.percentile(height, 25)]
    slope = float(np.median(np.arctan2(along[:, 1], np.hypot(along[:, 0], along[:, 2]))))
    length = float(np.linalg.norm(bone(skeleton, foot, toe)))
    return np.array([0.0, length * np.sin(slope), length * np.cos(slope)], np.float32)


def _default_slope(skeleton: Skeleton, foot: int, toe: int) -> Array:
    """Where the toe joint lies from the ankle on a level sole: mostly ahead, a third down."""
    length = float(np.linalg.norm(bone(skeleton, foot, toe)))
    return np.array([0.0, -0.37 * length, 0.93 * length], np.float32)
