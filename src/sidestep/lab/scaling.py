"""sidestep lab scaling: EMM Figure 11, search time against the size of the database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..database import Database
from ..machine import machine
from ..performer.dataset import default_clips
from ..search import Index, PaperIndex, Question, brute_many, exact_many, paper_many
from ..stage import Stage
from ..stage.field import cones_around, path_through
from .cones import OURS, SPEED_MPS
from .timing import Search, replay

SIZES = (26_455, 48_575, 75_341, 101_026, 154_214, 209_152, 301_794, 411_280)
"""EMM Figure 11, poses."""
SECONDS, QUICK_SECONDS = 60.0, 10.0
ROUND = 30


def run_scaling(
    seed: int = 0, mocap: Path | None = None, quick: bool = False, sheets: Path | None = None
) -> dict[str, Any]:
    """Record questions in each size's own walk through cones, and ask them of three searches."""
    from ..controllers import MotionMatching

    sizes = SIZES[:3] if quick else SIZES
    clips = [clip for more in range(-(-sizes[-1] // 160_000)) for clip in default_clips(seed + more)]
    order = np.random.default_rng([seed, 91]).permutation(len(clips))
    rows = []
    for size in sizes:
        chosen, poses = [], 0
        for k in order:
            if poses >= size:
                break
            clip = clips[k]
            chosen.append(clip if poses + len(clip) <= size else clip.cut(0, max(size - poses, 130)))
            poses += len(chosen[-1])
        database = Database.build(chosen)
        # Everything may be played: what counts here is how many poses there are.
        controller = MotionMatching(database, OURS, without=())
        path = path_through(seed, QUICK_SECONDS if quick else SECONDS, SPEED_MPS)
        stage = Stage(cones_around(seed, path), seed)
        stage.add(controller, intent=path)
        crew = stage.crews[0][1]
        crew.recorded = []
        stage.run(QUICK_SECONDS if quick else SECONDS)
        rows.append({"poses": len(database), **_timed(crew.index, crew.recorded)})
    return {
        "experiment": "scaling",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "rows": rows,
    }


def _timed(index: Index, asked: list[Question]) -> dict[str, float]:
    papers = PaperIndex.of(index)
    searches: dict[str, Search] = {
        "brute": lambda question: brute_many(index, question),
        "paper": lambda question: paper_many(papers, question),
        "exact": lambda question: exact_many(index, question),
    }
    replayed = replay(searches, asked, ROUND)
    figures = {f"{name}_ms": float(took.mean()) for name, (took, _) in replayed.items()}
    return figures | {f"{name}_std": float(took.std()) for name, (took, _) in replayed.items()}


def describe_scaling(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """Times by size, and how they grow from the paper's 100 % on."""
    rows = result["rows"]
    base = next((row for row in rows if row["poses"] >= 101_026), rows[-1])
    table = [
        [
            f"{row['poses']:,}",
            *(f"{row[f'{name}_ms']:.3f} ± {row[f'{name}_std']:.3f}" for name in ("brute", "paper", "exact")),
            f"{row['poses'] / base['poses']:.2f}",
            *(f"{row[f'{name}_ms'] / base[f'{name}_ms']:.2f}" for name in ("brute", "paper", "exact")),
        ]
        for row in rows
    ]
    columns = ["poses", "brute ms", "paper v=5 ms", "exact ms", "size", "brute", "paper", "exact, against 100 %"]
    return [("search time by size of the database (queries of a walk through cones, one thread)", columns, table)]
