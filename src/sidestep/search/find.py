"""Asking a search: what a query is, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..arrays import Array, Indices
from ..errors import AskedWrongly, UnknownName
from ..geometry.shapes import FIRST, FULL, KIND, LAST, Shapes
from .cost import SLOTS, Environment
from .index import Index
from .kernels import brute_all, exact_all, exact_side_by_side
from .penalties import NUMBERS, Charge, heights
from .tables import Around, Asked

NO_LIMIT = 1 << 60
OVER_M = 0.02
"""What a body keeps from a top it passes over and a bottom it passes under."""
DEFAULT_WEIGHT = 0.1  # EMM 5.3: Responsiveness and Continuity of 0.1 on weights of one


@dataclass(frozen=True, eq=False, kw_only=True)
class Query:
    """What a pose is wanted for."""

    values: Array
    """Query features as the database standardizes them. Shape (query dims,)."""
    weights: dict[str, float] = field(default_factory=dict)
    """Of features by name; those not named weigh 0.1 (EMM 5.3)."""
    obstacles: Shapes | Sequence[Shapes] = ()
    """In the character's frame: as they stand, or where they will be at the three look-ahead times."""
    environment: Environment = field(default_factory=Environment)
    charges: tuple[Charge, ...] = ()
    """Penalties beyond the barrier."""
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """x, z [m] and yaw [rad] of the character, for penalties that ask where it is."""
    going_on: int = -1
    """The frame that would simply be played next; -1 if there is none."""
    reward: float = 0.0
    """What is taken off its score, so that clips are not left for nothing (EMM 5.2)."""


class Question(NamedTuple):
    """Queries as the kernels take them; ``question`` makes one, a controller makes many at once."""

    asked: Asked
    around: Around


class Found(NamedTuple):
    """The best pose."""

    frame: int
    score: float
    looked: int
    """Poses whose obstacles were looked at: a measure of the work."""
    at_least: float
    """Nothing unseen scores lower; below ``score`` only where a budget ran out."""


class Answers(NamedTuple):
    """What many were told at once."""

    frames: Indices
    """The best first; -1 where there are fewer. Shape (asks, k)."""
    scores: Array
    """Shape (asks, k)."""
    work: Array
    """Poses whose obstacles were looked at, and what nothing unseen scores below. Shape (asks, 2)."""

    @classmethod
    def of(cls, asks: int, k: int) -> Answers:
        """Room for them."""
        return cls(np.full((asks, k), -1, np.int64), np.full((asks, k), np.inf), np.zeros((asks, 2)))

    def first(self) -> Found:
        """The best of the first who asked."""
        return Found(int(self.frames[0, 0]), float(self.scores[0, 0]), int(self.work[0, 0]), float(self.work[0, 1]))


def brute(index: Index, query: Query | Question, k: int = 1) -> Found:
    """Search every pose."""
    return brute_many(index, question(index, query), k).first()


def exact(index: Index, query: Query | Question, hint: int | None = None, budget: int = NO_LIMIT) -> Found:
    """Search where the best can be; the same answer as ``brute``.

    Args:
        index: What to search.
        query: What is wanted.
        hint: A frame near which the answer may be (the last one found): it saves work, it changes nothing.
        budget: How many blocks of 16 poses may be scored, about; past it the best so far is told, and how much better
            the best could be.
    """
    asked, around = question(index, query)
    if hint is not None:
        asked = asked._replace(hints=np.array([hint], np.int64))
    return exact_many(index, Question(asked, around), budget=budget).first()


def top(index: Index, query: Query | Question, k: int) -> list[tuple[int, float]]:
    """The k best poses and their scores, best first; exactly those."""
    if k < 1:
        raise AskedWrongly(f"the {k} best poses are none; ask for one at least")
    answers = exact_many(index, question(index, query), k)
    return [(int(f), float(s)) for f, s in zip(answers.frames[0], answers.scores[0], strict=True) if f >= 0]


def brute_many(index: Index, asks: Question, k: int = 1) -> Answers:
    """Every pose for everybody."""
    answers = Answers.of(len(asks.asked.values), k)
    brute_all(index.tables, *asks, *answers)
    return answers


def exact_many(index: Index, asks: Question, k: int = 1, budget: int = NO_LIMIT, threads: int = 1) -> Answers:
    """Everybody's exact search, on one thread or on all."""
    answers = Answers.of(len(asks.asked.values), k)
    search = exact_all if threads == 1 or len(answers.frames) < 2 else exact_side_by_side
    search(index.tables, *asks, budget, *answers)
    return answers


def weights_of(index: Index, named: dict[str, float]) -> Array:
    """Weights in the index's order; those not named weigh 0.1, what shuts frames out weighs one. Shape (dims,).

    Raises:
        AskedWrongly: A weight below zero or not finite.
        UnknownName: A weight for a feature that is not compared.
    """
    features = index.database.features
    weights = np.full(features.query_dims, DEFAULT_WEIGHT, np.float32)
    columns = features.columns()
    known = [feature.name for feature in features.query]
    for name, weight in named.items():
        if name not in known:
            raise UnknownName.among("query feature", name, known)
        if not 0 <= weight < np.inf:
            raise AskedWrongly(f"weight of '{name}' is {weight}; weights are zero or above")
        weights[columns[name]] = weight
    filled = np.zeros(index.tables.poses.shape[1], np.float32)
    filled[: len(index.order)] = weights[index.order]
    filled[-1] = 1.0
    return filled


def question(index: Index, query: Query | Question) -> Question:
    """A query as the kernels take it; one that is so already stays as it is.

    Raises:
        AskedWrongly: Numbers that do not fit the features, weights below zero, obstacles that are not the same ones.
        UnknownName: A weight for a feature that is not compared.
    """
    if isinstance(query, Question):
        return query
    features = index.database.features
    values = np.asarray(query.values, np.float32)
    if values.shape != (features.query_dims,) or not np.isfinite(values).all():
        raise AskedWrongly(
            f"a query for '{features.name}' has {features.query_dims} finite numbers, not {values.shape}"
        )
    if not -1 <= query.going_on < len(index.database):
        raise AskedWrongly(f"frame {query.going_on} would be played next; there are {len(index.database)}")
    times = [query.obstacles] * SLOTS if isinstance(query.obstacles, Shapes) else list(query.obstacles)
    times = times or [Shapes.of([])] * SLOTS
    if len(times) != SLOTS or any(not np.array_equal(time.rows[:, KIND], times[0].rows[:, KIND]) for time in times):
        raise AskedWrongly(f"obstacles are told once, or the same ones at the {SLOTS} look-ahead times")
    rows = np.concatenate([time.rows for time in times])
    began = np.repeat(np.cumsum([0] + [len(time.corners) for time in times[:-1]]), len(times[0]))
    rows[:, [FIRST, LAST]] += began[:, None]
    slots = len(times[0]) * np.arange(SLOTS + 1, dtype=np.int64)[None]
    asked = Asked(
        in_order(index, values)[None],
        weights_of(index, query.weights)[None],
        query.environment.packed()[None],
        np.array([query.going_on], np.int64),
        np.array([query.reward], np.float64),
        np.array([-1], np.int64),
    )
    charges = with_heights(query.environment, query.charges, bool((rows[:, FULL] == 0.0).any()))
    corners = np.concatenate([time.corners for time in times])
    around = Around(rows, corners, slots, *charged(charges, np.array([query.place])))
    return Question(asked, around)


def in_order(index: Index, values: Array) -> Array:
    """Query numbers as the index stands. Shape (..., dims)."""
    filled = np.zeros((*values.shape[:-1], index.tables.poses.shape[1]), np.float32)
    filled[..., : len(index.order)] = values[..., index.order]
    return filled


def with_heights(environment: Environment, charges: tuple[Charge, ...], wanted: bool) -> tuple[Charge, ...]:
    """The penalties in use: heights too, where something is not of full height."""
    return (*charges, Charge(heights, (OVER_M,))) if environment.heights and wanted else charges


def charged(charges: tuple[Charge, ...], places: Array) -> tuple[Indices, Indices, Array]:
    """Penalties as kernels take them, for everybody who asks from ``places`` (asks, 3)."""
    given = np.zeros((len(places), len(charges), NUMBERS))
    given[:, :, :3] = places[:, None]
    for column, charge in enumerate(charges):
        given[:, column, 3 : 3 + len(charge.numbers)] = charge.numbers
    costs = np.array([c.penalty.cost.address for c in charges], np.int64)
    bounds = np.array([0 if c.penalty.bound is None else c.penalty.bound.address for c in charges], np.int64)
    return costs, bounds, given
