"""sidestep lab search: brute force, the paper's search and the exact one on the same questions, interleaved."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..database import Database
from ..geometry.shapes import Disk, Shapes
from ..machine import machine
from ..search import Found, Index, Paper, PaperIndex, Query, Question, brute, exact, paper, question

QUERIES = {"quick": 30, "full": 300}
CONES = 6
BODY_M = 0.45
"""No cone stands where the character does."""
SETS = {
    "going on among cones": "pose of a frame, its trajectory a little bent",
    "mixed among cones": "pose of one frame, trajectory of another",
    "nothing near": "pose of a frame, its trajectory a little bent, no obstacle",
}
"""Made, not recorded: a controller to record from is not there yet."""


def run_search(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Ask every search the same, one thread; times are those of a call with the question made up before."""
    database = Database.default(seed)
    index = Index.of(database)
    papers = PaperIndex.of(index)
    searches: dict[str, Callable[[Question, int], Found]] = {
        "brute": lambda asked, _: brute(index, asked),
        "paper v=1": lambda asked, last: paper(papers, asked, Paper(aggressive=1.0), last),
        "paper v=5": lambda asked, last: paper(papers, asked, Paper(), last),
        "exact": lambda asked, last: exact(index, asked, last),
    }
    rng = np.random.default_rng([seed, 41])
    # Every kernel once before the clock runs: the one for obstacles and the one for none.
    for cones in (0, CONES):
        for search in searches.values():
            search(*_question(index, np.random.default_rng(0), False, cones))
    sets = []
    for name in SETS:
        count = QUERIES["quick" if quick else "full"]
        questions = [_question(index, rng, "mixed" in name, 0 if "nothing" in name else CONES) for _ in range(count)]
        sets.append({"set": name, "about": SETS[name], "queries": count, "rows": _asked_all(searches, questions)})
    return {
        "experiment": "search",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "database": database.hash,
        "poses": len(database),
        "sets": sets,
    }


def _question(index: Index, rng: np.random.Generator, mixed: bool, cones: int) -> tuple[Question, int]:
    database = index.database
    dims = database.features.query_dims
    frame, other = (int(f) for f in rng.choice(np.flatnonzero(index.searchable), 2))
    values = database.values[frame, :dims].copy()
    ahead = slice(database.column("positions").start, database.column("directions").stop)
    values[ahead] = (
        database.values[other, ahead] if mixed else values[ahead] + rng.normal(0, 0.25, ahead.stop - ahead.start)
    )
    places = [rng.uniform([-2.0, -0.5], [2.0, 2.5]) for _ in range(cones)]
    posts = [Disk(float(x), float(z), 0.2) for x, z in places if np.hypot(x, z) > 0.2 + BODY_M]
    query = Query(values=values, obstacles=Shapes.of(posts), going_on=min(frame + 1, len(database) - 1), reward=0.01)
    return question(index, query), frame


def _asked_all(
    searches: dict[str, Callable[[Question, int], Found]], questions: list[tuple[Question, int]]
) -> list[dict[str, Any]]:
    took: dict[str, list[float]] = {name: [] for name in searches}
    found: dict[str, list[Found]] = {name: [] for name in searches}
    for one in questions:
        for name, search in searches.items():
            start = time.perf_counter()
            found[name].append(search(*one))
            took[name].append(1e3 * (time.perf_counter() - start))
    truth = np.array([one.score for one in found["brute"]])
    # Scores may lie near or below zero by the reward: compare what they exceed the smallest one by.
    base = truth - truth.min() + 0.02
    rows = []
    for name in searches:
        over = np.array([one.score for one in found[name]]) - truth
        rows.append(
            {
                "name": name,
                "ms_mean": float(np.mean(took[name])),
                "ms_p50": float(np.median(took[name])),
                "ms_p99": float(np.percentile(took[name], 99)),
                "brute_over_it": float(np.mean(took["brute"]) / np.mean(took[name])),
                "true_minimum_share": float((np.abs(over) < 1e-5 * np.maximum(np.abs(truth), 1)).mean()),
                "excess_p50": float(np.median((base + over) / base)),
            }
        )
    return rows


def describe_search(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One table a set of queries."""
    columns = ["search", "ms mean", "p50", "p99", "brute over it", "true minimum found", "score over the minimum, p50"]
    return [
        (
            f"{one['set']} ({one['queries']} queries, {result['poses']:,} poses): {one['about']}",
            columns,
            [
                [
                    row["name"],
                    f"{row['ms_mean']:.3f}",
                    f"{row['ms_p50']:.3f}",
                    f"{row['ms_p99']:.3f}",
                    f"{row['brute_over_it']:.1f}",
                    f"{row['true_minimum_share']:.0%}",
                    f"{row['excess_p50']:.2f}",
                ]
                for row in one["rows"]
            ],
        )
        for one in result["sets"]
    ]
