"""The smaller experiments run, are honest about what is missing, and print tables."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from sidestep.errors import AskedWrongly
from sidestep.lab import EXPERIMENTS
from sidestep.lab.mocap import VARIABLE


def table_of(name: str, result: dict) -> list[list[str]]:
    ((title, columns, rows),) = EXPERIMENTS[name].describe(result)
    assert title
    assert all(len(row) == len(columns) for row in rows)
    return rows


def test_reading_compares_on_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    result = EXPERIMENTS["reading"].run(0, None, True, None)
    assert [row["frames"] for row in result["files"]][-1] == 10_000
    # A ratio within one run, not a time: the aim is 2.
    assert result["files"][-1]["over_loadtxt"] < 2
    assert len(table_of("reading", result)) == 2


@pytest.mark.slow
def test_storage_says_what_is_lost() -> None:
    result = EXPERIMENTS["storage"].run(0, None, True, None)
    assert result["bytes_a_pose"] < 300
    assert result["rotation_error_deg"]["max"] < 0.05
    assert result["joint_error_mm_max"] < 2
    assert result["first_minute"]["seconds_of_motion"] >= 60
    assert table_of("storage", result)


def test_retargeting_needs_real_clips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(AskedWrongly, match="name a folder with --mocap"):
        EXPERIMENTS["retargeting"].run(0, None, True, None)


@pytest.mark.mocap
def test_retargeting_keeps_feet_and_hips(mocap: Path | None, tmp_path: Path) -> None:
    if mocap is None:
        pytest.skip("no real clips")
    for name in ("cmu_60fps/69_01.bvh", "snu_woody2/wd2_PushBack01.bvh", "lafan1/walk4_subject1.bvh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(mocap / name, tmp_path / name)
    result = EXPERIMENTS["retargeting"].run(0, tmp_path, True, None)
    assert len(result["groups"]) == 3
    for group in result["groups"]:
        before, after = group["slide_cms"]["before"], group["slide_cms"]["after"]
        assert after[0] < 1.3 * before[0] + 0.5
        assert group["hips_off_share"]["p95"] < 0.01
        assert group["ankles_off_mm"][1] < 5
    assert result["database"]["poses"] > 1000
    assert len(table_of("retargeting", result)) == 3


@pytest.mark.slow
def test_search_times_what_is_the_same() -> None:
    result = EXPERIMENTS["search"].run(0, None, True, None)
    assert len(EXPERIMENTS["search"].describe(result)) == 3
    for one in result["sets"]:
        rows = {row["name"]: row for row in one["rows"]}
        assert rows["exact"]["true_minimum_share"] == 1.0
        assert rows["brute"]["brute_over_it"] == 1.0
        # Ratios within one run: the exact search pays off by far even where it pays least.
        assert rows["exact"]["brute_over_it"] > 1.5
        assert rows["paper v=5"]["excess_p50"] >= 1.0 - 1e-6


def test_blind_sheets_need_real_clips(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(AskedWrongly, match="real clips are half of it"):
        EXPERIMENTS["blind"].run(0, None, True, None)


@pytest.mark.mocap
def test_blind_sheets_give_nothing_away(mocap: Path | None, tmp_path: Path) -> None:
    if mocap is None:
        pytest.skip("no real clips")
    for name in ("69_01", "69_02", "69_06", "16_15", "16_31"):
        (tmp_path / "real").mkdir(exist_ok=True)
        shutil.copy(mocap / "cmu_60fps" / f"{name}.bvh", tmp_path / "real" / f"{name}.bvh")
    result = EXPERIMENTS["blind"].run(0, tmp_path / "real", True, tmp_path / "sheets")
    key = json.loads((tmp_path / "sheets" / "key.json").read_text())
    assert sorted(origin for origin, _ in key.values()) == ["performed", "performed", "real", "real"]
    sheets = sorted((tmp_path / "sheets").glob("*.png"))
    assert [sheet.stem for sheet in sheets] == sorted(key)
    sizes = set()
    for sheet in sheets:
        with Image.open(sheet) as picture:
            sizes.add(picture.size)
    assert len(sizes) == 1
    assert "performed" not in str(result)
