"""How steps depend on speed and direction (figures: GAIT, gait research, rounded)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RUN_FROM_MPS = 2.05
"""Walking becomes running here (Froude number about 0.5)."""
WALK_RATIO = 0.0065
"""Step length over steps a minute, [m min]."""


def blend(value: float, low: float, high: float) -> float:
    """0 below ``low``, 1 above ``high``, smooth between."""
    t = min(max((value - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


@dataclass(frozen=True)
class Gait:
    """One step's parameters."""

    step_s: float
    """From one landing to the next."""
    duty: float
    """Share of the stride in which a foot stands."""
    width_m: float
    """Between the feet, across the facing."""
    strike_rad: float
    """Toes up at landing."""
    push_rad: float
    """Heel up at take-off."""
    lift_m: float
    """How much the swinging ankle is raised."""
    run: float
    """0 walking, 1 running."""
    front_m: float = 0.0
    """How far a crossing foot passes ahead of the other."""

    back: float = 0.0
    """1 walking backwards: toes land first, heels leave last."""

    @property
    def swing_s(self) -> float:
        """How long a foot is in the air."""
        return (1 - self.duty) * 2 * self.step_s

    @property
    def stance_s(self) -> float:
        """How long a foot stands."""
        return self.duty * 2 * self.step_s


def gait_of(ahead_mps: float, left_mps: float, turn_rps: float, cross: float, drop_m: float) -> Gait:
    """The steps of a body that travels like this in its own frame."""
    speed = float(np.hypot(ahead_mps, left_mps))
    side = left_mps**2 / max(speed**2, 1e-6) if speed > 0.05 else 0.0
    back = 1.0 if ahead_mps < 0 else 0.0
    # Backwards a run begins sooner; it has its own, flatter steps.
    run = blend(speed, RUN_FROM_MPS - 0.12, RUN_FROM_MPS + 0.12) * (1 - side) * (1 - back)
    back_run = back * blend(speed, 1.3, 1.6)

    ratio = WALK_RATIO * (1 - 0.22 * back)
    walk_hz = np.sqrt(max(speed + 0.06 * max(1.2 - speed, 0), 0.16) / (60 * ratio))
    run_hz = 2.22 + 0.155 * speed
    forward_hz = walk_hz * (1 - run) + run_hz * run + 0.35 * back_run
    side_hz = (1.55 + 1.45 * speed) * (1 - cross) + (1.25 + 0.85 * speed) * cross
    hz = forward_hz * (1 - side) + side_hz * side
    # Turning on the spot wants steps although nothing travels.
    hz = max(hz, 1.55 * blend(abs(turn_rps), 0.2, 1.0), 0.95)
    # Bent legs take shorter, quicker steps.
    hz *= 1 + 0.35 * min(drop_m / 0.35, 1.0)

    duty_walk = max(0.680 - 0.085 * speed, 0.545)
    duty_run = max(0.335 - 0.035 * (speed - 2.0), 0.25)
    duty = duty_walk * (1 - run) + duty_run * run
    duty = duty * (1 - 0.1 * back_run) - 0.03 * back
    step_s = 1 / hz

    stand = 0.19 - 0.085 * blend(speed, 0.15, 0.8)
    forward_width = stand * (1 - run) + 0.055 * run + 0.03 * back + 0.05 * min(abs(turn_rps) / 2, 1.0) * (1 - run)
    closing = abs(left_mps) * step_s + 0.15
    side_width = closing * (1 - cross) + 0.05 * cross
    width = forward_width * (1 - side) + side_width * side

    strike = np.radians((5 + 13 * min(speed, 1.5)) * (1 - run) + 4 * run)
    strike = strike * (1 - back) - np.radians(22 + 10 * min(speed, 1.3)) * back * blend(speed, 0.1, 0.4)
    strike = strike * (1 - side) - np.radians(4) * side
    push = np.radians((26 + 20 * min(speed, 1.6)) * (1 - run) + 66 * run)
    push = push * (1 - 0.6 * side)
    push = push * blend(speed, -0.15, 0.5) + np.radians(9) * (1 - blend(speed, -0.15, 0.5))
    # Backwards it is the toes that rise before the heel leaves.
    push = push * (1 - back) - np.radians(4 + 6 * speed) * back * (1 - side)
    lift = 0.012 - 0.006 * min(speed, 2) + (-0.02 + 0.012 * (speed - 2)) * run + 0.01 * side + 0.03 * back
    front = 0.20 * cross * side
    return Gait(step_s, duty, width, float(strike), float(push), lift, run, front, back * (1 - side))
