"""A field of cones with a path through it (EMM Figure 10), from a seed."""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from ..geometry.shapes import Disk
from ..intent import Path
from ..world import Obstacle

CONE_M = 0.15
"""Radius of a cone's foot."""
APART_M = 1.26
"""Between the middles of two cones at least; so dense that who does not look collides 25 to 35 % of the time."""
WIDE_M = 3.5
"""How far from the path cones stand."""
FREE_M = 1.2
"""None stands this near to where the character does."""
STEP_M = 0.25


def path_through(seed: int, seconds: float, speed: float) -> Path:
    """A path that winds gently and does not stop."""
    rng = np.random.default_rng([seed, 61])
    way = np.arange(0.0, seconds * speed + 4.0, STEP_M)
    phases, turns = rng.uniform(0, 2 * np.pi, 3), rng.uniform(0.4, 0.7, 3)
    lengths = rng.uniform([11.0, 23.0, 41.0], [15.0, 31.0, 55.0])
    heading = sum(
        t * np.sin(2 * np.pi * way / size + p) - t * np.sin(p)
        for t, size, p in zip(turns, lengths, phases, strict=True)
    )
    steps = STEP_M * np.stack([np.sin(heading), np.cos(heading)], axis=-1)
    points = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return Path(tuple((float(x), float(z)) for x, z in points), speed)


def cones_around(seed: int, path: Path, apart_m: float = APART_M) -> list[Obstacle]:
    """Cones on both sides of a path and on it, at random but never closer than ``apart_m``."""
    rng = np.random.default_rng([seed, 67])
    corners = path.corners
    low, high = corners.min(0) - WIDE_M, corners.max(0) + WIDE_M
    tries = rng.uniform(low, high, (int(40 * np.prod(high - low) / apart_m**2), 2))
    # Slow to import, and only fields of cones need it.
    from scipy.spatial import cKDTree

    near, _ = cKDTree(corners).query(tries)
    tries = tries[(near < WIDE_M) & (np.linalg.norm(tries - corners[0], axis=-1) > FREE_M)]
    kept = _spread(tries, apart_m)
    return [Obstacle(Disk(float(x), float(z), CONE_M)) for x, z in kept]


def _spread(places: Array, apart_m: float) -> Array:
    """The first of those that stand too close to each other."""
    cells: dict[tuple[int, int], list[Array]] = {}
    kept = []
    for place in places:
        i, j = (int(v) for v in place // apart_m)
        around = (other for a in (-1, 0, 1) for b in (-1, 0, 1) for other in cells.get((i + a, j + b), ()))
        if all(np.hypot(*(place - other)) >= apart_m for other in around):
            cells.setdefault((i, j), []).append(place)
            kept.append(place)
    return np.array(kept)
