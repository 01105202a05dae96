"""sidestep lab scenes: every scene over several seeds, held against what its figure shows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..arrays import Indices
from ..database import Database
from ..machine import machine
from ..pictures import contact_sheet, top_view
from ..search import Environment
from ..stage import Recording, Scene, Stage, scene, scene_names
from ..stage.judge import judge
from ..stage.measures import turned_from_way

SEEDS, QUICK_SEEDS = 5, 1
PAPER = {"route": False, "between": False, "search": "paper", "environment": Environment(depth=0.0)}
PLAIN = {"obstacles": False, "route": False, "between": False}
GRAZED = 0.005
"""Share of the time with a capsule in something up to which a scene counts as gone through clean."""


def run_scenes(
    seed: int = 0,
    mocap: Path | None = None,
    quick: bool = False,
    sheets: Path | None = None,
    database: Database | None = None,
    verify: bool = False,
) -> dict[str, Any]:
    """Play every scene as it ships, and by the paper's method."""
    rows = []
    for name in scene_names():
        told = scene(name)
        seeds = range(seed, seed + (QUICK_SEEDS if quick else SEEDS))
        ours, kept = _played(told, seeds, database, {})
        papers, _ = _played(told, seeds, database, PAPER)
        figures = {**ours, **_special(told, seeds, database)}
        reached = figures["reached"] == 1.0
        rows.append(
            {
                "name": name,
                "passed": bool(reached and figures["capsule_share"] <= GRAZED and FIGURES.get(name, _nothing)(figures)),
                "figures": figures,
                "paper_method": papers,
            }
        )
        if sheets is not None:
            _draw(told, *kept, sheets)
    return {
        "experiment": "scenes",
        "version": __version__,
        "machine": machine(),
        "seed": seed,
        "seeds": QUICK_SEEDS if quick else SEEDS,
        "database": (database or Database.default()).hash,
        "rows": rows,
    }


def _played(
    told: Scene, seeds: range, database: Database | None, changes: dict[str, Any]
) -> tuple[dict[str, float], tuple[Stage, Recording]]:
    """Means over seeds (the worst of ``nearest_m``), and the first seed's stage and recording."""
    each, kept = [], None
    for seed in seeds:
        stage = told.stage(seed, database, **changes)
        recording = stage.run(told.seconds)
        people = list(judge(told, stage, recording)["characters"].values())
        arriving = [one for one in people if one["arrives"]]
        turns = [turned_from_way(recording, number) for number in range(len(people))]
        each.append(
            {
                "reached": float(np.mean([one["arrived_s"] is not None for one in arriving])) if arriving else 1.0,
                "arrived_s": float(np.mean([one["arrived_s"] or told.seconds for one in arriving]))
                if arriving
                else 0.0,
                "collision_share": float(np.mean([one["collision_share"] for one in people])),
                "capsule_share": float(np.mean([one["capsule_share"] for one in people])),
                "nearest_m": min(one["nearest_m"] for one in people),
                "turned_deg": float(np.mean([np.degrees(np.percentile(turn, 95)) for turn in turns])),
            }
        )
        kept = kept or (stage, recording)
    assert kept is not None
    means = {key: float(np.mean([one[key] for one in each])) for key in each[0]}
    means["nearest_m"] = min(one["nearest_m"] for one in each)
    return means, kept


def _special(told: Scene, seeds: range, database: Database | None) -> dict[str, float]:
    """What a scene's figure is about, where arriving says too little."""
    runs = []
    for seed in seeds:
        stage = told.stage(seed, database)
        recording = stage.run(told.seconds)
        runs.append(SPECIAL.get(told.name, _none)(told, stage, recording))
    return {key: float(np.mean([one[key] for one in runs])) for key in runs[0]}


def _none(told: Scene, stage: Stage, recording: Recording) -> dict[str, float]:
    return {}


def _corridor(told: Scene, stage: Stage, recording: Recording) -> dict[str, float]:
    """Turn and speed where it is 0.35 m wide, against before and after."""
    places = recording.places[:, 0]
    z = places[:, 1]
    speed = np.linalg.norm(np.diff(places[:, :2], axis=0, prepend=places[:1, :2]), axis=-1) * 60.0

    def where(low: float, high: float) -> Indices:
        return np.flatnonzero((z > low) & (z < high))

    inside, before, after = where(4.0, 5.6), where(-2.5, -0.5), where(9.6, 12.0)
    if not len(inside) or not len(after):
        return {"turn_in_slot_deg": 0.0, "slot_speed_share": 1.0, "exit_speed_share": 0.0}
    entry = max(float(speed[before].mean()), 1e-6)
    return {
        "turn_in_slot_deg": float(np.degrees(np.median(turned_from_way(recording, 0)[inside]))),
        "slot_speed_share": float(speed[inside].mean()) / entry,
        "exit_speed_share": float(speed[after].mean()) / entry,
    }


def _car(told: Scene, stage: Stage, recording: Recording) -> dict[str, float]:
    """How far it walked towards the car and then away, and whether it kept facing it."""
    places = recording.places[:, 0]
    furthest = int(places[:, 1].argmax())
    back = places[furthest:]
    return {
        "towards_m": float(places[furthest, 1] - places[0, 1]),
        "back_m": float(places[furthest, 1] - back[:, 1].min()),
        "facing_it": float((np.abs(np.angle(np.exp(1j * back[:, 2]))) < 1.0).mean()),
    }


def _cubes(told: Scene, stage: Stage, recording: Recording) -> dict[str, float]:
    """How far it stepped aside."""
    places = recording.places[:, 0, :2]
    return {"stepped_m": float(np.linalg.norm(places - places[0], axis=-1).max())}


def _speeds(told: Scene, stage: Stage, recording: Recording) -> dict[str, float]:
    """Torso turns of the walker who meets a runner, and of one who meets a walker."""
    return {
        f"turn_{what}_deg": float(np.degrees(np.percentile(turned_from_way(recording, who), 95)))
        for what, who in (("runner", 0), ("walkers", 2))
    }


SPECIAL: dict[str, Callable[[Scene, Stage, Recording], dict[str, float]]] = {
    "corridor": _corridor,
    "car": _car,
    "cubes": _cubes,
    "speeds": _speeds,
}


def _nothing(figures: dict[str, float]) -> bool:
    return True


FIGURES: dict[str, Callable[[dict[str, float]], bool]] = {
    "corridor": lambda f: f["turn_in_slot_deg"] >= 60 and f["slot_speed_share"] <= 0.5 and f["exit_speed_share"] >= 0.9,
    "car": lambda f: f["towards_m"] > 0.5 and f["back_m"] > 0.5 and f["facing_it"] > 0.9,
    "cubes": lambda f: f["stepped_m"] > 0.3,
    "speeds": lambda f: f["turn_runner_deg"] > f["turn_walkers_deg"],
}
"""What a scene's figure shows beyond arriving clean."""


def _draw(told: Scene, stage: Stage, recording: Recording, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    moving = stage.obstacles.standing < len(stage.obstacles)
    later = [stage.obstacles.at(tick) for tick in range(90, recording.ticks, 90)] if moving else []
    top_view(
        folder / f"{told.name}.png",
        stage.obstacles.at(0), recording.places, recording.now, title=told.title, moving=later,
    )  # fmt: skip
    contact_sheet(recording.clip(0), folder / f"{told.name}_strip.png", columns=12, rows=1, tall_m=2.3)


def describe_scenes(result: dict[str, Any]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One row a scene, ours beside the paper's method."""
    rows = []
    for row in result["rows"]:
        ours, paper = row["figures"], row["paper_method"]
        more = ", ".join(f"{key} {value:.2f}" for key, value in ours.items() if key not in paper)
        rows.append(
            [
                row["name"],
                "yes" if row["passed"] else "no",
                f"{ours['reached']:.0%}",
                f"{paper['reached']:.0%}",
                f"{ours['arrived_s']:.1f}",
                f"{ours['capsule_share']:.2%}",
                f"{paper['capsule_share']:.2%}",
                f"{ours['nearest_m']:.2f}",
                f"{ours['turned_deg']:.0f}",
                more,
            ]
        )
    columns = ["scene", "passed", "reached", "paper's method", "after s", "capsules", "paper's method",
               "nearest m", "turned deg, p95", "more"]  # fmt: skip
    return [(f"scenes ({result['seeds']} seeds each)", columns, rows)]
