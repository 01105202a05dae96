"""Asking several searches the same questions, and how long each took."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ..arrays import Array
from ..search import Answers, Question

Search = Callable[[Question], Answers]


def replay(searches: dict[str, Search], asked: list[Question], in_a_row: int) -> dict[str, tuple[Array, Array]]:
    """Milliseconds and best scores by search, one thread; every kernel has run once before the clock does.

    Each search is asked some questions in a row before the next one is: so each finds its own data in the caches, as it
    would in a game, and all share the machine's moods.
    """
    took: dict[str, list[float]] = {name: [] for name in searches}
    scores: dict[str, list[float]] = {name: [] for name in searches}
    for search in searches.values():
        search(asked[0])
    for start in range(0, len(asked), in_a_row):
        for name, search in searches.items():
            for question in asked[start : start + in_a_row]:
                began = time.perf_counter()
                answers = search(question)
                took[name].append(1e3 * (time.perf_counter() - began))
                scores[name].append(float(answers.scores[0, 0]))
    return {name: (np.array(took[name]), np.array(scores[name])) for name in searches}
