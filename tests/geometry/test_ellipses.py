"""Distances of ellipses: true to a millimetre outside, signed inside, the same from anywhere."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.geometry import ellipses

TURN = np.linspace(0, 2 * np.pi, 7201)
NORMALS = np.stack([np.cos(TURN), np.sin(TURN)], axis=-1)


def unit(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def support(axis: np.ndarray, a: float, b: float) -> np.ndarray:
    """How far an ellipse reaches in each of the sampled directions."""
    across = np.array([-axis[1], axis[0]])
    return np.sqrt((a * NORMALS @ axis) ** 2 + (b * NORMALS @ across) ** 2)


@pytest.fixture(scope="module", params=range(6))
def cases(request: pytest.FixtureRequest) -> list[tuple]:
    """Ellipses of bodies among things: (axis, a, b, random source)."""
    rng = np.random.default_rng(request.param)
    return [(unit(rng.uniform(0, 7)), *rng.uniform(0.1, 0.6, 2), rng) for _ in range(150)]


def test_points_and_disks(cases: list[tuple]) -> None:
    for axis, a, b, rng in cases:
        point = rng.normal(0, 0.8, 2)
        true = (NORMALS @ point - support(axis, a, b)).max()
        assert ellipses.to_point(*point, *axis, a, b) == pytest.approx(true, abs=1e-3)
        assert ellipses.to_disk(*point, 0.3, *axis, a, b) == pytest.approx(true - 0.3, abs=1e-3)


def test_other_ellipses(cases: list[tuple]) -> None:
    for axis, a, b, rng in cases:
        place, other, c, d = rng.normal(0, 0.8, 2), unit(rng.uniform(0, 7)), *rng.uniform(0.1, 0.6, 2)
        true = (NORMALS @ place - support(axis, a, b) - support(other, c, d)).max()
        found = ellipses.to_ellipse(*place, *other, c, d, *axis, a, b)
        # Seen from the other one it is the same distance; inside another way out may be taken, hardly longer.
        back = ellipses.to_ellipse(*-place, *axis, a, b, *other, c, d)
        for value in (found, back):
            assert value == pytest.approx(true, abs=1e-3 if true > 0 else 0.02)
            assert value <= true + 1e-3


def test_walls_and_polygons(cases: list[tuple]) -> None:
    for axis, a, b, rng in cases:
        start = rng.normal(0, 0.8, 2)
        stop = start + rng.normal(0, 0.7, 2)
        turns = np.sort(rng.uniform(0, 2 * np.pi, 3))
        corners = start + rng.uniform(0.2, 0.8) * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
        for shape in (np.array([start, stop]), corners):
            true = ((NORMALS @ shape.T).min(1) - support(axis, a, b)).max()
            if len(shape) == 2:
                found = ellipses.to_segment(*shape[0], *shape[1], *axis, a, b)
                assert ellipses.to_segment(*shape[1], *shape[0], *axis, a, b) == pytest.approx(found, abs=1e-3)
            else:
                found = ellipses.to_polygon(shape, 0, len(shape), 0.0, 0.0, *axis, a, b)
                assert ellipses.to_polygon(shape[::-1].copy(), 0, len(shape), 0.0, 0.0, *axis, a, b) == pytest.approx(
                    found, abs=1e-3
                )
            if true > 0:
                assert found == pytest.approx(true, abs=1e-3)
            else:  # the way out that is taken may not be the very shortest
                assert found < 1e-3
                assert found <= true + 1e-3


def test_a_deeper_body_is_deeper() -> None:
    """Whatever it stands in, moving out never makes it worse: nothing inside is flat."""
    box = np.array([[-1.0, -0.5], [1.0, -0.5], [1.0, 0.5], [-1.0, 0.5]])
    axis = unit(0.4)
    wall = np.array([[-2.0, 0.0], [2.0, 0.0]])
    depths = [ellipses.to_polygon(box, 0, len(box), 0.1, z, *axis, 0.4, 0.2) for z in np.linspace(0.0, 1.2, 25)]
    assert (np.diff(depths) > 0).all()
    depths = [ellipses.to_segment(*(wall[0] - [0, z]), *(wall[1] - [0, z]), *axis, 0.4, 0.2) for z in (0.0, 0.1, 0.2)]
    assert (np.diff(depths) > 0).all()
    assert ellipses.to_ellipse(0.0, 0.0, *axis, 0.3, 0.2, *unit(2.0), 0.4, 0.2) < -0.35


def test_walls_of_no_length_and_equal_ellipses() -> None:
    axis = unit(1.0)
    assert ellipses.to_segment(0.9, 0.1, 0.9, 0.1, *axis, 0.3, 0.2) == ellipses.to_point(0.9, 0.1, *axis, 0.3, 0.2)
    assert ellipses.to_point(0.0, 0.0, *axis, 0.3, 0.2) == pytest.approx(-0.2, abs=1e-6)
    assert ellipses.to_point(1.0, 0.0, 1.0, 0.0, 0.3, 0.3) == pytest.approx(0.7, abs=1e-6)
