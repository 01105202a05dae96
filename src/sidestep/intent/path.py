"""A path to follow: drawn or from a file, with a target that runs with time (EMM Table 1) or waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Array, Indices
from ..errors import AskedWrongly
from ..world.obstacles import TICKS_PER_SECOND
from ..world.published import Published
from .targets import LATER_S, Wishes

LEAD_M = 0.6
"""How far a target that waits runs ahead of its character."""
STEP_M = 0.1
"""The direction of a path is that between so much before and behind."""


@dataclass(frozen=True)
class Path:
    """A way to go along."""

    points: tuple[tuple[float, float], ...]
    """x and z, [m]."""
    speed: float = 1.3
    """[m/s]"""
    loop: bool = False
    """Back to the beginning, and so on."""
    waits: bool = False
    """Whether the target stays near the character; otherwise it runs with time, whatever happens."""

    def __post_init__(self) -> None:
        """Refuse what leads nowhere."""
        places = np.array(self.points, float).reshape(-1, 2)
        if len(places) < 2 or not np.isfinite(places).all() or not self.speed > 0:
            raise AskedWrongly("a path has two finite points at least and a speed above zero")
        if self.length < 1e-3:
            raise AskedWrongly("a path has a length; all its points are the same")

    @cached_property
    def corners(self) -> Array:
        """Its points, the first one again if it loops. Shape (points, 2)."""
        places = np.array(self.points, float)
        return np.concatenate([places, places[:1]]) if self.loop else places

    @cached_property
    def miles(self) -> Array:
        """Arc length at each corner, [m]. Shape (points,)."""
        steps = np.linalg.norm(np.diff(self.corners, axis=0), axis=-1)
        return np.concatenate([[0.0], np.cumsum(np.maximum(steps, 1e-9))])

    @property
    def length(self) -> float:
        """[m]"""
        return float(self.miles[-1])

    def at(self, way: Array) -> Array:
        """Places after so many metres. Shape (..., 2)."""
        way = way % self.length if self.loop else np.clip(way, 0.0, self.length)
        return np.stack([np.interp(way, self.miles, self.corners[:, axis]) for axis in (0, 1)], axis=-1)

    def nearest(self, places: Array) -> tuple[Array, Array]:
        """Distance to the path [m] and the arc length there, for places (n, 2)."""
        start, way = self.corners[:-1], np.diff(self.corners, axis=0)
        length = np.maximum((way**2).sum(-1), 1e-12)
        share = np.clip(((places[:, None] - start) * way).sum(-1) / length, 0.0, 1.0)
        away = np.linalg.norm(places[:, None] - start - share[..., None] * way, axis=-1)
        best = away.argmin(1)
        rows = np.arange(len(places))
        return away[rows, best], self.miles[best] + share[rows, best] * np.sqrt(length[best])

    @staticmethod
    def group(members: Sequence[Path]) -> _Paths:
        """Several, asked together."""
        return _Paths(members)


class _Paths:
    def __init__(self, members: Sequence[Path]) -> None:
        self._paths: list[tuple[Path, Indices]] = []
        for path in dict.fromkeys(members):
            self._paths.append((path, np.array([i for i, member in enumerate(members) if member == path])))

    def ahead(self, who: Indices, tick: int, wishes: Wishes, published: Published) -> tuple[Array, Array, Array]:
        count = len(who)
        positions, directions, speeds = np.zeros((count, 3, 2)), np.zeros((count, 3, 2)), np.zeros(count)
        for path, rows in self._paths:
            mine = who[rows]
            run = path.speed * (tick - wishes.since[mine]) / TICKS_PER_SECOND
            if path.waits:
                run = wishes.reached[mine]
                places = published.places[mine, :2]
                near = np.linalg.norm(path.at(run) - places, axis=-1) < LEAD_M
                run = run + np.where(near, path.speed / TICKS_PER_SECOND, 0.0)
            if not path.loop:
                run = np.minimum(run, path.length)
            wishes.reached[mine] = run
            way = run[:, None] + path.speed * LATER_S
            positions[rows] = path.at(way)
            middle = way if path.loop else np.clip(way, STEP_M, path.length - STEP_M)
            tangent = path.at(middle + STEP_M) - path.at(middle - STEP_M)
            length = np.linalg.norm(tangent, axis=-1, keepdims=True)
            directions[rows] = np.where(length > 1e-6, tangent / np.maximum(length, 1e-6), [0.0, 1.0])
            speeds[rows] = np.where((way[:, 0] < path.length) | path.loop, path.speed, 0.0)
        return positions, directions, speeds
