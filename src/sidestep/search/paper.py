"""The search of the paper (EMM 5.4), every part with a switch: fast, and nearly the best pose.

It walks over representative poses; one that beats the best so far has its whole neighbourhood looked at. The more a
representative differs from the best pose, the more of its successors are skipped. Where nothing is near, two layers of
boxes (64 and 16 poses) are searched for the distance alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Flags, Indices, frozen
from ..geometry.shapes import A, B, X, Z
from ..jit import borrowed, inlined_kernel, kernel
from .cost import REACH, SLOTS, penalty
from .find import Answers, Found, Query, Question, question
from .index import LANES, NOWHERE, Index
from .kernels import begin, desk_for
from .tables import Around, Asked, Desk, Tables

STRIDE = 8
"""Frames between representatives at least (EMM 5.4.2, k)."""
DIFFERENCE = 0.05
"""How much of its range some feature must change from one representative to the next (EMM 5.4.2)."""
BODY_M = 0.9
"""How far a body reaches at most, to preselect obstacles (EMM 5.4.1)."""
COARSE = 4
"""Blocks of 16 in a box of the upper layer."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """Which parts of EMM 5.4 are on."""

    aggressive: float = 5.0
    """How much is skipped (EMM v)."""
    adaptive: bool = True
    """Walk over representatives instead of all poses (off: "No Adaptive")."""
    dissimilarity: bool = True
    """Skip the more the less a pose is like the best (off: "No Dissimilarity")."""
    start_before_last: bool = True
    """Begin a hundredth of the way before the last answer (off: "Start 0")."""
    boxes: bool = True
    """Search boxes where nothing is near."""


@dataclass(frozen=True, eq=False)
class PaperIndex:
    """What the paper's search reads beside an ``Index``; frozen."""

    index: Index
    representatives: Indices
    """Frames, ascending. Shape (representatives,)."""
    every: Indices
    """All searchable frames, in the same role where representatives are off."""
    poses: Array
    """Query features pose by pose, in the index's order: it walks, so each pose stands by itself. (frames, dims)."""
    box_low: Array
    """Boxes around runs of 64 poses, and around the four blocks of 16 in each: its own first. Shape (runs, 5, dims)."""
    box_high: Array

    @classmethod
    def of(cls, index: Index) -> PaperIndex:
        """Choose representatives and build the boxes."""
        database = index.database
        values = database.values[:, index.order]
        frames = np.flatnonzero(index.searchable)
        spread = np.maximum(np.ptp(values[frames], axis=0), 1e-9)
        chosen = _representatives(values, frames.astype(np.int64), (DIFFERENCE * spread).astype(np.float32))
        dims, runs = index.tables.poses.shape[1], -(-len(database) // (COARSE * LANES))
        sides = []
        kept = np.flatnonzero(index.tables.block_of >= 0)
        at = index.tables.block_of[kept]
        for boxes, nothing, over in (
            (index.tables.block_low, np.inf, np.min),
            (index.tables.block_high, -np.inf, np.max),
        ):
            side = np.full((COARSE * runs, dims), nothing, np.float32)
            side[kept] = boxes.transpose(0, 2, 1).reshape(-1, dims)[at]
            by_run = side.reshape(runs, COARSE, dims)
            both = np.concatenate([over(by_run, axis=1, keepdims=True), by_run], axis=1)
            # What holds nothing is nowhere.
            sides.append(np.where(np.isfinite(both), both, NOWHERE))
        return cls(
            index,
            frozen(chosen, np.int64),
            frozen(frames, np.int64),
            frozen(index.tables.poses.transpose(0, 2, 1).reshape(-1, dims)[_where(index)]),
            *map(frozen, sides),
        )


def _where(index: Index) -> Indices:
    """Where the index holds each frame; anywhere for those it does not. Shape (frames,)."""
    frames = np.arange(len(index.database))
    return np.maximum(index.tables.block_of[frames // LANES], 0) * LANES + frames % LANES


@inlined_kernel
def _distance(poses: Array, frame: int, query: Array, weights: Array) -> float:
    """Weighted squared distance of one pose from a query."""
    total = np.float32(0.0)
    for k in range(len(query)):
        away = poses[frame, k] - query[k]
        total += weights[k] * away * away
    return np.float64(total)


@kernel
def _representatives(values: Array, frames: Indices, least: Array) -> Indices:
    chosen = np.empty(len(frames), np.int64)
    chosen[0], count = frames[0], 1
    for n in range(1, len(frames)):
        frame, last = frames[n], chosen[count - 1]
        if frame - last < STRIDE:
            continue
        for k in range(values.shape[1]):
            if abs(values[frame, k] - values[last, k]) >= least[k]:
                chosen[count] = frame
                count += 1
                break
    return chosen[:count]


def paper(index: PaperIndex, query: Query | Question, how: Paper | None = None, last: int = -1) -> Found:
    """Search as the paper does.

    Args:
        index: What to search.
        query: What is wanted.
        how: Which parts are on; all of them if left out.
        last: The frame found last time.
    """
    asked, around = question(index.index, query)
    return paper_many(index, Question(asked._replace(hints=np.array([last], np.int64)), around), how).first()


def paper_many(index: PaperIndex, asks: Question, how: Paper | None = None) -> Answers:
    """Everybody's search as the paper does it."""
    how = how or Paper()
    answers = Answers.of(len(asks.asked.values), 1)
    walk = index.representatives if how.adaptive else index.every
    tables, database = index.index.tables, index.index.database
    columns = database.column("positions")
    at = np.flatnonzero((index.index.order >= columns.start) & (index.index.order < columns.stop))
    wanted = asks.asked.values[:, at].astype(np.float64) * database.scale[columns] + database.mean[columns]
    _paper_all(
        tables, index.poses, index.index.searchable, walk, index.box_low, index.box_high, *asks, wanted,
        how.aggressive if how.dissimilarity else 0.0, how.start_before_last, how.boxes, *answers,
    )  # fmt: skip
    return answers


@kernel
def _paper_all(
    tables: Tables, poses: Array, searchable: Flags, walk: Indices, box_low: Array, box_high: Array,
    asked: Asked, around: Around,
    wanted: Array, aggressive: float, before_last: bool, boxes: bool, frames: Indices, scores: Array, work: Array,
) -> None:  # fmt: skip
    for ask in range(len(frames)):
        desk = desk_for(tables, around, ask)
        begin(tables, asked, ask, around, desk, frames[ask], scores[ask])
        if boxes and not _anything_near(asked, ask, around, wanted):
            looked = _boxes_one(
                poses, tables.block_of, searchable, box_low, box_high, asked, ask, frames[ask], scores[ask]
            )
        else:
            last = asked.hints[ask] if before_last else np.int64(-1)
            looked = _walk_one(
                tables, poses, searchable, walk, asked, ask, around, desk, aggressive, last, frames[ask], scores[ask]
            )
        work[ask, 0], work[ask, 1] = looked, scores[ask, 0]


@kernel
def _anything_near(asked: Asked, ask: int, around: Around, wanted: Array) -> bool:
    """Whether an obstacle's centre is within reach of the trajectory asked for (EMM 5.4.1)."""
    for slot in range(SLOTS):
        for i in range(around.slots[ask, slot], around.slots[ask, slot + 1]):
            dx, dz = around.rows[i, X] - wanted[ask, 2 * slot], around.rows[i, Z] - wanted[ask, 2 * slot + 1]
            far = max(around.rows[i, A], around.rows[i, B]) + asked.environments[ask, REACH] + BODY_M
            if dx * dx + dz * dz < far * far:
                return True
    return len(around.costs) > 0


@kernel
def _walk_one(
    tables: Tables, poses: Array, searchable: Flags, walk: Indices, asked: Asked, ask: int, around: Around, desk: Desk,
    aggressive: float, last: int, frames: Indices, scores: Array,
) -> int:  # fmt: skip
    poses, walk, bodies = borrowed(poses), borrowed(walk), borrowed(tables.bodies)
    searchable = borrowed(searchable)
    rows, corners = borrowed(around.rows), borrowed(around.corners)
    query, weights = borrowed(asked.values[ask]), borrowed(asked.weights[ask])
    environment, given = borrowed(asked.environments[ask]), borrowed(around.given[ask])
    costs, going_on = borrowed(around.costs), asked.going_on[ask]
    spots, near, slots = borrowed(desk.spots), borrowed(desk.rows), borrowed(desk.slots)
    looked, count = 0, len(walk)
    first = 0
    if last >= 0:
        first = (int(np.searchsorted(walk, last)) - count // 100 + count) % count
    step = 0
    while step < count:
        n = (first + step) % count
        frame = walk[n]
        # First the representative; if it is the best so far, all poses half-way to its neighbours.
        low, high = frame, frame
        other = frame
        while other <= high:
            spent = np.inf
            if other != going_on and searchable[other] and (other != frame or low == high):
                spent = _distance(poses, other, query, weights)
            if spent < scores[0]:
                looked += 1
                spent = penalty(
                    bodies, other, environment, rows, corners, spots, near, slots, costs, given, spent, scores[0]
                )
                if spent < scores[0]:
                    scores[0], frames[0] = spent, other
                    if low == high:
                        low = (walk[n - 1] + frame) // 2 if n > 0 else frame
                        high = (walk[n + 1] + frame) // 2 if n + 1 < count else frame
                        other = low - 1
            other += 1
        skip = 1
        if aggressive > 0.0 and frames[0] >= 0:
            unlike = np.float32(0.0)
            for k in range(len(query)):
                away = poses[frame, k] - poses[frames[0], k]
                unlike += away * away
            # EMM (7); the score may have fallen below zero by the reward.
            skip = max(1, int(aggressive * np.floor(np.sqrt(np.sqrt(unlike) / max(scores[0], 1e-6)))))
        step += skip
    return looked


@kernel
def _boxes_one(
    poses: Array,
    block_of: Indices,
    searchable: Flags,
    box_low: Array,
    box_high: Array,
    asked: Asked,
    ask: int,
    frames: Indices,
    scores: Array,
) -> int:
    """The classic: skip a box that cannot win, then a smaller one, then a pose."""
    query, weights = borrowed(asked.values[ask]), borrowed(asked.weights[ask])
    box_low, box_high = borrowed(box_low), borrowed(box_high)
    poses, block_of, going_on = borrowed(poses), borrowed(block_of), asked.going_on[ask]
    looked = 0
    for upper in range(len(box_low)):
        if _box_distance(box_low, box_high, upper, 0, query, weights, scores[0]) >= scores[0]:
            continue
        for lower in range(1, COARSE + 1):
            if _box_distance(box_low, box_high, upper, lower, query, weights, scores[0]) >= scores[0]:
                continue
            first = (upper * COARSE + lower - 1) * LANES
            if block_of[first // LANES] < 0:
                continue
            for lane in range(LANES):
                frame = first + lane
                if frame == going_on or frame >= len(poses) or not searchable[frame]:
                    continue
                total = _distance(poses, frame, query, weights)
                looked += 1
                if total < scores[0]:
                    scores[0], frames[0] = total, frame
    return looked


@kernel
def _box_distance(low: Array, high: Array, upper: int, lower: int, query: Array, weights: Array, best: float) -> float:
    total = 0.0
    for k in range(len(query)):
        away = max(max(low[upper, lower, k] - query[k], query[k] - high[upper, lower, k]), np.float32(0.0))
        total += weights[k] * away * away
        if total >= best:
            break
    return total
