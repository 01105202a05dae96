"""Signed distances between an ellipse (a body's footprint) and what may stand in its way, all in the ground plane.

Outside, a distance is that of the nearest two points. Inside it is negative: how far the two must be moved apart. With
support functions ``h(n)``, how far a shape reaches in a direction, both are one expression,

    distance = max over unit n of  n . (c2 - c1) - h1(n) - h2(n),

and any direction at all gives a lower bound on it.

An ellipse is its centre, the unit vector of its first axis, and both half lengths; the second axis lies across. Either
may be the longer one.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from ..jit import kernel

_POINT_STEPS = 3
_ELLIPSE_STEPS = 9


@kernel
def reach(nx: float, nz: float, ux: float, uz: float, a: float, b: float) -> float:
    """How far an ellipse reaches from its centre in the unit direction n."""
    along, across = nx * ux + nz * uz, nz * ux - nx * uz
    return np.sqrt(a * a * along * along + b * b * across * across)


@kernel
def nearest(dx: float, dz: float, ux: float, uz: float, a: float, b: float) -> tuple[float, float, float]:
    """Signed distance to a point at (dx, dz) from the centre, [m], and the outward normal where it is nearest.

    The nearest point of the arc is approached by way of its centre of curvature; three rounds are exact to a tenth of
    a millimetre for bodies.
    """
    px, py = dx * ux + dz * uz, dz * ux - dx * uz
    x, y = abs(px), abs(py)
    tx, ty = 0.7071, 0.7071
    per_a, per_b = 1.0 / a, 1.0 / b
    focus = a * a - b * b
    bend_x, bend_y = focus * per_a, -focus * per_b
    for _ in range(_POINT_STEPS):
        ex, ey = bend_x * tx * tx * tx, bend_y * ty * ty * ty
        rx, ry, qx, qy = a * tx - ex, b * ty - ey, x - ex, y - ey
        scale = np.sqrt((rx * rx + ry * ry) / max(qx * qx + qy * qy, 1e-12))
        tx = min(max((qx * scale + ex) * per_a, 0.0), 1.0)
        ty = min(max((qy * scale + ey) * per_b, 0.0), 1.0)
        per_length = 1.0 / np.sqrt(max(tx * tx + ty * ty, 1e-12))
        tx, ty = tx * per_length, ty * per_length
    away = np.sqrt((x - a * tx) ** 2 + (y - b * ty) ** 2)
    if (x * per_a) ** 2 + (y * per_b) ** 2 < 1.0:
        away = -away
    nx, ny = tx * b, ty * a
    length = np.sqrt(max(nx * nx + ny * ny, 1e-18))
    nx = nx / length if px >= 0.0 else -nx / length
    ny = ny / length if py >= 0.0 else -ny / length
    return away, nx * ux - ny * uz, nx * uz + ny * ux


@kernel
def to_point(dx: float, dz: float, ux: float, uz: float, a: float, b: float) -> float:
    """Signed distance to a point at (dx, dz) from the ellipse's centre, [m]."""
    return nearest(dx, dz, ux, uz, a, b)[0]


@kernel
def to_disk(dx: float, dz: float, radius: float, ux: float, uz: float, a: float, b: float) -> float:
    """Signed distance to a disk whose middle is at (dx, dz) from the ellipse's centre, [m]."""
    return to_point(dx, dz, ux, uz, a, b) - radius


@kernel
def to_ellipse(
    dx: float, dz: float, vx: float, vz: float, c: float, d: float, ux: float, uz: float, a: float, b: float
) -> float:
    """Signed distance to another ellipse (axis v, half lengths c and d) at (dx, dz) from this one's centre, [m].

    Newton's method on the direction: with ``r`` the radius of curvature, ``h'' = r - h``, so that the second derivative
    of the expression above is ``-(value + r1 + r2)``.
    """
    gap = np.sqrt(dx * dx + dz * dz)
    nx, nz = (dx / gap, dz / gap) if gap > 1e-6 else (-uz, ux)
    best = nx * dx + nz * dz - reach(nx, nz, ux, uz, a, b) - reach(nx, nz, vx, vz, c, d)
    if best < 0.0:
        # They may overlap, and then there are several ways out: begin with the shortest of the axes'.
        for wx, wz in ((ux, uz), (-uz, ux), (vx, vz), (-vz, vx)):
            sign = 1.0 if wx * dx + wz * dz >= 0.0 else -1.0
            value = abs(wx * dx + wz * dz) - reach(wx, wz, ux, uz, a, b) - reach(wx, wz, vx, vz, c, d)
            if value > best:
                best, nx, nz = value, sign * wx, sign * wz
    for _ in range(_ELLIPSE_STEPS):
        h1, h2 = reach(nx, nz, ux, uz, a, b), reach(nx, nz, vx, vz, c, d)
        value = nx * dx + nz * dz - h1 - h2
        best = max(best, value)
        # Support points of both, against the direction's own perpendicular (-nz, nx).
        along1, across1 = nx * ux + nz * uz, nz * ux - nx * uz
        along2, across2 = nx * vx + nz * vz, nz * vx - nx * vz
        slope1 = (b * b - a * a) * along1 * across1 / h1
        slope2 = (d * d - c * c) * along2 * across2 / h2
        slope = -nz * dx + nx * dz - slope1 - slope2
        bend = value + a * a * b * b / (h1 * h1 * h1) + c * c * d * d / (h2 * h2 * h2)
        turn = slope / max(bend, 0.3 * (h1 + h2))
        turn = min(max(turn, -0.6), 0.6)
        nx, nz = nx - turn * nz, nz + turn * nx
        length = np.sqrt(nx * nx + nz * nz)
        nx, nz = nx / length, nz / length
    return best


@kernel
def to_segment(dx: float, dz: float, ex: float, ez: float, ux: float, uz: float, a: float, b: float) -> float:
    """Signed distance to the segment between (dx, dz) and (ex, ez), both from the ellipse's centre, [m]."""
    sx, sz = ex - dx, ez - dz
    length = np.sqrt(sx * sx + sz * sz)
    if length < 1e-6:
        return to_point(dx, dz, ux, uz, a, b)
    nx, nz = -sz / length, sx / length
    side = nx * dx + nz * dz
    if side < 0.0:
        nx, nz, side = -nx, -nz, -side
    h = reach(nx, nz, ux, uz, a, b)
    if side > h:
        # The line misses the ellipse: where it comes nearest, along the segment.
        along, across = nx * ux + nz * uz, nz * ux - nx * uz
        px = (a * a * along * ux - b * b * across * uz) / h
        pz = (a * a * along * uz + b * b * across * ux) / h
        t = ((px - dx) * sx + (pz - dz) * sz) / (length * length)
        if t <= 0.0:
            return to_point(dx, dz, ux, uz, a, b)
        if t >= 1.0:
            return to_point(ex, ez, ux, uz, a, b)
        return side - h
    # The line crosses it. The way out is sideways, or over an end that is the nearest of the segment that way.
    best = side - h
    away, mx, mz = nearest(dx, dz, ux, uz, a, b)
    if mx * sx + mz * sz >= 0.0:
        best = max(best, away)
    away, mx, mz = nearest(ex, ez, ux, uz, a, b)
    if mx * sx + mz * sz <= 0.0:
        best = max(best, away)
    return best


@kernel
def to_polygon(
    corners: Array, first: int, last: int, cx: float, cz: float, ux: float, uz: float, a: float, b: float
) -> float:
    """Signed distance from an ellipse at (cx, cz) to a convex polygon, corners in either sense of turning, [m].

    Its corners (x, z) are the rows ``first`` to ``last`` (exclusive) of ``corners``.
    """
    count = last - first
    area = 0.0
    for i in range(count):
        j, i = first + (i + 1) % count, first + i
        area += corners[i, 0] * corners[j, 1] - corners[j, 0] * corners[i, 1]
    sign = 1.0 if area > 0 else -1.0
    best = -1e9
    for i in range(count):
        # The best direction is an edge's normal, or that of the ellipse at a corner which comes first that way.
        h, j = first + (i + count - 1) % count, first + (i + 1) % count
        i = first + i
        px, pz = corners[i, 0] - cx, corners[i, 1] - cz
        ex, ez = corners[j, 0] - corners[i, 0], corners[j, 1] - corners[i, 1]
        bx, bz = corners[h, 0] - corners[i, 0], corners[h, 1] - corners[i, 1]
        length = np.sqrt(ex * ex + ez * ez)
        if length > 1e-9:
            nx, nz = -sign * ez / length, sign * ex / length  # inwards, away from the ellipse
            best = max(best, nx * px + nz * pz - reach(nx, nz, ux, uz, a, b))
        away, mx, mz = nearest(px, pz, ux, uz, a, b)
        if mx * ex + mz * ez >= 0.0 and mx * bx + mz * bz >= 0.0:
            best = max(best, away)
    return best
