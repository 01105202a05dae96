"""A way around what blocks the way: a short look at the ground near a character, as a grid of clearances.

The target path is left alone while a body can go along it. Where it cannot, the shortest way is sought that keeps
clear, for the narrowest a body can make itself, preferring where there is more room; the target path is laid along that
way. Where there is none, it ends at the nearest place that can be reached. Where it is too tight to be walked straight
ahead, the path asks for a turned body and for less speed: to turn only when there is something to touch would be late.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Flags, Indices
from ..errors import AskedWrongly
from ..geometry.shapes import FULL, SOMEBODY, A, B, X, Z, point_distance
from ..jit import kernel

SIDE = 81
"""Cells along the edge of the grid; an odd number, the character stands in the middle one."""
BODY_M = 0.1
"""Around somebody else's middle no way leads through; beyond that it may, since they can turn, too."""
SPAN = 2.6
"""How far the grid reaches to each side, as a multiple of the target's distance; but at least ``LEAST_M``."""
LEAST_M = 2.2
WIDE_M = 1.0
"""Room beyond this makes no difference."""
DIAGONAL = float(np.sqrt(2.0))
REACH_M = 0.35
"""How far a body reaches ahead and behind: so early it is turned, and so late it turns back."""
STEEP = 2.0
"""A body is turned fully half-way to the narrowest: between turned and not there is little to play."""
ASIDE_M = 0.25
"""So far to either side of a way one looks for room."""
QUICK_MPS = 1.5
"""How much faster than where it is narrowest a turned body may go where it hardly has to turn."""
BEYOND = 1.35
"""How much further than the target's last point the way is planned, so that it does not end in front of a gap."""


@dataclass(frozen=True, kw_only=True)
class Router:
    """How ways are sought."""

    narrow_m: float = 0.17
    """Half of what the narrowest gap has that a body gets through."""
    roomy_m: float = 0.32
    """With so much room to either side a way is as good as any."""
    shy: float = 4.0
    """How much longer a way may be to have that room: costs at the narrowest are this much higher."""

    turning_m: float = 0.27
    """With less room than this to either side, a body turns."""
    slow_mps: float = 0.5
    """How fast it goes where it is narrowest."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        if not self.narrow_m < self.turning_m < np.inf or not 0 < self.slow_mps < np.inf:
            raise AskedWrongly(f"a router needs narrow_m < turning_m and slow_mps above zero, not {self}")
        if not 0 < self.narrow_m < self.roomy_m < np.inf or not 0 <= self.shy < np.inf:
            raise AskedWrongly(f"a router needs 0 < narrow_m < roomy_m and shy of zero or above, not {self}")

    def bend(self, wanted: Array, facing: Array, rows: Array, corners: Array, slots: Indices) -> tuple[Flags, Array]:
        """Lay blocked target paths along a way that is free, in place.

        Args:
            wanted: Positions at the three look-ahead times in the characters' frames, [m]. Shape (asks, 3, 2).
            facing: Unit vectors at those times. Shape (asks, 3, 2).
            rows: What is near, in the characters' frames (see ``search.Around``).
            corners: Their corners.
            slots: Where the rows of each time begin. Shape (asks, 4).

        Returns:
            Who is asked to turn, and how much room the way leaves to either side where it is tightest, [m], no more
            than ``WIDE_M``. Shapes (asks,).
        """
        turning, room = np.zeros(len(wanted), np.bool_), np.zeros(len(wanted))
        limits = np.array([self.narrow_m, self.roomy_m, self.shy, self.turning_m, self.slow_mps])
        _bend(wanted, facing, rows, corners, slots, limits, turning, room)
        return turning, room


NARROW, ROOMY, SHY, TURNING, SLOW = range(5)


@kernel
def _bend(
    wanted: Array,
    facing: Array,
    rows: Array,
    corners: Array,
    slots: Indices,
    limits: Array,
    turning: Flags,
    room: Array,
) -> None:
    clear, cost = np.empty((SIDE, SIDE)), np.empty((SIDE, SIDE))
    came = np.empty(SIDE * SIDE, np.int64)
    heap_cost, heap_cell = np.empty(8 * SIDE * SIDE), np.empty(8 * SIDE * SIDE, np.int64)
    way, before = np.empty((SIDE * SIDE, 2)), np.empty((3, 2))
    narrow, roomy = limits[NARROW], limits[ROOMY]
    for m in range(len(wanted)):
        first, last = slots[m, 1], slots[m, 2]
        room[m] = WIDE_M
        if first == last:
            continue
        if tightest(wanted[m], rows, corners, first, last, True) < roomy:
            before[:] = wanted[m]
            length = lay_grid(wanted[m], rows, corners, first, last, roomy, clear)
            cell = length / (SIDE // 2)
            goal_x, goal_z = wanted[m, 2, 0] * BEYOND, wanted[m, 2, 1] * BEYOND
            count = seek(clear, cell, goal_x, goal_z, narrow, roomy, limits[SHY], cost, came, heap_cost, heap_cell, way)
            count = pull(way, count, rows, corners, first, last, narrow, roomy)
            follow(way, count, wanted[m])
            face_along(before, wanted[m], facing[m])
        room[m] = squeeze(wanted[m], facing[m], rows, corners, first, last, limits)
        turning[m] = room[m] < limits[TURNING]


@kernel
def face_along(before: Array, wanted: Array, facing: Array) -> None:
    """Who faced along the path still does when it is laid elsewhere: facings turn as the path does."""
    ox, oz, nx, nz = 0.0, 0.0, 0.0, 0.0
    for slot in range(3):
        ax, az = before[slot, 0] - ox, before[slot, 1] - oz
        bx, bz = wanted[slot, 0] - nx, wanted[slot, 1] - nz
        ox, oz, nx, nz = before[slot, 0], before[slot, 1], wanted[slot, 0], wanted[slot, 1]
        length = np.sqrt((ax * ax + az * az) * (bx * bx + bz * bz))
        if length > 0.0025:
            cosine, sine = (ax * bx + az * bz) / length, (bx * az - bz * ax) / length
            fx, fz = facing[slot, 0], facing[slot, 1]
            facing[slot, 0], facing[slot, 1] = cosine * fx + sine * fz, -sine * fx + cosine * fz


@kernel
def squeeze(wanted: Array, facing: Array, rows: Array, corners: Array, first: int, last: int, limits: Array) -> float:
    """Where a path is tight, ask for a body turned across it, the more the tighter, and for less speed.

    Returns:
        How much room there is where there is least, [m], no more than ``WIDE_M``.
    """
    gone = np.zeros(4)
    x, z = 0.0, 0.0
    for slot in range(3):
        gone[slot + 1] = gone[slot] + np.sqrt((wanted[slot, 0] - x) ** 2 + (wanted[slot, 1] - z) ** 2)
        x, z = wanted[slot, 0], wanted[slot, 1]
    if gone[3] < 0.05:
        return WIDE_M
    line = np.zeros((5, 2))
    line[1:4] = wanted
    # Some way beyond its end, so that a tight place is prepared for.
    beyond = max(gone[3], 0.8)
    length = max(gone[3] - gone[2], 1e-6)
    for k in range(2):
        line[4, k] = wanted[2, k] + (wanted[2, k] - wanted[1, k]) / length * beyond
    ends = np.array([0.0, gone[1], gone[2], gone[3], gone[3] + beyond])
    narrow, turning = limits[NARROW], limits[TURNING]
    # How tight it is, every five centimetres; a body reaches ahead and behind.
    count = int(ends[4] / 0.05) + 1
    tight = np.zeros(count)
    least = WIDE_M
    for n in range(count):
        px, pz = along(line, ends, 0.05 * n)
        ax, az = along(line, ends, 0.05 * n + 0.1)
        size = max(np.sqrt((ax - px) ** 2 + (az - pz) ** 2), 1e-9)
        free = passage(px, pz, (ax - px) / size, (az - pz) / size, rows, corners, first, last, limits[ROOMY])
        least = min(least, free)
        tight[n] = min(max(STEEP * (turning - free) / (turning - narrow), 0.0), 1.0)
    reach = int(REACH_M / 0.05)
    if least >= turning:
        return least
    # One side for all of the way: where it is tightest, the one that is nearer to where it faces now, (0, 1).
    worst = 0.05 * int(np.argmax(tight))
    bx, bz = along(line, ends, max(worst - 0.1, 0.0))
    ax, az = along(line, ends, worst + 0.1)
    side_x, side_z = bz - az, ax - bx
    if side_z < 0.0:
        side_x, side_z = -side_x, -side_z
    # Go by time, slower where it is tight.
    speed = gone[3]
    at, dt, slot = 0.0, 1.0 / 60.0, 0
    for tick in range(1, 61):
        n = min(int(at / 0.05), count - 1)
        here = 0.0
        for k in range(max(n - reach, 0), min(n + reach, count - 1) + 1):
            here = max(here, tight[k])
        most = limits[SLOW] + (1.0 - here) * QUICK_MPS
        at += min(speed, most if here > 0.0 else speed) * dt
        if tick % 20 == 0:
            wanted[slot, 0], wanted[slot, 1] = along(line, ends, at)
            if here > 0.0:
                bx, bz = along(line, ends, max(at - 0.1, 0.0))
                ax, az = along(line, ends, at + 0.1)
                tx, tz = ax - bx, az - bz
                size = max(np.sqrt(tx * tx + tz * tz), 1e-9)
                tx, tz = tx / size, tz / size
                # From along the way towards across it at the tightest place, the short way round.
                turn = np.arctan2(side_x * tz - side_z * tx, side_x * tx + side_z * tz) * here
                facing[slot, 0] = np.cos(turn) * tx + np.sin(turn) * tz
                facing[slot, 1] = np.cos(turn) * tz - np.sin(turn) * tx
            slot += 1
    return least


@kernel
def along(line: Array, ends: Array, way: float) -> tuple[float, float]:
    """The place after so many metres of a line of points; ``ends`` tells how far each of them is."""
    last = len(line) - 1
    for k in range(1, last + 1):
        if way <= ends[k] or k == last:
            share = min((way - ends[k - 1]) / max(ends[k] - ends[k - 1], 1e-9), 1.0)
            return (
                line[k - 1, 0] + share * (line[k, 0] - line[k - 1, 0]),
                line[k - 1, 1] + share * (line[k, 1] - line[k - 1, 1]),
            )
    return line[last, 0], line[last, 1]


@kernel
def clearance(
    x: float, z: float, rows: Array, corners: Array, first: int, last: int, enough: float, as_are: bool
) -> float:
    """Distance from a point to what is nearest, [m]; what is further than ``enough`` counts as that.

    ``as_are``: to others as they will stand; otherwise as they could make themselves.
    """
    least = enough
    for i in range(first, last):
        dx, dz, far = rows[i, X] - x, rows[i, Z] - z, least + max(rows[i, A], rows[i, B])
        if far > 0.0 and dx * dx + dz * dz < far * far:
            least = min(least, away_from(i, rows, corners, x, z, as_are))
    return least


@kernel
def passage(
    x: float, z: float, tx: float, tz: float, rows: Array, corners: Array, first: int, last: int, enough: float
) -> float:
    """Room in the passage through which a way in the direction t leads, [m]: a little to either side there may be more.

    Who merely stands near to one thing is in no passage.
    """
    most = -1.0
    for k in range(-2, 3):
        aside = 0.5 * k * ASIDE_M
        most = max(most, clearance(x - aside * tz, z + aside * tx, rows, corners, first, last, enough, True))
        if most >= enough:
            break
    return most


@kernel
def away_from(i: int, rows: Array, corners: Array, x: float, z: float, as_are: bool) -> float:
    """Distance from a point to a thing, [m]; to somebody's middle, but for what even a turned body takes."""
    if rows[i, FULL] == SOMEBODY and not as_are:
        return np.sqrt((rows[i, X] - x) ** 2 + (rows[i, Z] - z) ** 2) - BODY_M
    return point_distance(i, rows, corners, x, z)


@kernel
def tightest(wanted: Array, rows: Array, corners: Array, first: int, last: int, as_are: bool) -> float:
    """How much room a target path leaves where it leaves least, a little beyond its end, too, [m]."""
    x, z, least = 0.0, 0.0, WIDE_M
    for slot in range(4):
        dx, dz = wanted[min(slot, 2), 0] - x, wanted[min(slot, 2), 1] - z
        if slot == 3:
            dx, dz = 0.7 * (wanted[2, 0] - wanted[1, 0]), 0.7 * (wanted[2, 1] - wanted[1, 1])
        steps = max(int(np.sqrt(dx * dx + dz * dz) / 0.1), 1)
        for n in range(1, steps + 1):
            share = n / steps
            least = min(least, clearance(x + share * dx, z + share * dz, rows, corners, first, last, least, as_are))
        x, z = x + dx, z + dz
    return least


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
                away = away_from(i, rows, corners, (gx - middle) * cell, (gz - middle) * cell, False)
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
                if room < narrow - 0.5 * cell and room <= clear[gz, gx]:
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
    """Straighten a way that goes by cells, in place: leave out what need not be gone by, stay as clear as before."""
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
        least = min(least, clearance(way[n, 0], way[n, 1], rows, corners, first, last, roomy, False))
    dx, dz = way[stop, 0] - way[start, 0], way[stop, 1] - way[start, 1]
    steps = max(int(np.sqrt(dx * dx + dz * dz) / 0.1), 1)
    for n in range(1, steps):
        share = n / steps
        x, z = way[start, 0] + share * dx, way[start, 1] + share * dz
        if clearance(x, z, rows, corners, first, last, roomy, False) < least - 0.02:
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
