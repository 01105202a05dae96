"""What poses are compared by: small functions from a take to numbers per frame, and the papers' sets of them.

A feature of one's own is one function ``(take) -> (frames, dims)`` wrapped in ``Feature``; put it into a set and build.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import Array
from ..motion import quaternion as quat
from .take import Take

LOOK_AHEAD = (20, 40, 60)
"""Frames into the future (EMM 3)."""

Normalize = Literal["group", "feature", "none"]


@dataclass(frozen=True)
class Feature:
    """Some numbers per frame, scaled together."""

    name: str
    dims: int
    compute: Callable[[Take], Array]
    """From a take to (frames, dims); must not look past the clip's end (``take.later`` does not)."""
    normalize: Normalize = "group"
    """How it is standardized: "group", one deviation for all its numbers (EMM); "feature", each number by its own
    deviation (RMM); "none", kept in its own units."""
    ahead: int = 0
    """How many frames it looks into the future."""


@dataclass(frozen=True)
class FeatureSet:
    """Features under one name: those a query is compared with, and those that describe the body (not compared)."""

    name: str
    query: tuple[Feature, ...]
    environment: tuple[Feature, ...] = ()

    @property
    def ahead(self) -> int:
        """The furthest look into the future, in frames."""
        return max((f.ahead for f in (*self.query, *self.environment)), default=0)

    def columns(self) -> dict[str, slice]:
        """Where each feature stands, query first and environment after it."""
        result, start = {}, 0
        for feature in (*self.query, *self.environment):
            result[feature.name] = slice(start, start + feature.dims)
            start += feature.dims
        return result

    @property
    def query_dims(self) -> int:
        """How many numbers a query has."""
        return sum(f.dims for f in self.query)

    @property
    def dims(self) -> int:
        """All numbers of a frame."""
        return self.query_dims + sum(f.dims for f in self.environment)


def joint_velocities(take: Take) -> Array:
    """EMM z^v: velocities of left foot, right foot and hips in the character's frame, [m/s]. Shape (frames, 9)."""
    joints = [take.roles.left_leg.end, take.roles.right_leg.end, take.roles.hips]
    return _flat(take.to_character(take.rate(take.positions[:, joints])))


def foot_velocities(take: Take) -> Array:
    """Left and right, in the character's frame, [m/s]. Shape (frames, 6)."""
    joints = [take.roles.left_leg.end, take.roles.right_leg.end]
    return _flat(take.to_character(take.rate(take.positions[:, joints])))


def hips_velocity(take: Take) -> Array:
    """In the character's frame, [m/s]. Shape (frames, 3)."""
    return take.to_character(take.rate(take.positions[:, take.roles.hips]))


def foot_positions(take: Take) -> Array:
    """EMM z^f: both feet in the character's frame, [m]. Shape (frames, 6)."""
    joints = [take.roles.left_leg.end, take.roles.right_leg.end]
    return _flat(take.to_character(take.positions[:, joints] - take.place[:, None]))


def trajectory_positions(take: Take) -> Array:
    """EMM z^p: where the character will be, x and z in its frame now, [m]. Shape (frames, 6)."""
    ways = [take.to_character(take.place[take.later(k)] - take.place)[:, [0, 2]] for k in LOOK_AHEAD]
    return np.concatenate(ways, axis=-1)


def trajectory_facings(take: Take) -> Array:
    """EMM z^d: where the character will face, unit x and z in its frame now. Shape (frames, 6)."""
    ahead = quat.rotate(take.facing, np.array([0.0, 0.0, 1.0], np.float32))
    return np.concatenate([take.to_character(ahead[take.later(k)])[:, [0, 2]] for k in LOOK_AHEAD], axis=-1)


def trajectory_headings(take: Take) -> Array:
    """RMM t^d: where the root's velocity will point (its facing while it stands), unit x and z. Shape (frames, 6)."""
    return np.concatenate([take.to_character(take.heading[take.later(k)])[:, [0, 2]] for k in LOOK_AHEAD], axis=-1)


def trajectory_positions_3d(take: Take) -> Array:
    """RMM's 3D t^t: where the hips will be from where they are, the ground place sideways, [m]. Shape (frames, 9)."""
    height = take.positions[:, take.roles.hips, 1]
    ways = []
    for k in LOOK_AHEAD:
        later = take.later(k)
        way = take.to_character(take.place[later] - take.place).copy()
        way[:, 1] = height[later] - height
        ways.append(way)
    return np.concatenate(ways, axis=-1)


def trajectory_headings_3d(take: Take) -> Array:
    """RMM's 3D t^d: direction of the hips' velocity, the facing while they are still. Shape (frames, 9)."""
    rise = take.rate(take.positions[:, take.roles.hips, 1])
    speed = np.linalg.norm(take.velocity, axis=-1)
    way = take.heading * np.maximum(speed, 0.5)[:, None]
    way = way + np.stack([np.zeros_like(rise), rise, np.zeros_like(rise)], axis=-1)
    way = way / np.linalg.norm(way, axis=-1, keepdims=True)
    return np.concatenate([take.to_character(way[take.later(k)]) for k in LOOK_AHEAD], axis=-1)


def ellipses(take: Take) -> Array:
    """EMM z^e: three future footprints of the body, each its semi-major axis (x, z) and its semi-minor length, [m].

    The first axis lies along the direction of movement (along the facing while standing, see ``Take.heading``); both
    reach to the body's furthest point. Axes are told in the character's frame now; centres are the trajectory
    positions. Shape (frames, 9).
    """
    axis = take.heading * take.extents.along[:, None]
    rows = [
        np.concatenate([take.to_character(axis[later])[:, [0, 2]], take.extents.across[later, None]], axis=-1)
        for later in (take.later(k) for k in LOOK_AHEAD)
    ]
    return np.concatenate(rows, axis=-1)


def heights(take: Take) -> Array:
    """EMM 6.1.4: lowest and highest point of the body at the three future times, [m]. Shape (frames, 6)."""
    low, high = take.extents.low, take.extents.high
    return np.concatenate([np.stack([low[take.later(k)], high[take.later(k)]], axis=-1) for k in LOOK_AHEAD], axis=-1)


def _flat(values: Array) -> Array:
    return values.reshape(len(values), -1)


_LAST = LOOK_AHEAD[-1]
_BODY = (
    Feature("ellipses", 9, ellipses, "none", _LAST),
    Feature("heights", 6, heights, "none", _LAST),
)

EMM = FeatureSet(
    "emm",
    (
        Feature("velocities", 9, joint_velocities),
        Feature("feet", 6, foot_positions),
        Feature("positions", 6, trajectory_positions, "group", _LAST),
        Feature("directions", 6, trajectory_facings, "group", _LAST),
    ),
    _BODY,
)
"""EMM 4.1: 27 query numbers, 9 of ellipses, 6 of heights."""

RMM27 = FeatureSet(
    "rmm27",
    (
        Feature("positions", 6, trajectory_positions, "feature", _LAST),
        Feature("directions", 6, trajectory_headings, "feature", _LAST),
        Feature("feet", 6, foot_positions, "feature"),
        Feature("foot_velocities", 6, foot_velocities, "feature"),
        Feature("hips_velocity", 3, hips_velocity, "feature"),
    ),
    _BODY,
)
"""RMM 3.2.2, flat: directions are those of the root's velocity, every number is standardized by itself."""

RMM33 = FeatureSet(
    "rmm33",
    (
        Feature("positions", 9, trajectory_positions_3d, "feature", _LAST),
        Feature("directions", 9, trajectory_headings_3d, "feature", _LAST),
        Feature("feet", 6, foot_positions, "feature"),
        Feature("foot_velocities", 6, foot_velocities, "feature"),
        Feature("hips_velocity", 3, hips_velocity, "feature"),
    ),
    _BODY,
)
"""RMM 3.2.2, with the vertical: for jumping and creeping."""

FEATURE_SETS = {chosen.name: chosen for chosen in (EMM, RMM27, RMM33)}
