"""Smoothing along time by width in seconds, with ends that are neither pulled in nor flattened."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import correlate1d

from ..arrays import Array


def gaussian(values: Array, sigma_s: float, fps: float) -> Array:
    """Smooth along the first axis with a bell of ``sigma_s`` seconds; ends are continued by point reflection.

    Point reflection keeps the first and the last value and the slope there, so a walk that starts at full speed is not
    slowed at its ends. Shape (frames, ...), kept.
    """
    half = int(np.ceil(3.0 * sigma_s * fps))
    if half < 1 or len(values) < 3:
        return np.array(values)
    offsets = np.arange(-half, half + 1)
    weights = np.exp(-0.5 * (offsets / (sigma_s * fps)) ** 2)
    weights /= weights.sum()
    return convolved(values, weights)


def convolved(values: Array, weights: Array) -> Array:
    """Apply a symmetric kernel of odd length along the first axis, ends continued by point reflection."""
    half = len(weights) // 2
    inside = min(half, len(values) - 1)
    before = 2 * values[:1] - values[inside:0:-1]
    after = 2 * values[-1:] - values[-2 : -2 - inside : -1]
    # Shorter than the kernel: hold the outermost reflected value.
    lead = np.repeat(before[:1], half - inside, axis=0)
    tail = np.repeat(after[-1:], half - inside, axis=0)
    padded = np.concatenate([lead, before, values, after, tail])
    result = correlate1d(np.asarray(padded, np.float64), weights, axis=0, mode="nearest")
    return result[half : half + len(values)].astype(np.result_type(values, np.float32))
