"""Forward kinematics: from joint-to-parent to joint-to-world."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..jit import kernel
from . import quaternion as quat
from .skeleton import Skeleton


def forward(skeleton: Skeleton, rotations: Array, translations: Array) -> tuple[Array, Array]:
    """Where every joint is and how it is turned.

    Args:
        skeleton: The tree.
        rotations: Joint to parent. Shape (..., joints, 4).
        translations: Places of the moving joints in their parents' frames, [m]. Shape (..., moving, 3).

    Returns:
        Positions (..., joints, 3) [m] and rotations joint-to-world (..., joints, 4), in the world's frame.
    """
    lead = rotations.shape[:-2]
    joints, moving = len(skeleton), len(skeleton.moving)
    flat = np.ascontiguousarray(rotations, np.float32).reshape(-1, joints, 4)
    moved = np.ascontiguousarray(translations, np.float32).reshape(-1, moving, 3)
    positions = np.empty((len(flat), joints, 3), np.float32)
    turned = np.empty((len(flat), joints, 4), np.float32)
    forward_kernel(flat, moved, skeleton.parents, skeleton.offsets, skeleton.moving_column, positions, turned)
    return positions.reshape(*lead, joints, 3), turned.reshape(*lead, joints, 4)


def to_local(skeleton: Skeleton, turned: Array) -> Array:
    """From joint-to-world to joint-to-parent. Shapes (..., joints, 4)."""
    local = np.array(turned)
    local[..., 1:, :] = quat.multiply(quat.inverse(turned[..., skeleton.parents[1:], :]), turned[..., 1:, :])
    return local


@kernel
def forward_kernel(
    rotations: Array,
    translations: Array,
    parents: Indices,
    offsets: Array,
    moving_column: Indices,
    positions: Array,
    turned: Array,
) -> None:
    """Fill ``positions`` (frames, joints, 3) and ``turned`` (frames, joints, 4) from local motion."""
    for f in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            column = moving_column[j]
            if column >= 0:
                ox, oy, oz = translations[f, column, 0], translations[f, column, 1], translations[f, column, 2]
            else:
                ox, oy, oz = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            bw, bx, by, bz = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            p = parents[j]
            if p < 0:
                positions[f, j, 0], positions[f, j, 1], positions[f, j, 2] = ox, oy, oz
                turned[f, j, 0], turned[f, j, 1], turned[f, j, 2], turned[f, j, 3] = bw, bx, by, bz
                continue
            aw, ax, ay, az = turned[f, p, 0], turned[f, p, 1], turned[f, p, 2], turned[f, p, 3]
            tx = np.float32(2.0) * (ay * oz - az * oy)
            ty = np.float32(2.0) * (az * ox - ax * oz)
            tz = np.float32(2.0) * (ax * oy - ay * ox)
            positions[f, j, 0] = positions[f, p, 0] + ox + aw * tx + ay * tz - az * ty
            positions[f, j, 1] = positions[f, p, 1] + oy + aw * ty + az * tx - ax * tz
            positions[f, j, 2] = positions[f, p, 2] + oz + aw * tz + ax * ty - ay * tx
            turned[f, j, 0] = aw * bw - ax * bx - ay * by - az * bz
            turned[f, j, 1] = aw * bx + ax * bw + ay * bz - az * by
            turned[f, j, 2] = aw * by - ax * bz + ay * bw + az * bx
            turned[f, j, 3] = aw * bz + ax * by - ay * bx + az * bw
