"""Over and under: stepping over, jumping, ducking."""

from __future__ import annotations

import numpy as np

from ...motion.clip import Clip
from ..act import perform_score
from ..tasks import Rng, sign_of, task
from .locomotion import around, new_score


@task("step_over", 35)
def step_over(rng: Rng, name: str) -> Clip:
    """Walk and step high over things, 0.15 to 0.4 m."""
    score = new_score(rng).go(0.6, "idle")
    speed = rng.uniform(0.6, 1.2)
    for _ in range(3):
        score.go(rng.uniform(1.3, 2.2), "walk", speed_mps=speed)
        height = rng.uniform(0.15, 0.40)
        score.go(1.15 / max(speed, 0.5), "step over", speed_mps=speed * 0.8, lift_m=height, nod_rad=0.25, lean_rad=0.06)
    score.go(rng.uniform(1.0, 1.6), "walk", speed_mps=speed)
    return perform_score(score.go(1.2, "idle"), name)


@task("jump", 60)
def jump(rng: Rng, name: str) -> Clip:
    """Jump from a stand, on the spot, ahead, back or aside."""
    score, side = new_score(rng).go(1.2, "idle"), sign_of(rng, name)
    for _ in range(3):
        height = rng.uniform(0.12, 0.55)
        air = 2 * np.sqrt(2 * (0.07 + 0.42 * height) / 9.81)
        ahead, left = rng.choice([0.0, 1.2, 1.8, -0.7]), rng.choice([0.0, 0.0, 0.8 * side])
        takeoff = score.seconds + 0.45
        score.go(0.30, "jump").go(0.15 + air + 0.1, "jump", ahead_mps=ahead, left_mps=left)
        score.act("jump", takeoff, height)
        score.go(rng.uniform(1.3, 1.9), "idle")
        side = -side
    return perform_score(score, name)


@task("leap", 95)
def leap(rng: Rng, name: str) -> Clip:
    """Walk or run and leap over a fence of 0.2 to 0.6 m, from one foot to the other."""
    score = new_score(rng).go(0.6, "idle")
    running = rng.random() < 0.6
    speed = rng.uniform(2.4, 3.6) if running else rng.uniform(1.2, 1.8)
    tag = "run" if running else "walk"
    for _ in range(3):
        score.go(rng.uniform(1.5, 2.2), tag, speed_mps=speed)
        height = rng.uniform(0.2, 0.62)
        score.act("leap", score.seconds + 0.25, height)
        score.go(0.25 + 0.75, "jump", speed_mps=speed * 0.95)
    score.go(1.4, tag, speed_mps=speed)
    return perform_score(score.go(1.9, "idle"), name)


@task("walk_jump", 35)
def walk_jump(rng: Rng, name: str) -> Clip:
    """Walk, gather both feet, jump ahead over something, land on both and walk on."""
    score = new_score(rng).go(0.5, "idle")
    for _ in range(2):
        speed = rng.uniform(0.9, 1.4)
        score.go(rng.uniform(1.4, 2.0), "walk", speed_mps=speed)
        height = rng.uniform(0.15, 0.5)
        air = 2 * np.sqrt(2 * (0.07 + 0.42 * height) / 9.81)
        score.go(0.75, "jump", speed_mps=0.25)
        score.act("jump", score.seconds, height)
        score.go(air, "jump", speed_mps=rng.uniform(1.2, 2.0)).go(0.5, "jump", speed_mps=0.2)
    score.go(1.5, "walk", speed_mps=1.1)
    return perform_score(score.go(1.2, "idle"), name)


@task("duck", 125)
def duck(rng: Rng, name: str) -> Clip:
    """Duck under a bar and walk crouched, the head down to 1.0 m, at several speeds, also turning and sideways."""
    score, side = new_score(rng).go(0.5, "idle"), sign_of(rng, name)
    score.go(rng.uniform(1.0, 1.6), "walk", speed_mps=rng.uniform(0.8, 1.4))
    for _ in range(3):
        drop = rng.uniform(0.12, 0.50)
        speed = rng.uniform(0.4, 1.1) * (1 - 0.6 * drop)
        start = score.seconds
        score.go(
            rng.uniform(1.6, 3.2), "crouch", speed_mps=speed, drop_m=drop,
            lean_rad=0.25 + 1.0 * drop + 1.6 * max(drop - 0.36, 0.0),
            course_rps=rng.normal(0, 0.25),
            face_rad=float(rng.choice([0.0, 0.0, 0.0, 1.3 * side, 3.0 * side * (drop < 0.25)])), nod_rad=-0.2,
        )  # fmt: skip
        if rng.random() < 0.4:
            score.hold("cover" if rng.random() < 0.5 else "knees", start + 0.2, score.seconds - 0.2, 0.9)
        if rng.random() < 0.6:
            score.go(rng.uniform(0.8, 1.6), "walk", speed_mps=rng.uniform(0.7, 1.3))
        side = -side
    return perform_score(score.go(1.4, "idle"), name)


@task("crouch_idle", 30)
def crouch_idle(rng: Rng, name: str) -> Clip:
    """Stand, go down into a crouch, look around, come up; also a quick bob under something that flies by."""
    score, side = new_score(rng).go(0.8, "idle"), sign_of(rng, name)
    score.go(rng.uniform(1.5, 2.5), "crouch", drop_m=around(rng, 0.36), lean_rad=0.55, look_rad=side * 0.5)
    score.go(rng.uniform(1.0, 1.6), "idle")
    score.go(0.55, "crouch", drop_m=0.30, lean_rad=0.75, nod_rad=0.3, twist_rad=side * 0.3)
    score.go(rng.uniform(1.0, 1.4), "idle")
    score.go(rng.uniform(1.2, 2.0), "crouch", drop_m=around(rng, 0.44, 0.05), lean_rad=0.75, turn_rps=side * 0.6)
    return perform_score(score.go(1.4, "idle"), name)
