"""Things in the way, as flat rows: disks, ellipses, walls and convex polygons, each with a bottom and a top.

Python describes them one by one; kernels see ``Shapes``: a row of numbers each, polygons' corners beside. Two arrays
and no more: every array that is handed to a kernel is counted there, a hundred thousand times a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Array, frozen
from ..errors import AskedWrongly
from ..jit import inlined_kernel, kernel
from . import ellipses, segments

DISK, ELLIPSE, WALL, POLYGON = range(4)
X, Z, UX, UZ, A, B, BOTTOM, TOP, KIND, FIRST, LAST, FULL = range(12)
"""Columns of a row: place, unit axis, half lengths (a disk has its radius twice), bottom and top above the ground, [m];
which kind, where a polygon's corners begin and end, whether it stands from the ground to over everybody's head (1; 2 if
it is somebody)."""
SOMEBODY = 2.0
COLUMNS = 12
FOREVER_M = 1e4
"""As high as it matters."""
STANDS_M = 2.5
"""What begins on the ground and reaches up to here cannot be passed over or under by anybody."""
GROUND_M = 0.05


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all things in the way have in common."""

    bottom: float = 0.0
    """Above the ground, [m]."""
    top: float = FOREVER_M


@dataclass(frozen=True)
class Disk(Shape):
    """A round thing: place and radius, [m]."""

    x: float
    z: float
    radius: float


@dataclass(frozen=True)
class Ellipse(Shape):
    """A body's footprint: place, first half axis as a vector, length of the second one, [m]."""

    x: float
    z: float
    axis: tuple[float, float]
    across: float


@dataclass(frozen=True)
class Wall(Shape):
    """A wall without thickness between two points (x, z), [m]."""

    start: tuple[float, float]
    stop: tuple[float, float]


@dataclass(frozen=True)
class Polygon(Shape):
    """A convex thing by its corners (x, z) in either sense of turning, [m]."""

    corners: tuple[tuple[float, float], ...]


def box(x: float, z: float, width: float, depth: float, yaw: float = 0.0, **heights: float) -> Polygon:
    """A box: ``width`` across and ``depth`` along where it faces, turned by ``yaw`` [rad]."""
    ahead = np.array([np.sin(yaw), np.cos(yaw)]) * depth / 2
    left = np.array([np.cos(yaw), -np.sin(yaw)]) * width / 2
    places = [np.array([x, z]) + i * left + j * ahead for i, j in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
    return Polygon(tuple((float(px), float(pz)) for px, pz in places), **heights)


@dataclass(frozen=True, eq=False)
class Shapes:
    """Many things in the way."""

    rows: Array
    """Shape (shapes, 12) float64."""
    corners: Array
    """Shape (corners, 2) float64."""

    def __len__(self) -> int:
        """How many there are."""
        return len(self.rows)

    @classmethod
    def of(cls, shapes: Sequence[Shape]) -> Shapes:
        """Pack shapes, in their order.

        Raises:
            AskedWrongly: A size that is not above zero, a number that is not finite, corners that are not convex.
        """
        rows: list[list[float]] = []
        corners: list[tuple[float, float]] = []
        for number, shape in enumerate(shapes):
            kind, row, points = _row(shape, number)
            stands = shape.bottom <= GROUND_M and shape.top >= STANDS_M
            first = len(corners)
            corners += points
            rows.append([*row, shape.bottom, shape.top, kind, first, len(corners), float(stands)])
        packed, places = np.array(rows, np.float64).reshape(-1, COLUMNS), np.array(corners, np.float64).reshape(-1, 2)
        if not np.isfinite(packed).all() or not np.isfinite(places).all():
            bad = int(np.argmax(~np.isfinite(packed).all(1)))
            raise AskedWrongly(f"obstacle {bad} ({shapes[bad]}) holds a number that is not finite")
        if (packed[:, BOTTOM] >= packed[:, TOP]).any():
            bad = int(np.argmax(packed[:, BOTTOM] >= packed[:, TOP]))
            raise AskedWrongly(f"obstacle {bad}: its top ({shapes[bad].top} m) must lie above its bottom")
        return cls(frozen(packed, np.float64), frozen(places, np.float64))

    def seen_from(self, x: float, z: float, yaw: float) -> Shapes:
        """The same in the frame of somebody who stands at (x, z) and faces ``yaw``: x to the left, z ahead."""
        turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
        rows = np.array(self.rows)
        rows[:, [X, Z]] = (rows[:, [X, Z]] - [x, z]) @ turn.T
        rows[:, [UX, UZ]] = rows[:, [UX, UZ]] @ turn.T
        corners = (self.corners - np.array([x, z])) @ turn.T
        return Shapes(frozen(rows, np.float64), frozen(corners, np.float64))


def _row(shape: Shape, number: int) -> tuple[int, list[float], list[tuple[float, float]]]:
    points: list[tuple[float, float]] = []
    if isinstance(shape, Disk):
        kind, row = DISK, [shape.x, shape.z, 1.0, 0.0, shape.radius, shape.radius]
    elif isinstance(shape, Ellipse):
        length = float(np.hypot(*shape.axis))
        unit = [axis / max(length, 1e-12) for axis in shape.axis]
        kind, row = ELLIPSE, [shape.x, shape.z, *unit, length, shape.across]
    elif isinstance(shape, Wall):
        way = np.subtract(shape.stop, shape.start)
        length = float(np.hypot(*way))
        middle = np.add(shape.start, shape.stop) / 2
        kind, row = WALL, [*middle, *(way / max(length, 1e-12)), length / 2, length / 2]
    elif isinstance(shape, Polygon):
        points = list(shape.corners)
        _check_convex(np.array(points, float).reshape(-1, 2), number)
        middle = np.mean(points, axis=0)
        away = float(np.linalg.norm(np.array(points) - middle, axis=1).max())
        kind, row = POLYGON, [*middle, 1.0, 0.0, away, away]
    else:
        raise AskedWrongly(f"obstacle {number}: a {type(shape).__name__} is no shape; use Disk, Ellipse, Wall, Polygon")
    if not (row[A] > 0 and row[B] > 0):
        raise AskedWrongly(f"obstacle {number} ({shape}): its size must be above zero")
    return kind, [float(value) for value in row], points


def _check_convex(corners: Array, number: int) -> None:
    if len(corners) < 3:
        raise AskedWrongly(f"obstacle {number}: a polygon has three corners at least, not {len(corners)}")
    edges = np.roll(corners, -1, axis=0) - corners
    turns = edges[:, 0] * np.roll(edges[:, 1], -1) - edges[:, 1] * np.roll(edges[:, 0], -1)
    if (turns > 1e-9).any() and (turns < -1e-9).any():
        raise AskedWrongly(f"obstacle {number}: its corners are not convex; cut it into convex pieces")


@inlined_kernel
def body_distance(
    i: int, rows: Array, corners: Array, cx: float, cz: float, ux: float, uz: float, a: float, b: float
) -> float:
    """Signed distance from an ellipse (centre c, unit axis u, half lengths a and b) to shape ``i``, [m]."""
    kind = rows[i, KIND]
    # One type throughout: rows are double, callers may be single.
    ux, uz, a, b = np.float64(ux), np.float64(uz), np.float64(a), np.float64(b)
    dx, dz = rows[i, X] - cx, rows[i, Z] - cz
    vx, vz, c, d = rows[i, UX], rows[i, UZ], rows[i, A], rows[i, B]
    if kind == DISK:
        return ellipses.to_disk(dx, dz, c, ux, uz, a, b)
    if kind == ELLIPSE:
        return ellipses.to_ellipse(dx, dz, vx, vz, c, d, ux, uz, a, b)
    if kind == WALL:
        ex, ez = vx * c, vz * c
        return ellipses.to_segment(dx - ex, dz - ez, dx + ex, dz + ez, ux, uz, a, b)
    return ellipses.to_polygon(corners, int(rows[i, FIRST]), int(rows[i, LAST]), cx, cz, ux, uz, a, b)


@inlined_kernel
def body_distance_most(
    i: int, rows: Array, corners: Array, cx: float, cz: float, ux: float, uz: float, a: float, b: float
) -> float:
    """No less than ``body_distance``, and quick: for bounds.

    The way from the ellipse's centre to a point of the shape leaves the ellipse somewhere; from there to the point is
    no less than the distance. Where that says nothing, the true distance is told.
    """
    kind = rows[i, KIND]
    dx, dz, rest = rows[i, X] - cx, rows[i, Z] - cz, rows[i, A]
    if kind == WALL:
        vx, vz = rows[i, UX], rows[i, UZ]
        along = min(max(-(dx * vx + dz * vz), -rest), rest)
        dx, dz, rest = dx + along * vx, dz + along * vz, 0.0
    elif kind == ELLIPSE:
        along, across = dx * rows[i, UX] + dz * rows[i, UZ], dz * rows[i, UX] - dx * rows[i, UZ]
        gap = dx * dx + dz * dz
        rest = np.sqrt(gap / max((along / rest) ** 2 + (across / rows[i, B]) ** 2, 1e-12))
    if kind != POLYGON:
        along, across = dx * ux + dz * uz, dz * ux - dx * uz
        gap = np.sqrt(dx * dx + dz * dz)
        out = 1.0 / np.sqrt(max((along / a) ** 2 + (across / b) ** 2, 1e-12))
        most = gap - gap * out - rest
        # Of two ellipses that overlap, another way out than along the ray may be the shorter one.
        if out <= 1.0 and (kind != ELLIPSE or most >= 0.0):
            return most
    return body_distance(i, rows, corners, cx, cz, ux, uz, a, b)


@kernel
def point_distance(i: int, rows: Array, corners: Array, px: float, pz: float) -> float:
    """Signed distance from the point p to shape ``i``, [m]."""
    kind = rows[i, KIND]
    dx, dz = px - rows[i, X], pz - rows[i, Z]
    vx, vz, c, d = rows[i, UX], rows[i, UZ], rows[i, A], rows[i, B]
    if kind == DISK:
        return np.sqrt(dx * dx + dz * dz) - c
    if kind == ELLIPSE:
        return ellipses.to_point(dx, dz, vx, vz, c, d)
    if kind == WALL:
        along, across = dx * vx + dz * vz, dz * vx - dx * vz
        beyond = max(abs(along) - c, 0.0)
        return np.sqrt(beyond * beyond + across * across)
    # A point is an ellipse of no size.
    return ellipses.to_polygon(corners, int(rows[i, FIRST]), int(rows[i, LAST]), px, pz, 1.0, 0.0, 1e-6, 1e-6)


@kernel
def segment_distance(i: int, rows: Array, corners: Array, ax: float, az: float, bx: float, bz: float) -> float:
    """Signed distance from the segment a-b on the ground to shape ``i``, [m]; to a wall it is never below zero."""
    kind = rows[i, KIND]
    x, z, ux, uz, c, d = rows[i, X], rows[i, Z], rows[i, UX], rows[i, UZ], rows[i, A], rows[i, B]
    if kind == DISK:
        return segments.point_to_segment(x, z, ax, az, bx, bz) - c
    if kind == ELLIPSE:
        return ellipses.to_segment(ax - x, az - z, bx - x, bz - z, ux, uz, c, d)
    if kind == WALL:
        return segments.flat_distance(ax, az, bx, bz, x - c * ux, z - c * uz, x + c * ux, z + c * uz)
    return _to_polygon(corners, int(rows[i, FIRST]), int(rows[i, LAST]), ax, az, bx, bz)


@kernel
def _to_polygon(corners: Array, first: int, last: int, ax: float, az: float, bx: float, bz: float) -> float:
    """Signed distance from the segment a-b to a convex polygon, [m]."""
    count, middle_x, middle_z = last - first, 0.0, 0.0
    for k in range(first, last):
        middle_x += corners[k, 0] / count
        middle_z += corners[k, 1] / count
    apart, least = -1e9, 1e9
    for k in range(count + 1):
        # Directions across every edge, and across the segment: if one of them parts the two, they do not touch.
        if k < count:
            cx, cz = corners[first + k, 0], corners[first + k, 1]
            ex, ez = corners[first + (k + 1) % count, 0] - cx, corners[first + (k + 1) % count, 1] - cz
            least = min(least, segments.flat_distance(ax, az, bx, bz, cx, cz, cx + ex, cz + ez))
        else:
            cx, cz, ex, ez = ax, az, bx - ax, bz - az
        length = np.sqrt(ex * ex + ez * ez)
        if length < 1e-9:
            continue
        nx, nz = ez / length, -ex / length
        if k < count:
            if nx * (cx - middle_x) + nz * (cz - middle_z) < 0.0:
                nx, nz = -nx, -nz
            apart = max(apart, min(nx * (ax - cx) + nz * (az - cz), nx * (bx - cx) + nz * (bz - cz)))
        else:
            low, high = 1e9, -1e9
            for c in range(first, last):
                along = nx * (corners[c, 0] - cx) + nz * (corners[c, 1] - cz)
                low, high = min(low, along), max(high, along)
            apart = max(apart, max(low, -high))
    return least if apart > 0.0 else apart


@kernel
def capsule_distance(i: int, rows: Array, corners: Array, capsules: Array, who: int, c: int) -> float:
    """Signed distance from a capsule to shape ``i``, [m]; infinite where it passes over or under.

    ``capsules`` holds both ends and the radius (characters, capsules, 7).
    """
    ax, ay, az = np.float64(capsules[who, c, 0]), np.float64(capsules[who, c, 1]), np.float64(capsules[who, c, 2])
    bx, by, bz = np.float64(capsules[who, c, 3]), np.float64(capsules[who, c, 4]), np.float64(capsules[who, c, 5])
    radius = np.float64(capsules[who, c, 6])
    if rows[i, FULL] == 0.0:
        low, high = rows[i, BOTTOM] - radius, rows[i, TOP] + radius
        if max(ay, by) <= low or min(ay, by) >= high:
            return np.inf
        # Only what of it is between bottom and top.
        for _ in range(2):
            if ay > high:
                share = (high - by) / (ay - by)
                ax, ay, az = bx + share * (ax - bx), high, bz + share * (az - bz)
            if ay < low:
                share = (low - by) / (ay - by)
                ax, ay, az = bx + share * (ax - bx), low, bz + share * (az - bz)
            ax, ay, az, bx, by, bz = bx, by, bz, ax, ay, az
    return segment_distance(i, rows, corners, ax, az, bx, bz) - radius
