"""Scores: what may be asked for, and what a body makes of it."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.errors import UnknownName
from sidestep.performer import perform
from sidestep.performer.act import perform_score
from sidestep.performer.score import FPS, STRENGTH_MPS2, Score
from sidestep.performer.tasks import all_tasks, find_task


def test_unknown_names_are_told_the_nearest() -> None:
    with pytest.raises(UnknownName, match="no channel 'speed_mp'; nearest: 'speed_mps'"):
        Score(0).go(1.0, speed_mp=1.0)
    with pytest.raises(UnknownName, match="no task 'wallk'; nearest: 'walk'"):
        find_task("wallk")
    with pytest.raises(UnknownName, match="no arm hold 'tuckd'; nearest: 'tucked'"):
        perform_score(Score(0).go(1.0).hold("tuckd", 0.0, 1.0), "x")


def test_channels_are_smooth_and_reach_what_was_asked() -> None:
    channels = Score(0).go(2.0).go(3.0, ahead_mps=1.2).go(2.0).channels()
    speed = channels["ahead_mps"]
    assert speed[int(3.5 * FPS)] == pytest.approx(1.2, abs=0.01)
    assert speed[[0, -1]] == pytest.approx(0, abs=1e-3)
    assert np.abs(np.diff(speed)).max() * FPS < STRENGTH_MPS2


def test_nobody_starts_faster_than_legs_can() -> None:
    speed = Score(0).go(2.0).go(3.0, ahead_mps=4.0).go(2.0).channels()["ahead_mps"]
    assert np.abs(np.diff(speed)).max() * FPS <= STRENGTH_MPS2 * 1.02
    assert speed.max() == pytest.approx(4.0, abs=0.05)
    # The change is centred on its moment: half the speed when it was asked for.
    assert speed[int(2.0 * FPS)] == pytest.approx(2.0, abs=0.1)


def test_the_path_is_the_integral_of_the_channels() -> None:
    score = Score(0).go(1.0).go(4.0, speed_mps=1.0, face_rad=0.5).go(1.0)
    channels = score.channels()
    place, facing = score.path(channels)
    # Facing off the course does not bend the course.
    assert abs(place[-1, 0]) < 0.05
    assert place[-1, 1] == pytest.approx(4.0, abs=0.1)
    assert facing[int(3 * FPS)] == pytest.approx(0.5, abs=0.02)
    assert facing[-1] == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize("task", [t.name for t in all_tasks()])
def test_same_seed_same_frames_other_seed_others(task: str) -> None:
    one, again = perform(task, 4, 1), perform(task, 4, 1)
    assert np.array_equal(one.rotations, again.rotations)
    assert np.array_equal(one.translations, again.translations)
    assert (one.tags, one.events, one.name) == (again.tags, again.events, again.name)
    for other in (perform(task, 5, 1), perform(task, 4, 2)):
        frames = min(len(one), len(other))
        # Everybody stands still at first; after that no two takes are twins.
        assert np.abs(one.rotations[120:frames] - other.rotations[120:frames]).max() > 0.05
