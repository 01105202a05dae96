"""From a frame and what is left of the last transition to joints in the world."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..jit import kernel
from ..motion.turns import arrow_at, from_vector, multiply, put_arrow, put_turn, rotate, turn_at
from .blend import offset_at
from .source import Source, hips_of, turn_of


@kernel
def pose_all(
    source: Source, frames: Indices, places: Array, starts: Array, rates: Array, ages: Array, kind: int, time_s: float,
    positions: Array, turned: Array,
) -> None:  # fmt: skip
    """Fill positions (characters, joints, 3) and joint-to-world rotations (characters, joints, 4)."""
    for i in range(len(frames)):
        yaw = (np.cos(0.5 * places[i, 2]), 0.0, np.sin(0.5 * places[i, 2]), 0.0)
        put_arrow(positions, i, 0, (places[i, 0], 0.0, places[i, 1]))
        put_turn(turned, i, 0, yaw)
        left, _ = offset_at(kind, time_s, ages[i], arrow_at(starts, i, 0), arrow_at(rates, i, 0))
        hips = rotate(yaw, hips_of(source, frames[i]))
        put_arrow(
            positions, i, 1, (places[i, 0] + hips[0] + left[0], hips[1] + left[1], places[i, 1] + hips[2] + left[2])
        )
        for joint in range(1, positions.shape[1]):
            left, _ = offset_at(kind, time_s, ages[i], arrow_at(starts, i, joint), arrow_at(rates, i, joint))
            parent = source.parents[joint]
            above = turn_at(turned, i, parent)
            if joint == 1:
                turn = multiply(from_vector(left), multiply(above, turn_of(source, frames[i], joint)))
            else:
                turn = multiply(above, multiply(from_vector(left), turn_of(source, frames[i], joint)))
                x, y, z = rotate(
                    above,
                    (
                        np.float64(source.offsets[joint, 0]),
                        np.float64(source.offsets[joint, 1]),
                        np.float64(source.offsets[joint, 2]),
                    ),
                )
                at = arrow_at(positions, i, parent)
                put_arrow(positions, i, joint, (at[0] + x, at[1] + y, at[2] + z))
            put_turn(turned, i, joint, turn)
