"""A clip as features see it: at 60 Hz, with a ground root, its joints in the world and in the character's frame."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import Array, Indices
from ..mannequin.cover import Cover, covered_points
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.limbs import Roles

BLOCK = 1000
"""Frames whose points are in memory at once."""
STILL_MPS = 0.15
"""Below this speed of the root a character counts as standing: its direction is its facing."""


class Extents(NamedTuple):
    """How far a body reaches. Each (frames,) [m]."""

    along: Array
    """From the character's place along its heading, either way."""
    across: Array
    low: Array
    """Above the ground."""
    high: Array


@dataclass(frozen=True, eq=False)
class Take:
    """One rooted clip with everything a feature may need; nothing here looks past the clip's ends."""

    clip: Clip
    roles: Roles
    cover: Cover

    @cached_property
    def _world(self) -> tuple[Array, Array]:
        return self.clip.world()

    @property
    def positions(self) -> Array:
        """Joints in the clip's world, [m]. Shape (frames, joints, 3)."""
        return self._world[0]

    @property
    def turned(self) -> Array:
        """Joint-to-world rotations. Shape (frames, joints, 4)."""
        return self._world[1]

    @property
    def place(self) -> Array:
        """The character's place on the ground, [m]. Shape (frames, 3)."""
        return self.positions[:, 0]

    @property
    def facing(self) -> Array:
        """The character's frame to the world, a turn about y. Shape (frames, 4)."""
        return self.turned[:, 0]

    @cached_property
    def velocity(self) -> Array:
        """Of the place, [m/s]. Shape (frames, 3)."""
        return self.rate(self.place)

    def rate(self, values: Array) -> Array:
        """Change per second along the frames; one-sided at the clip's ends. Shape as given."""
        if len(values) < 2:
            return np.zeros_like(values)
        return np.asarray(np.gradient(values, 1.0 / self.clip.fps, axis=0), values.dtype)

    def later(self, frames: int) -> Indices:
        """For each frame the one so many frames later, the clip's last one at most. Shape (frames,)."""
        return np.minimum(np.arange(len(self.clip)) + frames, len(self.clip) - 1)

    def to_character(self, vectors: Array) -> Array:
        """Directions of the world in the character's frame. Shape (frames, ..., 3)."""
        back = quat.inverse(self.facing)
        return quat.rotate(back.reshape(len(back), *[1] * (vectors.ndim - 2), 4), vectors)

    @cached_property
    def heading(self) -> Array:
        """Unit direction in which the character moves, its facing while it stands still. Shape (frames, 3).

        Between standing and moving the two are blended by speed, so that the direction does not flip in one frame.
        """
        ahead = quat.rotate(self.facing, np.array([0.0, 0.0, 1.0], np.float32))
        speed = np.linalg.norm(self.velocity, axis=-1, keepdims=True)
        share = np.clip((speed - STILL_MPS) / STILL_MPS, 0, 1)
        moving = self.velocity / np.maximum(speed, 1e-6)
        # Against the facing the blend would vanish halfway: take whichever weighs more.
        mixed = share * moving + (1 - share) * ahead
        length = np.linalg.norm(mixed, axis=-1, keepdims=True)
        return np.where(length > 0.2, mixed / np.maximum(length, 1e-6), np.where(share > 0.5, moving, ahead))

    def covered(self, frames: slice = slice(None)) -> tuple[Array, Array]:
        """Points of the body in the world (frames, points, 3) and the flesh around them (points,), [m]."""
        return covered_points(self.clip, self.positions[frames], self.turned[frames], self.roles, self.cover)

    @cached_property
    def extents(self) -> Extents:
        """How far the body reaches, frame by frame."""
        way = self.heading[:, [0, 2]]  # (frames, 2)
        across = np.stack([-way[:, 1], way[:, 0]], axis=-1)
        rows = []
        # In blocks: a skin has a thousand points.
        for start in range(0, len(self.clip), BLOCK):
            block = slice(start, start + BLOCK)
            points, radii = self.covered(block)
            flat = (points - self.place[block, None])[..., [0, 2]]
            along, aside = (np.abs((flat * axis[block, None]).sum(-1)) + radii for axis in (way, across))
            low, high = points[..., 1] - radii, points[..., 1] + radii
            rows.append(np.stack([along.max(1), aside.max(1), low.min(1), high.max(1)]))
        return Extents(*np.concatenate(rows, axis=1))
