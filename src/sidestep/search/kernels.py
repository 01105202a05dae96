"""Two searches over one cost: every pose in turn, and the exact one that skips what cannot win."""

from __future__ import annotations

import numba
import numpy as np

from ..arrays import Array, Indices
from ..jit import inlined_kernel, kernel, parallel_kernel
from .cost import least_penalty, penalty
from .index import EIGHT, FOUR, LANES
from .tables import Around, Asked, Tables

ROUNDING = np.float32(1 - 1e-5)
"""Bounds are sums in single precision; they must not exceed what they bound by their own rounding."""
HALF = 12
"""Dimensions (the trajectory's) after which it is asked whether any pose of a block can still win."""


@inlined_kernel
def pose_distance(poses: Array, block: int, lane: int, query: Array, weights: Array) -> float:
    """Weighted squared distance of one pose from a query."""
    total = np.float32(0.0)
    for k in range(len(query)):
        away = poses[block, k, lane] - query[k]
        total += weights[k] * away * away
    return np.float64(total)


@kernel
def keep(frame: int, score: float, frames: Indices, scores: Array) -> None:
    """Put a pose among the best so far, which stand in order; it is known to be better than the last of them."""
    at = len(scores) - 1
    while at > 0 and scores[at - 1] > score:
        scores[at], frames[at] = scores[at - 1], frames[at - 1]
        at -= 1
    scores[at], frames[at] = score, frame


@inlined_kernel
def begin(tables: Tables, asked: Asked, ask: int, around: Around, frames: Indices, scores: Array) -> None:
    """What is to beat from the start: the pose that would simply be played next, its reward taken off."""
    scores[:], frames[:] = np.inf, -1
    frame = asked.going_on[ask]
    if frame < 0 or tables.block_of[frame // LANES] < 0:
        return
    block, lane = tables.block_of[frame // LANES], frame % LANES
    spent = pose_distance(tables.poses, block, lane, asked.values[ask], asked.weights[ask]) - asked.rewards[ask]
    score = penalty(
        tables.bodies, frame, asked.environments[ask], around.rows, around.corners, around.slots[ask],
        around.costs, around.given[ask], spent, np.inf,
    )  # fmt: skip
    keep(frame, score, frames, scores)


@kernel
def meet(
    bodies: Array, first: int, distances: Array, going_on: int, environment: Array, rows: Array, corners: Array,
    slots: Indices, costs: Indices, given: Array, frames: Indices, scores: Array,
) -> int:  # fmt: skip
    """Let those of a block that may win meet the obstacles; returns how many did."""
    last, looked = len(scores) - 1, 0
    for lane in range(LANES):
        frame = first + lane
        if distances[lane] >= scores[last] or frame == going_on:
            continue
        looked += 1
        spent = penalty(
            bodies, frame, environment, rows, corners, slots, costs, given, np.float64(distances[lane]), scores[last]
        )
        if spent < scores[last]:
            keep(frame, spent, frames, scores)
    return looked


@inlined_kernel
def may_win(poses: Array, block: int, query: Array, weights: Array, best: float, distances: Array) -> bool:
    """Distances of sixteen poses side by side; whether any is below the score to beat."""
    distances[:] = 0.0
    add_distances(poses, block, 0, HALF, query, weights, distances)
    if distances.min() >= best:
        return False
    add_distances(poses, block, HALF, len(query), query, weights, distances)
    return bool(distances.min() < best)


@inlined_kernel
def add_distances(
    poses: Array, block: int, start: int, stop: int, query: Array, weights: Array, distances: Array
) -> None:
    """Add the dimensions from ``start`` to ``stop`` to the distances of a block's poses.

    Four at a time and written out: so the loop over the poses becomes one of vector instructions.
    """
    for k in range(start, stop, FOUR):
        q0, q1, q2, q3 = query[k], query[k + 1], query[k + 2], query[k + 3]
        w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for lane in range(len(distances)):
            a, b = poses[block, k, lane] - q0, poses[block, k + 1, lane] - q1
            c, d = poses[block, k + 2, lane] - q2, poses[block, k + 3, lane] - q3
            distances[lane] += (w0 * a * a + w1 * b * b) + (w2 * c * c + w3 * d * d)


@kernel
def brute_one(tables: Tables, asked: Asked, ask: int, around: Around, frames: Indices, scores: Array) -> int:
    """Every pose, given up as soon as it has passed the best ones: the plain truth."""
    begin(tables, asked, ask, around, frames, scores)
    poses, begins, bodies, rows, corners = tables.poses, tables.begins, tables.bodies, around.rows, around.corners
    query, weights, environment = asked.values[ask], asked.weights[ask], asked.environments[ask]
    slots, costs, given, going_on = around.slots[ask], around.costs, around.given[ask], asked.going_on[ask]
    distances = np.empty(LANES, np.float32)
    looked, last = 0, len(scores) - 1
    for block in range(len(poses)):
        if may_win(poses, block, query, weights, scores[last], distances):
            looked += meet(
                bodies, begins[block], distances, going_on, environment, rows, corners, slots, costs, given,
                frames, scores,
            )  # fmt: skip
    return looked


@inlined_kernel
def bound_eight(low: Array, high: Array, parent: int, query: Array, weights: Array, bounds: Array) -> None:
    """Distances from a query to eight boxes at once."""
    bounds[:] = 0.0
    for k in range(len(query)):
        q, w = query[k], weights[k]
        for b in range(EIGHT):
            away = max(max(low[parent, k, b] - q, q - high[parent, k, b]), np.float32(0.0))
            bounds[b] += w * away * away
    bounds *= ROUNDING


@kernel
def exact_one(
    tables: Tables, asked: Asked, ask: int, around: Around, budget: int, frames: Indices, scores: Array
) -> tuple[int, float]:
    """The same minimum, looking only where it can be: chunks by their bound, their groups, their blocks, then poses.

    Returns:
        How many poses met the obstacles, and a score below which nothing was left unseen (the best score itself,
        unless the budget ran out).
    """
    begin(tables, asked, ask, around, frames, scores)
    poses, begins, bodies, rows, corners = tables.poses, tables.begins, tables.bodies, around.rows, around.corners
    block_low, block_high = tables.block_low, tables.block_high
    group_low, group_high = tables.group_low, tables.group_high
    chunk_low, chunk_high = tables.chunk_low, tables.chunk_high
    block_reach, group_reach, chunk_reach = tables.block_reach, tables.group_reach, tables.chunk_reach
    query, weights, environment = asked.values[ask], asked.weights[ask], asked.environments[ask]
    slots, costs, bounds, given = around.slots[ask], around.costs, around.bounds, around.given[ask]
    going_on, last = asked.going_on[ask], len(scores) - 1
    distances = np.empty(LANES, np.float32)
    looked, seen = 0, 0
    # A good pose found at once makes all that follows short: where the last search ended, motion is much the same.
    hint = asked.hints[ask]
    near = tables.block_of[hint // LANES] if hint >= 0 else np.int32(-1)
    if near >= 0 and may_win(poses, near, query, weights, scores[last], distances):
        looked += meet(
            bodies, begins[near], distances, going_on, environment, rows, corners, slots, costs, given, frames, scores
        )
    dims, chunks = chunk_low.shape
    away_from = np.zeros(chunks, np.float32)
    for k in range(dims):
        q, w = query[k], weights[k]
        for c in range(chunks):
            away = max(max(chunk_low[k, c] - q, q - chunk_high[k, c]), np.float32(0.0))
            away_from[c] += w * away * away
    away_from *= ROUNDING
    groups, blocks = np.empty(EIGHT, np.float32), np.empty(EIGHT, np.float32)
    order = np.argsort(away_from)
    for n in range(chunks):
        chunk = order[n]
        room = scores[last] - away_from[chunk]
        if room <= 0.0:
            break
        if seen >= budget:
            return looked, np.float64(away_from[chunk])
        if least_penalty(chunk_reach, chunk, environment, rows, corners, slots, bounds, given, room) >= room:
            continue
        bound_eight(group_low, group_high, chunk, query, weights, groups)
        for _ in range(EIGHT):
            g = int(np.argmin(groups))
            room = scores[last] - groups[g]
            if room <= 0.0:
                break
            groups[g] = np.inf
            group = chunk * EIGHT + g
            if least_penalty(group_reach, group, environment, rows, corners, slots, bounds, given, room) >= room:
                continue
            bound_eight(block_low, block_high, group, query, weights, blocks)
            for _ in range(EIGHT):
                b = int(np.argmin(blocks))
                room = scores[last] - blocks[b]
                if room <= 0.0:
                    break
                blocks[b] = np.inf
                block = group * EIGHT + b
                if block == near:
                    continue
                if least_penalty(block_reach, block, environment, rows, corners, slots, bounds, given, room) >= room:
                    continue
                seen += 1
                if may_win(poses, block, query, weights, scores[last], distances):
                    looked += meet(
                        bodies, begins[block], distances, going_on, environment, rows, corners, slots, costs, given,
                        frames, scores,
                    )  # fmt: skip
    return looked, scores[last]


@kernel
def exact_all(
    tables: Tables, asked: Asked, around: Around, budget: int, frames: Indices, scores: Array, work: Array
) -> None:
    """Everybody's search, one after the other. Frames and scores have shape (asks, k), work (asks, 2)."""
    for ask in range(len(frames)):
        work[ask, 0], work[ask, 1] = exact_one(tables, asked, ask, around, budget, frames[ask], scores[ask])


@parallel_kernel
def exact_side_by_side(
    tables: Tables, asked: Asked, around: Around, budget: int, frames: Indices, scores: Array, work: Array
) -> None:
    """Everybody's search on all threads."""
    for ask in numba.prange(len(frames)):
        work[ask, 0], work[ask, 1] = exact_one(tables, asked, np.int64(ask), around, budget, frames[ask], scores[ask])


@kernel
def brute_all(tables: Tables, asked: Asked, around: Around, frames: Indices, scores: Array, work: Array) -> None:
    """Everybody's search, all poses."""
    for ask in range(len(frames)):
        work[ask, 0] = brute_one(tables, asked, ask, around, frames[ask], scores[ask])
        work[ask, 1] = scores[ask, -1]
