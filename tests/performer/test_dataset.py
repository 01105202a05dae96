"""The embedded data set: big enough, everything in it, made alike anywhere, kept until the performer changes."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from sidestep.database.default import default_database
from sidestep.lab.coverage import coverage
from sidestep.motion import Clip
from sidestep.motion.feet import foot_slide
from sidestep.performer.dataset import (
    dataset_hash,
    default_clips,
    first_minute,
    minutes,
    perform_all,
)


@pytest.fixture(scope="module")
def everything() -> list[Clip]:
    return perform_all(0)


def test_half_an_hour_at_least(everything: list[Clip]) -> None:
    assert minutes(everything) >= 30
    assert 110_000 <= sum(len(clip) for clip in everything) <= 185_000
    assert len({clip.name for clip in everything}) == len(everything)


def test_every_kind_of_movement_is_there(everything: list[Clip]) -> None:
    """Measured from the motion, by the manifest's definitions, not from labels."""
    seconds = coverage(everything)
    wanted = {
        "idle": 120, "walk": 500, "run": 120, "backward": 60, "turn_on_spot_left": 15, "turn_on_spot_right": 15,
        "turn_moving_left": 60, "turn_moving_right": 60, "sidestep_left": 50, "sidestep_right": 50,
        "diagonal_left": 30, "diagonal_right": 30, "twist_walking_left": 8, "twist_walking_right": 8,
        "twist_running_left": 4, "twist_running_right": 4, "shoulders_over_60_off_walking": 10,
        "shoulders_over_75_off_walking": 5, "shoulders_over_60_off_running": 4, "crouch_under_1.25_m_moving": 30,
        "crouch_under_1.05_m_moving": 15, "lying": 20, "hands_and_knees_moving": 30, "off_ground": 10,
        "feet_over_0.3_m": 3, "feet_over_0.5_m": 0.5, "sidestep_0.2_0.5_mps": 40, "sidestep_0.5_0.9_mps": 40,
        "sidestep_0.9_1.5_mps": 15, "ahead_0.4_0.8_mps": 60, "ahead_0.8_1.2_mps": 60, "ahead_1.2_1.6_mps": 60,
        "ahead_1.6_2.05_mps": 20, "ahead_2.05_2.8_mps": 40, "ahead_2.8_3.6_mps": 40, "ahead_3.6_4.6_mps": 10,
    }  # fmt: skip
    missing = {kind: seconds[kind] for kind, least in wanted.items() if seconds[kind] < least}
    assert not missing
    pairs = [k for k in wanted if k.endswith("_left")]
    for kind in pairs:
        ratio = seconds[kind] / seconds[kind.replace("_left", "_right")]
        assert 0.6 < ratio < 1.67, kind


def test_feet_do_not_slide(everything: list[Clip]) -> None:
    slides = np.concatenate([foot_slide(clip) for clip in everything])
    assert np.median(slides) < 0.01


def test_how_many_workers_does_not_matter(everything: list[Clip]) -> None:
    few = ("step_over", "crouch_idle", "punch")
    alone = perform_all(0, workers=1, only=few)
    assert dataset_hash(alone) == dataset_hash(perform_all(0, workers=2, only=few))
    assert dataset_hash(alone) != dataset_hash(perform_all(1, workers=1, only=few))
    same = [clip for clip in everything if clip.name.split()[0] in few]
    assert dataset_hash(sorted(same, key=lambda c: c.name)) == dataset_hash(sorted(alone, key=lambda c: c.name))


def test_a_first_minute_comes_at_once() -> None:
    clips = first_minute(11)
    assert sum(clip.seconds for clip in clips) >= 60
    kinds = coverage(clips)
    assert min(kinds["idle"], kinds["walk"], kinds["backward"]) > 2


def test_it_is_kept_and_made_again_when_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIDESTEP_CACHE", str(tmp_path))
    start = time.perf_counter()
    made = default_clips(0)
    making = time.perf_counter() - start
    start = time.perf_counter()
    kept = default_clips(0)
    loading = time.perf_counter() - start
    assert loading < making / 4
    assert dataset_hash(kept) == dataset_hash(made)
    (file,) = (tmp_path / "performed").glob("*.clips")
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 255
    file.write_bytes(data)
    assert dataset_hash(default_clips(0)) == dataset_hash(made)
    database = default_database.__wrapped__(0)
    assert len(database) == sum(len(clip) for clip in made)
    assert default_database.__wrapped__(0).hash == database.hash


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    monkeypatch.setenv("SIDESTEP_CACHE", str(blocked))
    assert minutes(default_clips(0)) >= 30
