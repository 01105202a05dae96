"""Hanging arms are pendulums: what the shoulder does suddenly, the arm does a moment later."""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from ..motion.smooth import gaussian
from .score import FPS

GRAVITY = 9.81
PERIOD_S = 1.3
"""Of a relaxed arm."""
DAMPING = 0.38
"""Share of critical damping: it swings once more after a stop, not twice."""
MOST_RAD = 0.45


def trailing(shoulder: Array, yaw: Array) -> tuple[Array, Array]:
    """How far a hanging arm trails behind its shoulder, forward and to the left of the body, [rad].

    ``angle'' + 2 d w angle' + w^2 angle = -a / L`` with ``w = 2 pi / PERIOD_S`` and ``L = g / w^2``.

    Args:
        shoulder: The shoulder in the world, [m]. Shape (frames, 3).
        yaw: Where the chest faces, [rad]. Shape (frames,).

    Returns:
        Two of shape (frames,).
    """
    # Half a second to import, and only performing needs it.
    from scipy.signal import bilinear, lfilter

    rate = 2 * np.pi / PERIOD_S
    top, bottom = bilinear([-(rate**2) / GRAVITY], [1.0, 2 * DAMPING * rate, rate**2], FPS)
    steady = gaussian(shoulder[:, [0, 2]], 0.06, FPS)
    pull = np.gradient(np.gradient(steady, 1 / FPS, axis=0), 1 / FPS, axis=0)
    # The pull is felt in the body's own frame, which may turn under the arm.
    ahead = pull[:, 0] * np.sin(yaw) + pull[:, 1] * np.cos(yaw)
    left = pull[:, 0] * np.cos(yaw) - pull[:, 1] * np.sin(yaw)
    return tuple(MOST_RAD * np.tanh(lfilter(top, bottom, way) / MOST_RAD) for way in (ahead, left))  # type: ignore[return-value]
