"""A medley: one take that shows much of what the performer can do."""

from __future__ import annotations

import numpy as np

from ..errors import AskedWrongly
from ..motion.clip import Clip
from .act import perform_score
from .score import Score


def medley(seed: int = 0) -> Clip:
    """Walk, pass somebody, squeeze, duck, leap, run, stop, sidestep, turn, be pushed, step back: half a minute."""
    if seed < 0:
        raise AskedWrongly(f"seed {seed}: seeds count from zero")
    rng = np.random.default_rng([seed, 5])
    score, side = Score(int(rng.integers(1 << 30))), float(rng.choice([-1.0, 1.0]))
    score.go(1.2, "idle", shift_m=0.05 * side).go(2.2, "walk", speed_mps=1.3)
    score.go(1.4, "pass", speed_mps=1.15, twist_rad=1.1 * side).go(0.8, "walk", speed_mps=1.2)
    start = score.seconds
    score.go(2.4, "squeeze", speed_mps=0.5, face_rad=1.5 * side, look_rad=-0.9 * side)
    score.hold("tucked", start, score.seconds)
    score.go(1.2, "walk", speed_mps=1.2, course_rps=0.8 * side)
    score.go(2.4, "crouch", speed_mps=0.8, drop_m=0.32, lean_rad=0.55).go(1.0, "walk", speed_mps=1.5)
    score.go(1.8, "run", speed_mps=3.2).act("leap", score.seconds + 0.3, 0.4)
    score.go(1.1, "jump", speed_mps=3.1).go(1.6, "run", speed_mps=3.0, course_rps=-1.0 * side)
    score.go(2.0, "idle").go(2.4, "sidestep", left_mps=0.7 * side)
    score.turn(np.pi * side, 1.5, "turn").go(0.9, "idle")
    score.act("push", score.seconds)
    score.hold("flail", score.seconds + 0.1, score.seconds + 0.8)
    score.go(0.5, "push", ahead_mps=1.0, lean_rad=0.3).go(0.4, "push", ahead_mps=0.5, lean_rad=0.1, drop_m=0.06)
    score.go(1.2, "idle").go(1.8, "backward", ahead_mps=-0.8).go(1.0, "idle")
    return perform_score(score, "medley")
