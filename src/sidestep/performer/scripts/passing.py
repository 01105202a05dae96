"""Making way: turned torsos, shoulder leads, squeezing sideways, waiting."""

from __future__ import annotations

import numpy as np

from ...motion.clip import Clip
from ..act import perform_score
from ..tasks import Rng, sign_of, task
from .locomotion import around, new_score


@task("pass", 150)
def passing(rng: Rng, name: str) -> Clip:
    """Walk past people: the torso turns, 15 to 80 degrees, a shoulder leads, the speed drops a little."""
    score, side = new_score(rng).go(0.6, "idle"), sign_of(rng, name)
    speed = rng.uniform(0.6, 1.6)
    score.go(rng.uniform(1.0, 1.6), "walk", speed_mps=speed)
    for _ in range(4):
        twist = side * np.radians(rng.uniform(15, 88))
        slower = speed * (1 - 0.25 * abs(twist) / 1.4)
        aside = rng.choice([0.0, 0.0, 1.0]) * -side * rng.uniform(0.1, 0.3)
        score.go(
            rng.uniform(0.7, 2.0), "pass", speed_mps=slower, twist_rad=twist, left_mps=aside,
            face_rad=twist * rng.uniform(0, 0.35), look_rad=-twist * 0.3,
        )  # fmt: skip
        score.go(rng.uniform(0.3, 1.1), "walk", speed_mps=speed, course_rps=rng.normal(0, 0.15))
        side = -side if rng.random() < 0.6 else side
    return perform_score(score.go(1.2, "idle"), name)


@task("pass_running", 105)
def passing_running(rng: Rng, name: str) -> Clip:
    """Run past people with the torso turned."""
    score, side = new_score(rng).go(0.6, "idle"), sign_of(rng, name)
    speed = rng.uniform(2.2, 3.4)
    score.go(1.4, "run", speed_mps=speed)
    for _ in range(3):
        twist = side * np.radians(rng.uniform(35, 96))
        score.go(
            rng.uniform(0.7, 1.3), "pass", speed_mps=speed * 0.92, twist_rad=twist, left_mps=-side * rng.uniform(0, 0.3)
        )
        score.go(rng.uniform(0.5, 1.0), "run", speed_mps=speed)
        side = -side
    return perform_score(score.go(1.8, "idle"), name)


@task("squeeze", 105)
def squeeze(rng: Rng, name: str) -> Clip:
    """Turn sideways while walking, squeeze through with the arms tucked, turn back and go on."""
    score, side = new_score(rng).go(0.5, "idle"), sign_of(rng, name)
    for _ in range(2):
        speed = around(rng, 1.1, 0.25)
        score.go(rng.uniform(1.2, 1.8), "walk", speed_mps=speed)
        start = score.seconds
        slow = rng.uniform(0.25, 0.6)
        face = side * rng.uniform(1.25, 1.62)
        score.go(0.6, "squeeze", speed_mps=(speed + slow) / 2, face_rad=face * 0.8)
        look = -np.sign(face) * rng.uniform(0.7, 1.1)
        score.go(
            rng.uniform(1.4, 3.2),
            "squeeze",
            speed_mps=slow,
            face_rad=face,
            look_rad=look,
            width_m=-0.03,
            cross=float(rng.random() < 0.25),
        )
        score.go(0.4, "squeeze", speed_mps=(speed + slow) / 2, face_rad=face * 0.4)
        score.hold("tucked", start + 0.1, score.seconds + 0.1)
        score.go(rng.uniform(0.8, 1.4), "walk", speed_mps=speed)
        side = -side if rng.random() < 0.6 else side
    return perform_score(score.go(1.2, "idle"), name)


@task("slot", 75)
def slot(rng: Rng, name: str) -> Clip:
    """Walk or run up to a slot hardly deeper than a chest, shuffle through it sideways with flat arms, go on."""
    score, side = new_score(rng).go(0.5, "idle"), sign_of(rng, name)
    for _ in range(2):
        speed = rng.uniform(1.0, 2.4)
        score.go(rng.uniform(1.2, 1.8), "run" if speed > 2.0 else "walk", speed_mps=speed)
        start = score.seconds
        slow = rng.uniform(0.22, 0.5)
        face = side * np.pi / 2
        score.go(0.5, "squeeze", speed_mps=(speed + slow) / 2, face_rad=face * 0.5)
        score.go(0.5, "squeeze", speed_mps=slow, face_rad=face)
        look = -np.sign(face) * rng.uniform(0.9, 1.2)
        score.go(
            rng.uniform(2.5, 6.0),
            "squeeze",
            speed_mps=slow,
            face_rad=face,
            look_rad=look,
            width_m=-0.02,
            lift_m=-0.05,
            splay_rad=rng.uniform(0.95, 1.2),
        )
        score.go(0.4, "squeeze", speed_mps=slow, face_rad=face * 0.9)
        score.hold("flat", start + 0.2, score.seconds + 0.1)
        score.go(rng.uniform(1.0, 1.6), "run" if speed > 2.0 else "walk", speed_mps=speed)
        side = -side if rng.random() < 0.6 else side
    return perform_score(score.go(1.2, "idle"), name)


@task("wait", 45)
def wait(rng: Rng, name: str) -> Clip:
    """Walk up, stop short, let somebody pass, step back or aside, go on."""
    score, side = new_score(rng).go(0.4, "idle"), sign_of(rng, name)
    for _ in range(2):
        score.go(rng.uniform(1.2, 2.2), "walk", speed_mps=rng.uniform(0.9, 1.5))
        if rng.random() < 0.5:
            score.go(rng.uniform(0.5, 0.9), "backward", ahead_mps=-rng.uniform(0.4, 0.8), lean_rad=-0.04)
        elif rng.random() < 0.6:
            score.go(rng.uniform(0.6, 0.9), "sidestep", left_mps=side * rng.uniform(0.5, 0.9), twist_rad=side * 0.5)
        score.go(rng.uniform(0.8, 2.0), "idle", look_rad=side * rng.uniform(0.2, 0.9), shift_m=side * 0.03)
        side = -side
    score.go(1.4, "walk", speed_mps=1.2)
    return perform_score(score.go(1.2, "idle"), name)
