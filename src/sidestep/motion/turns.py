"""Rotations one at a time, for kernels: what ``quaternion`` does for arrays, on plain numbers."""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from ..jit import kernel

Turn = tuple[float, float, float, float]
Arrow = tuple[float, float, float]


@kernel
def multiply(a: Turn, b: Turn) -> Turn:
    """First b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def inverse(a: Turn) -> Turn:
    """The way back."""
    return (a[0], -a[1], -a[2], -a[3])


@kernel
def rotate(a: Turn, v: Arrow) -> Arrow:
    """A vector turned."""
    tx = 2.0 * (a[2] * v[2] - a[3] * v[1])
    ty = 2.0 * (a[3] * v[0] - a[1] * v[2])
    tz = 2.0 * (a[1] * v[1] - a[2] * v[0])
    return (
        v[0] + a[0] * tx + a[2] * tz - a[3] * ty,
        v[1] + a[0] * ty + a[3] * tx - a[1] * tz,
        v[2] + a[0] * tz + a[1] * ty - a[2] * tx,
    )


@kernel
def to_vector(a: Turn) -> Arrow:
    """Axis times angle of the short way, [rad]."""
    w, x, y, z = a
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = np.sqrt(x * x + y * y + z * z)
    if sine < 1e-8:
        return (2.0 * x, 2.0 * y, 2.0 * z)
    scale = 2.0 * np.arctan2(sine, w) / sine
    return (x * scale, y * scale, z * scale)


@kernel
def from_vector(v: Arrow) -> Turn:
    """What ``to_vector`` took apart."""
    angle = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    scale = 0.5 - angle * angle / 48.0 if angle < 1e-4 else np.sin(0.5 * angle) / angle
    return (np.cos(0.5 * angle), v[0] * scale, v[1] * scale, v[2] * scale)


@kernel
def between(a: Arrow, b: Arrow) -> Turn:
    """The shortest turn from the direction of a to that of b, any lengths."""
    x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    w = dot + np.sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]))
    length = np.sqrt(w * w + x * x + y * y + z * z)
    if length < 1e-9:
        return (1.0, 0.0, 0.0, 0.0)
    return (w / length, x / length, y / length, z / length)


@kernel
def turn_at(array: Array, i: int, j: int) -> Turn:
    """Entry (i, j) of an array (..., ..., 4)."""
    return (
        np.float64(array[i, j, 0]),
        np.float64(array[i, j, 1]),
        np.float64(array[i, j, 2]),
        np.float64(array[i, j, 3]),
    )


@kernel
def arrow_at(array: Array, i: int, j: int) -> Arrow:
    """Entry (i, j) of an array (..., ..., 3)."""
    return (np.float64(array[i, j, 0]), np.float64(array[i, j, 1]), np.float64(array[i, j, 2]))


@kernel
def put_turn(array: Array, i: int, j: int, a: Turn) -> None:
    """Set entry (i, j)."""
    array[i, j, 0], array[i, j, 1], array[i, j, 2], array[i, j, 3] = a


@kernel
def put_arrow(array: Array, i: int, j: int, v: Arrow) -> None:
    """Set entry (i, j)."""
    array[i, j, 0], array[i, j, 1], array[i, j, 2] = v
