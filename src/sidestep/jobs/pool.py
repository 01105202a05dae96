"""The same work on many things: over processes, with progress, going on where it was interrupted."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from ..errors import AskedWrongly, JobFailed, SidestepError

Item = TypeVar("Item")
Kept = TypeVar("Kept", contravariant=True)
Result = TypeVar("Result")
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
QUIET_S = 0.5
"""Work shorter than this shows no bar."""


class Store(Protocol[Kept, Result]):
    """Keeps finished results, so that a second run takes them up instead of doing the work again."""

    def load(self, item: Kept) -> Result | None:
        """The kept result, or None."""

    def save(self, item: Kept, result: Result) -> None:
        """Keep a result."""


@dataclass(frozen=True)
class Outcome(Generic[Result]):
    """What became of one item: a result or the reason why there is none."""

    result: Result | None
    error: SidestepError | None = None


class Pool:
    """Maps a function over items on several processes (started by spawn; functions must be importable)."""

    def __init__(self, workers: int | None = None, label: str = "working", show: bool | None = None) -> None:
        """``workers`` processes (None: one per core; 1: in this process); ``show`` forces the bar on or off."""
        if workers is not None and workers < 1:
            raise AskedWrongly(f"{workers} workers cannot work; name one or more, or none for all cores")
        self.workers = workers or os.cpu_count() or 1
        self.label = label
        self.show = sys.stderr.isatty() if show is None else show

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        store: Store[Item, Result] | None = None,
    ) -> list[Result]:
        """All results in the order of the items; the first refusal is raised, and what was finished stays in the store.

        Raises:
            SidestepError: Whatever the function refused.
            JobFailed: It raised something else, or a process died; the message names the item.
        """
        outcomes = self.outcomes(function, items, store)
        for outcome in outcomes:
            if outcome.error is not None:
                raise outcome.error
        return [outcome.result for outcome in outcomes]  # type: ignore[misc]

    def outcomes(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        store: Store[Item, Result] | None = None,
    ) -> list[Outcome[Result]]:
        """Like ``map``, but one item's failure does not stop the others: it is that item's outcome."""
        outcomes: dict[int, Outcome[Result]] = {}
        if store is not None:
            for index, item in enumerate(items):
                kept = store.load(item)
                if kept is not None:
                    outcomes[index] = Outcome(kept)
        missing = [index for index in range(len(items)) if index not in outcomes]
        with self._bar(len(items), len(outcomes)) as advance:
            for index, outcome in self._run(function, items, missing):
                if store is not None and outcome.error is None:
                    store.save(items[index], outcome.result)  # type: ignore[arg-type]
                outcomes[index] = outcome
                advance()
        return [outcomes[index] for index in range(len(items))]

    def _run(
        self, function: Callable[[Item], Result], items: Sequence[Item], missing: list[int]
    ) -> Iterator[tuple[int, Outcome[Result]]]:
        if self.workers == 1 or len(missing) <= 1:
            for index in missing:
                yield index, _outcome(lambda index=index: function(items[index]), items[index])  # type: ignore[misc]
            return
        with _one_thread_each(), _without_main(function):
            while missing:
                lost, finished = [], set[int]()
                for index, outcome in self._spread(function, items, missing):
                    if outcome is None:
                        lost.append(index)
                    else:
                        finished.add(index)
                        yield index, outcome
                # A process died, and all that was in hand with it. One at a time tells whose fault it was; what had not
                # been begun goes on together.
                for index in lost:
                    for _, outcome in self._spread(function, items, [index]):
                        yield index, outcome or _died(items[index])
                missing = [index for index in missing if index not in finished and index not in lost]

    def _spread(
        self, function: Callable[[Item], Result], items: Sequence[Item], wanted: list[int]
    ) -> Iterator[tuple[int, Outcome[Result] | None]]:
        """Work on several processes; None for what was in hand when one of them died, nothing for what came after."""
        context = multiprocessing.get_context("spawn")
        queue, waiting = deque(wanted), dict[Future[Result], int]()
        with ProcessPoolExecutor(min(self.workers, len(wanted)), mp_context=context) as executor:
            broken = False
            while queue or waiting:
                while queue and not broken and len(waiting) < 3 * self.workers:
                    try:
                        waiting[executor.submit(function, items[queue[0]])] = queue[0]
                        queue.popleft()
                    except BrokenProcessPool:
                        broken = True
                if broken and not waiting:
                    break
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    index = waiting.pop(future)
                    if isinstance(future.exception(), BrokenProcessPool):
                        broken = True
                        yield index, None
                    else:
                        yield index, _outcome(future.result, items[index])

    @contextmanager
    def _bar(self, total: int, finished: int) -> Iterator[Callable[[], None]]:
        if not self.show:
            yield lambda: None
            return
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
        started = time.monotonic()
        progress = Progress(
            *columns, TimeRemainingColumn(), console=Console(stderr=True, force_terminal=True), transient=True
        )
        task = progress.add_task(self.label, total=total, completed=finished)
        running = False

        def advance() -> None:
            nonlocal running
            if not running and time.monotonic() - started > QUIET_S:
                progress.start()
                running = True
            progress.advance(task)

        try:
            yield advance
        finally:
            if running:
                progress.stop()


def _outcome(work: Callable[[], Result], item: object) -> Outcome[Result]:
    try:
        return Outcome(work())
    except SidestepError as error:
        return Outcome(None, error)
    except Exception as error:  # whatever a job raises becomes its outcome, with its name on it
        return Outcome(None, JobFailed(f"{item}: {type(error).__name__}: {error}"))


def _died(item: object) -> Outcome[Result]:
    return Outcome(None, JobFailed(f"{item}: the worker process died (out of memory?); try fewer workers"))


@contextmanager
def _without_main(function: Callable[..., object]) -> Iterator[None]:
    """Keep workers from running the caller's script again.

    A spawned worker imports the main script first. A script without the ``if __name__ == "__main__"`` guard would
    start the same work in every worker and end in a page of tracebacks. Our jobs live in modules, so workers need no
    main script; only a function of the script itself does.
    """
    main = sys.modules["__main__"]
    hidden = {} if function.__module__ == "__main__" else {n: getattr(main, n, None) for n in ("__file__", "__spec__")}
    for name in hidden:
        setattr(main, name, None)
    try:
        yield
    finally:
        for name, value in hidden.items():
            setattr(main, name, value)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Workers inherit the environment: two busy thread pools on shared cores slow each other down tenfold."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
