"""A way around what blocks the way: a short look at the ground near a character, as a grid of clearances.

The target path is left alone while a body can go along it. Where it cannot, the shortest way is sought that keeps
clear, for the narrowest a body can make itself, preferring where there is more room; the target path is laid along that
way. Where there is none, it ends at the nearest place that can be reached.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Flags, Indices
from ..errors import AskedWrongly
from ..geometry.shapes import A, B, X, Z, point_distance
from ..jit import kernel

SIDE = 49
"""Cells along the edge of the grid; an odd number, the character stands in the middle one."""
SPAN = 2.6
"""How far the grid reaches to each side, as a multiple of the target's distance; but at least ``LEAST_M``."""
LEAST_M = 2.2
DIAGONAL = float(np.sqrt(2.0))
BEYOND = 1.35
"""How much further than the target's last point the way is planned, so that it does not end in front of a gap."""


@dataclass(frozen=True, kw_only=True)
class Router:
    """How ways are sought."""

    narrow_m: float = 0.17
    """Half of what the narrowest gap has that a body gets through."""
    roomy_m: float = 0.3
    """With so much room to either side a way is as good as any."""
    shy: float = 4.0
    """How much longer a way may be to have that room: costs at the narrowest are this much higher."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if not 0 < self.narrow_m < self.roomy_m < np.inf or not 0 <= self.shy < np.inf:
            raise AskedWrongly(f"a router needs 0 < narrow_m < roomy_m and shy of zero or above, not {self}")

    def bend(self, wanted: Array, rows: Array, corners: Array, slots: Indices) -> Flags:
        """Lay blocked target paths along a way that is free, in place.

        Args:
            wanted: Positions at the three look-ahead times in the characters' frames, [m]. Shape (asks, 3, 2).
            rows: What is near, in the characters' frames (see ``search.Around``).
            corners: Their corners.
            slots: Where the rows of each time begin. Shape (asks, 4).

        Returns:
            Whose were blocked. Shape (asks,).
        """
        bent = np.zeros(len(wanted), np.bool_)
        _bend(wanted, rows, corners, slots, self.narrow_m, self.roomy_m, self.shy, bent)
        return bent


@kernel
def _bend(
    wanted: Array, rows: Array, corners: Array, slots: Indices, narrow: float, roomy: float, shy: float, bent: Flags
) -> None:
    clear, cost = np.empty((SIDE, SIDE)), np.empty((SIDE, SIDE))
    came = np.empty(SIDE * SIDE, np.int64)
    heap_cost, heap_cell = np.empty(8 * SIDE * SIDE), np.empty(8 * SIDE * SIDE, np.int64)
    way = np.empty((SIDE * SIDE, 2))
    for m in range(len(wanted)):
        first, last = slots[m, 1], slots[m, 2]
        if first == last or not blocked(wanted[m], rows, corners, first, last, 0.5 * (narrow + roomy)):
            continue
        bent[m] = True
        length = lay_grid(wanted[m], rows, corners, first, last, roomy, clear)
        cell = length / (SIDE // 2)
        goal_x, goal_z = wanted[m, 2, 0] * BEYOND, wanted[m, 2, 1] * BEYOND
        count = seek(clear, cell, goal_x, goal_z, narrow, roomy, shy, cost, came, heap_cost, heap_cell, way)
        count = pull(way, count, rows, corners, first, last, narrow, roomy)
        follow(way, count, wanted[m])


@kernel
def clearance(x: float, z: float, rows: Array, corners: Array, first: int, last: int, enough: float) -> float:
    """Distance from a point to what is nearest, [m]; what is further than ``enough`` counts as that."""
    least = enough
    for i in range(first, last):
        dx, dz, far = rows[i, X] - x, rows[i, Z] - z, least + max(rows[i, A], rows[i, B])
        if far > 0.0 and dx * dx + dz * dz < far * far:
            least = min(least, point_distance(i, rows, corners, x, z))
    return least


@kernel
def blocked(wanted: Array, rows: Array, corners: Array, first: int, last: int, room: float) -> bool:
    """Whether a target path comes too near to something."""
    x, z = 0.0, 0.0
    for slot in range(3):
        dx, dz = wanted[slot, 0] - x, wanted[slot, 1] - z
        steps = max(int(np.sqrt(dx * dx + dz * dz) / 0.1), 1)
        for n in range(1, steps + 1):
            share = n / steps
            if clearance(x + share * dx, z + share * dz, rows, corners, first, last, room) < room:
                return True
        x, z = wanted[slot, 0], wanted[slot, 1]
    # A little further, so that it is seen in time.
    dx, dz = wanted[2, 0] - wanted[1, 0], wanted[2, 1] - wanted[1, 1]
    return bool(clearance(x + 0.7 * dx, z + 0.7 * dz, rows, corners, first, last, room) < room)


@kernel
def lay_grid(wanted: Array, rows: Array, corners: Array, first: int, last: int, roomy: float, clear: Array) -> float:
    """Fill the clearances around a character; returns how far the grid reaches to each side, [m]."""
    far = np.sqrt(wanted[2, 0] ** 2 + wanted[2, 1] ** 2)
    length = max(LEAST_M, SPAN * far)
    middle, cell = SIDE // 2, length / (SIDE // 2)
    clear[:] = roomy
    # Thing by thing, only where it reaches.
    for i in range(first, last):
        size = max(rows[i, A], rows[i, B]) + roomy
        low_x, high_x = int(np.floor((rows[i, X] - size) / cell)), int(np.ceil((rows[i, X] + size) / cell))
        low_z, high_z = int(np.floor((rows[i, Z] - size) / cell)), int(np.ceil((rows[i, Z] + size) / cell))
        for gz in range(max(low_z + middle, 0), min(high_z + middle, SIDE - 1) + 1):
            for gx in range(max(low_x + middle, 0), min(high_x + middle, SIDE - 1) + 1):
                away = point_distance(i, rows, corners, (gx - middle) * cell, (gz - middle) * cell)
                clear[gz, gx] = min(clear[gz, gx], away)
    return length


@kernel
def seek(
    clear: Array, cell: float, goal_x: float, goal_z: float, narrow: float, roomy: float, shy: float,
    cost: Array, came: Indices, heap_cost: Array, heap_cell: Indices, way: Array,
) -> int:  # fmt: skip
    """The cheapest way (A*) from the middle towards a goal; fills ``way`` (points, 2) and returns how many they are."""
    middle = SIDE // 2
    cost[:] = np.inf
    start = middle * SIDE + middle
    cost[middle, middle] = 0.0
    came[start] = -1
    heap_cost[0], heap_cell[0], waiting = 0.0, start, 1
    best, best_away = start, np.sqrt(goal_x * goal_x + goal_z * goal_z)
    while waiting > 0:
        at = heap_cell[0]
        expected = heap_cost[0]
        waiting -= 1
        sink(heap_cost, heap_cell, waiting)
        gz, gx = at // SIDE, at % SIDE
        away = np.sqrt(((gx - middle) * cell - goal_x) ** 2 + ((gz - middle) * cell - goal_z) ** 2)
        if expected > cost[gz, gx] + away + 1e-9:
            continue
        if away < best_away:
            best, best_away = at, away
            if away < cell:
                break
        for dz in range(-1, 2):
            for dx in range(-1, 2):
                nx, nz = gx + dx, gz + dz
                if (dx == 0 and dz == 0) or nx < 0 or nz < 0 or nx >= SIDE or nz >= SIDE:
                    continue
                room = clear[nz, nx]
                # Who stands too near to something already may leave it.
                if room < narrow and room <= clear[gz, gx]:
                    continue
                tight = min(max((roomy - room) / (roomy - narrow), 0.0), 2.0)
                step = cell * (DIAGONAL if dx != 0 and dz != 0 else 1.0) * (1.0 + shy * tight * tight)
                if cost[gz, gx] + step < cost[nz, nx] and waiting < len(heap_cost):
                    cost[nz, nx] = cost[gz, gx] + step
                    came[nz * SIDE + nx] = at
                    left = np.sqrt(((nx - middle) * cell - goal_x) ** 2 + ((nz - middle) * cell - goal_z) ** 2)
                    rise(heap_cost, heap_cell, waiting, cost[nz, nx] + left, nz * SIDE + nx)
                    waiting += 1
    count, at = 0, best
    while at >= 0:
        count += 1
        at = came[at]
    at = best
    for n in range(count - 1, -1, -1):
        way[n, 0], way[n, 1] = (at % SIDE - middle) * cell, (at // SIDE - middle) * cell
        at = came[at]
    return count


@kernel
def rise(costs: Array, cells: Indices, count: int, cost: float, cell: int) -> None:
    """Put something onto a heap of ``count``."""
    at = count
    while at > 0:
        above = (at - 1) // 2
        if costs[above] <= cost:
            break
        costs[at], cells[at] = costs[above], cells[above]
        at = above
    costs[at], cells[at] = cost, cell


@kernel
def sink(costs: Array, cells: Indices, count: int) -> None:
    """Take the top off a heap; ``count`` is what remains, the last of it stands behind."""
    cost, cell, at = costs[count], cells[count], 0
    while True:
        below = 2 * at + 1
        if below >= count:
            break
        if below + 1 < count and costs[below + 1] < costs[below]:
            below += 1
        if costs[below] >= cost:
            break
        costs[at], cells[at] = costs[below], cells[below]
        at = below
    costs[at], cells[at] = cost, cell


@kernel
def pull(
    way: Array, count: int, rows: Array, corners: Array, first: int, last: int, narrow: float, roomy: float
) -> int:
    """Straighten a way that goes by cells, in place: leave out what need not be gone by, and keep as clear as it was."""
    kept, at = 1, 0
    while at < count - 1:
        ahead = at + 1
        while ahead + 1 < count and seen(way, at, ahead + 1, rows, corners, first, last, narrow, roomy):
            ahead += 1
        way[kept, 0], way[kept, 1] = way[ahead, 0], way[ahead, 1]
        # Points are only ever moved forwards, so what lies ahead is still there.
        kept += 1
        at = ahead
    return kept


@kernel
def seen(
    way: Array, start: int, stop: int, rows: Array, corners: Array, first: int, last: int, narrow: float, roomy: float
) -> bool:
    """Whether the straight line between two points of a way is nowhere tighter than the way between them."""
    least = roomy
    for n in range(start, stop + 1):
        least = min(least, clearance(way[n, 0], way[n, 1], rows, corners, first, last, roomy))
    dx, dz = way[stop, 0] - way[start, 0], way[stop, 1] - way[start, 1]
    steps = max(int(np.sqrt(dx * dx + dz * dz) / 0.1), 1)
    for n in range(1, steps):
        share = n / steps
        x, z = way[start, 0] + share * dx, way[start, 1] + share * dz
        if clearance(x, z, rows, corners, first, last, roomy) < least - 0.02:
            return False
    return True


@kernel
def follow(way: Array, count: int, wanted: Array) -> None:
    """Lay the target's points along a way, as far along it as they were along their own."""
    x, z, gone = 0.0, 0.0, 0.0
    for slot in range(3):
        gone += np.sqrt((wanted[slot, 0] - x) ** 2 + (wanted[slot, 1] - z) ** 2)
        x, z = wanted[slot, 0], wanted[slot, 1]
        left = gone
        wanted[slot, 0], wanted[slot, 1] = way[count - 1, 0], way[count - 1, 1]
        for n in range(1, count):
            dx, dz = way[n, 0] - way[n - 1, 0], way[n, 1] - way[n - 1, 1]
            length = np.sqrt(dx * dx + dz * dz)
            if left <= length:
                share = left / max(length, 1e-9)
                wanted[slot, 0], wanted[slot, 1] = way[n - 1, 0] + share * dx, way[n - 1, 1] + share * dz
                break
            left -= length
