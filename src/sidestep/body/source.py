"""Poses of a database as kernels read them, frame by frame, without expanding it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..arrays import Array, Flags, Indices, frozen
from ..database import Database
from ..database.compact import unpacked
from ..jit import inlined_kernel
from ..mannequin.cover import prop_corners
from ..motion.capsules import body_capsules
from ..motion.clip import Prop
from ..motion.feet import foot_points
from ..motion.turns import Arrow, Turn

NO_PROP = -1


class Source(NamedTuple):
    """What kernels need of a database; all read-only."""

    rotations: Indices
    """Packed, all joints but the root. Shape (frames, joints - 1, 3)."""
    hips: Array
    """In the character's frame, [m]. Shape (frames, 3) float32."""
    steps: Array
    """From a frame to the next: x and z in the character's frame [m], yaw [rad]. Shape (frames, 3)."""
    contacts: Flags
    """As ``motion.CONTACTS``. Shape (frames, 4)."""
    parents: Indices
    """Shape (joints,)."""
    offsets: Array
    """Shape (joints, 3)."""
    legs: Indices
    """Thigh, shank and foot, left and right. Shape (2, 3)."""
    sole_joints: Indices
    """What ``motion.CONTACTS`` ride on. Shape (4,)."""
    sole_points: Array
    """Where, in those joints' frames, [m]. Shape (4, 3)."""
    capsule_joints: Indices
    """Shape (capsules,)."""
    capsule_ends: Array
    """Both ends and the radius, in joints' frames, [m]. Shape (capsules, 7)."""
    prop_of: Indices
    """Which prop is held, -1 for none. Shape (frames,)."""
    prop_joints: Indices
    """Shape (props,)."""
    prop_corners: Array
    """In joints' frames, [m]. Shape (props, 8, 3)."""


@lru_cache(maxsize=4)
def source_of(database: Database) -> Source:
    """Arrange a database for playing."""
    roles, skeleton = database.roles, database.skeleton
    roots = database.roots.astype(np.float64)
    way, yaw = np.diff(roots[:, :2], axis=0, append=roots[-1:, :2]), roots[:, 2]
    turn = np.diff(yaw, append=yaw[-1])
    steps = np.stack(
        [
            way[:, 0] * np.cos(yaw) - way[:, 1] * np.sin(yaw),
            way[:, 0] * np.sin(yaw) + way[:, 1] * np.cos(yaw),
            np.angle(np.exp(1j * turn)),
        ],
        axis=-1,
    )
    # Nothing is played from a clip's last frame on.
    steps[database.stops - 1] = 0.0
    joints, points = foot_points(skeleton, roles, database.rotations(slice(0, min(len(database), 20000), 20)))
    capsules = body_capsules(skeleton, roles)
    props = [[Prop(**prop) for prop in clip["props"]] for clip in database.clips]
    held = [prop for some in props for prop in some[:1]]
    counts = np.cumsum([0] + [len(some[:1]) for some in props])
    number = np.array([counts[i] if some else NO_PROP for i, some in enumerate(props)])
    corners = np.array([prop_corners(prop) for prop in held], np.float32).reshape(-1, 8, 3)
    return Source(
        rotations=database.packed_rotations,
        hips=frozen(database.hips),
        steps=frozen(steps),
        contacts=database.contacts,
        parents=frozen(skeleton.parents, np.int32),
        offsets=frozen(skeleton.offsets),
        legs=frozen([[leg.upper, leg.lower, leg.end] for leg in roles.legs], np.int32),
        sole_joints=frozen(joints, np.int32),
        sole_points=frozen(points),
        capsule_joints=frozen(capsules.joints, np.int32),
        capsule_ends=frozen(np.concatenate([capsules.starts, capsules.stops, capsules.radii[:, None]], axis=1)),
        prop_of=frozen(number[database.clip_of], np.int32),
        prop_joints=frozen([skeleton.index(prop.joint) for prop in held], np.int32),
        prop_corners=frozen(corners),
    )


@inlined_kernel
def turn_of(source: Source, frame: int, joint: int) -> Turn:
    """Joint-to-parent rotation of a joint below the root."""
    packed = source.rotations
    a, b, c, d = unpacked(packed[frame, joint - 1, 0], packed[frame, joint - 1, 1], packed[frame, joint - 1, 2])
    return np.float64(a), np.float64(b), np.float64(c), np.float64(d)


@inlined_kernel
def hips_of(source: Source, frame: int) -> Arrow:
    """Hips in the character's frame, [m]."""
    return (
        np.float64(source.hips[frame, 0]),
        np.float64(source.hips[frame, 1]),
        np.float64(source.hips[frame, 2]),
    )


@inlined_kernel
def way_of(steps: Array, frame: int, yaw: float) -> tuple[float, float, float]:
    """From a frame to the next for somebody who faces ``yaw``: x and z in the world [m], and the turn [rad]."""
    cosine, sine = np.cos(yaw), np.sin(yaw)
    dx, dz = np.float64(steps[frame, 0]), np.float64(steps[frame, 1])
    return cosine * dx + sine * dz, cosine * dz - sine * dx, np.float64(steps[frame, 2])
