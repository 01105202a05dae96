"""On the floor: creeping on hands and knees, lying down, crawling, coming up again."""

from __future__ import annotations

from ...motion.clip import Clip
from ..floor import FloorScore, perform_floor
from ..tasks import Rng, sign_of, task


@task("creep", 80)
def creep(rng: Rng, name: str) -> Clip:
    """Go down on hands and knees, creep at up to 0.8 m/s, straight and curved, and stand up."""
    score, side = FloorScore(int(rng.integers(1 << 30))), sign_of(rng, name)
    score.go(rng.uniform(0.5, 0.9), 0.0, "idle").go(2.2, 1.0, "go down")
    for _ in range(3):
        score.go(rng.uniform(2.0, 3.4), 1.0, "creep", speed=rng.uniform(0.3, 0.85), turn=side * rng.uniform(0, 0.45))
        if rng.random() < 0.3:
            score.go(rng.uniform(0.4, 0.9), 1.0, "creep")
        side = -side
    score.go(0.7, 1.0, "creep").go(2.9, 0.0, "stand up").go(rng.uniform(0.6, 1.0), 0.0, "idle")
    return perform_floor(score, name)


@task("crawl", 80)
def crawl(rng: Rng, name: str) -> Clip:
    """Go down to lying, crawl flat (all of the body under 0.6 m), and get up again."""
    score, side = FloorScore(int(rng.integers(1 << 30))), sign_of(rng, name)
    score.go(rng.uniform(0.5, 0.8), 0.0, "idle").go(2.0, 1.0, "go down")
    if rng.random() < 0.5:
        score.go(rng.uniform(1.2, 2.0), 1.0, "creep", speed=0.6)
    score.go(2.2, 2.0, "lie down").go(rng.uniform(0.4, 1.0), 2.0, "lie")
    for _ in range(2):
        score.go(rng.uniform(2.0, 3.5), 2.0, "crawl", speed=rng.uniform(0.18, 0.45), turn=side * rng.uniform(0, 0.25))
        side = -side
    score.go(rng.uniform(0.5, 1.0), 2.0, "lie").go(2.4, 1.0, "rise")
    if rng.random() < 0.5:
        score.go(rng.uniform(1.0, 2.0), 1.0, "creep", speed=0.6).go(0.6, 1.0, "creep")
    score.go(3.0, 0.0, "stand up").go(rng.uniform(0.6, 1.0), 0.0, "idle")
    return perform_floor(score, name)
