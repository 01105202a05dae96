"""Poses and features in few bytes.

Rotations: the three smaller components of the unit quaternion, 16 bits each, and which one was left out in the lowest
bits of the first two. Features: 16 bits over the range that occurs, column by column. Both are expanded again when a
database is opened or a pose is asked for; a search compares the expanded 32-bit numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import Array, Indices
from ..jit import inlined_kernel, kernel

_RANGE = np.float32(np.sqrt(0.5))
_STEPS = np.float32(16383.0)
"""15 bits for a component: two of the three low bits tell which component was left out."""


def pack_rotations(rotations: Array) -> Indices:
    """Unit quaternions (..., 4) to (..., 3) int16; at most 0.01 degrees are lost."""
    flat = np.ascontiguousarray(rotations, np.float32).reshape(-1, 4)
    packed = np.empty((len(flat), 3), np.int16)
    _pack(flat, packed)
    return packed.reshape(*rotations.shape[:-1], 3)


def unpack_rotations(packed: Indices) -> Array:
    """What ``pack_rotations`` packed, as unit quaternions (..., 4)."""
    flat = np.ascontiguousarray(packed).reshape(-1, 3)
    rotations = np.empty((len(flat), 4), np.float32)
    _unpack(flat, rotations)
    return rotations.reshape(*packed.shape[:-1], 4)


@kernel
def _pack(rotations: Array, packed: Indices) -> None:
    for i in range(len(rotations)):
        largest = 0
        for k in range(1, 4):
            if abs(rotations[i, k]) > abs(rotations[i, largest]):
                largest = k
        sign = np.float32(1.0) if rotations[i, largest] >= 0 else np.float32(-1.0)
        column = 0
        for k in range(4):
            if k == largest:
                continue
            step = np.rint(sign * rotations[i, k] / _RANGE * _STEPS)
            value = np.int32(min(max(step, -_STEPS), _STEPS)) * 2
            if column == 0:
                value += largest & 1
            elif column == 1:
                value += largest >> 1
            packed[i, column] = value
            column += 1


@kernel
def _unpack(packed: Indices, rotations: Array) -> None:
    for i in range(len(packed)):
        rotations[i, 0], rotations[i, 1], rotations[i, 2], rotations[i, 3] = unpacked(
            packed[i, 0], packed[i, 1], packed[i, 2]
        )


@inlined_kernel
def unpacked(first: int, second: int, third: int) -> tuple[Any, Any, Any, Any]:
    """One unit quaternion, w first."""
    scale = _RANGE / _STEPS
    a, b, c = np.float32(first >> 1) * scale, np.float32(second >> 1) * scale, np.float32(third >> 1) * scale
    rest = np.sqrt(max(np.float32(1.0) - a * a - b * b - c * c, np.float32(0.0)))
    largest = (first & 1) | ((second & 1) << 1)
    if largest == 0:
        return rest, a, b, c
    if largest == 1:
        return a, rest, b, c
    if largest == 2:
        return a, b, rest, c
    return a, b, c, rest


def pack_columns(values: Array) -> tuple[Indices, Array, Array]:
    """Columns (frames, dims) to int16 with each column's middle and step; NaN must not come here.

    Returns:
        Packed (frames, dims), middles (dims,) and steps (dims,).
    """
    low, high = values.min(0), values.max(0)
    middle = ((low + high) / 2).astype(np.float32)
    step = np.maximum((high - low) / 2 / 32767.0, 1e-12).astype(np.float32)
    return np.rint((values - middle) / step).clip(-32767, 32767).astype(np.int16), middle, step


def unpack_columns(packed: Indices, middle: Array, step: Array) -> Array:
    """What ``pack_columns`` packed. Shape (frames, dims)."""
    result = np.empty(packed.shape, np.float32)
    _unpack_columns(packed, middle, step, result)
    return result


@kernel
def _unpack_columns(packed: Indices, middle: Array, step: Array, result: Array) -> None:
    for i in range(packed.shape[0]):
        for k in range(packed.shape[1]):
            result[i, k] = packed[i, k] * step[k] + middle[k]
