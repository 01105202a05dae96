"""Things in the way: refusals, frames, and the same distances whatever they are packed as."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.errors import AskedWrongly
from sidestep.geometry import ellipses
from sidestep.geometry.shapes import Disk, Ellipse, Polygon, Shape, Shapes, Wall, body_distance, box, point_distance

BODY = (0.3, -0.2, np.cos(0.7), np.sin(0.7), 0.35, 0.2)
MANY: list[Shape] = [
    Disk(1.0, 0.5, 0.3),
    Ellipse(-1.0, 0.8, (0.3, 0.2), 0.15),
    Wall((-2.0, 1.0), (2.0, 1.4)),
    Polygon(((1.0, -1.0), (2.0, -1.0), (1.5, 0.0))),
    box(-1.5, -1.0, 0.8, 0.5, 0.3, bottom=0.2, top=1.0),
]


def distances(shapes: Shapes, body: tuple = BODY) -> list[float]:
    arrays = (shapes.rows, shapes.corners)
    return [body_distance(i, *arrays, *body) for i in range(len(shapes))]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Disk(0, 0, 0), "above zero"),
        (Disk(0, 0, -1), "above zero"),
        (Ellipse(0, 0, (0, 0), 0.2), "above zero"),
        (Wall((1, 1), (1, 1)), "above zero"),
        (Disk(float("nan"), 0, 1), "not finite"),
        (Disk(0, 0, 1, bottom=1.0, top=0.5), "must lie above its bottom"),
        (Polygon(((0, 0), (1, 1))), "three corners"),
        (Polygon(((0, 0), (2, 0), (0.5, 0.5), (0, 2))), "not convex"),
    ],
)
def test_what_is_no_shape_is_refused(shape: Shape, words: str) -> None:
    with pytest.raises(AskedWrongly, match=words):
        Shapes.of([shape])


def test_packed_distances_are_those_of_the_shapes() -> None:
    found = distances(Shapes.of(MANY))
    cx, cz, *ellipse = BODY
    assert found[0] == pytest.approx(ellipses.to_disk(1.0 - cx, 0.5 - cz, 0.3, *ellipse), abs=1e-5)
    assert found[2] == pytest.approx(ellipses.to_segment(-2 - cx, 1 - cz, 2 - cx, 1.4 - cz, *ellipse), abs=1e-5)
    assert len(Shapes.of([])) == 0


def test_where_one_stands_and_looks_does_not_matter() -> None:
    shapes = Shapes.of(MANY)
    x, z, yaw = 0.7, -0.4, 2.1
    seen = shapes.seen_from(x, z, yaw)
    cx, cz, ux, uz, a, b = BODY
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])
    place, axis = turn @ [cx - x, cz - z], turn @ [ux, uz]
    assert distances(seen, (*place, *axis, a, b)) == pytest.approx(distances(shapes), abs=1e-4)
    # One who faces +x has what lies at +x ahead.
    assert Shapes.of([Disk(2.0, 0.0, 0.1)]).seen_from(0, 0, np.pi / 2).rows[0, :2] == pytest.approx([0, 2], abs=1e-6)


def test_a_point_is_a_body_of_no_size() -> None:
    shapes = Shapes.of(MANY)
    arrays = (shapes.rows, shapes.corners)
    rng = np.random.default_rng(0)
    for _ in range(200):
        px, pz = rng.normal(0, 1.2, 2)
        tiny = distances(shapes, (px, pz, 1.0, 0.0, 1e-4, 1e-4))
        for i, distance in enumerate(tiny):
            assert point_distance(i, *arrays, px, pz) == pytest.approx(distance, abs=1e-3)
