"""Work on several processes: order, failures with names, resuming, scripts without a guard."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sidestep.errors import AskedWrongly, BadClip, JobFailed
from sidestep.jobs import Pool


def square(number: int) -> int:
    return number * number


def picky(number: int) -> int:
    if number == 3:
        raise BadClip("three is refused")
    if number == 5:
        raise ZeroDivisionError("five is a bug")
    if number == 7:
        os._exit(9)
    return number


def threads(_: int) -> str:
    return ",".join(os.environ.get(name, "") for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS"))


class Shelf:
    """Keeps results in memory."""

    def __init__(self) -> None:
        self.kept: dict[int, int] = {}
        self.asked: list[int] = []

    def load(self, item: int) -> int | None:
        self.asked.append(item)
        return self.kept.get(item)

    def save(self, item: int, result: int) -> None:
        self.kept[item] = result


@pytest.mark.parametrize("workers", [1, 2])
def test_results_keep_their_order(workers: int) -> None:
    assert Pool(workers).map(square, list(range(20))) == [n * n for n in range(20)]
    assert Pool(workers).map(square, []) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_one_failure_does_not_stop_the_others(workers: int) -> None:
    outcomes = Pool(workers).outcomes(picky, list(range(7)))
    assert [o.result for o in outcomes] == [0, 1, 2, None, 4, None, 6]
    assert isinstance(outcomes[3].error, BadClip)
    assert str(outcomes[5].error) == "5: ZeroDivisionError: five is a bug"
    with pytest.raises(BadClip, match="three is refused"):
        Pool(workers).map(picky, list(range(7)))


def test_a_process_that_dies_is_named_and_harms_nobody_else() -> None:
    items = [0, 1, 2, 7, 4, 6, *range(10, 30), 7]
    outcomes = Pool(2).outcomes(picky, items)
    for item, outcome in zip(items, outcomes, strict=True):
        if item == 7:
            assert isinstance(outcome.error, JobFailed)
            assert "7: the worker process died" in str(outcome.error)
        else:
            assert outcome.result == item


def test_less_than_one_worker_is_refused() -> None:
    for workers in (0, -3):
        with pytest.raises(AskedWrongly, match="workers cannot work"):
            Pool(workers)


def test_what_was_finished_is_not_done_again() -> None:
    shelf = Shelf()
    with pytest.raises(BadClip):
        Pool(1).map(picky, [0, 1, 2, 3, 4], shelf)
    assert shelf.kept == {0: 0, 1: 1, 2: 2, 4: 4}
    shelf.kept[0] = 100  # a mark that only a taken-up result can bear
    assert Pool(1).map(picky, [0, 1, 2, 4], shelf) == [100, 1, 2, 4]


def test_workers_use_one_thread_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    assert set(Pool(2).map(threads, [0, 1])) == {"1,1"}
    assert os.environ["OMP_NUM_THREADS"] == "8"


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    """Spawned workers import the main script; ours must not run it again."""
    script = tmp_path / "plain.py"
    script.write_text(
        "from math import factorial\n"
        "from sidestep.jobs import Pool\n"
        "print('started')\n"
        "print(Pool(2).map(factorial, [3, 4, 5]))\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "started\n[6, 24, 120]\n"
    assert "Error" not in done.stderr


def slow(number: int) -> int:
    time.sleep(0.3)
    return number


def test_a_bar_shows_for_work_that_takes_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert Pool(1, "squaring", show=True).map(square, list(range(5))) == [0, 1, 4, 9, 16]
    assert "squaring" not in capsys.readouterr().err
    Pool(1, "thinking", show=True).map(slow, list(range(4)))
    assert "thinking" in capsys.readouterr().err
