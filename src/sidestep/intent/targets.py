"""What every intent comes down to: where a character shall be and face at the look-ahead times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..arrays import Array, Indices
from ..motion.spring import follow, steer
from ..world.obstacles import AHEAD, TICKS_PER_SECOND
from ..world.published import Published

DT = 1 / TICKS_PER_SECOND
LATER_S = np.array(AHEAD) / TICKS_PER_SECOND
MOVE_HALFLIFE_S = 0.22
"""In which the wished velocity is taken up."""
TURN_HALFLIFE_S = 0.18
SLOW_MPS = 0.1
"""Below this a wish for a velocity is a wish to stand."""


@dataclass(eq=False)
class Targets:
    """Of many characters, in the world."""

    positions: Array
    """At the three look-ahead times, x and z [m]. Shape (characters, 3, 2)."""
    directions: Array
    """Unit vectors. Shape (characters, 3, 2)."""
    speeds: Array
    """How fast each wants to be, [m/s]. Shape (characters,)."""

    def of(self, who: Indices) -> Targets:
        """Those of some."""
        return Targets(self.positions[who], self.directions[who], self.speeds[who])


class Group(Protocol):
    """Intents of one kind, asked together: it has either ``wish`` or ``ahead``."""

    def wish(self, who: Indices, tick: int, wishes: Wishes, published: Published) -> tuple[Array, Array]:
        """Velocities wished for (n, 2) [m/s], and where to face (n,) [rad], NaN for along the movement."""
        ...


class Wishes:
    """Everybody's intents, and what springs make of them.

    A velocity that is wished for is taken up by a spring (EMM 3, RMM 3.2.3), and the target path starts where the
    character is (EMM 5.1); a path tells its places itself.
    """

    def __init__(self, places: Array) -> None:
        count = len(places)
        self.intents: list[Any] = [None] * count
        self.since = np.zeros(count, np.int64)
        """In which tick each intent began. Shape (characters,)."""
        self.reached = np.zeros(count)
        """How far along its path each has got, [m]. Shape (characters,)."""
        self._velocity: Array = np.zeros((count, 2))
        self._acceleration: Array = np.zeros((count, 2))
        self._yaw: Array = places[:, 2].copy()
        self._yaw_rate: Array = np.zeros(count)
        self._groups: list[tuple[Indices, Any]] | None = None

    def set(self, character: int, intent: Any, tick: int) -> None:
        """Give a character something to want."""
        self.intents[character] = intent
        self.since[character] = tick
        self.reached[character] = 0.0
        self._groups = None

    def targets(self, tick: int, published: Published) -> Targets:
        """Everybody's target path at a tick; to be asked once each tick."""
        count = len(self.intents)
        wished: Array = np.zeros((count, 2))
        facing: Array = np.full(count, np.nan)
        told: list[tuple[Indices, tuple[Array, Array, Array]]] = []
        for who, group in self._grouped():
            if hasattr(group, "ahead"):
                told.append((who, group.ahead(who, tick, self, published)))
            else:
                wished[who], facing[who] = group.wish(who, tick, self, published)
        moving = np.linalg.norm(wished, axis=-1) > SLOW_MPS
        goal: Array = np.where(moving, np.arctan2(wished[:, 0], wished[:, 1]), self._yaw)
        goal = np.where(np.isnan(facing), goal, facing)
        goal = self._yaw + np.angle(np.exp(1j * (goal - self._yaw)))
        later = LATER_S[None, :, None]
        positions, _, _ = steer(
            published.places[:, None, :2], self._velocity[:, None], self._acceleration[:, None], wished[:, None],
            MOVE_HALFLIFE_S, later,
        )  # fmt: skip
        yaw, _ = follow(self._yaw[:, None], self._yaw_rate[:, None], goal[:, None], 0.0, TURN_HALFLIFE_S, later[..., 0])
        directions = np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)
        _, self._velocity, self._acceleration = steer(
            np.zeros_like(wished), self._velocity, self._acceleration, wished, MOVE_HALFLIFE_S, DT
        )
        self._yaw, self._yaw_rate = follow(self._yaw, self._yaw_rate, goal, 0.0, TURN_HALFLIFE_S, DT)
        result = Targets(positions, directions, np.linalg.norm(self._velocity, axis=-1))
        for who, (positions, directions, speeds) in told:
            result.positions[who], result.directions[who], result.speeds[who] = positions, directions, speeds
            # Whoever leaves a path goes on as it led.
            self._velocity[who] = directions[:, 0] * speeds[:, None]
            self._yaw[who] = np.arctan2(directions[:, 0, 0], directions[:, 0, 1])
        return result

    def _grouped(self) -> list[tuple[Indices, Any]]:
        if self._groups is None:
            kinds = {type(intent) for intent in self.intents if intent is not None}
            self._groups = []
            for kind in sorted(kinds, key=lambda kind: str(kind.__name__)):
                who = np.array([i for i, intent in enumerate(self.intents) if type(intent) is kind])
                self._groups.append((who, kind.group([self.intents[i] for i in who])))
        return self._groups
