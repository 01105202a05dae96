"""The score of a pose: how far it is from what was asked, and what it would run into. Defined here and nowhere else.

EMM 4.2: the weighted squared distance of the standardized query features, plus a penalty for every obstacle that comes
near one of the three future ellipses (equation 2), weighted by how soon that is. Every search calls these kernels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Indices
from ..geometry.shapes import BOTTOM, TOP, A, B, X, Z, body_distance
from ..jit import kernel

SLOTS = 3
"""The look-ahead times of EMM 3: 20, 40 and 60 frames."""
PX, PZ, AX, AZ, MAJOR, MINOR, LOW, HIGH = range(8)
"""Columns of a pose's future body: place, unit axis, half lengths, lowest and highest point, [m]."""
NEAREST_M = 1e-9  # EMM (2): distances below are taken for this
TURN_M = 1e-3
"""Where our barrier leaves the paper's and goes on as a straight line."""


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
    """Whether an obstacle counts only for bodies whose height overlaps its own (EMM 6.1.4)."""
    over_m: float = 0.02
    """What a body keeps from a top it passes over and a bottom it passes under."""

    def packed(self) -> Array:
        """As the kernels take it. Shape (9,) float64."""
        heights = 1.0 if self.heights else 0.0
        weights = [self.weight * share for share in self.later]
        return np.array([*weights, self.reach_m, self.power, self.depth, heights, self.over_m, 0.0])


REACH, POWER, DEPTH, HEIGHTS, OVER = range(3, 8)


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


@kernel
def counts(i: int, rows: Array, low: float, high: float, environment: Array) -> bool:
    """Whether obstacle ``i`` stands in the way of a body between two heights, [m]."""
    if environment[HEIGHTS] == 0.0:
        return True
    over = environment[OVER]
    return low < rows[i, TOP] + over and high > rows[i, BOTTOM] - over


@kernel
def penalty(
    bodies: Array, frame: int, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array, spent: float, best: float,
) -> float:  # fmt: skip
    """The score with all obstacles of one pose; given up, and returned as it is, once it has passed ``best``.

    Args:
        bodies: The three future bodies of every frame. Shape (frames, 3, 8).
        frame: Which pose.
        environment: As ``Environment.packed``.
        kinds: Of the obstacles at the three look-ahead times, one time after the other. Shape (3 * obstacles,).
        rows: Where they are then, in the character's frame. Shape (3 * obstacles, 8).
        firsts: Where polygons' corners begin. Shape (3 * obstacles + 1,).
        corners: Shape (corners, 2).
        spent: The score so far.
        best: The score to beat.
    """
    obstacles = len(kinds) // SLOTS
    # The first ellipse weighs most, so it turns most poses away.
    for slot in range(SLOTS):
        x, z = bodies[frame, slot, PX], bodies[frame, slot, PZ]
        major, minor = bodies[frame, slot, MAJOR], bodies[frame, slot, MINOR]
        low, high = bodies[frame, slot, LOW], bodies[frame, slot, HIGH]
        size = environment[REACH] + max(major, minor)
        for i in range(slot * obstacles, (slot + 1) * obstacles):
            # Most obstacles are far: a circle around either tells so at once.
            dx, dz, far = rows[i, X] - x, rows[i, Z] - z, size + max(rows[i, A], rows[i, B])
            if dx * dx + dz * dz >= far * far or not counts(i, rows, low, high, environment):
                continue
            axis_x, axis_z = bodies[frame, slot, AX], bodies[frame, slot, AZ]
            distance = body_distance(i, kinds, rows, firsts, corners, x, z, axis_x, axis_z, major, minor)
            spent += environment[slot] * barrier(distance, environment)
            if spent >= best:
                return spent
    return spent
