"""The footprint a posed body leaves: its ellipse and its heights now (EMM 4.1), from capsules and what it holds."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..database.take import STILL_MPS
from ..jit import kernel
from ..motion.turns import arrow_at, rotate, turn_at
from .source import Source


@kernel
def place_capsules(source: Source, positions: Array, turned: Array, capsules: Array) -> None:
    """Fill the ends and radii of all capsules in the world (characters, capsules, 7), [m]."""
    for i in range(len(positions)):
        for c in range(capsules.shape[1]):
            joint = source.capsule_joints[c]
            turn, at = turn_at(turned, i, joint), arrow_at(positions, i, joint)
            for end in (0, 3):
                x, y, z = rotate(
                    turn,
                    (
                        np.float64(source.capsule_ends[c, end]),
                        np.float64(source.capsule_ends[c, end + 1]),
                        np.float64(source.capsule_ends[c, end + 2]),
                    ),
                )
                capsules[i, c, end], capsules[i, c, end + 1], capsules[i, c, end + 2] = at[0] + x, at[1] + y, at[2] + z
            capsules[i, c, 6] = source.capsule_ends[c, 6]


@kernel
def footprints(
    source: Source, frames: Indices, places: Array, velocities: Array, positions: Array, turned: Array, capsules: Array,
    bodies: Array,
) -> None:  # fmt: skip
    """Fill the bodies as they are now, in the world (characters, 8): see ``search.cost``.

    The first axis lies along the movement, along the facing while a character stands; between them both are blended by
    speed, as in ``Take.heading``.
    """
    for i in range(len(places)):
        x0, z0, yaw = places[i, 0], places[i, 1], places[i, 2]
        fx, fz = np.sin(yaw), np.cos(yaw)
        vx, vz = velocities[i, 0], velocities[i, 1]
        speed = np.sqrt(vx * vx + vz * vz)
        share = min(max((speed - STILL_MPS) / STILL_MPS, 0.0), 1.0)
        mx, mz = vx / max(speed, 1e-6), vz / max(speed, 1e-6)
        ux, uz = share * mx + (1.0 - share) * fx, share * mz + (1.0 - share) * fz
        length = np.sqrt(ux * ux + uz * uz)
        if length > 0.2:
            ux, uz = ux / length, uz / length
        elif share > 0.5:
            ux, uz = mx, mz
        else:
            ux, uz = fx, fz
        along, across, low, high = 0.01, 0.01, 1e9, -1e9
        for c in range(capsules.shape[1]):
            radius = capsules[i, c, 6]
            for end in (0, 3):
                dx, y, dz = capsules[i, c, end] - x0, capsules[i, c, end + 1], capsules[i, c, end + 2] - z0
                along = max(along, abs(dx * ux + dz * uz) + radius)
                across = max(across, abs(dz * ux - dx * uz) + radius)
                low, high = min(low, y - radius), max(high, y + radius)
        prop = source.prop_of[frames[i]]
        if prop >= 0:
            joint = source.prop_joints[prop]
            turn, at = turn_at(turned, i, joint), arrow_at(positions, i, joint)
            for corner in range(8):
                x, y, z = rotate(
                    turn,
                    (
                        np.float64(source.prop_corners[prop, corner, 0]),
                        np.float64(source.prop_corners[prop, corner, 1]),
                        np.float64(source.prop_corners[prop, corner, 2]),
                    ),
                )
                dx, y, dz = at[0] + x - x0, at[1] + y, at[2] + z - z0
                along = max(along, abs(dx * ux + dz * uz))
                across = max(across, abs(dz * ux - dx * uz))
                low, high = min(low, y), max(high, y)
        bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3] = x0, z0, ux, uz
        bodies[i, 4], bodies[i, 5], bodies[i, 6], bodies[i, 7] = along, across, low, high
