"""Few bytes: what is lost by packing is known."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep.database.compact import pack_columns, pack_rotations, unpack_columns, unpack_rotations


def degrees_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    # By the difference, not the dot product: near one its cosine has no digits left.
    apart = np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1))
    return np.degrees(4 * np.arcsin(np.clip(apart / 2, 0, 1)))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_rotations_come_back_within_a_hundredth_of_a_degree(seed: int) -> None:
    rotations = np.random.default_rng(seed).normal(size=(500, 4))
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    again = unpack_rotations(pack_rotations(rotations))
    assert degrees_between(again.astype(np.float64), rotations).max() < 0.01


def test_the_corners_of_rotation_space() -> None:
    half = np.sqrt(0.5)
    rotations = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, -1], [half, half, 0, 0], [0.5] * 4])
    again = unpack_rotations(pack_rotations(rotations))
    assert degrees_between(again.astype(np.float64), rotations).max() < 0.01
    assert pack_rotations(rotations.reshape(2, 3, 4)).shape == (2, 3, 3)


def test_columns_come_back_within_half_a_step_of_their_range() -> None:
    values = np.random.default_rng(0).normal(size=(1000, 5)).astype(np.float32) * [1, 10, 0.01, 1, 0]
    packed, middle, step = pack_columns(values)
    assert packed.dtype == np.int16
    again = unpack_columns(packed, middle, step)
    assert np.all(np.abs(again - values) <= 0.51 * step + 1e-6)
    assert np.all(step <= np.ptp(values, axis=0) / 65534 * 1.001 + 1e-11)
