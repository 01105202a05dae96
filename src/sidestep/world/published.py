"""What everyone shows of themselves at the end of a tick, and everyone reads in the next one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array


@dataclass(eq=False)
class Published:
    """Of all characters, in the world; whichever controller moves them."""

    places: Array
    """x, z [m] and yaw [rad]. Shape (characters, 3)."""
    velocities: Array
    """x, z [m/s]. Shape (characters, 2)."""
    now: Array
    """Footprint and heights as they are: place, unit axis, half lengths, low, high, [m]. Shape (characters, 8)."""
    ahead: Array
    """The same at the three look-ahead times. Shape (characters, 3, 8)."""

    @classmethod
    def of(cls, count: int) -> Published:
        """Room for so many."""
        return cls(np.zeros((count, 3)), np.zeros((count, 2)), np.zeros((count, 8)), np.zeros((count, 3, 8)))

    def copy(self) -> Published:
        """As it stands, to be read while the next one is written."""
        return Published(self.places.copy(), self.velocities.copy(), self.now.copy(), self.ahead.copy())
