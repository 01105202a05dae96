"""Three styles with their own tasks: a large box, a long prop, elbows out. What is held counts as body."""

from __future__ import annotations

from ...motion.clip import Clip, Prop
from ..act import perform_score
from ..score import Score
from ..tasks import Rng, sign_of, task
from .locomotion import new_score

BOX = Prop("box", "LeftHand", "box", (0.42, 0.34, 0.36), (0.09, -0.20, 0.0))
ROD = Prop("rod", "LeftHand", "rod", (0.05, 0.05, 1.60), (0.09, -0.035, 0.24))


def _through(score: Score, rng: Rng, side: float, style: str, wide: str, narrow: str) -> None:
    """Walk about in the wide hold; draw it in for a narrow place; widen again. All the ways of getting about."""
    start = score.seconds
    spans = []
    for _ in range(3):
        kind = rng.integers(6)
        speed = rng.uniform(0.6, 1.5)
        if kind == 0:
            score.go(rng.uniform(1.0, 2.0), style, left_mps=side * rng.uniform(0.3, 0.7))
        elif kind == 1:
            score.go(rng.uniform(1.0, 1.8), style, ahead_mps=-rng.uniform(0.4, 0.8))
        elif kind == 2:
            score.turn(side * rng.uniform(0.9, 2.6), 1.4, style).go(0.6, style)
        else:
            score.go(rng.uniform(1.4, 2.4), style, speed_mps=speed, course_rps=rng.normal(0, 0.4))
        begin = score.seconds
        score.go(rng.uniform(1.6, 2.8), f"{style} narrow", speed_mps=speed * 0.85, course_rps=rng.normal(0, 0.15))
        spans.append((begin, score.seconds))
        if rng.random() < 0.35:
            score.go(rng.uniform(0.8, 1.4), style)
        side = -side
    score.go(rng.uniform(1.0, 1.8), style, speed_mps=1.1).go(1.3, style)
    at = start - 5.0
    for begin, stop in spans:
        score.hold(wide, at, begin).hold(narrow, begin, stop)
        at = stop
    score.hold(wide, at, score.seconds + 5.0)


def _take(rng: Rng, name: str, style: str, wide: str, narrow: str, props: tuple[Prop, ...]) -> Clip:
    score = new_score(rng).go(0.8, style)
    _through(score, rng, sign_of(rng, name), style, wide, narrow)
    score.tags.append((f"style {style}", 0.0, score.seconds))
    return perform_score(score, name, props)


@task("box", 80)
def box(rng: Rng, name: str) -> Clip:
    """Carry a large box at the side; raise it overhead where it is narrow."""
    return _take(rng, name, "box", "box_side", "box_over", (BOX,))


@task("rod", 75)
def rod(rng: Rng, name: str) -> Clip:
    """Hold a long prop across the body; lower it along the way where it is narrow."""
    return _take(rng, name, "rod", "rod_across", "rod_low", (ROD,))


@task("elbows", 75)
def elbows(rng: Rng, name: str) -> Clip:
    """Walk with hands on the hips and elbows out; draw them in where it is narrow."""
    return _take(rng, name, "elbows", "elbows_out", "elbows_in", ())
