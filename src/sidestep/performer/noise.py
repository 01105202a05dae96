"""Slow wandering, so that nobody stands like a statue."""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from ..motion.smooth import gaussian
from .score import FPS


def slow_noise(rng: np.random.Generator, frames: int, sigma_s: float) -> Array:
    """Smooth chance with a standard deviation of one. Shape (frames,).

    Args:
        rng: Source of chance.
        frames: How many.
        sigma_s: Width of the smoothing: it wanders about as slowly as this, [s].
    """
    margin = int(4 * sigma_s * FPS)
    raw = rng.normal(0, 1, frames + 2 * margin)
    smooth = gaussian(raw, sigma_s, FPS)[margin : margin + frames]
    return np.asarray(smooth * np.sqrt(2 * np.sqrt(np.pi) * sigma_s * FPS))
