"""A dance and a punch."""

from __future__ import annotations

import numpy as np

from ...motion.clip import Clip
from ..act import perform_score
from ..tasks import Rng, sign_of, task
from .locomotion import new_score


@task("dance", 45)
def dance(rng: Rng, name: str) -> Clip:
    """A dance to 108 beats a minute: side steps, bounces, turns, arms up and down."""
    score, side = new_score(rng), sign_of(rng, name)
    score.quick = 1.9
    beat = 60 / 108
    score.go(2 * beat, "idle")
    for bar in range(7):
        figure = bar % 4
        start = score.seconds
        for k in range(4):
            down = 0.085 if k % 2 == 0 else 0.02
            swing = side * (1 if k % 2 == 0 else -1)
            if figure == 0:
                score.go(
                    beat,
                    "dance",
                    left_mps=side * 0.55,
                    drop_m=down,
                    twist_rad=-0.25 * swing,
                    tilt_rad=0.08 * swing,
                    nod_rad=0.1 * (k % 2),
                )
            elif figure == 1:
                score.go(
                    beat, "dance", shift_m=0.09 * swing, drop_m=down, twist_rad=0.45 * swing, tilt_rad=-0.10 * swing
                )
            elif figure == 2:
                score.go(beat, "dance", turn_rps=side * np.pi / 2 / beat, drop_m=down, lean_rad=0.05)
            else:
                score.go(
                    beat,
                    "dance",
                    ahead_mps=0.5 if k < 2 else -0.5,
                    drop_m=down * 1.4,
                    twist_rad=0.3 * swing,
                    nod_rad=0.15 * (k % 2),
                )
        if figure in (1, 3):
            score.hold("raised" if bar % 8 < 4 else "wide", start + 0.2, score.seconds - 0.1, 0.9)
        side = -side if figure == 3 else side
    return perform_score(score.go(1.3, "idle"), name)


@task("punch", 35)
def punch(rng: Rng, name: str) -> Clip:
    """Guard up, straight punches with both fists, stepping in and out."""
    score, side = new_score(rng), sign_of(rng, name)
    score.quick = 1.8
    score.go(0.8, "idle")
    start = score.seconds
    score.go(0.5, "punch", turn_rps=-side * 0.5, width_m=0.1, drop_m=0.04)
    for _ in range(6):
        time = score.seconds + 0.16
        hand = "left" if rng.random() < 0.5 else "right"
        turn = -1.0 if hand == "left" else 1.0
        score.act(f"punch_{hand}", time, rng.uniform(0.85, 1.0))
        step = rng.choice([0.0, 0.5, -0.4])
        score.go(
            0.30, "punch", twist_rad=0.55 * turn, ahead_mps=step, width_m=0.1, drop_m=0.05, lean_rad=0.08, pitch=0.3
        )
        score.go(
            rng.uniform(0.3, 0.8),
            "punch",
            twist_rad=-0.12 * turn,
            width_m=0.1,
            drop_m=0.04,
            ahead_mps=-0.5 * step,
            pitch=0.3,
        )
    score.hold("guard", start + 0.1, score.seconds)
    return perform_score(score.go(1.4, "idle"), name)
