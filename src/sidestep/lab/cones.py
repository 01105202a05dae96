"""sidestep lab cones: EMM Table 1, and beyond it: a path through a field of cones, searched in many ways."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..arrays import Array
from ..controllers import Matching, MotionMatching
from ..controllers.matching import index_of, papers_of
from ..database import Database
from ..errors import SidestepError
from ..machine import machine
from ..motion.feet import foot_slide
from ..search import Environment, Paper, Question, brute_many, exact_many, paper_many
from ..stage import Recording, Stage
from ..stage.field import cones_around, path_through
from ..stage.measures import TOUCH_M, contacts, course, runs, spread
from .timing import Search, replay

SPEED_MPS = 1.3
SECONDS, SEEDS = 90.0, 5
QUICK_SECONDS, QUICK_SEEDS = 20.0, 1
ROUND = 60
"""Queries that each search is asked in a row, before the next search is."""
# With our standardization, a responsiveness of 0.2 follows the empty path as closely as the paper's 0.1 does theirs.
OURS = Matching(responsiveness=0.2)
PAPERS = replace(OURS, environment=Environment(depth=0.0), search="paper")
ROWS: dict[str, Matching] = {
    "mm": replace(OURS, obstacles=False),
    "brute": replace(PAPERS, search="brute"),
    "one_obstacle": replace(PAPERS, search="brute", only_nearest=True),
    "disk": replace(PAPERS, body="disk"),
    "no_adaptive": replace(PAPERS, paper=Paper(adaptive=False)),
    "no_dissimilarity": replace(PAPERS, paper=Paper(dissimilarity=False)),
    "start_0": replace(PAPERS, paper=Paper(start_before_last=False)),
    "large_v": replace(PAPERS, paper=Paper(aggressive=10.0)),
    "paper": PAPERS,
    "exact": OURS,
    "exact_between": replace(OURS, between=True),
    "exact_route": replace(OURS, route=True),
    "mm_route": replace(OURS, obstacles=False, route=True),
    "exact+": replace(OURS, between=True, route=True),
}
PAPER_TABLE = {
    "mm": (0.22, 1997, 0.09, 0.88),
    "brute": (9.50, 3305, 0.12, 0.05),
    "one_obstacle": (5.83, 2103, 0.09, 0.79),
    "disk": (0.90, 3838, 0.29, 0.37),
    "no_adaptive": (2.40, 3729, 0.13, 0.08),
    "no_dissimilarity": (1.62, 3608, 0.13, 0.12),
    "start_0": (1.02, 3807, 0.16, 0.06),
    "large_v": (0.88, 4389, 0.37, 0.12),
    "paper": (0.80, 4378, 0.14, 0.08),
}
"""EMM Table 1: milliseconds, poses, metres, seconds a collision."""


def run_cones(
    seed: int = 0,
    mocap: Path | None = None,
    quick: bool = False,
    sheets: Path | None = None,
    database: Database | None = None,
    verify: bool = False,
) -> dict[str, Any]:
    """Walk every row's character through every seed's field; then ask every search the same questions."""
    database = database or Database.default(0)
    seconds, seeds = (QUICK_SECONDS, QUICK_SEEDS) if quick else (SECONDS, SEEDS)
    rows, asked = [], {}
    for name, settings in ROWS.items():
        figures, asked[name] = _walked(name, settings, database, range(seed, seed + seeds), seconds)
        rows.append(figures)
    checked = list(ROWS) if verify else ["exact"]
    for name in checked:
        if ROWS[name].search == "exact" and ROWS[name].obstacles:
            _verify(name, ROWS[name], database, asked[name])
    timed = _timed(database, asked["exact"])
    for row in rows:
        row |= timed[row["name"]]
    return {
        "experiment": "cones",
        "version": __version__,
        "machine": machine(),
        "seeds": list(range(seed, seed + seeds)),
        "seconds": seconds,
        "database": database.hash,
        "poses": len(database),
        "verified": checked,
        "queries": len(asked["exact"]),
        "rows": rows,
        "free": _free_error(database, range(seed, seed + seeds), seconds),
    }


def _walked(
    name: str, settings: Matching, database: Database, seeds: range, seconds: float
) -> tuple[dict[str, Any], list[Question]]:
    """One row's figures over all seeds, and what was asked."""
    controller = MotionMatching(database, settings)
    each: list[dict[str, Any]] = []
    stops: list[float] = []
    asked: list[Question] = []
    for seed in seeds:
        path = path_through(seed, seconds, SPEED_MPS)
        stage = Stage(cones_around(seed, path), seed)
        stage.add(controller, intent=path)
        crew = stage.crews[0][1]
        crew.recorded = []
        recording = stage.run(seconds)
        asked += crew.recorded
        touch = contacts(recording, 0, stage.obstacles)
        inside = touch.ellipse_m < -TOUCH_M
        way = course(recording, 0, path)
        stops += [ticks / 60.0 for ticks in runs(inside)]
        slide = 100.0 * foot_slide(recording.clip(0))
        each.append(
            {
                "diversity": len(np.unique(recording.frames)),
                "error_m": way.error_m.mean(),
                "error_std": way.error_m.std(),
                "lag_m": way.lag_m.mean(),
                "collision_share": inside.mean(),
                "capsule_share": (touch.capsule_m < -TOUCH_M).mean(),
                "completed": way.completed,
                "frozen_s": way.frozen.sum() / 60.0,
                "slide_cms": np.median(slide),
                "slide_p95_cms": np.percentile(slide, 95),
                "acceleration_p99": _acceleration(recording),
            }
        )
    figures = {key: float(np.mean([one[key] for one in each])) for key in each[0]}
    collision_s, collision_s_std = spread(stops)
    return {"name": name, **figures, "collision_s": collision_s, "collision_s_std": collision_s_std}, asked


def _acceleration(recording: Recording) -> float:
    """The 99th percentile of joints' accelerations, [m/s2]."""
    positions = recording.clip(0).world()[0]
    return float(np.percentile(np.linalg.norm(np.diff(positions, 2, axis=0), axis=-1) * 3600.0, 99))


def _free_error(database: Database, seeds: range, seconds: float) -> float:
    """What plain motion matching is off the same paths where nothing stands, [m]."""
    errors = []
    for seed in seeds:
        path, stage = path_through(seed, seconds, SPEED_MPS), Stage([], seed)
        stage.add(MotionMatching(database, ROWS["mm"]), intent=path)
        errors.append(course(stage.run(seconds), 0, path).error_m.mean())
    return float(np.mean(errors))


def _verify(name: str, settings: Matching, database: Database, asked: list[Question]) -> None:
    index = index_of(database, settings)
    for number, question in enumerate(asked):
        truth, found = brute_many(index, question).scores[0, 0], exact_many(index, question).scores[0, 0]
        if abs(found - truth) > max(1e-5 * abs(truth), 1e-6):
            raise SidestepError(f"row {name}, query {number}: exact found {found}, brute force {truth}")


def _timed(database: Database, asked: list[Question]) -> dict[str, dict[str, float]]:
    """Every row's search on the questions that `exact` asked, in rounds, one thread."""
    searches = {name: _search(database, settings) for name, settings in ROWS.items()}
    replayed = replay(searches, asked, ROUND)
    truth = replayed["exact"][1]
    return {name: _times(took, scores, truth) for name, (took, scores) in replayed.items()}


def _times(took: Array, scores: Array, truth: Array) -> dict[str, float]:
    return {
        "ms_mean": float(took.mean()),
        "ms_std": float(took.std()),
        "ms_p50": float(np.median(took)),
        "ms_p99": float(np.percentile(took, 99)),
        "true_minimum_share": float((np.abs(scores - truth) <= np.maximum(1e-5 * np.abs(truth), 1e-6)).mean()),
    }


def _search(database: Database, settings: Matching) -> Search:
    """A row's search for questions that were asked by another one: each sees what that row sees."""
    index = index_of(database, settings)

    def seen(question: Question) -> Question:
        if not settings.obstacles:
            return Question(question.asked, question.around._replace(slots=np.zeros_like(question.around.slots)))
        if settings.only_nearest:
            first = question.around.slots[:, 0]
            last = np.minimum(first + 1, question.around.slots[:, 1])
            return Question(question.asked, question.around._replace(slots=np.column_stack([first, last, last, last])))
        return question

    # What a row sees is made up before the clock runs, once for each question.
    kept: dict[int, Question] = {}

    def shown(question: Question) -> Question:
        return kept.setdefault(id(question), seen(question))

    if settings.search == "brute":
        return lambda question: brute_many(index, shown(question))
    if settings.search == "paper" or not settings.obstacles:
        papers = papers_of(index)
        return lambda question: paper_many(papers, shown(question), settings.paper)
    return lambda question: exact_many(index, shown(question))


def describe_cones(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Two tables: how they walk, how they search."""
    by_name = {row["name"]: row for row in result["rows"]}
    brute, paper = by_name["brute"]["ms_mean"], by_name["paper"]["ms_mean"]
    walking = [
        [
            name,
            f"{row['collision_share']:.2%}",
            f"{row['capsule_share']:.2%}",
            f"{row['collision_s']:.2f} ± {row['collision_s_std']:.2f}",
            f"{row['error_m']:.3f} ± {row['error_std']:.3f}",
            f"{row['lag_m']:.2f}",
            f"{row['completed']:.1%}",
            f"{row['frozen_s']:.1f}",
            f"{row['diversity']:.0f}",
            f"{row['slide_cms']:.2f}, {row['slide_p95_cms']:.0f}",
            f"{row['acceleration_p99']:.0f}",
            f"{PAPER_TABLE[name][2]:.2f}, {PAPER_TABLE[name][3]:.2f}" if name in PAPER_TABLE else "",
        ]
        for name, row in by_name.items()
    ]
    searching = [
        [
            name,
            f"{row['ms_mean']:.3f} ± {row['ms_std']:.3f}",
            f"{row['ms_p50']:.3f}",
            f"{row['ms_p99']:.3f}",
            f"{brute / row['ms_mean']:.1f}",
            f"{row['ms_mean'] / paper:.2f}",
            f"{row['true_minimum_share']:.0%}",
            f"{PAPER_TABLE['brute'][0] / PAPER_TABLE[name][0]:.1f}" if name in PAPER_TABLE else "",
        ]
        for name, row in by_name.items()
    ]
    seeds = f"{result['seconds']:.0f} s, {len(result['seeds'])} seeds, {result['poses']:,} poses"
    return [
        (
            f"walking through cones ({seeds}; without cones, mm is {result['free']:.3f} m off the paths)",
            [
                "row",
                "collision",
                "capsules",
                "s each",
                "error m",
                "lag m",
                "completed",
                "frozen s",
                "poses",
                "slide cm/s p50, p95",
                "acc p99 m/s2",
                "paper: error m, s each",
            ],
            walking,
        ),
        (
            f"searching ({result['queries']} queries recorded by `exact`, asked of all in rounds, one thread)",
            [
                "row",
                "ms mean",
                "p50",
                "p99",
                "brute over it",
                "of paper v=5",
                "true minimum found",
                "paper: linear over it",
            ],
            searching,
        ),
    ]
