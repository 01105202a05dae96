"""Segments and capsules against shapes: held against dense sampling."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.geometry.shapes import (
    Disk,
    Ellipse,
    Shapes,
    Wall,
    body_distance,
    body_distance_most,
    box,
    capsule_distance,
    point_distance,
    segment_distance,
)


@pytest.mark.parametrize("seed", range(4))
def test_segments_against_sampling(seed: int) -> None:
    rng = np.random.default_rng(seed)
    things = [
        Disk(0.2, 0.1, 0.3),
        Ellipse(-0.3, 0.4, (0.4, 0.2), 0.2),
        Wall((-1.0, 0.3), (0.8, -0.4)),
        box(0.1, 0.6, 0.7, 0.4, 0.5),
    ]
    shapes = Shapes.of(things)
    for _ in range(25):
        a, b = rng.uniform(-2, 2, (2, 2))
        line = a + np.linspace(0, 1, 4001)[:, None] * (b - a)
        for i in range(len(shapes)):
            sampled = min(point_distance(i, shapes.rows, shapes.corners, *place) for place in line)
            found = segment_distance(i, shapes.rows, shapes.corners, *a, *b)
            if sampled > 0.002:
                assert found == pytest.approx(sampled, abs=1e-3)
            else:
                assert found < 0.003


def test_the_quick_bound_is_never_below_the_distance() -> None:
    rng = np.random.default_rng(7)
    things = [
        Disk(0.2, 0.1, 0.3),
        Ellipse(-0.3, 0.4, (0.4, 0.2), 0.2),
        Wall((-1.0, 0.3), (0.8, -0.4)),
        box(0, 0.6, 0.7, 0.4),
    ]
    shapes = Shapes.of(things)
    tight = []
    for _ in range(400):
        x, z, angle = rng.uniform([-2, -2, 0], [2, 2, np.pi])
        a, b = rng.uniform(0.15, 0.6, 2)
        body = (x, z, float(np.cos(angle)), float(np.sin(angle)), a, b)
        for i in range(len(shapes)):
            true = body_distance(i, shapes.rows, shapes.corners, *body)
            most = body_distance_most(i, shapes.rows, shapes.corners, *body)
            assert most >= true - 1e-4
            tight.append(most - true)
    assert np.median(tight) < 0.03


def test_capsules_pass_over_and_under() -> None:
    shapes = Shapes.of([Disk(0.0, 0.0, 0.3, top=0.5), Disk(0.0, 0.0, 0.3, bottom=1.5, top=3.0), Disk(0.0, 0.0, 0.3)])
    for height, inside in ((0.3, (True, False, True)), (1.0, (False, False, True)), (2.0, (False, True, True))):
        capsule = np.array([[[-0.1, height, 0.0, 0.1, height, 0.0, 0.1]]], np.float32)
        for i, expected in enumerate(inside):
            away = capsule_distance(i, shapes.rows, shapes.corners, capsule, 0, 0)
            assert (away < 0) == expected
    # A steep one meets the low post with its lower end only.
    steep = np.array([[[1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.05]]], np.float32)
    assert 0.3 < capsule_distance(0, shapes.rows, shapes.corners, steep, 0, 0) < 0.75
