"""Two-bone inverse kinematics: where the middle joint must be, and how the two bones turn."""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from . import quaternion as quat
from .skeleton import Skeleton

LONGEST_SHARE = 0.9995
"""Share of the full length up to which a limb is stretched; straight limbs have no defined bending direction."""

STRAIGHT_M = 0.02
"""A knee less than this out of the line from hip to ankle hardly says where it points."""


def middle_joint(root: Array, tip: Array, pole: Array, first_m: Array | float, second_m: Array | float) -> Array:
    """Place the knee or elbow of a limb whose ends are given.

    Args:
        root: Hip or shoulder, [m]. Shape (..., 3).
        tip: Ankle or wrist, [m]; out of reach it is taken to be as far as the limb goes. Shape (..., 3).
        pole: Direction into which the middle joint points (any length). Shape (..., 3).
        first_m: Length from the root to the middle joint, [m].
        second_m: Length from the middle joint to the tip, [m].

    Returns:
        The middle joint, exactly ``first_m`` from the root. Shape (..., 3).
    """
    first_m, second_m = np.asarray(first_m), np.asarray(second_m)
    reach = tip - root
    distance = np.linalg.norm(reach, axis=-1)
    along = reach / np.maximum(distance, 1e-6)[..., None]
    span = np.clip(distance, np.abs(first_m - second_m) + 1e-4, (first_m + second_m) * LONGEST_SHARE)
    # Law of cosines: how far along the line root-tip the middle joint stands, and how far beside it.
    beside_foot = (first_m**2 - second_m**2 + span**2) / (2 * span)
    beside = np.sqrt(np.maximum(first_m**2 - beside_foot**2, 0.0))
    across = pole - (pole * along).sum(-1, keepdims=True) * along
    # A pole along the limb names no side; any will do, as long as the bones keep their lengths.
    any_side = np.cross(along, np.eye(3)[np.abs(along).argmin(-1)])
    length = np.linalg.norm(across, axis=-1, keepdims=True)
    across = np.where(length > 1e-6, across / np.maximum(length, 1e-12), any_side)
    across = across / np.linalg.norm(across, axis=-1, keepdims=True)
    return root + along * beside_foot[..., None] + across * beside[..., None]


def bend_limb(
    skeleton: Skeleton,
    world: Array,
    hips: Array,
    top: int,
    limb: tuple[int, int, int],
    goal: Array,
    straight_pole: Array,
) -> None:
    """Turn an upper and a lower bone, in place, so that the limb's end comes to ``goal``; it keeps bending as it did.

    Args:
        skeleton: The tree.
        world: Joint-to-world rotations, changed for the limb's two upper joints only. Shape (frames, joints, 4).
        hips: Place of joint ``top``, [m]. Shape (frames, 3).
        top: The joint whose place is known, an ancestor of the limb with nothing between that is animated in place.
        limb: Upper, lower and end joint.
        goal: Where the end shall be, [m]. Shape (frames, 3).
        straight_pole: Where the middle joint points, in the world, while the limb is straight. Shape (frames, 3).
    """
    upper, lower, end = limb
    root = hips + _offset_between(skeleton, world, top, upper)
    first = _offset_between(skeleton, world, upper, lower)
    second = _offset_between(skeleton, world, lower, end)
    knee = root + first
    # The knee's way out of the line hip-ankle says where it points; the straighter, the more the given pole does.
    reach = goal - root
    along = reach / np.maximum(np.linalg.norm(reach, axis=-1, keepdims=True), 1e-6)
    old = first + second
    old_along = old / np.maximum(np.linalg.norm(old, axis=-1, keepdims=True), 1e-6)
    pole = first - (first * old_along).sum(-1, keepdims=True) * old_along
    pole = quat.rotate(quat.between(old_along, along), pole) + STRAIGHT_M * straight_pole
    new_knee = middle_joint(root, goal, pole, np.linalg.norm(first, axis=-1), np.linalg.norm(second, axis=-1))
    world[:, upper] = quat.multiply(quat.between(knee - root, new_knee - root), world[:, upper])
    reached = root + along * np.minimum(
        np.linalg.norm(reach, axis=-1, keepdims=True),
        LONGEST_SHARE
        * (np.linalg.norm(first, axis=-1, keepdims=True) + np.linalg.norm(second, axis=-1, keepdims=True)),
    )
    world[:, lower] = quat.multiply(quat.between(second, reached - new_knee), world[:, lower])


def _offset_between(skeleton: Skeleton, world: Array, top: int, joint: int) -> Array:
    """From ``top`` to ``joint`` in the world, [m]. Shape (frames, 3)."""
    total: Array = np.zeros((len(world), 3), np.float32)
    while joint != top:
        parent = int(skeleton.parents[joint])
        total = total + quat.rotate(world[:, parent], skeleton.offsets[joint])
        joint = parent
    return total
