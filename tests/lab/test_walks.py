"""What walks are judged by, and the experiments that walk."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.controllers import MotionMatching
from sidestep.database import Database
from sidestep.geometry.shapes import Disk
from sidestep.intent import Path, Stick
from sidestep.lab import EXPERIMENTS
from sidestep.stage import Recording, Stage
from sidestep.stage.measures import contacts, course, runs, turned_from_way
from sidestep.world import Obstacle, Obstacles


def walked(small: Database) -> Recording:
    stage = Stage()
    stage.add(MotionMatching(small), intent=Stick(forward=1.2))
    return stage.run(4.0)


def test_contacts_are_those_of_the_final_pose(small: Database) -> None:
    recording = walked(small)
    x, z, _ = recording.places[150, 0]
    post = Obstacles([Obstacle(Disk(float(x), float(z), 0.05))])
    touch = contacts(recording, 0, post)
    assert touch.ellipse_m[150] < -0.1
    assert touch.capsule_m[150] < 0.0
    assert touch.ellipse_m[0] > 0.5
    over = Obstacles([Obstacle(Disk(float(x), float(z), 0.05, bottom=2.3, top=3.0))])
    assert contacts(recording, 0, over).ellipse_m.min() > 900


def test_bodies_touch_bodies(small: Database) -> None:
    stage = Stage()
    for x in (0.0, 0.1, 3.0):
        stage.add(MotionMatching(small, obstacles=False), at=(x, 0.0))
    recording = stage.run(0.5)
    nothing = Obstacles()
    assert contacts(recording, 0, nothing).capsule_m.max() < 0.0
    assert contacts(recording, 2, nothing).capsule_m.min() > 900


def test_courses() -> None:
    ticks = 300
    places = np.zeros((ticks, 1, 3))
    places[:, 0, 1] = np.minimum(np.arange(1, ticks + 1) / 60.0, 2.0)  # walks two metres, then stands
    places[:, 0, 0] = 0.25
    empty = np.zeros((ticks, 1))
    recording = Recording(("a",), 0, empty.astype(int), places, np.zeros((ticks, 1, 8)), np.zeros((ticks, 1, 3)), [])
    way = course(recording, 0, Path(((0.0, 0.0), (0.0, 20.0)), 1.0))
    assert way.error_m == pytest.approx(0.25)
    assert way.lag_m[-1] == pytest.approx(np.hypot(3.0, 0.25))
    assert way.completed == pytest.approx(2.0 / 5.0, abs=0.03)
    # Frozen from half a metre behind on, and not while it walks.
    assert not way.frozen[:120].any()
    assert way.frozen[170:].all()
    assert list(runs(np.array([True, False, True, True, False]))) == [1, 2]
    assert list(runs(np.zeros(3, bool))) == []


def test_turns_are_those_of_the_shoulders(small: Database) -> None:
    ahead = walked(small)
    stage = Stage()
    stage.add(MotionMatching(small, only=("sidestep",)), intent=Stick(left=0.6, facing=0.0))
    aside = stage.run(5.0)
    assert np.degrees(np.median(turned_from_way(ahead, 0)[100:])) < 25
    assert np.degrees(np.median(turned_from_way(aside, 0)[100:])) > 60


KEYS = (
    "name ms_mean ms_std ms_p99 diversity error_m error_std lag_m collision_s collision_s_std collision_share "
    "capsule_share completed frozen_s slide_cms true_minimum_share"
)


@pytest.mark.slow
def test_cones() -> None:
    """The quick run, every exact search held against brute force."""
    result = EXPERIMENTS["cones"].run(0, None, True, None, verify=True)
    rows = {row["name"]: row for row in result["rows"]}
    assert " ".join(rows) == (
        "mm brute one_obstacle disk no_adaptive no_dissimilarity start_0 large_v paper exact exact_between exact_route "
        "mm_route exact+"
    )
    assert all(set(row) >= set(KEYS.split()) for row in rows.values())
    assert rows["exact"]["true_minimum_share"] == rows["brute"]["true_minimum_share"] == 1.0
    assert rows["mm"]["collision_share"] > 4 * rows["exact+"]["collision_share"]
    assert rows["exact+"]["collision_share"] < 0.03
    assert rows["exact+"]["completed"] > 0.95
    assert rows["exact+"]["frozen_s"] < 1.0
    for title, columns, table in EXPERIMENTS["cones"].describe(result):
        assert title
        assert all(len(line) == len(columns) for line in table)


@pytest.mark.slow
def test_crowd() -> None:
    result = EXPERIMENTS["crowd"].run(0, None, True, None)
    assert result["characters"] == 256
    assert result["search_us"]["one"] > 0
    assert EXPERIMENTS["crowd"].describe(result)
