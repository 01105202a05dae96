"""The character's own frame: a leading joint on the ground under the hips (EMM 3).

Place: the hips on the ground plane, smoothed. Heading: across hips and shoulders, projected to the ground, smoothed as
a vector, so that frames in which a body lies on its side (where the projection shrinks to nothing) count for nothing
and the heading is carried over them. In a jump the root stays on the ground under the hips. On hands and knees and
prone the heading is where the head points; supine it is where the feet point; going down and up never turns it about.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Array
from . import quaternion as quat
from .clip import Clip
from .limbs import Roles
from .roles import find_roles
from .skeleton import Skeleton
from .smooth import gaussian
from .tree import is_below

ROOT = "GroundRoot"
"""No recorder calls a joint so; a capture's own "Root" is a joint like any other."""
PLACE_SIGMA_S = 0.10
"""Width of the smoothing of the root's place."""
HEADING_SIGMA_S = 0.20
"""Width of the smoothing of the root's heading."""


def heading_of(positions: Array, roles: Roles, fps: float, sigma_s: float = HEADING_SIGMA_S) -> Array:
    """Where a body faces on the ground, yaw [rad]: 0 along +z, positive to the left (+x). Shape (frames,)."""
    left = positions[:, roles.left_leg.upper] - positions[:, roles.right_leg.upper]
    left = left + positions[:, roles.left_arm.upper] - positions[:, roles.right_arm.upper]
    ahead: Array = np.stack([-left[:, 2], left[:, 0]], axis=-1)  # up x forward = left, seen on the ground: (x, z)
    ahead = gaussian(ahead, sigma_s, fps) if sigma_s > 0 else ahead
    return np.asarray(np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 1])))


def ground_path(positions: Array, roles: Roles, fps: float, sigma_s: float = PLACE_SIGMA_S) -> Array:
    """The hips on the ground, smoothed, [m]. Shape (frames, 3) with y = 0."""
    place = positions[:, roles.hips].copy()
    place[:, 1] = 0.0
    return gaussian(place, sigma_s, fps)


def is_rooted(skeleton: Skeleton) -> bool:
    """Whether a skeleton begins with a ground root as ``with_root`` makes it."""
    return skeleton.names[0] == ROOT and skeleton.moving[:2] == (0, 1) and int(skeleton.parents[1]) == 0


def with_root(clip: Clip, roles: Roles | None = None) -> Clip:
    """The same motion with a joint on the ground above (in the tree) the hips.

    Returns:
        A clip whose skeleton has "GroundRoot" first and moving joints (0, hips). Joint positions are unchanged.
    """
    skeleton = clip.skeleton
    if is_rooted(skeleton):
        return clip
    roles = roles or find_roles(skeleton)
    positions, turned = clip.world()
    place = ground_path(positions, roles, clip.fps)
    facing = quat.about("y", heading_of(positions, roles, clip.fps)).astype(np.float32)
    back = quat.inverse(facing)
    hips_rotation = quat.multiply(back, turned[:, roles.hips])
    hips_place = quat.rotate(back, positions[:, roles.hips] - place)
    kept = [roles.hips, *[j for j in range(len(skeleton)) if j > roles.hips and is_below(skeleton, j, roles.hips)]]
    rooted = _rooted_skeleton(skeleton, kept)
    rotations = np.concatenate([facing[:, None], hips_rotation[:, None], clip.rotations[:, kept[1:]]], axis=1)
    others = [skeleton.moving_column[j] for j in kept[1:] if skeleton.moving_column[j] >= 0]
    translations = np.concatenate([place[:, None], hips_place[:, None], clip.translations[:, others]], axis=1)
    return replace(clip, skeleton=rooted, rotations=quat.normalize(rotations), translations=translations)


def without_root(clip: Clip) -> Clip:
    """Undo ``with_root``: the hips carry the path again."""
    skeleton = clip.skeleton
    if not is_rooted(skeleton):
        return clip
    positions, turned = clip.world()
    bare = Skeleton(
        skeleton.names[1:],
        np.maximum(skeleton.parents[1:] - 1, -1),
        skeleton.offsets[1:],
        tuple(j - 1 for j in skeleton.moving[1:]),
        {j - 1: tip for j, tip in skeleton.ends.items()},
    )
    rotations = np.concatenate([turned[:, 1:2], clip.rotations[:, 2:]], axis=1)
    translations = np.concatenate([positions[:, 1:2], clip.translations[:, 2:]], axis=1)
    return replace(clip, skeleton=bare, rotations=rotations, translations=translations)


def rooted(skeleton: Skeleton, roles: Roles | None = None) -> Skeleton:
    """The skeleton that ``with_root`` gives a clip."""
    hips = (roles or find_roles(skeleton)).hips
    return _rooted_skeleton(skeleton, [j for j in range(len(skeleton)) if is_below(skeleton, j, hips)])


def _rooted_skeleton(skeleton: Skeleton, kept: list[int]) -> Skeleton:
    place = {old: new for new, old in enumerate(kept, start=1)}
    parents = [-1, 0, *[place[int(skeleton.parents[j])] for j in kept[1:]]]
    moving = (0, 1, *[place[j] for j in kept[1:] if skeleton.moving_column[j] >= 0])
    offsets = np.concatenate([np.zeros((1, 3), np.float32), skeleton.offsets[kept]])
    ends = {place[j]: tip for j, tip in skeleton.ends.items() if j in place}
    return Skeleton((ROOT, *[skeleton.names[j] for j in kept]), np.array(parents), offsets, moving, ends)
