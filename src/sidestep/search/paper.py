"""The search of the paper (EMM 5.4), every part with a switch: fast, and nearly the best pose.

It walks over representative poses; one that beats the best so far has its whole neighbourhood looked at. The more a
representative differs from the best pose, the more of its successors are skipped. Where nothing is near, two layers of
boxes (64 and 16 poses) are searched for the distance alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Indices, frozen
from ..jit import kernel
from .cost import REACH, SLOTS, penalty
from .find import Found, Query, Question, asked
from .index import LANES, Index
from .kernels import played_on, pose_distance

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
    box_low: Array
    """Boxes around runs of 64 poses, and around the four blocks of 16 in each: its own first. Shape (runs, 5, dims)."""
    box_high: Array

    @classmethod
    def of(cls, index: Index) -> PaperIndex:
        """Choose representatives and build the boxes."""
        values = index.database.values[:, index.order]
        frames = np.flatnonzero(index.searchable)
        spread = np.maximum(np.ptp(values[frames], axis=0), 1e-9)
        chosen = _representatives(values, frames.astype(np.int64), (DIFFERENCE * spread).astype(np.float32))
        groups, dims, blocks = index.block_low.shape
        by_sixteen = [b.transpose(0, 2, 1).reshape(-1, COARSE, dims) for b in (index.block_low, index.block_high)]
        low = np.concatenate([by_sixteen[0].min(1, keepdims=True), by_sixteen[0]], axis=1)
        high = np.concatenate([by_sixteen[1].max(1, keepdims=True), by_sixteen[1]], axis=1)
        assert len(low) == groups * blocks // COARSE
        return cls(index, frozen(chosen, np.int64), frozen(frames, np.int64), frozen(low), frozen(high))


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
    how = how or Paper()
    question = asked(index.index, query)
    tables = (index.index.poses, index.index.bodies)
    if how.boxes and not _anything_near(index.index, question):
        alone = (question.values, question.weights, question.going_on, question.reward)
        return Found(*_boxes_kernel(*tables, index.box_low, index.box_high, *alone))
    walk = index.representatives if how.adaptive else index.every
    aggressive = how.aggressive if how.dissimilarity else 0.0
    start = last if how.start_before_last else -1
    return Found(*_walk_kernel(*tables, index.index.searchable, walk, *question, aggressive, start))


def _anything_near(index: Index, question: Question) -> bool:
    """Whether an obstacle's centre is within reach of the trajectory asked for (EMM 5.4.1)."""
    if not len(question.kinds):
        return False
    columns = index.database.features.columns()["positions"]
    at = np.flatnonzero((index.order >= columns.start) & (index.order < columns.stop))
    wanted = question.values[at] * index.database.scale[columns] + index.database.mean[columns]
    times = question.rows.reshape(SLOTS, -1, 8)
    away = np.linalg.norm(times[..., :2] - wanted.reshape(SLOTS, 1, 2), axis=-1)
    return bool((away < times[..., 4:6].max(-1) + question.environment[REACH] + BODY_M).any())


@kernel
def _walk_kernel(
    poses: Array, bodies: Array, searchable: Array, walk: Indices, query: Array, weights: Array, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array,
    going_on: int, reward: float, aggressive: float, last: int,
) -> tuple[int, float, int]:  # fmt: skip
    best = played_on(poses, bodies, query, weights, environment, kinds, rows, firsts, corners, going_on, reward)
    chosen, looked = going_on, 0
    count = len(walk)
    begin = 0
    if last >= 0:
        begin = (int(np.searchsorted(walk, last)) - count // 100 + count) % count
    step = 0
    while step < count:
        n = (begin + step) % count
        frame = walk[n]
        spent = pose_distance(poses, frame, query, weights)
        if spent < best:
            looked += 1
            spent = penalty(bodies, frame, environment, kinds, rows, firsts, corners, spent, best)
            if spent < best:
                best, chosen = spent, frame
                # All poses half-way to the neighbours on either side.
                low = (walk[n - 1] + frame) // 2 if n > 0 else frame
                high = (walk[n + 1] + frame) // 2 if n + 1 < count else frame
                for other in range(low, high + 1):
                    if other in (frame, going_on) or not searchable[other]:
                        continue
                    spent = pose_distance(poses, other, query, weights)
                    if spent >= best:
                        continue
                    looked += 1
                    spent = penalty(bodies, other, environment, kinds, rows, firsts, corners, spent, best)
                    if spent < best:
                        best, chosen = spent, other
        skip = 1
        if aggressive > 0.0 and chosen >= 0:
            unlike = 0.0
            for k in range(len(query)):
                away = poses[frame // LANES, k, frame % LANES] - poses[chosen // LANES, k, chosen % LANES]
                unlike += away * away
            # EMM (7); the score may have fallen below zero by the reward.
            skip = max(1, int(aggressive * np.floor(np.sqrt(np.sqrt(unlike) / max(best, 1e-6)))))
        step += skip
    return chosen, best, looked


@kernel
def _boxes_kernel(
    poses: Array, bodies: Array, box_low: Array, box_high: Array, query: Array, weights: Array,
    going_on: int, reward: float,
) -> tuple[int, float, int]:  # fmt: skip
    """The classic: skip a box that cannot win, then a smaller one, then a pose."""
    best, chosen, looked = np.inf, -1, 0
    if going_on >= 0:
        best, chosen = pose_distance(poses, going_on, query, weights) - reward, going_on
    dims = len(query)
    for upper in range(len(box_low)):
        if _box_distance(box_low, box_high, upper, 0, query, weights, best) >= best:
            continue
        for lower in range(1, COARSE + 1):
            if _box_distance(box_low, box_high, upper, lower, query, weights, best) >= best:
                continue
            block = upper * COARSE + lower - 1
            for lane in range(LANES):
                frame = block * LANES + lane
                if frame >= len(bodies) or frame == going_on:
                    continue
                total = 0.0
                for k in range(dims):
                    away = poses[block, k, lane] - query[k]
                    total += weights[k] * away * away
                    if total >= best:
                        break
                looked += 1
                if total < best:
                    best, chosen = total, frame
    return chosen, best, looked


@kernel
def _box_distance(low: Array, high: Array, upper: int, lower: int, query: Array, weights: Array, best: float) -> float:
    total = 0.0
    for k in range(len(query)):
        away = max(max(low[upper, lower, k] - query[k], query[k] - high[upper, lower, k]), np.float32(0.0))
        total += weights[k] * away * away
        if total >= best:
            break
    return total
