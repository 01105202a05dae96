"""Everything a clip's body covers: joints, capsules, skin, and what it holds."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from ..arrays import Array
from ..motion import quaternion as quat
from ..motion.capsules import body_capsules
from ..motion.clip import Clip, Prop
from ..motion.limbs import Roles
from ..motion.root import is_rooted
from .outline import outline

Cover = Literal["joints", "capsules", "skin"]
COVERS: tuple[Cover, ...] = get_args(Cover)


def covered_points(clip: Clip, positions: Array, turned: Array, roles: Roles, cover: Cover) -> tuple[Array, Array]:
    """Points that stand for the body, with the radius of flesh around each.

    Args:
        clip: Tells skeleton and props.
        positions: Joints in the world, [m]. Shape (frames, joints, 3).
        turned: Joint-to-world rotations. Shape (frames, joints, 4).
        roles: The body.
        cover: "joints" (and tips) alone, without flesh, as EMM 4.1; the "capsules" around them; or the "skin" of the
            mannequin, the truest and slowest.

    Returns:
        Points (frames, points, 3) and radii (points,), [m]. Props are part of the body either way.
    """
    if cover == "joints":
        tips = [positions[:, j] + quat.rotate(turned[:, j], tip) for j, tip in clip.skeleton.ends.items()]
        first = 1 if is_rooted(clip.skeleton) else 0
        points = [positions[:, first:], *[tip[:, None] for tip in tips]]
        radii = [np.zeros(sum(p.shape[1] for p in points), np.float32)]
    elif cover == "skin":
        skin = outline(clip.skeleton, roles).world(positions, turned)
        points, radii = [skin], [np.zeros(skin.shape[1], np.float32)]
    else:
        capsules = body_capsules(clip.skeleton, roles)
        points = list(capsules.world(positions, turned))
        radii = [capsules.radii, capsules.radii]
    for prop in clip.props:
        corners = prop_corners(prop)
        joint = clip.skeleton.index(prop.joint)
        points.append(positions[:, joint, None] + quat.rotate(turned[:, joint, None], corners))
        radii.append(np.zeros(len(corners), np.float32))
    return np.concatenate(points, axis=1), np.concatenate(radii)


def prop_corners(prop: Prop) -> Array:
    """The corners of a prop's box in its joint's frame, [m]. Shape (8, 3)."""
    half = np.array(prop.size, np.float32) / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32) * half
    return quat.rotate(np.array(prop.rotation, np.float32), corners) + np.array(prop.position, np.float32)
