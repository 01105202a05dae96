"""The score of a pose: how far it is from what was asked, and what it would run into. Defined here and nowhere else.

EMM 4.2: the weighted squared distance of the standardized query features, plus a penalty for every obstacle that comes
near one of the three future ellipses (equation 2), weighted by how soon that is, plus the penalties that were registered
(``penalties``). Every search calls these kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from ..arrays import Array, Indices
from ..geometry.shapes import FULL, A, B, X, Z, body_distance, point_distance
from ..jit import function_at, inlined_kernel, kernel

SLOTS = WEIGHT_SLOTS = 3
"""The look-ahead times of EMM 3: 20, 40 and 60 frames."""
PX, PZ, AX, AZ, MAJOR, MINOR, LOW, HIGH = range(8)
"""Columns of a pose's future body: place, unit axis, half lengths, lowest and highest point, [m]."""
MIDDLE_X, MIDDLE_Z, SPREAD, LEAST, LOW_MOST, HIGH_LEAST = range(6)
"""Columns of a box of future bodies: the middle of all places and the furthest from it, the smallest half length, the
highest low point and the lowest high point, [m]."""
NEAREST_M = 1e-9  # EMM (2): distances below are taken for this
TURN_M = 1e-3
"""Where our barrier leaves the paper's and goes on as a straight line."""
SLACK_M = 1e-3
"""What distances may be off."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """How obstacles are weighed."""

    weight: float = 5.0
    """Of all penalties (EMM 5.3)."""
    later: tuple[float, float, float] = (1.0, 0.4, 0.1)
    """Of those at 20, 40 and 60 frames (EMM 4.2)."""
    reach_m: float = 0.4
    """Distance below which an obstacle begins to cost (EMM t; 0.6 m where there is room)."""
    power: int = 4
    """How steeply it grows (EMM p)."""
    depth: float = 12.0
    """What a metre inside an obstacle adds, so that a body inside is pushed out; 0 is the paper's clamped barrier."""
    heights: bool = True
    """Whether an obstacle that is not of full height counts only for bodies that overlap it upwards (EMM 6.1.4)."""

    def packed(self) -> Array:
        """As the kernels take it. Shape (8,) float64."""
        weights = [self.weight * share for share in self.later]
        return np.array([*weights, self.reach_m, self.power, self.depth, 1.0 if self.heights else 0.0, 0.0])


REACH, POWER, DEPTH, HEIGHTS = range(3, 7)


_NUMBERS = types.float64[::1]
SIGNATURE = types.float64(
    types.int64,  # frame, or which box
    types.int64,  # slot
    types.Array(types.float32, 3, "C", readonly=True),  # bodies, or boxes of them
    types.float64[:, ::1],  # rows
    types.float64[:, ::1],  # corners
    types.int64,  # first row
    types.int64,  # one past the last
    _NUMBERS,  # environment
    _NUMBERS,  # given
)
"""What a registered penalty and its bound look like (see ``penalties``)."""
registered = function_at(SIGNATURE)


@kernel
def barrier(distance: float, environment: Array) -> float:
    """What one obstacle at this signed distance costs (EMM 2), before weights; it never falls with depth."""
    reach = environment[REACH]
    if distance >= reach:
        return 0.0
    depth = environment[DEPTH]
    nearest = TURN_M if depth > 0.0 else NEAREST_M
    d = max(distance, nearest)
    power = 1.0
    for _ in range(int(environment[POWER])):
        power *= reach - d
    cost = -power * np.log(d / reach)
    if distance < nearest:
        cost += depth * (nearest - distance)
    return cost


@inlined_kernel
def penalty(
    bodies: Array, frame: int, environment: Array, rows: Array, corners: Array, slots: Indices,
    costs: Indices, given: Array, spent: float, best: float,
) -> float:  # fmt: skip
    """The score with all obstacles of one pose; given up, and returned as it is, once it has passed ``best``.

    Args:
        bodies: The three future bodies of every frame. Shape (frames, 3, 8).
        frame: Which pose.
        environment: As ``Environment.packed``.
        rows: What is in the way, in the character's frame (see ``Around``). Shape (rows, 12).
        corners: Shape (corners, 2).
        slots: Where the rows of each look-ahead time begin. Shape (4,).
        costs: Registered penalties. Shape (penalties,).
        given: What they are told. Shape (penalties, numbers).
        spent: The score so far.
        best: The score to beat.
    """
    # The first ellipse weighs most, so it turns most poses away.
    for slot in range(SLOTS):
        x, z = bodies[frame, slot, PX], bodies[frame, slot, PZ]
        major, minor = bodies[frame, slot, MAJOR], bodies[frame, slot, MINOR]
        size = environment[REACH] + max(major, minor)
        for i in range(slots[slot], slots[slot + 1]):
            # Most obstacles are far: a circle around either tells so at once.
            dx, dz, far = rows[i, X] - x, rows[i, Z] - z, size + max(rows[i, A], rows[i, B])
            if dx * dx + dz * dz >= far * far or (environment[HEIGHTS] != 0.0 and rows[i, FULL] == 0.0):
                continue
            axis_x, axis_z = bodies[frame, slot, AX], bodies[frame, slot, AZ]
            distance = body_distance(i, rows, corners, x, z, axis_x, axis_z, major, minor)
            spent += environment[slot] * barrier(distance, environment)
            if spent >= best:
                return spent
    if len(costs) > 0:
        spent += charged(bodies, frame, environment, rows, corners, slots, costs, given)
    return spent


@inlined_kernel
def least_penalty(
    reach: Array, box: int, environment: Array, rows: Array, corners: Array, slots: Indices,
    bounds: Indices, given: Array, room: float,
) -> float:  # fmt: skip
    """What obstacles cost any pose of a box at least; given up once it reaches ``room``.

    The smallest body of the box, as a disk, reaches no further than any of them, and nowhere in the box can it be
    further from an obstacle than from the box's middle plus the spread.
    """
    total = 0.0
    for slot in range(SLOTS):
        x, z = reach[box, slot, MIDDLE_X], reach[box, slot, MIDDLE_Z]
        beyond = reach[box, slot, SPREAD] - reach[box, slot, LEAST] + SLACK_M
        near = environment[REACH] - beyond
        for i in range(slots[slot], slots[slot + 1]):
            # Only what is near for every place in the box.
            dx, dz, far = rows[i, X] - x, rows[i, Z] - z, near + max(rows[i, A], rows[i, B])
            if far <= 0.0 or dx * dx + dz * dz >= far * far:
                continue
            if environment[HEIGHTS] != 0.0 and rows[i, FULL] == 0.0:
                continue
            most = point_distance(i, rows, corners, x, z) + beyond
            total += environment[slot] * barrier(most, environment)
            if total >= room:
                return total
    if len(bounds) > 0:
        total += charged(reach, box, environment, rows, corners, slots, bounds, given)
    return total


@kernel
def charged(
    bodies: Array, frame: int, environment: Array, rows: Array, corners: Array, slots: Indices,
    costs: Indices, given: Array,
) -> float:  # fmt: skip
    """What registered penalties (or, with boxes of bodies, their bounds) ask for."""
    total = 0.0
    for p in range(len(costs)):
        if costs[p] == 0:
            continue
        for slot in range(SLOTS):
            cost = registered(costs[p])(
                np.int64(frame), np.int64(slot), bodies, rows, corners,
                np.int64(slots[slot]), np.int64(slots[slot + 1]), environment, given[p],
            )  # fmt: skip
            # A penalty is never below zero, or bounds would not hold; NaN counts as none.
            if cost > 0.0:
                total += environment[slot] * cost
    return total
