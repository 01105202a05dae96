"""Things in the way, standing or moving along tracks, as flat rows for any tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Indices, frozen
from ..errors import AskedWrongly
from ..geometry.shapes import FIRST, LAST, UX, UZ, Shape, Shapes, X, Z
from ..jit import kernel

TICKS_PER_SECOND = 60
AHEAD = (20, 40, 60)
"""The look-ahead times in ticks (EMM 3)."""


@dataclass(frozen=True)
class Track:
    """Where a thing's middle is when; straight and at even speed in between. It stays where the track ends."""

    points: tuple[tuple[float, float], ...]
    """x, z, [m]."""
    times: tuple[float, ...]
    """[s], increasing, one a point."""
    yaws: tuple[float, ...] = ()
    """How it is turned from how it was given, [rad], one a point; not at all if left out."""
    loop: bool = False
    """Begin again at the end."""

    def __post_init__(self) -> None:
        """Refuse what leads nowhere."""
        rows = np.array([*self.times, *self.yaws, *np.ravel(self.points)], float)
        if len(self.points) < 1 or len(self.times) != len(self.points) or not np.isfinite(rows).all():
            raise AskedWrongly(f"a track has as many finite times as points, not {len(self.times)}, {len(self.points)}")
        if (np.diff(self.times) <= 0).any() or self.times[0] < 0:
            raise AskedWrongly(f"a track's times increase from zero on, unlike {self.times}")
        if self.yaws and len(self.yaws) != len(self.points):
            raise AskedWrongly(f"a track has as many yaws as points or none, not {len(self.yaws)}")

    @classmethod
    def along(
        cls, points: Sequence[tuple[float, float]], speed: float, start_s: float = 0.0, loop: bool = False
    ) -> Track:
        """A track through points at one speed [m/s], resting at the first one until ``start_s``."""
        if speed <= 0:
            raise AskedWrongly(f"a track's speed is {speed} m/s; it must be above zero")
        steps = np.linalg.norm(np.diff(np.array(points, float), axis=0), axis=-1) / speed
        return cls(
            tuple(points), tuple(float(t) for t in start_s + np.concatenate([[0.0], np.cumsum(steps)])), (), loop
        )


@dataclass(frozen=True)
class Obstacle:
    """A thing in the way."""

    shape: Shape
    track: Track | None = None
    """None: it stands where its shape is."""
    name: str = ""


class Obstacles:
    """All things in the way; those that stand come first."""

    def __init__(self, obstacles: Sequence[Obstacle] = ()) -> None:
        standing = [o for o in obstacles if o.track is None]
        moving = [o for o in obstacles if o.track is not None]
        self.given = (*standing, *moving)
        shapes = Shapes.of([o.shape for o in self.given])
        self.standing = len(standing)
        self._rows, self._corners = np.array(shapes.rows), np.array(shapes.corners)
        tracks = [o.track for o in moving if o.track is not None]
        self._tracks = np.concatenate(
            [
                np.zeros((0, 4)),
                *[np.column_stack([t.times, np.array(t.points), t.yaws or [0.0] * len(t.points)]) for t in tracks],
            ]
        )
        self._spans = np.cumsum([0] + [len(t.points) for t in tracks])
        self._loops = np.array([t.loop for t in tracks], np.bool_)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._rows)

    def at(self, tick: int) -> Shapes:
        """Everything where it is at a tick."""
        rows, corners = self._rows.copy(), self._corners.copy()
        if len(self._loops):
            _move(
                self._rows, self._corners, self.standing, self._tracks, self._spans, self._loops,
                tick / TICKS_PER_SECOND, rows, corners,
            )  # fmt: skip
        return Shapes(frozen(rows, np.float64), frozen(corners, np.float64))


@kernel
def _move(
    rows: Array, corners: Array, standing: int, tracks: Array, spans: Indices, loops: Array, seconds: float,
    new_rows: Array, new_corners: Array,
) -> None:  # fmt: skip
    for k in range(len(loops)):
        i, first, last = standing + k, spans[k], spans[k + 1] - 1
        t = seconds
        if loops[k] and tracks[last, 0] > 0.0:
            t = t % tracks[last, 0]
        t = min(max(t, tracks[first, 0]), tracks[last, 0])
        n = first
        while n + 1 < last and tracks[n + 1, 0] <= t:
            n += 1
        m = min(n + 1, last)
        share = (t - tracks[n, 0]) / (tracks[m, 0] - tracks[n, 0]) if m > n else 0.0
        x = tracks[n, 1] + share * (tracks[m, 1] - tracks[n, 1])
        z = tracks[n, 2] + share * (tracks[m, 2] - tracks[n, 2])
        yaw = tracks[n, 3] + share * (tracks[m, 3] - tracks[n, 3])
        cosine, sine = np.cos(yaw), np.sin(yaw)
        ux, uz = rows[i, UX], rows[i, UZ]
        new_rows[i, X], new_rows[i, Z] = x, z
        new_rows[i, UX], new_rows[i, UZ] = cosine * ux + sine * uz, -sine * ux + cosine * uz
        for c in range(int(rows[i, FIRST]), int(rows[i, LAST])):
            dx, dz = corners[c, 0] - rows[i, X], corners[c, 1] - rows[i, Z]
            new_corners[c, 0], new_corners[c, 1] = x + cosine * dx + sine * dz, z - sine * dx + cosine * dz
