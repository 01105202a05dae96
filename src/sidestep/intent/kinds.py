"""Intents that wish for a velocity: a stick, a goal, somebody to follow, a script, a crowd's rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Indices
from ..errors import AskedWrongly
from ..world.obstacles import TICKS_PER_SECOND
from ..world.published import Published
from .targets import Wishes

NEAR_M = 0.25
"""This near a goal a character has come there."""
SLOWING_S = 0.7
"""Over this time it slows down before."""


def checked(name: str, *numbers: float | None) -> None:
    """Refuse numbers that are none."""
    if not all(number is None or np.isfinite(number) for number in numbers):
        raise AskedWrongly(f"{name}: {numbers} holds a number that is not finite")


@dataclass(frozen=True, kw_only=True)
class Stick:
    """A stick held so; it may be changed at any time by giving the character another one."""

    forward: float = 0.0
    """Towards +z, [m/s]."""
    left: float = 0.0
    """Towards +x, [m/s]."""
    facing: float | None = None
    """Where to face [rad]; along the movement if left out."""

    def __post_init__(self) -> None:
        """Refuse numbers that are none."""
        checked("stick", self.forward, self.left, self.facing)

    @staticmethod
    def group(members: Sequence[Stick]) -> _Sticks:
        """Several, asked together."""
        return _Sticks(members)


class _Sticks:
    def __init__(self, members: Sequence[Stick]) -> None:
        self._velocity = np.array([[stick.left, stick.forward] for stick in members])
        self._facing = np.array([np.nan if stick.facing is None else stick.facing for stick in members])

    def wish(self, who: Indices, tick: int, wishes: Wishes, published: Published) -> tuple[Array, Array]:
        return self._velocity, self._facing


@dataclass(frozen=True)
class Goal:
    """A place to go to and stand at."""

    x: float
    z: float
    speed: float = 1.3
    """[m/s]"""
    facing: float | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that are none."""
        checked("goal", self.x, self.z, self.speed, self.facing)

    @staticmethod
    def group(members: Sequence[Goal]) -> _Goals:
        """Several, asked together."""
        return _Goals(members)


class _Goals:
    def __init__(self, members: Sequence[Goal]) -> None:
        self._at = np.array([[goal.x, goal.z] for goal in members])
        self._speed = np.array([goal.speed for goal in members])
        self._facing = np.array([np.nan if goal.facing is None else goal.facing for goal in members])

    def wish(self, who: Indices, tick: int, wishes: Wishes, published: Published) -> tuple[Array, Array]:
        return towards(self._at, self._speed, published.places[who, :2]), self._facing


def towards(goals: Array, speeds: Array, places: Array) -> Array:
    """Velocities to goals, slower where they are near, none at them. Shape (n, 2) [m/s]."""
    way = goals - places
    far = np.linalg.norm(way, axis=-1)
    speed = np.where(far < NEAR_M, 0.0, np.minimum(speeds, far / SLOWING_S))
    return way / np.maximum(far, 1e-6)[:, None] * speed[:, None]


@dataclass(frozen=True)
class Script:
    """Velocities by the clock: each holds from its time on."""

    times: tuple[float, ...]
    """[s], from the intent's beginning, the first one zero."""
    velocities: tuple[tuple[float, float], ...]
    """x and z, [m/s]."""
    facings: tuple[float, ...] = ()
    """Where to face [rad]; along the movement if left out."""

    def __post_init__(self) -> None:
        """Refuse what does not fit together."""
        checked("script", *self.times, *np.ravel(self.velocities), *self.facings)
        if not self.times or len(self.times) != len(self.velocities) or (np.diff(self.times) <= 0).any():
            raise AskedWrongly(f"a script has increasing times, one a velocity, not {self.times}")
        if self.facings and len(self.facings) != len(self.times):
            raise AskedWrongly(f"a script has as many facings as times or none, not {len(self.facings)}")

    @staticmethod
    def group(members: Sequence[Script]) -> _Scripts:
        """Several, asked together."""
        return _Scripts(members)


class _Scripts:
    def __init__(self, members: Sequence[Script]) -> None:
        most = max(len(script.times) for script in members)
        self._times = np.full((len(members), most), np.inf)
        self._velocities = np.zeros((len(members), most, 2))
        self._facings = np.full((len(members), most), np.nan)
        for row, script in enumerate(members):
            self._times[row, : len(script.times)] = script.times
            self._velocities[row, : len(script.times)] = script.velocities
            if script.facings:
                self._facings[row, : len(script.times)] = script.facings

    def wish(self, who: Indices, tick: int, wishes: Wishes, published: Published) -> tuple[Array, Array]:
        seconds = (tick - wishes.since[who]) / TICKS_PER_SECOND
        at = np.maximum((self._times <= seconds[:, None]).sum(1) - 1, 0)
        rows = np.arange(len(who))
        return self._velocities[rows, at], self._facings[rows, at]


@dataclass(frozen=True)
class Crowd:
    """A goal, and the rule of EMM 6.1.5: whoever is nearest in the cone of vision pushes sideways."""

    x: float
    z: float
    speed: float = 1.3
    """[m/s]"""
    sight_m: float = 4.0
    """How far it sees."""
    cone: float = 1.2
    """Half the angle of its sight, [rad]."""
    force: float = 0.8
    """How strongly the nearest one pushes, as a share of the speed."""

    def __post_init__(self) -> None:
        """Refuse numbers that are none."""
        checked("crowd", self.x, self.z, self.speed, self.sight_m, self.cone, self.force)

    @staticmethod
    def group(members: Sequence[Crowd]) -> _Crowds:
        """Several, asked together."""
        return _Crowds(members)


class _Crowds:
    def __init__(self, members: Sequence[Crowd]) -> None:
        self._at = np.array([[member.x, member.z] for member in members])
        self._rest = np.array([[m.speed, m.sight_m, m.cone, m.force] for m in members])

    def wish(self, who: Indices, tick: int, wishes: Wishes, published: Published) -> tuple[Array, Array]:
        places = published.places[who, :2]
        speed, sight, cone, force = self._rest.T
        wished = towards(self._at, speed, places)
        length = np.maximum(np.linalg.norm(wished, axis=-1), 1e-6)
        ahead = wished / length[:, None]
        away = published.places[None, :, :2] - places[:, None]  # (members, characters, 2)
        far = np.linalg.norm(away, axis=-1)
        far[np.arange(len(who)), who] = np.inf
        seen = (away * ahead[:, None]).sum(-1) > np.cos(cone)[:, None] * far
        far = np.where(seen & (far < sight[:, None]), far, np.inf)
        nearest = far.argmin(1)
        rows = np.arange(len(who))
        gap = far[rows, nearest]
        way = away[rows, nearest] / np.where(np.isfinite(gap), np.maximum(gap, 1e-6), 1.0)[:, None]
        # Perpendicular to the direction towards it, to the side on which it is not; to the right if it is right ahead.
        left = np.stack([way[:, 1], -way[:, 0]], axis=-1)
        side = np.where((left * ahead).sum(-1) > 1e-3, 1.0, -1.0)
        strength = np.where(np.isfinite(gap), force * speed * (1.0 - gap / sight), 0.0)
        pushed = wished + left * (side * strength)[:, None]
        pushed *= (length / np.maximum(np.linalg.norm(pushed, axis=-1), 1e-6))[:, None]
        return pushed, np.full(len(who), np.nan)
