"""One curve for everything that goes from one state to another."""

from __future__ import annotations

import numpy as np

from ..arrays import Array


def ease(t: Array) -> Array:
    """From 0 at ``t`` = 0 to 1 at ``t`` = 1, with no speed and no acceleration at either end; flat beyond."""
    t = np.clip(t, 0.0, 1.0)
    return np.asarray(t * t * t * (10 - 15 * t + 6 * t * t))
