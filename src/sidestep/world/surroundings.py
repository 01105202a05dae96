"""What is near each of many characters at the look-ahead times, told in their own frames.

Standing things are found by a grid; moving things and other characters are few or move, and are looked through.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..geometry.shapes import ELLIPSE, FIRST, FULL, KIND, LAST, SOMEBODY, UX, UZ, A, B, X, Z
from ..jit import kernel
from .obstacles import AHEAD, Obstacles
from .published import Published

CELL_M = 2.0
SLOTS = 3


class Surroundings:
    """Finds what is near."""

    def __init__(self, obstacles: Obstacles) -> None:
        self.obstacles = obstacles
        rows = obstacles.at(0).rows[: obstacles.standing]
        self._grid = _binned(rows)
        self._kept: dict[int, tuple[Array, Array]] = {}

    def near(
        self, tick: int, who: Indices, published: Published, reach: Array, others: bool = True
    ) -> tuple[Array, Array, Indices]:
        """Rows, corners and slots as ``search.Around`` wants them, at the look-ahead times.

        Args:
            tick: When.
            who: Characters that ask. Shape (asks,).
            published: Of all characters.
            reach: Up to which distance from its place a thing matters to each, at each time, [m]. Shape (asks, 3).
            others: Whether other characters are in the way.
        """
        return self._gather(tick, AHEAD, who, published.places, published.ahead, reach, others)

    def soon(
        self, tick: int, times: tuple[int, int, int], who: Indices, published: Published, reach_m: float
    ) -> tuple[Array, Array, Indices]:
        """The same at three times before the first look-ahead; others go on evenly to where they will be then."""
        share = np.array(times)[:, None] / AHEAD[0]
        bodies = np.repeat(published.now[:, None], 3, axis=1)
        way = published.ahead[:, :1, :2] - published.now[:, None, :2]
        bodies[..., :2] += share * way
        reach = np.full((len(who), 3), reach_m)
        return self._gather(tick, times, who, published.places, bodies, reach, True)

    def _gather(
        self, tick: int, times: tuple[int, ...], who: Indices, places: Array, bodies: Array, reach: Array, others: bool
    ) -> tuple[Array, Array, Indices]:
        moving = self.obstacles.standing < len(self.obstacles)
        key = tick + times[0] * 1_000_003 if moving else 0
        if key not in self._kept:
            # What stands never changes; what moves is asked for by many in one tick.
            self._kept = {} if moving and len(self._kept) > 8 else self._kept
            shapes = [self.obstacles.at(tick + later if moving else 0) for later in times]
            self._kept[key] = (
                np.stack([shape.rows for shape in shapes]),
                np.stack([shape.corners for shape in shapes]),
            )
        rows, corners = self._kept[key]
        return _gather(
            who.astype(np.int64), places, bodies, reach, others, rows, corners, self.obstacles.standing, *self._grid
        )


def _binned(rows: Array) -> tuple[Array, Indices, Indices, Indices]:
    """Which standing things touch each cell: the grid's corner, its size, firsts, and things cell by cell."""
    if len(rows) == 0:
        return np.zeros(2), np.zeros(2, np.int64), np.zeros(1, np.int64), np.zeros(0, np.int64)
    # A wall is as long as its axis says and no wider; all else is as large as its circle.
    wall = rows[:, KIND] == 2
    size = np.max(rows[:, [A, B]], axis=1)
    half = np.where(wall[:, None], np.abs(rows[:, [UX, UZ]]) * size[:, None], size[:, None])
    low, high = rows[:, [X, Z]] - half, rows[:, [X, Z]] + half
    corner = low.min(0)
    first, last = ((edge - corner) // CELL_M for edge in (low, high))
    shape = last.max(0).astype(np.int64) + 1
    cells, things = [], []
    for i in range(len(rows)):
        gx, gz = np.meshgrid(np.arange(first[i, 0], last[i, 0] + 1), np.arange(first[i, 1], last[i, 1] + 1))
        cells.append((gz * shape[0] + gx).ravel().astype(np.int64))
        things.append(np.full(gx.size, i))
    cell, thing = np.concatenate(cells), np.concatenate(things)
    order = np.argsort(cell, kind="stable")
    firsts = np.searchsorted(cell[order], np.arange(shape[0] * shape[1] + 1))
    return corner, shape, firsts.astype(np.int64), thing[order].astype(np.int64)


@kernel
def _gather(
    who: Indices, places: Array, ahead: Array, reach: Array, others: bool, rows: Array, corners: Array, standing: int,
    corner: Array, shape: Indices, firsts: Indices, things: Indices,
) -> tuple[Array, Array, Indices]:  # fmt: skip
    count, characters = rows.shape[1], len(places)
    seen = np.zeros(count, np.int64)
    near = np.empty(count, np.int64)
    room, room_corners = 64, 64
    out, out_corners = np.empty((room, 12)), np.empty((room_corners, 2))
    slots = np.zeros((len(who), SLOTS + 1), np.int64)
    used, used_corners = 0, 0
    for m in range(len(who)):
        i = who[m]
        x, z, yaw = places[i, 0], places[i, 1], places[i, 2]
        cosine, sine = np.cos(yaw), np.sin(yaw)
        most = max(reach[m, 0], max(reach[m, 1], reach[m, 2]))
        found = 0
        if standing > 0:
            gx0, gx1 = int((x - most - corner[0]) // CELL_M), int((x + most - corner[0]) // CELL_M)
            gz0, gz1 = int((z - most - corner[1]) // CELL_M), int((z + most - corner[1]) // CELL_M)
            for gz in range(max(gz0, 0), min(gz1 + 1, shape[1])):
                for gx in range(max(gx0, 0), min(gx1 + 1, shape[0])):
                    cell = gz * shape[0] + gx
                    for n in range(firsts[cell], firsts[cell + 1]):
                        if seen[things[n]] != m + 1:
                            seen[things[n]] = m + 1
                            near[found] = things[n]
                            found += 1
        for k in range(standing, count):
            near[found] = k
            found += 1
        for slot in range(SLOTS):
            slots[m, slot] = used
            for n in range(found + (characters if others else 0)):
                if used >= room:
                    room *= 2
                    grown = np.empty((room, 12))
                    grown[:used] = out[:used]
                    out = grown
                if n < found:
                    k = near[n]
                    dx, dz = rows[slot, k, X] - x, rows[slot, k, Z] - z
                    far = reach[m, slot] + max(rows[slot, k, A], rows[slot, k, B])
                    if dx * dx + dz * dz >= far * far:
                        continue
                    out[used] = rows[slot, k]
                    first, last = int(rows[slot, k, FIRST]), int(rows[slot, k, LAST])
                    while used_corners + last - first > room_corners:
                        room_corners *= 2
                        grown = np.empty((room_corners, 2))
                        grown[:used_corners] = out_corners[:used_corners]
                        out_corners = grown
                    out[used, FIRST], out[used, LAST] = used_corners, used_corners + last - first
                    for c in range(first, last):
                        cx, cz = corners[slot, c, 0] - x, corners[slot, c, 1] - z
                        out_corners[used_corners, 0] = cosine * cx - sine * cz
                        out_corners[used_corners, 1] = sine * cx + cosine * cz
                        used_corners += 1
                    ux, uz = rows[slot, k, UX], rows[slot, k, UZ]
                else:
                    other = n - found
                    if other == i:
                        continue
                    dx, dz = ahead[other, slot, 0] - x, ahead[other, slot, 1] - z
                    far = reach[m, slot] + max(ahead[other, slot, 4], ahead[other, slot, 5])
                    if dx * dx + dz * dz >= far * far:
                        continue
                    out[used] = 0.0
                    out[used, 4:8] = ahead[other, slot, 4:8]
                    # Another body is never stepped over.
                    out[used, 6], out[used, 7], out[used, FULL] = 0.0, 1e4, SOMEBODY
                    out[used, KIND] = ELLIPSE
                    ux, uz = ahead[other, slot, 2], ahead[other, slot, 3]
                out[used, X], out[used, Z] = cosine * dx - sine * dz, sine * dx + cosine * dz
                out[used, UX], out[used, UZ] = cosine * ux - sine * uz, sine * ux + cosine * uz
                used += 1
        slots[m, SLOTS] = used
    return out[:used], out_corners[:used_corners], slots
