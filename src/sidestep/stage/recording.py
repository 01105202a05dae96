"""What was shown, tick by tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Array, Indices
from ..motion.clip import Clip

if TYPE_CHECKING:
    from .stage import Stage


@dataclass(eq=False)
class Recording:
    """Arrays begin with ticks and characters."""

    stage: Stage
    first_tick: int
    frames: Indices
    """Of each character's database. Shape (ticks, characters)."""
    places: Array
    """x, z [m] and yaw [rad]. Shape (ticks, characters, 3)."""
    now: Array
    """Footprints, in the world (see ``search.cost``). Shape (ticks, characters, 8)."""
    hips: Array
    """In the world, [m]. Shape (ticks, characters, 3)."""
    rotations: list[Array]
    """Joint to parent, by crew. Shapes (ticks, members, joints, 4)."""

    @classmethod
    def begin(cls, stage: Stage, ticks: int) -> Recording:
        """Room for so many ticks."""
        count = len(stage.characters)
        return cls(
            stage,
            stage.tick,
            np.zeros((ticks, count), np.int64),
            np.zeros((ticks, count, 3)),
            np.zeros((ticks, count, 8)),
            np.zeros((ticks, count, 3), np.float32),
            [np.zeros((ticks, *crew.bodies.turned.shape), np.float32) for _, crew in stage.crews],
        )

    @property
    def ticks(self) -> int:
        """How many there are."""
        return len(self.frames)

    def keep(self, row: int, stage: Stage) -> None:
        """Keep what a stage shows now."""
        self.places[row], self.now[row] = stage.published.places, stage.published.now
        for number, (members, crew) in enumerate(stage.crews):
            self.frames[row, members] = crew.frames
            self.hips[row, members] = crew.bodies.positions[:, 1]
            self.rotations[number][row] = crew.bodies.rotations()

    def clip(self, character: int) -> Clip:
        """One character's motion, as a clip in the world."""
        for number, (members, crew) in enumerate(self.stage.crews):
            if character in members:
                row = int(np.flatnonzero(members == character)[0])
                rotations = self.rotations[number][:, row]
                places = self.places[:, character]
                root = np.stack([places[:, 0], np.zeros(self.ticks), places[:, 1]], axis=-1)
                away = self.hips[:, character] - root
                cosine, sine = np.cos(places[:, 2]), np.sin(places[:, 2])
                local = np.stack(
                    [cosine * away[:, 0] - sine * away[:, 2], away[:, 1], sine * away[:, 0] + cosine * away[:, 2]],
                    axis=-1,
                )
                return Clip(
                    name=self.stage.characters[character].name,
                    skeleton=crew.database.skeleton,
                    rotations=rotations,
                    translations=np.stack([root, local], axis=1).astype(np.float32),
                )
        raise IndexError(character)
