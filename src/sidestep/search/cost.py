"""The score of a pose: how far it is from what was asked, and what it would run into. Defined here and nowhere else.

EMM 4.2: the weighted squared distance of the standardized query features, plus a penalty for every obstacle that comes
near one of the three future ellipses (equation 2), weighted by how soon that is, plus penalties that were registered
(``penalties``). Every search calls these kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from ..arrays import Array, Indices
from ..errors import AskedWrongly
from ..geometry.shapes import FULL, A, B, X, Z, body_distance, body_distance_most
from ..jit import function_at, inlined_kernel, kernel

SLOTS = WEIGHT_SLOTS = 3
"""The look-ahead times of EMM 3: 20, 40 and 60 frames."""
PX, PZ, AX, AZ, MAJOR, MINOR, LOW, HIGH = range(8)
"""Columns of a pose's future body: place, unit axis, half lengths, lowest and highest point, [m]."""
MIDDLE_X, MIDDLE_Z, CORE_X, CORE_Z, CORE_A, CORE_B, LOW_MOST, HIGH_LEAST, SPREAD, BIGGEST = range(10)
"""Columns of a box of future bodies: the middle of all places; an ellipse that fits into every body of the box (its
unit axis and half lengths); the highest low point and the lowest high point; the furthest place from the middle; the
greatest half length, [m]. The first eight are a body that is nowhere larger than any of the box."""
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

    def __post_init__(self) -> None:
        """Refuse weights below zero: all bounds rest on penalties that are none."""
        for name in ("weight", "depth", "power"):
            if not 0 <= getattr(self, name) < np.inf:
                raise AskedWrongly(f"environment: {name} is {getattr(self, name)}; it must be zero or above")
        if len(self.later) != SLOTS or not all(0 <= share < np.inf for share in self.later):
            raise AskedWrongly(f"environment: later is {self.later}; it must be {SLOTS} numbers, zero or above")
        if not 0 < self.reach_m < np.inf:
            raise AskedWrongly(f"environment: reach_m is {self.reach_m}; it must be above zero")

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
    types.uint32[::1],  # near: which rows may matter
    types.int64,  # where in it those of this time begin
    types.int64,  # and end
    _NUMBERS,  # environment
    _NUMBERS,  # given
)
"""What a registered penalty and its bound look like (see ``penalties``)."""
registered = function_at(SIGNATURE)


@inlined_kernel
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
def barrier_least(distance: float, environment: Array) -> float:
    """No more than ``barrier``, without its logarithm: for bounds."""
    reach = environment[REACH]
    if distance >= reach:
        return 0.0
    d = max(distance, TURN_M)
    power = 1.0
    for _ in range(int(environment[POWER])):
        power *= reach - d
    x = d / reach
    # Pade's approximation of -log(x) stays below it all the way from 0 to 1.
    cost = power * 3.0 * (1.0 - x * x) / (1.0 + 4.0 * x + x * x)
    if distance < d:
        cost += environment[DEPTH] * (d - distance)
    return cost


@kernel
def spots_of(rows: Array) -> Array:
    """Place, radius of the circle around it, and whether of full height, close together. Shape (rows, 4) float32."""
    spots = np.empty((len(rows), 4), np.float32)
    for i in range(len(rows)):
        spots[i, 0], spots[i, 1] = rows[i, X], rows[i, Z]
        spots[i, 2], spots[i, 3] = max(rows[i, A], rows[i, B]), rows[i, FULL]
    return spots


@inlined_kernel
def penalty(
    bodies: Array, frame: int, environment: Array, rows: Array, corners: Array, spots: Array, near: Indices,
    slots: Indices, costs: Indices, given: Array, spent: float, best: float,
) -> float:  # fmt: skip
    """The score with all obstacles of one pose; given up, and returned as it is, once it has passed ``best``.

    Args:
        bodies: The three future bodies of every frame. Shape (frames, 3, 8).
        frame: Which pose.
        environment: As ``Environment.packed``.
        rows: What is in the way, in the character's frame (see ``Around``). Shape (rows, 12).
        corners: Shape (corners, 2).
        spots: What tells at once that a row is far: see ``spots_of``. Shape (rows, 4).
        near: Which rows may matter, one look-ahead time after the other; unsigned: no index counts from the end.
        slots: Where those of each look-ahead time begin in ``near``. Shape (4,).
        costs: Registered penalties. Shape (penalties,).
        given: What they are told. Shape (penalties, numbers).
        spent: The score so far.
        best: The score to beat.
    """
    # First what it costs at least, which is quick to tell and turns nearly all away; then what it costs.
    for exactly in range(2):
        total = spent
        # The first ellipse weighs most, so it comes first.
        for slot in range(SLOTS):
            x, z = bodies[frame, slot, PX], bodies[frame, slot, PZ]
            major, minor = bodies[frame, slot, MAJOR], bodies[frame, slot, MINOR]
            axis_x, axis_z = bodies[frame, slot, AX], bodies[frame, slot, AZ]
            size = np.float32(environment[REACH]) + max(major, minor) + np.float32(SLACK_M)
            for n in range(slots[slot], slots[slot + 1]):
                i = near[n]
                # Most obstacles are far: a circle around either tells so at once.
                dx, dz, far = spots[i, 0] - x, spots[i, 1] - z, size + spots[i, 2]
                if dx * dx + dz * dz >= far * far or (spots[i, 3] == 0.0 and environment[HEIGHTS] != 0.0):
                    continue
                if exactly == 0:
                    most = body_distance_most(i, rows, corners, x, z, axis_x, axis_z, major, minor)
                    total += environment[slot] * barrier_least(most, environment)
                else:
                    distance = body_distance(i, rows, corners, x, z, axis_x, axis_z, major, minor)
                    total += environment[slot] * barrier(distance, environment)
                if total >= best:
                    return total
    spent = total
    if len(costs) > 0:
        spent += charged(bodies, frame, environment, rows, corners, near, slots, costs, given)
    return spent


@inlined_kernel
def narrow(
    boxes: Array, box: int, environment: Array, rows: Array, corners: Array, spots: Array, near: Indices,
    slots: Indices, bounds: Indices, given: Array, room: float, kept: Indices, kept_slots: Indices,
) -> float:  # fmt: skip
    """What obstacles cost any pose of a box at least, and which may matter to it.

    What fits into every body, put in the middle of all places, comes no nearer to an obstacle than the spread of the
    places short of any of them: so the penalty of that distance plus the spread is the least any pose pays.

    Args:
        boxes: Of bodies. Shape (boxes, 3, 10).
        box: Which.
        environment: As ``Environment.packed``.
        rows: What is in the way. Shape (rows, 12).
        corners: Shape (corners, 2).
        spots: Shape (rows, 4).
        near: Rows that may matter to all that holds this box.
        slots: Where those of each look-ahead time begin. Shape (4,).
        bounds: Of registered penalties. Shape (penalties,).
        given: What they are told. Shape (penalties, numbers).
        room: A bound as high as this needs no better one.
        kept: Filled with the rows that may matter to this box, unless it is ruled out.
        kept_slots: Filled likewise. Shape (4,).
    """
    total, count = 0.0, np.uint64(0)
    for slot in range(SLOTS):
        x, z = boxes[box, slot, MIDDLE_X], boxes[box, slot, MIDDLE_Z]
        spread = boxes[box, slot, SPREAD] + np.float32(SLACK_M)
        core_a, core_b = boxes[box, slot, CORE_A], boxes[box, slot, CORE_B]
        # In single precision, as the spots are; the slack is far more than what that rounds off.
        widest = np.float32(environment[REACH]) + boxes[box, slot, BIGGEST] + spread
        surely = np.float32(environment[REACH]) + max(core_a, core_b) - spread
        kept_slots[slot] = count
        for n in range(slots[slot], slots[slot + 1]):
            i = near[n]
            dx, dz, size = spots[i, 0] - x, spots[i, 1] - z, spots[i, 2]
            gap, far = dx * dx + dz * dz, widest + size
            if gap >= far * far:
                continue
            kept[count] = i
            count += np.uint64(1)
            # Near for every place in the box.
            far = surely + size
            if far <= 0.0 or gap >= far * far or (spots[i, 3] == 0.0 and environment[HEIGHTS] != 0.0):
                continue
            ux, uz = boxes[box, slot, CORE_X], boxes[box, slot, CORE_Z]
            most = body_distance_most(i, rows, corners, x, z, ux, uz, core_a, core_b) + spread
            total += environment[slot] * barrier_least(most, environment)
            if total >= room:
                return total
    kept_slots[SLOTS] = count
    if len(bounds) > 0:
        total += charged(boxes, box, environment, rows, corners, kept, kept_slots, bounds, given)
    return total


@kernel
def charged(
    bodies: Array, frame: int, environment: Array, rows: Array, corners: Array, near: Indices, slots: Indices,
    costs: Indices, given: Array,
) -> float:  # fmt: skip
    """What registered penalties (or, with boxes of bodies, their bounds) ask for."""
    total = 0.0
    for p in range(len(costs)):
        if costs[p] == 0:
            continue
        for slot in range(SLOTS):
            cost = registered(costs[p])(
                np.int64(frame), np.int64(slot), bodies, rows, corners, near,
                np.int64(slots[slot]), np.int64(slots[slot + 1]), environment, given[p],
            )  # fmt: skip
            # A penalty is never below zero, or bounds would not hold; NaN counts as none.
            if cost > 0.0:
                total += environment[slot] * cost
    return total
