"""Distances between line segments in space: capsules are segments with a radius."""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from ..jit import kernel


def segment_distances(starts_a: Array, stops_a: Array, starts_b: Array, stops_b: Array) -> Array:
    """Shortest distances between pairs of segments, [m].

    Args:
        starts_a: One end of the first of each pair. Shape (pairs, 3).
        stops_a: Its other end.
        starts_b: One end of the second.
        stops_b: Its other end.

    Returns:
        Shape (pairs,).
    """
    result = np.empty(len(starts_a), np.float32)
    arrays = [np.ascontiguousarray(a, np.float32) for a in (starts_a, stops_a, starts_b, stops_b)]
    segments_kernel(*arrays, result)
    return result


@kernel
def segments_kernel(starts_a: Array, stops_a: Array, starts_b: Array, stops_b: Array, result: Array) -> None:
    """Fill ``result`` (pairs,) with the distances of segment pairs."""
    for i in range(len(result)):
        result[i] = segment_distance(starts_a[i], stops_a[i], starts_b[i], stops_b[i])


@kernel
def segment_distance(a0: Array, a1: Array, b0: Array, b1: Array) -> float:
    """Distance between the segments a0-a1 and b0-b1 (points included as segments of no length)."""
    ux, uy, uz = a1[0] - a0[0], a1[1] - a0[1], a1[2] - a0[2]
    vx, vy, vz = b1[0] - b0[0], b1[1] - b0[1], b1[2] - b0[2]
    wx, wy, wz = a0[0] - b0[0], a0[1] - b0[1], a0[2] - b0[2]
    uu = ux * ux + uy * uy + uz * uz
    vv = vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    uw = ux * wx + uy * wy + uz * wz
    vw = vx * wx + vy * wy + vz * wz
    s, t = 0.0, 0.0
    if uu < 1e-12 and vv >= 1e-12:
        t = min(max(vw / vv, 0.0), 1.0)
    elif vv < 1e-12 and uu >= 1e-12:
        s = min(max(-uw / uu, 0.0), 1.0)
    elif uu >= 1e-12:
        spread = uu * vv - uv * uv
        s = min(max((uv * vw - vv * uw) / spread, 0.0), 1.0) if spread > 1e-9 * uu * vv else 0.0
        t = (uv * s + vw) / vv
        # Beyond an end of b, its end decides, and a's nearest point follows.
        if t < 0.0:
            t = 0.0
            s = min(max(-uw / uu, 0.0), 1.0)
        elif t > 1.0:
            t = 1.0
            s = min(max((uv - uw) / uu, 0.0), 1.0)
    dx, dy, dz = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
    return np.sqrt(dx * dx + dy * dy + dz * dz)


@kernel
def point_to_segment(px: float, pz: float, ax: float, az: float, bx: float, bz: float) -> float:
    """Distance from a point to the segment a-b on the ground."""
    ux, uz = bx - ax, bz - az
    length = ux * ux + uz * uz
    t = min(max(((px - ax) * ux + (pz - az) * uz) / length, 0.0), 1.0) if length > 1e-12 else 0.0
    return np.sqrt((px - ax - t * ux) ** 2 + (pz - az - t * uz) ** 2)


@kernel
def flat_distance(ax: float, az: float, bx: float, bz: float, cx: float, cz: float, dx: float, dz: float) -> float:
    """Distance between the segments a-b and c-d on the ground; zero where they cross."""
    ux, uz, vx, vz = bx - ax, bz - az, dx - cx, dz - cz
    spread = ux * vz - uz * vx
    if abs(spread) > 1e-12:
        s = ((cx - ax) * vz - (cz - az) * vx) / spread
        t = ((cx - ax) * uz - (cz - az) * ux) / spread
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            return 0.0
    return min(
        min(point_to_segment(ax, az, cx, cz, dx, dz), point_to_segment(bx, bz, cx, cz, dx, dz)),
        min(point_to_segment(cx, cz, ax, az, bx, bz), point_to_segment(dx, dz, ax, az, bx, bz)),
    )
