"""True distances."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.geometry import segment_distances


def test_distances_equal_dense_sampling() -> None:
    rng = np.random.default_rng(0)
    ends = rng.uniform(-1, 1, (4, 400, 3)).astype(np.float32)
    ends[1, :40] = ends[0, :40]  # points
    ends[3, 20:60] = ends[2, 20:60]
    ends[3, 60:80] = ends[2, 60:80] + 0.7 * (ends[1, 60:80] - ends[0, 60:80])  # parallel
    found = segment_distances(*ends)
    t = np.linspace(0, 1, 101)
    a = ends[0][:, None] + t[None, :, None] * (ends[1] - ends[0])[:, None]
    b = ends[2][:, None] + t[None, :, None] * (ends[3] - ends[2])[:, None]
    dense = np.linalg.norm(a[:, :, None] - b[:, None, :], axis=-1).min((1, 2))
    assert (dense - found).min() > -1e-5
    # Sampling at 1 % of the length can only be too far, by the square of that.
    assert (dense - found).max() < 0.012


def test_crossing_segments_touch() -> None:
    a0, a1 = np.array([[-1.0, 0, 0]]), np.array([[1.0, 0, 0]])
    b0, b1 = np.array([[0, -1.0, 0]]), np.array([[0, 1.0, 0]])
    assert segment_distances(a0, a1, b0, b1) == pytest.approx(0)
