"""Rotations."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sidestep.motion import quaternion as quat

ORDERS = ["".join(p) for p in permutations("XYZ")] + ["XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ"]


def some(count: int, seed: int = 0) -> np.ndarray:
    return quat.normalize(np.random.default_rng(seed).normal(size=(count, 4)))


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_agree_with_scipy_and_come_back(order: str) -> None:
    angles = np.random.default_rng(1).uniform(-3, 3, (200, 3))
    q = quat.from_euler(angles, order)
    expected = Rotation.from_euler(order, angles).as_quat()[:, [3, 0, 1, 2]]
    assert np.abs((q * expected).sum(-1)) == pytest.approx(1, abs=1e-9)
    back = quat.from_euler(quat.to_euler(q, order), order)
    assert np.abs((q * back).sum(-1)) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_gimbal_lock_keeps_the_rotation(order: str) -> None:
    middle = [0.0, np.pi] if order[0] == order[2] else [np.pi / 2, -np.pi / 2]
    for value in middle:
        q = quat.from_euler(np.array([0.7, value, 0.4]), order)
        back = quat.from_euler(quat.to_euler(q, order), order)
        assert abs(float(q @ back)) == pytest.approx(1, abs=1e-7)


def test_matrices_axes_and_vectors_come_back() -> None:
    q = some(300)
    assert np.abs((quat.from_matrix(quat.to_matrix(q)) * q).sum(-1)) == pytest.approx(1)
    assert np.abs((quat.from_rotation_vector(quat.to_rotation_vector(q)) * q).sum(-1)) == pytest.approx(1)


def test_between_carries_one_direction_to_the_other_even_opposite_ones() -> None:
    a = np.random.default_rng(2).normal(size=(50, 3))
    b = np.concatenate([np.random.default_rng(3).normal(size=(25, 3)), -a[25:]])
    turned = quat.rotate(quat.between(a, b), a)
    cosine = (turned * b).sum(-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)
    assert cosine == pytest.approx(1, abs=1e-5)


def test_slerp_goes_evenly_the_short_way() -> None:
    a, b = some(40, 4), -some(40, 5)
    whole = quat.angle(quat.multiply(quat.inverse(a), b))
    half = quat.angle(quat.multiply(quat.inverse(a), quat.slerp(a, b, 0.5)))
    assert half == pytest.approx(whole / 2, abs=1e-6)


def test_mirroring_commutes_with_turning() -> None:
    q, v = some(20, 6), np.random.default_rng(7).normal(size=(20, 3))
    flip = np.array([-1, 1, 1])
    assert quat.rotate(quat.mirrored(q), v * flip) == pytest.approx(quat.rotate(q, v) * flip)
