"""Two-bone inverse kinematics: where the middle joint must be, and how the two bones turn."""

from __future__ import annotations

import numpy as np

from ..arrays import Array

LONGEST_SHARE = 0.9995
"""Share of the full length up to which a limb is stretched; straight limbs have no defined bending direction."""


def middle_joint(root: Array, tip: Array, pole: Array, first_m: Array | float, second_m: Array | float) -> Array:
    """Place the knee or elbow of a limb whose ends are given.

    Args:
        root: Hip or shoulder, [m]. Shape (..., 3).
        tip: Ankle or wrist, [m]; out of reach it is taken to be as far as the limb goes. Shape (..., 3).
        pole: Direction into which the middle joint points (any length). Shape (..., 3).
        first_m: Length from the root to the middle joint, [m].
        second_m: Length from the middle joint to the tip, [m].

    Returns:
        The middle joint, exactly ``first_m`` from the root. Shape (..., 3).
    """
    first_m, second_m = np.asarray(first_m), np.asarray(second_m)
    reach = tip - root
    distance = np.linalg.norm(reach, axis=-1)
    along = reach / np.maximum(distance, 1e-6)[..., None]
    span = np.clip(distance, np.abs(first_m - second_m) + 1e-4, (first_m + second_m) * LONGEST_SHARE)
    # Law of cosines: how far along the line root-tip the middle joint stands, and how far beside it.
    beside_foot = (first_m**2 - second_m**2 + span**2) / (2 * span)
    beside = np.sqrt(np.maximum(first_m**2 - beside_foot**2, 0.0))
    across = pole - (pole * along).sum(-1, keepdims=True) * along
    across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-6)
    return root + along * beside_foot[..., None] + across * beside[..., None]
