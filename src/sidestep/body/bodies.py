"""Many bodies of one database: frames go in, joints in the world come out, blended and with planted feet."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Flags, Indices
from ..database import Database
from .blend import Blend, switch
from .feet import plant, to_local
from .footprint import footprints, place_capsules
from .pose import pose_all
from .source import source_of

DT = 1 / 60


class Bodies:
    """The state of characters' bodies; all arrays begin with the characters."""

    def __init__(self, database: Database, count: int, blend: Blend, feet: Flags) -> None:
        self.source = source_of(database)
        self.blend = blend.packed()
        self.feet = feet
        joints = len(database.skeleton)
        self._starts = np.zeros((count, joints, 3))
        self._rates = np.zeros((count, joints, 3))
        self._ages = np.full(count, 10.0)
        self._held = np.zeros((count, 2), np.int64)
        self._anchors = np.zeros((count, 4, 3))
        self._shifts = np.zeros((count, 2, 4))
        self._drifts = np.zeros((count, 2, 4))
        self.positions = np.zeros((count, joints, 3), np.float32)
        """Joints in the world, [m]. Shape (characters, joints, 3)."""
        self.turned = np.zeros((count, joints, 4), np.float32)
        """Joint-to-world rotations. Shape (characters, joints, 4)."""
        self.capsules = np.zeros((count, len(self.source.capsule_joints), 7), np.float32)
        """Ends and radii in the world, [m]. Shape (characters, capsules, 7)."""
        self.now = np.zeros((count, 8))
        """The footprint now, in the world, as ``search.cost`` has it. Shape (characters, 8)."""

    def change(self, who: Indices, old: Indices, new: Indices, places: Array) -> None:
        """Go over from some frames to others (see ``blend.switch``)."""
        if len(who):
            switch(self.source, who, old, new, places, self._starts, self._rates, self._ages, *self.blend, DT)

    def pose(self, frames: Indices, places: Array, velocities: Array) -> None:
        """Show frames at places (x, z, yaw), a tick after the last ones."""
        self._ages += DT
        pose_all(
            self.source, frames, places, self._starts, self._rates, self._ages, *self.blend,
            self.positions, self.turned,
        )  # fmt: skip
        plant(
            self.source, frames, self._ages, self.positions, self.turned,
            self._held, self._anchors, self._shifts, self._drifts, self.feet, DT,
        )  # fmt: skip
        place_capsules(self.source, self.positions, self.turned, self.capsules)
        footprints(self.source, frames, places, velocities, self.positions, self.turned, self.capsules, self.now)

    def rotations(self) -> Array:
        """Joint-to-parent rotations as shown. Shape (characters, joints, 4)."""
        local = np.empty_like(self.turned)
        to_local(self.source.parents, self.turned, local)
        return local
