"""Asking a search: what a query is, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..arrays import Array, Indices
from ..errors import AskedWrongly, UnknownName
from ..geometry.shapes import Shapes
from .cost import SLOTS, Environment
from .index import Index
from .kernels import brute_kernel, exact_kernel


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
    going_on: int = -1
    """The frame that would simply be played next; -1 if there is none."""
    reward: float = 0.0
    """What is taken off its score, so that clips are not left for nothing (EMM 5.2)."""


class Question(NamedTuple):
    """A query as the kernels take it; ``asked`` makes it, and who asks the same of several searches keeps it."""

    values: Array
    """In the index's order. Shape (dims,)."""
    weights: Array
    environment: Array
    kinds: Indices
    rows: Array
    firsts: Indices
    corners: Array
    going_on: int
    reward: float


class Found(NamedTuple):
    """The best pose."""

    frame: int
    score: float
    looked: int
    """Poses whose obstacles were looked at: a measure of the work."""


def brute(index: Index, query: Query | Question) -> Found:
    """Search every pose."""
    question = asked(index, query)
    return Found(*brute_kernel(index.poses, index.bodies, *question))


def exact(index: Index, query: Query | Question, hint: int = -1) -> Found:
    """Search where the best can be; the same answer as ``brute``.

    Args:
        index: What to search.
        query: What is wanted.
        hint: A frame near which the answer may be (the last one found): it saves work, it changes nothing.
    """
    question = asked(index, query)
    boxes = (index.block_low, index.block_high, index.group_low, index.group_high, index.block_reach, index.group_reach)
    return Found(*exact_kernel(index.poses, index.bodies, *boxes, *question, hint))


DEFAULT_WEIGHT = 0.1  # EMM 5.3: Responsiveness and Continuity of 0.1 on weights of one


def asked(index: Index, query: Query | Question) -> Question:
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
    weights = np.full(features.query_dims, DEFAULT_WEIGHT, np.float32)
    columns = features.columns()
    known = [feature.name for feature in features.query]
    for name, weight in query.weights.items():
        if name not in known:
            raise UnknownName.among("query feature", name, known)
        if not 0 <= weight < np.inf:
            raise AskedWrongly(f"weight of '{name}' is {weight}; weights are zero or above")
        weights[columns[name]] = weight
    if not -1 <= query.going_on < len(index.database):
        raise AskedWrongly(f"frame {query.going_on} would be played next; there are {len(index.database)}")
    times = [query.obstacles] * SLOTS if isinstance(query.obstacles, Shapes) else list(query.obstacles)
    times = times or [Shapes.of([])] * SLOTS
    if len(times) != SLOTS or any(not np.array_equal(time.kinds, times[0].kinds) for time in times):
        raise AskedWrongly(f"obstacles are told once, or the same ones at the {SLOTS} look-ahead times")
    corners = np.cumsum([0] + [len(time.corners) for time in times])
    began = list(zip(times, corners[:-1], strict=True))
    filled = np.zeros((2, index.poses.shape[1]), np.float32)
    filled[:, : len(index.order)] = values[index.order], weights[index.order]
    return Question(
        filled[0],
        filled[1],
        query.environment.packed(),
        np.concatenate([time.kinds for time in times]),
        np.concatenate([time.rows for time in times]),
        np.concatenate([*(time.firsts[:-1] + first for time, first in began), corners[-1:]]),
        np.concatenate([time.corners for time in times]),
        query.going_on,
        float(query.reward),
    )
