"""What a recording is judged by (HOUSE, "How figures are taken")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Array, Flags, Indices
from ..geometry.ellipses import to_ellipse
from ..geometry.segments import segment_distance
from ..geometry.shapes import BOTTOM, TOP, body_distance, capsule_distance
from ..intent import Path
from ..jit import kernel
from ..motion.capsules import body_capsules
from ..motion.roles import find_roles
from ..world import Obstacles
from .recording import Recording

TOUCH_M = 0.001
"""How deep a body is in something before it counts as a collision."""
MEETING_M = 1.6
"""Further apart two bodies cannot touch."""
SLOW_MPS, SLOW_S, BEHIND_M = 0.1, 0.5, 0.5
"""Frozen: slower than this, over so long, this far from the target."""


class Contact(NamedTuple):
    """Tick by tick, of one character."""

    ellipse_m: Array
    """Distance from its footprint to what is nearest, below zero inside. Shape (ticks,)."""
    capsule_m: Array
    """From its nearest capsule. Shape (ticks,)."""


def contacts(recording: Recording, character: int, obstacles: Obstacles) -> Contact:
    """How near a character came to the things in the way and to the others."""
    capsules = capsules_of(recording, character)
    now = recording.now[:, character]
    ellipse, capsule = np.full(recording.ticks, 1e3), np.full(recording.ticks, 1e3)
    moving = obstacles.standing < len(obstacles)
    spans = [(t, t + 1) for t in range(recording.ticks)] if moving else [(0, recording.ticks)]
    for first, last in spans if len(obstacles) else []:
        shapes = obstacles.at(recording.first_tick + first + 1 if moving else 0)
        _nearest(np.array(shapes.rows), np.array(shapes.corners), now, capsules, first, last, ellipse, capsule)
    for other in range(len(recording.names)):
        if other == character:
            continue
        # Only where they come near at all are bodies worth laying out.
        there = recording.now[:, other]
        near = np.flatnonzero(np.hypot(*(there[:, :2] - now[:, :2]).T) < MEETING_M)
        if len(near):
            span = slice(int(near[0]), int(near[-1]) + 1)
            others = capsules_of(recording, other)[span]
            _nearest_body(now[span], capsules[span], there[span], others, ellipse[span], capsule[span])
    return Contact(ellipse, capsule)


@kernel
def _nearest_body(now: Array, capsules: Array, there: Array, others: Array, ellipse: Array, capsule: Array) -> None:
    for t in range(len(now)):
        dx, dz = there[t, 0] - now[t, 0], there[t, 1] - now[t, 1]
        if dx * dx + dz * dz > MEETING_M * MEETING_M:
            continue
        away = to_ellipse(
            dx, dz, there[t, 2], there[t, 3], there[t, 4], there[t, 5], now[t, 2], now[t, 3], now[t, 4], now[t, 5]
        )
        ellipse[t] = min(ellipse[t], away)
        for c in range(capsules.shape[1]):
            for d in range(others.shape[1]):
                apart = segment_distance(capsules[t, c, :3], capsules[t, c, 3:6], others[t, d, :3], others[t, d, 3:6])
                capsule[t] = min(capsule[t], apart - capsules[t, c, 6] - others[t, d, 6])


def capsules_of(recording: Recording, character: int) -> Array:
    """Ends and radii of a character's capsules in the world. Shape (ticks, capsules, 7) float32."""
    clip = recording.clip(character)
    shape = body_capsules(clip.skeleton, find_roles(clip.skeleton))
    starts, stops = shape.world(*clip.world())
    radii = np.broadcast_to(shape.radii[:, None], (*starts.shape[:2], 1))
    return np.ascontiguousarray(np.concatenate([starts, stops, radii], axis=-1), np.float32)


@kernel
def _nearest(
    rows: Array, corners: Array, now: Array, capsules: Array, first: int, last: int, ellipse: Array, capsule: Array
) -> None:
    for t in range(first, last):
        x, z, ux, uz, a, b = now[t, 0], now[t, 1], now[t, 2], now[t, 3], now[t, 4], now[t, 5]
        for i in range(len(rows)):
            dx, dz, far = rows[i, 0] - x, rows[i, 1] - z, 2.0 + max(rows[i, 4], rows[i, 5])
            if dx * dx + dz * dz > far * far or now[t, 6] >= rows[i, TOP] or now[t, 7] <= rows[i, BOTTOM]:
                continue
            ellipse[t] = min(ellipse[t], body_distance(i, rows, corners, x, z, ux, uz, a, b))
            for c in range(capsules.shape[1]):
                capsule[t] = min(capsule[t], capsule_distance(i, rows, corners, capsules, t, c))


def runs(flags: Flags) -> Indices:
    """How long each run of true values is, in ticks."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return edges[1::2] - edges[::2]


class Course(NamedTuple):
    """How a path was followed, tick by tick."""

    error_m: Array
    """To the nearest point of the path. Shape (ticks,)."""
    lag_m: Array
    """To the target that runs. Shape (ticks,)."""
    frozen: Flags
    completed: float
    """Arc length reached over what the target ran."""


def course(recording: Recording, character: int, path: Path) -> Course:
    """Measure against a path whose target runs with time."""
    places = recording.places[:, character, :2]
    ticks = np.arange(1, recording.ticks + 1) + recording.first_tick
    target = np.minimum(path.speed * ticks / 60.0, path.length)
    error, _ = path.nearest(places)
    lag = np.linalg.norm(path.at(target) - places, axis=-1)
    window = round(SLOW_S * 60)
    steps = np.linalg.norm(np.diff(places, axis=0, prepend=places[:1]), axis=-1) * 60.0
    speed = np.convolve(steps, np.ones(window) / window, mode="same")
    frozen = (speed < SLOW_MPS) & (lag > BEHIND_M)
    return Course(error, lag, frozen, float(min(_reached(path, places, target) / target[-1], 1.0)))


def _reached(path: Path, places: Array, target: Array) -> float:
    """The furthest arc length a character came to, never further from one tick to the next than it can go."""
    reached = 0.0
    miles = np.arange(0.0, path.length, 0.1)
    line = path.at(miles)
    for place in places:
        window = (miles >= reached - 0.5) & (miles <= reached + 1.5)
        near = np.linalg.norm(line[window] - place, axis=-1)
        best = int(near.argmin())
        if near[best] < 2.0:
            reached = max(reached, float(miles[window][best]))
    return reached


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation; zeros of nothing."""
    return (float(np.mean(values)), float(np.std(values))) if len(values) else (0.0, 0.0)


def turned_from_way(recording: Recording, character: int) -> Array:
    """How far the shoulders are turned out of the cross-axis of the way, 0 to a right angle, [rad]. Shape (ticks,).

    Where a character hardly moves, its way is that between half a second before and after.
    """
    clip = recording.clip(character)
    roles = find_roles(clip.skeleton)
    positions, _ = clip.world()
    left = positions[:, roles.left_arm.upper] - positions[:, roles.right_arm.upper]
    places, half = recording.places[:, character, :2], 30
    later = places[np.minimum(np.arange(len(places)) + half, len(places) - 1)]
    way = later - places[np.maximum(np.arange(len(places)) - half, 0)]
    cross = np.abs(left[:, 0] * way[:, 1] - left[:, 2] * way[:, 0])
    along = np.abs(left[:, 0] * way[:, 0] + left[:, 2] * way[:, 1])
    turn = np.arctan2(along, cross)
    return np.where(np.linalg.norm(way, axis=-1) > 0.1, turn, 0.0)
