"""Idle, walking, running, starting, stopping, turning, curves, backwards and sideways."""

from __future__ import annotations

import numpy as np

from ...motion.clip import Clip
from ..act import perform_score
from ..score import Score
from ..tasks import Rng, sign_of, task


def new_score(rng: Rng) -> Score:
    """A score with chance of its own; whoever starts, stood there before."""
    return Score(int(rng.integers(1 << 30))).go(rng.uniform(0.6, 1.0), "idle")


def around(rng: Rng, value: float, share: float = 0.12) -> float:
    """A value near ``value``."""
    return float(value * (1 + rng.uniform(-share, share)))


@task("idle", 70)
def idle(rng: Rng, name: str) -> Clip:
    """Stand, shift the weight from foot to foot, look around, now and then set a foot anew."""
    score = new_score(rng)
    side = sign_of(rng, name)
    for _ in range(9):
        side = -side if rng.random() < 0.8 else side
        score.go(
            rng.uniform(1.6, 3.6),
            "idle",
            shift_m=side * rng.uniform(0.02, 0.075),
            look_rad=float(rng.choice([0.0, 0.0, 0.7, -0.7, 0.35, -0.35])) * rng.uniform(0.6, 1.2),
            nod_rad=rng.uniform(-0.08, 0.16),
            lean_rad=rng.uniform(-0.02, 0.05),
            twist_rad=rng.normal(0, 0.10),
            tilt_rad=rng.normal(0, 0.025),
        )
        if rng.random() < 0.45:
            score.go(
                0.7, "idle", left_mps=rng.normal(0, 0.12), ahead_mps=rng.normal(0, 0.10), turn_rps=rng.normal(0, 0.35)
            )
    return perform_score(score, name)


@task("walk", 160)
def walk(rng: Rng, name: str) -> Clip:
    """Walk ahead at one speed after another, 0.4 to 1.9 m/s, with a start and a stop."""
    score = new_score(rng).go(rng.uniform(0.6, 1.2), "idle")
    speed = rng.uniform(0.4, 1.9)
    for _ in range(4):
        score.go(rng.uniform(2.6, 4.6), "walk", ahead_mps=speed, course_rps=rng.normal(0, 0.06))
        speed = float(np.clip(rng.uniform(0.4, 1.95), 0.4, 1.92))
    return perform_score(score.go(rng.uniform(1.0, 1.6), "idle"), name)


@task("run", 120)
def run(rng: Rng, name: str) -> Clip:
    """Walk, jog and run up to 4.5 m/s and back to a stand."""
    score = new_score(rng).go(rng.uniform(0.6, 1.0), "idle")
    score.go(rng.uniform(0.8, 1.6), "walk", ahead_mps=around(rng, 1.5))
    for _ in range(3):
        score.go(rng.uniform(2.4, 3.6), "run", ahead_mps=rng.uniform(2.2, 4.5), course_rps=rng.normal(0, 0.08))
    if rng.random() < 0.6:
        score.go(rng.uniform(1.0, 2.0), "walk", ahead_mps=around(rng, 1.3))
    return perform_score(score.go(rng.uniform(1.6, 2.2), "idle"), name)


@task("start_stop", 75)
def start_stop(rng: Rng, name: str) -> Clip:
    """Start and stop again and again: into a walk, a run, a step or two."""
    score = new_score(rng).go(0.8, "idle")
    for speed in rng.permutation([0.7, 1.2, 1.6, 2.8]):
        seconds = rng.uniform(1.2, 2.4)
        score.go(seconds, "run" if speed > 2 else "walk", ahead_mps=around(rng, speed), turn_rps=rng.normal(0, 0.1))
        score.go(rng.uniform(1.2, 2.0), "idle", look_rad=rng.normal(0, 0.3))
    return perform_score(score, name)


@task("turn_on_spot", 105)
def turn_on_spot(rng: Rng, name: str) -> Clip:
    """Turn on the spot by 30 to 180 degrees, both ways, at several speeds; sometimes walk off."""
    score, side = new_score(rng).go(0.8, "idle"), sign_of(rng, name)
    for degrees in rng.permutation([45, 90, 135, 180]):
        angle = np.radians(around(rng, degrees, 0.2)) * side
        score.turn(angle, abs(angle) / rng.uniform(1.4, 2.6), "turn")
        score.go(rng.uniform(0.7, 1.4), "idle")
        side = -side if rng.random() < 0.5 else side
    angle = side * rng.uniform(1.2, 2.6)
    score.turn(angle, abs(angle) / 2.2, "turn", ahead_mps=0.25).go(
        rng.uniform(1.4, 2.4), "walk", ahead_mps=around(rng, 1.25)
    )
    return perform_score(score.go(1.4, "idle"), name)


@task("curve", 125)
def curve(rng: Rng, name: str) -> Clip:
    """Walk and run tight and wide curves to both sides; slower where it is tight."""
    score, side = new_score(rng).go(0.7, "idle"), sign_of(rng, name)
    running = rng.random() < 0.3
    for _ in range(4):
        radius = rng.uniform(1.6, 5.0) if running else rng.choice([0.45, 0.7, 1.1, 1.8, 3.0]) * rng.uniform(0.85, 1.15)
        # Speed falls with about the cube root of curvature.
        speed = (3.0 if running else 1.25) * min((radius / 1.8) ** (1 / 3), 1.2) * rng.uniform(0.85, 1.1)
        angle = rng.uniform(0.9, 3.6)
        tag = "run" if speed > 2.05 else "walk"
        score.go(angle * radius / speed, tag, speed_mps=speed, course_rps=side * speed / radius)
        score.go(rng.uniform(0.3, 1.2), tag, speed_mps=speed)
        side = -side if rng.random() < 0.7 else side
    return perform_score(score.go(1.8 if running else 1.3, "idle"), name)


@task("sharp_turn", 80)
def sharp_turn(rng: Rng, name: str) -> Clip:
    """Walk or run, then turn 60 to 180 degrees within a few steps and go on."""
    score, side = new_score(rng).go(0.6, "idle"), sign_of(rng, name)
    running = rng.random() < 0.35
    for _ in range(4):
        speed = rng.uniform(2.2, 3.4) if running else rng.uniform(0.8, 1.7)
        tag = "run" if running else "walk"
        score.go(rng.uniform(1.3, 2.2), tag, speed_mps=speed)
        angle = side * np.radians(rng.choice([60, 90, 135, 180]))
        score.go(
            abs(angle) / (3.4 if not running else 3.8), "turn", speed_mps=speed * 0.45, course_rps=np.sign(angle) * 3.4
        )
        side = -side if rng.random() < 0.6 else side
    score.go(1.2, "walk", speed_mps=1.1)
    return perform_score(score.go(1.4, "idle"), name)


@task("zigzag", 85)
def zigzag(rng: Rng, name: str) -> Clip:
    """Weave as between cones, walking and running, facing along the way or keeping the front."""
    score, side = new_score(rng).go(0.6, "idle"), sign_of(rng, name)
    running = rng.random() < 0.3
    speed = rng.uniform(2.2, 3.0) if running else rng.uniform(0.7, 1.5)
    keep = rng.random() < 0.4
    angle = rng.uniform(0.4, 0.95)
    score.go(1.2, "walk", speed_mps=speed)
    for _ in range(7):
        turn = 0.40 if running else 0.55
        face = -side * angle * 0.5 if keep else 0.0
        score.go(turn, "zigzag", speed_mps=speed, course_rps=side * 2 * angle / turn, face_rad=face * 0.5)
        score.go(rng.uniform(0.25, 0.7), "zigzag", speed_mps=speed, face_rad=face)
        side = -side
    return perform_score(score.go(1.6, "idle"), name)


@task("figure_eight", 105)
def figure_eight(rng: Rng, name: str) -> Clip:
    """Walk figure eights round two cones and evade somebody who is not there (AVOID 4)."""
    score, side = new_score(rng).go(0.6, "idle"), sign_of(rng, name)
    running = rng.random() < 0.25
    speed = rng.uniform(2.1, 2.8) if running else rng.uniform(0.8, 1.4)
    radius = rng.uniform(1.4, 2.0) if running else rng.uniform(0.65, 1.1)
    tag = "run" if running else "walk"
    for _ in range(2):
        for _ in range(2):
            lap = 3.9 * radius / speed
            score.go(lap, tag, speed_mps=speed, course_rps=side * speed / radius)
            score.go(rng.uniform(0.3, 0.6), tag, speed_mps=speed)
            if rng.random() < 0.7:
                _evade(score, rng, speed, tag)
            score.go(rng.uniform(0.3, 0.8), tag, speed_mps=speed)
            side = -side
    return perform_score(score.go(1.5, "idle"), name)


def _evade(score: Score, rng: Rng, speed: float, tag: str) -> None:
    """A dodge: a sidestep out of the line, a turned shoulder, or a brake."""
    way = float(rng.choice([-1.0, 1.0]))
    kind = rng.integers(3)
    if kind == 0:
        score.go(0.55, "evade", speed_mps=speed * 0.9, left_mps=way * 0.9, twist_rad=-way * 0.4)
        score.go(0.55, "evade", speed_mps=speed, left_mps=-way * 0.7)
    elif kind == 1:
        score.go(0.9, "evade", speed_mps=speed * 0.85, twist_rad=way * 1.1, left_mps=way * 0.25, look_rad=-way * 0.3)
        score.go(0.4, tag, speed_mps=speed)
    else:
        score.go(0.6, "evade", speed_mps=speed * 0.25, lean_rad=-0.05)
        score.go(0.5, tag, speed_mps=speed, left_mps=way * 0.4)


@task("backward", 140)
def backward(rng: Rng, name: str) -> Clip:
    """Walk and jog backwards, straight and curved, also out of a walk ahead and back into it."""
    score, side = new_score(rng).go(0.8, "idle"), sign_of(rng, name)
    score.go(rng.uniform(2.2, 3.6), "backward", ahead_mps=-rng.uniform(0.35, 1.2), turn_rps=side * rng.uniform(0, 0.5))
    if rng.random() < 0.5:
        score.go(rng.uniform(0.5, 1.0), "idle")
    if rng.random() < 0.6:
        score.go(rng.uniform(1.2, 2.0), "walk", ahead_mps=rng.uniform(0.7, 1.5))
        score.go(rng.uniform(1.6, 2.6), "backward", ahead_mps=-rng.uniform(0.5, 1.1), look_rad=side * 0.4)
    if rng.random() < 0.5:
        score.go(rng.uniform(1.8, 2.6), "backward", ahead_mps=-rng.uniform(1.5, 2.2))
    # Turn round to where it goes.
    if rng.random() < 0.5:
        score.go(0.9, "backward", speed_mps=0.8, face_rad=side * 3.0).go(
            1.0, "turn", speed_mps=0.9, face_rad=side * 1.5
        )
        score.go(rng.uniform(1.0, 1.8), "walk", speed_mps=1.2)
    return perform_score(score.go(1.3, "idle"), name)


@task("sidestep", 170)
def sidestep(rng: Rng, name: str) -> Clip:
    """Step sideways, 0.2 to 1.5 m/s, closing or crossing, both ways, also out of a walk and while turning a little."""
    score, side = new_score(rng).go(0.7, "idle"), sign_of(rng, name)
    if rng.random() < 0.4:
        score.go(rng.uniform(1.0, 1.8), "walk", ahead_mps=rng.uniform(0.6, 1.3))
    for _ in range(3):
        cross = float(rng.random() < 0.4)
        speed = rng.uniform(0.5, 1.45) if cross else rng.uniform(0.2, 1.25)
        score.go(
            rng.uniform(1.6, 2.8), "sidestep", left_mps=side * speed, cross=cross, look_rad=side * rng.uniform(0, 0.6),
            turn_rps=rng.normal(0, 0.12),
        )  # fmt: skip
        if rng.random() < 0.7:
            score.go(rng.uniform(0.5, 1.0), "idle")
        side = -side
    if rng.random() < 0.4:
        score.go(rng.uniform(1.2, 2.0), "walk", ahead_mps=rng.uniform(0.6, 1.4))
    return perform_score(score.go(1.1, "idle"), name)


@task("diagonal", 90)
def diagonal(rng: Rng, name: str) -> Clip:
    """Go diagonally, ahead and back, the front kept; changing from one diagonal to another."""
    score, side = new_score(rng).go(0.7, "idle"), sign_of(rng, name)
    for _ in range(4):
        back = rng.random() < 0.3
        speed = rng.uniform(0.4, 0.9) if back else rng.uniform(0.4, 1.5)
        angle = rng.uniform(0.45, 1.25)
        ahead = -0.8 if back else 1.0
        score.go(
            rng.uniform(1.6, 2.8),
            "diagonal",
            ahead_mps=ahead * speed * np.cos(angle),
            left_mps=side * speed * np.sin(angle),
        )
        side = -side if rng.random() < 0.7 else side
    return perform_score(score.go(1.2, "idle"), name)


@task("wander", 105)
def wander(rng: Rng, name: str) -> Clip:
    """Change between everything: walk, run, sideways, backwards, turns and stands, in one go."""
    score, side = new_score(rng).go(0.5, "idle"), sign_of(rng, name)
    for _ in range(8):
        kind = rng.integers(7)
        seconds = rng.uniform(0.9, 2.0)
        if kind == 0:
            score.go(seconds, "walk", speed_mps=rng.uniform(0.5, 1.8), course_rps=rng.normal(0, 0.5))
        elif kind == 1:
            score.go(seconds, "run", speed_mps=rng.uniform(2.2, 3.6), course_rps=rng.normal(0, 0.3))
        elif kind == 2:
            score.go(seconds, "sidestep", left_mps=side * rng.uniform(0.3, 1.0))
        elif kind == 3:
            score.go(seconds, "backward", ahead_mps=-rng.uniform(0.4, 1.1))
        elif kind == 4:
            score.go(seconds, "idle")
        elif kind == 5:
            score.turn(side * rng.uniform(0.8, 2.4), seconds, "turn", speed_mps=rng.uniform(0, 0.6))
        else:
            score.go(seconds, "diagonal", ahead_mps=rng.uniform(0.4, 1.0), left_mps=side * rng.uniform(0.3, 0.8))
        side = -side if rng.random() < 0.5 else side
    return perform_score(score.go(1.3, "idle"), name)
