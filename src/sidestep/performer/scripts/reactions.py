"""What the world does to a body: pushes from all sides, pulls at the arms, things that come flying."""

from __future__ import annotations

import numpy as np

from ...motion.clip import Clip
from ..act import perform_score
from ..score import Score
from ..tasks import Rng, sign_of, task
from .locomotion import new_score


def _push(score: Score, angle: float, size: float, speed: float) -> None:
    """A shove towards ``angle`` (0 ahead, positive to the left): the trunk gives way, the feet run after it."""
    ahead, left = np.cos(angle), np.sin(angle)
    start = score.seconds
    score.act("push", start)
    score.go(
        0.30, "push", ahead_mps=1.25 * size * ahead + speed, left_mps=1.15 * size * left,
        lean_rad=0.30 * size * ahead, tilt_rad=0.28 * size * left, nod_rad=-0.15 * size * ahead,
    )  # fmt: skip
    score.go(
        0.45, "push", ahead_mps=0.75 * size * ahead + 0.5 * speed, left_mps=0.65 * size * left,
        lean_rad=0.16 * size * ahead, tilt_rad=0.10 * size * left, drop_m=0.07 * size,
    )  # fmt: skip
    score.go(0.35, "recover", ahead_mps=0.1 * ahead + 0.6 * speed, lean_rad=-0.05 * size * ahead, drop_m=0.04 * size)
    if size > 0.6:
        score.hold("flail", start + 0.12, start + 0.75, min(0.45 + 0.4 * size, 0.95))


@task("push", 105)
def push(rng: Rng, name: str) -> Clip:
    """Be pushed from all sides, standing and walking, light and hard; stagger, recover."""
    score = new_score(rng)
    score.quick = 1.7
    walking = rng.random() < 0.4
    speed = rng.uniform(0.7, 1.3) if walking else 0.0
    turn = rng.uniform(0, 2 * np.pi)
    score.go(0.9, "idle")
    for k in range(4):
        if walking:
            score.go(rng.uniform(1.3, 2.0), "walk", ahead_mps=speed)
        # Four sides in turn, from anywhere in between.
        _push(score, turn + k * np.pi / 2 + rng.uniform(-0.5, 0.5), rng.uniform(0.35, 1.25), speed)
        score.go(rng.uniform(0.9, 1.6), "walk" if walking else "idle", ahead_mps=speed)
    return perform_score(score.go(1.2, "idle"), name)


@task("pull", 55)
def pull(rng: Rng, name: str) -> Clip:
    """Be pulled at an arm: it stretches, the shoulder follows, then the feet; it comes free."""
    score, side = new_score(rng), sign_of(rng, name)
    score.quick = 1.5
    score.go(0.9, "idle")
    for _ in range(3):
        hold = "pulled_left" if side > 0 else "pulled_right"
        start, size = score.seconds, rng.uniform(0.4, 1.0)
        ahead = rng.uniform(-0.4, 0.8)
        score.act(f"pull {'left' if side > 0 else 'right'}", start)
        score.go(0.30, "pull", twist_rad=-side * 0.35, tilt_rad=side * 0.16 * size)
        score.go(
            rng.uniform(0.5, 1.1), "pull", left_mps=side * 0.75 * size, ahead_mps=ahead * size, twist_rad=-side * 0.30,
            tilt_rad=side * 0.18 * size, look_rad=side * 0.7,
        )  # fmt: skip
        score.hold(hold, start + 0.05, score.seconds)
        score.go(rng.uniform(1.1, 1.8), "idle", tilt_rad=-side * 0.03)
        side = -side
    return perform_score(score, name)


@task("back_off", 50)
def back_off(rng: Rng, name: str) -> Clip:
    """Something big comes closer: step back facing it, hands up, dodge to a side."""
    score, side = new_score(rng), sign_of(rng, name)
    score.quick = 1.3
    score.go(0.6, "idle").go(rng.uniform(1.2, 2.0), "walk", ahead_mps=rng.uniform(0.8, 1.4))
    start = score.seconds
    score.go(0.35, "back off", lean_rad=-0.08)
    score.go(rng.uniform(1.6, 3.0), "backward", ahead_mps=-rng.uniform(0.7, 1.4), lean_rad=-0.03)
    if rng.random() < 0.6:
        score.hold("forward", start + 0.2, score.seconds, 0.75)
    if rng.random() < 0.6:
        score.go(0.7, "evade", left_mps=side * rng.uniform(0.8, 1.4), ahead_mps=-0.4, twist_rad=side * 0.5)
    score.go(rng.uniform(0.8, 1.4), "idle", look_rad=-side * 0.4)
    return perform_score(score.go(0.8, "idle"), name)
