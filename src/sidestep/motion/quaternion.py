"""Unit quaternions, w first, for arrays of any leading shape.

``multiply(a, b)`` rotates by ``b`` first and by ``a`` afterwards, so ``parent_to_world * child_to_parent`` is
``child_to_world``. All functions broadcast over leading axes and keep the dtype of their input.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array

AXES = {"X": 0, "Y": 1, "Z": 2}


def identity(*shape: int) -> Array:
    """No rotation, repeated. Shape (*shape, 4)."""
    result = np.zeros((*shape, 4), np.float32)
    result[..., 0] = 1.0
    return result


def multiply(a: Array, b: Array) -> Array:
    """Rotate by ``b``, then by ``a``. Shapes (..., 4)."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def chain(first: Array, *rest: Array) -> Array:
    """Multiply many from left to right: the last one is applied first. Shapes (..., 4)."""
    for q in rest:
        first = multiply(first, q)
    return first


def inverse(q: Array) -> Array:
    """The rotation back. Shape (..., 4)."""
    return q * np.array([1, -1, -1, -1], q.dtype)


def normalize(q: Array) -> Array:
    """Scale to unit length. Shape (..., 4)."""
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def rotate(q: Array, v: Array) -> Array:
    """Turn vectors. Shapes (..., 4) and (..., 3)."""
    w, u = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def about(axis: str, angle: Array | float) -> Array:
    """Turn by ``angle`` [rad] about the coordinate axis "x", "y" or "z". Shape of angle + (4,)."""
    half = np.asarray(angle) * 0.5
    result = np.zeros((*half.shape, 4), np.result_type(half.dtype, np.float32))
    result[..., 0] = np.cos(half)
    result[..., 1 + AXES[axis.upper()]] = np.sin(half)
    return result


def from_rotation_vector(v: Array) -> Array:
    """The exponential map: axis times angle [rad]. Shape (..., 3)."""
    angle = np.linalg.norm(v, axis=-1, keepdims=True)
    # sin(x/2)/x, with its limit at zero
    scale = 0.5 * np.sinc(angle / (2 * np.pi))
    return np.concatenate([np.cos(angle / 2), v * scale], axis=-1)


def to_rotation_vector(q: Array) -> Array:
    """The logarithm, the short way round: axis times angle [rad], at most pi long. Shape (..., 3)."""
    q = np.where(q[..., :1] < 0, -q, q)
    length = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, q[..., :1])
    small = length < 1e-7
    return q[..., 1:] * np.where(small, 2.0, angle / np.where(small, 1.0, length))


def from_euler(angles: Array, order: str) -> Array:
    """Intrinsic Euler angles [rad] in the order in which a BVH file lists them: "ZYX" is Rz Ry Rx. Shape (..., 3)."""
    a, b, c = (about(axis, angles[..., i]) for i, axis in enumerate(order))
    return chain(a, b, c)


def to_euler(q: Array, order: str) -> Array:
    """Intrinsic Euler angles [rad] in any of the twelve orders, such that ``from_euler`` gives ``q`` back.

    At gimbal lock the last angle is set to zero. Shape (..., 3).
    """
    m = to_matrix(np.asarray(q, np.float64))
    i, j = AXES[order[0]], AXES[order[1]]
    proper = order[0] == order[2]
    k = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if proper:
        sine = np.hypot(m[..., i, j], m[..., i, k])
        second = np.arctan2(sine, m[..., i, i])
        locked = sine < 1e-7
        first = np.arctan2(m[..., j, i], -sign * m[..., k, i])
        third = np.arctan2(m[..., i, j], sign * m[..., i, k])
    else:
        cosine = np.hypot(m[..., i, i], m[..., i, j])
        second = np.arctan2(sign * m[..., i, k], cosine)
        locked = cosine < 1e-7
        first = np.arctan2(-sign * m[..., j, k], m[..., k, k])
        third = np.arctan2(-sign * m[..., i, j], m[..., i, i])
    # With the middle angle at its limit only first +- third is defined: put all of it into the first.
    first = np.where(locked, np.arctan2(sign * m[..., k, j], m[..., j, j]), first)
    third = np.where(locked, 0.0, third)
    return np.stack([first, second, third], axis=-1).astype(np.result_type(q, np.float32))


def to_matrix(q: Array) -> Array:
    """Rotation matrices whose columns are the turned axes. Shape (..., 3, 3)."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: Array) -> Array:
    """From rotation matrices (..., 3, 3), by whichever component is largest. Shape (..., 4)."""
    m = np.asarray(m)
    d = m[..., [0, 1, 2], [0, 1, 2]]  # (..., 3)
    trace = d.sum(-1)
    # Four times the square of each component.
    squares = np.stack([1 + trace, *(1 - trace + 2 * d[..., i] for i in range(3))], axis=-1)
    sums = [[m[..., j, i] + m[..., i, j] for j in range(3)] for i in range(3)]
    skew = [m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]]
    candidates = np.stack(
        [
            np.stack([squares[..., 0], skew[0], skew[1], skew[2]], axis=-1),
            np.stack([skew[0], squares[..., 1], sums[0][1], sums[0][2]], axis=-1),
            np.stack([skew[1], sums[0][1], squares[..., 2], sums[1][2]], axis=-1),
            np.stack([skew[2], sums[0][2], sums[1][2], squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = squares.argmax(-1)[..., None, None]
    return normalize(np.take_along_axis(candidates, best, axis=-2)[..., 0, :])


def from_axes(x: Array, y: Array, z: Array) -> Array:
    """The rotation that carries the coordinate axes to the orthonormal ``x``, ``y``, ``z``. Shapes (..., 3)."""
    return from_matrix(np.stack([x, y, z], axis=-1))


def between(a: Array, b: Array) -> Array:
    """The shortest rotation from direction ``a`` to direction ``b`` (any lengths but zero). Shapes (..., 3)."""
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    cosine = (a * b).sum(-1, keepdims=True)
    q = np.concatenate([1 + cosine, np.cross(a, b)], axis=-1)
    # Opposite directions: half a turn about anything perpendicular.
    helper = np.where(np.abs(a[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    across = np.cross(a, helper)
    across = across / np.linalg.norm(across, axis=-1, keepdims=True)
    half_turn = np.concatenate([np.zeros_like(across[..., :1]), across], axis=-1)
    return normalize(np.where(cosine < -1 + 1e-6, half_turn, q)).astype(np.result_type(a, np.float32))


def slerp(a: Array, b: Array, t: Array | float) -> Array:
    """From ``a`` (t = 0) to ``b`` (t = 1) the short way. Shapes (..., 4), (..., 4), (...)."""
    step = to_rotation_vector(multiply(inverse(a), b))
    return multiply(a, from_rotation_vector(step * np.asarray(t)[..., None])).astype(np.result_type(a, b))


def unrolled(q: Array) -> Array:
    """Choose signs so that consecutive quaternions along the first axis lie on one side. Shape (frames, ..., 4)."""
    if len(q) < 2:
        return q
    flips = np.where((q[1:] * q[:-1]).sum(-1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones_like(flips[:1]), np.cumprod(flips, axis=0)])
    return q * signs[..., None].astype(q.dtype)


def angle(q: Array) -> Array:
    """How far each rotation turns, 0 to pi [rad]. Shape (...)."""
    return 2 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0]))


def yaw_of(forward: Array) -> Array:
    """Heading [rad] of directions (..., 3): 0 looks along +z, positive turns to the left (+x). Shape (...)."""
    return np.arctan2(forward[..., 0], forward[..., 2])


def mirrored(q: Array) -> Array:
    """The rotation seen in a mirror across the plane x = 0. Shape (..., 4)."""
    return q * np.array([1, 1, -1, -1], q.dtype)
