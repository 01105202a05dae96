"""Critically damped springs by half-life: the exact solution for any step, so no step size can make them explode.

With ``y = 2 ln 2 / halflife`` the spring's own time scale is fixed (RMM 3.2.3 writes ``d = 2 y``). RMM's equation 10
prints the constant as ``x_goal + d / v_goal``; what solves equation 6 is ``x_goal + 2 v_goal / y``.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from . import quaternion as quat

Real = Array | float


def rate(halflife_s: Real) -> Real:
    """How fast a spring of this half-life decays, ``y`` [1/s]."""
    return 2.0 * np.log(2.0) / np.maximum(halflife_s, 1e-5)


def decay(offset: Array, velocity: Array, halflife_s: Real, dt: Real) -> tuple[Array, Array]:
    """Fade an offset to zero without overshoot.

    Args:
        offset: What remains, any unit. Shape (...).
        velocity: Its rate, per second. Shape (...).
        halflife_s: Time scale of the fading, [s].
        dt: Step, [s].

    Returns:
        Offset and velocity after ``dt``.
    """
    y = rate(halflife_s)
    j1 = velocity + offset * y
    fade = np.exp(-y * dt)
    return fade * (offset + j1 * dt), fade * (velocity - j1 * y * dt)


def follow(
    position: Array, velocity: Array, goal: Array, goal_velocity: Array | float, halflife_s: Real, dt: Real
) -> tuple[Array, Array]:
    """Position form: move towards a goal that itself moves with ``goal_velocity``.

    Returns:
        Position and velocity after ``dt``. Shapes as given.
    """
    y = rate(halflife_s)
    resting = goal + 2.0 * np.asarray(goal_velocity) / y
    offset, velocity = decay(position - resting, velocity, halflife_s, dt)
    return offset + resting, velocity


def steer(
    position: Array, velocity: Array, acceleration: Array, goal_velocity: Array, halflife_s: Real, dt: Real
) -> tuple[Array, Array, Array]:
    """Velocity form: the velocity springs towards ``goal_velocity``; the place is its exact integral (RMM 11).

    ``dt`` may be an array of times ahead that broadcasts against the state; so a whole trajectory comes from one call.

    Returns:
        Position [m], velocity [m/s] and acceleration [m/s2] after ``dt``.
    """
    y = rate(halflife_s)
    j0 = velocity - goal_velocity
    j1 = acceleration + j0 * y
    fade = np.exp(-y * dt)
    place = fade * (-j1 / y**2 + (-j0 - j1 * dt) / y) + j1 / y**2 + j0 / y + goal_velocity * dt + position
    return place, fade * (j0 + j1 * dt) + goal_velocity, fade * (acceleration - j1 * y * dt)


def follow_rotation(rotation: Array, spin: Array, goal: Array, halflife_s: Real, dt: Real) -> tuple[Array, Array]:
    """Turn towards ``goal`` the short way.

    Args:
        rotation: Unit quaternions (..., 4).
        spin: Angular velocity in the world's frame, [rad/s]. Shape (..., 3).
        goal: Unit quaternions (..., 4).
        halflife_s: Time scale, [s].
        dt: Step, [s].

    Returns:
        Rotation and spin after ``dt``.
    """
    offset = quat.to_rotation_vector(quat.multiply(rotation, quat.inverse(goal)))
    offset, spin = decay(offset, spin, halflife_s, dt)
    return quat.normalize(quat.multiply(quat.from_rotation_vector(offset), goal)), spin
