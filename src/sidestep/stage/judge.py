"""What came of a run: the report of `sidestep run`."""

from __future__ import annotations

from typing import Any

import numpy as np

from .measures import TOUCH_M, contacts
from .recording import Recording
from .scene import Scene
from .stage import Stage


def judge(told: Scene, stage: Stage, recording: Recording) -> dict[str, Any]:
    """What came of a run, character by character."""
    figures = {}
    for number, role in enumerate(told.roles):
        touch = contacts(recording, number, stage.obstacles)
        places = recording.places[:, number]
        steps = np.linalg.norm(np.diff(places[:, :2], axis=0), axis=-1)
        passed = None if role.arrives is None else role.arrives.passed(places, places[0, :2])
        arrived = None if passed is None or not passed.any() else float(np.argmax(passed)) / 60.0
        nearest = float(touch.capsule_m.min())
        figures[role.name] = {
            "arrives": role.arrives is not None,
            "arrived_s": arrived,
            "way_m": float(steps.sum()),
            "speed_mps": float(steps.mean() * 60.0),
            "collision_share": float((touch.ellipse_m < -TOUCH_M).mean()),
            "capsule_share": float((touch.capsule_m < -TOUCH_M).mean()),
            "nearest_m": nearest if nearest < 100.0 else float("inf"),
        }
    return {
        "databases": [part.database for part in recording.parts],
        "reached": all(one["arrived_s"] is not None for one in figures.values() if one["arrives"]),
        "characters": figures,
    }
