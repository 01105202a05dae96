"""Two searches over one cost: every pose in turn, and the exact one that skips what cannot win."""

from __future__ import annotations

import numba
import numpy as np

from ..arrays import Array, Indices
from ..jit import borrowed, inlined_kernel, kernel, parallel_kernel
from .cost import SLOTS, narrow, penalty, spots_of
from .index import FOUR, LANES, SIDES
from .tables import Around, Asked, Desk, Tables

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
def desk_for(tables: Tables, around: Around, ask: int) -> Desk:
    """A desk for somebody's search."""
    rows = len(around.rows)
    return Desk(
        spots_of(around.rows),
        np.arange(rows).astype(np.uint32),
        around.slots[ask].astype(np.uint64),
        np.empty((3, rows), np.uint32),
        np.empty((3, SLOTS + 1), np.uint64),
        np.empty((2, SIDES), np.float32),
        np.empty((2, SIDES), np.uint32),
        np.empty(tables.chunk_low.shape[1], np.float32),
        np.empty(LANES, np.float32),
    )


@kernel
def keep(frame: int, score: float, frames: Indices, scores: Array) -> None:
    """Put a pose among the best so far, which stand in order; it is known to be better than the last of them."""
    at = len(scores) - 1
    while at > 0 and scores[at - 1] > score:
        scores[at], frames[at] = scores[at - 1], frames[at - 1]
        at -= 1
    scores[at], frames[at] = score, frame


@kernel
def begin(tables: Tables, asked: Asked, ask: int, around: Around, desk: Desk, frames: Indices, scores: Array) -> None:
    """What is to beat from the start: the pose that would simply be played next, its reward taken off."""
    scores[:], frames[:] = np.inf, -1
    frame = asked.going_on[ask]
    if frame < 0 or tables.block_of[frame // LANES] < 0:
        return
    block, lane = tables.block_of[frame // LANES], frame % LANES
    spent = pose_distance(tables.poses, block, lane, asked.values[ask], asked.weights[ask]) - asked.rewards[ask]
    score = penalty(
        tables.bodies, frame, asked.environments[ask], around.rows, around.corners, desk.spots, desk.rows, desk.slots,
        around.costs, around.given[ask], spent, np.inf,
    )  # fmt: skip
    keep(frame, score, frames, scores)


@kernel
def meet(
    bodies: Array, first: int, distances: Array, going_on: int, environment: Array, rows: Array, corners: Array,
    spots: Array, near: Indices, slots: Indices, costs: Indices, given: Array, frames: Indices, scores: Array,
) -> int:  # fmt: skip
    """Let those of a block that may win meet the obstacles; returns how many did."""
    last, looked = len(scores) - 1, 0
    for lane in range(LANES):
        frame = first + lane
        if distances[lane] >= scores[last] or frame == going_on:
            continue
        looked += 1
        spent = penalty(
            bodies,
            frame,
            environment,
            rows,
            corners,
            spots,
            near,
            slots,
            costs,
            given,
            np.float64(distances[lane]),
            scores[last],
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
def brute_one(
    tables: Tables, asked: Asked, ask: int, around: Around, desk: Desk, frames: Indices, scores: Array
) -> int:
    """Every pose, given up as soon as it has passed the best ones: the plain truth."""
    begin(tables, asked, ask, around, desk, frames, scores)
    poses, begins, bodies = borrowed(tables.poses), borrowed(tables.begins), borrowed(tables.bodies)
    rows, corners = borrowed(around.rows), borrowed(around.corners)
    query, weights = borrowed(asked.values[ask]), borrowed(asked.weights[ask])
    environment, given = borrowed(asked.environments[ask]), borrowed(around.given[ask])
    costs, going_on = borrowed(around.costs), asked.going_on[ask]
    spots, near, slots = borrowed(desk.spots), borrowed(desk.rows), borrowed(desk.slots)
    distances = borrowed(desk.distances)
    looked, last = 0, len(scores) - 1
    for block in range(len(poses)):
        if may_win(poses, block, query, weights, scores[last], distances):
            looked += meet(
                bodies, begins[block], distances, going_on, environment, rows, corners, spots, near, slots,
                costs, given, frames, scores,
            )  # fmt: skip
    return looked


@kernel
def bound_sides(low: Array, high: Array, parent: int, query: Array, weights: Array, bounds: Array) -> None:
    """Distances from a query to the boxes of one parent, side by side; written out as in ``add_distances``."""
    bounds[:] = 0.0
    nothing = np.float32(0.0)
    for k in range(0, len(query), FOUR):
        q0, q1, q2, q3 = query[k], query[k + 1], query[k + 2], query[k + 3]
        w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for b in range(len(bounds)):
            a0 = max(max(low[parent, k, b] - q0, q0 - high[parent, k, b]), nothing)
            a1 = max(max(low[parent, k + 1, b] - q1, q1 - high[parent, k + 1, b]), nothing)
            a2 = max(max(low[parent, k + 2, b] - q2, q2 - high[parent, k + 2, b]), nothing)
            a3 = max(max(low[parent, k + 3, b] - q3, q3 - high[parent, k + 3, b]), nothing)
            bounds[b] += ((w0 * a0 * a0 + w1 * a1 * a1) + (w2 * a2 * a2 + w3 * a3 * a3)) * ROUNDING


@inlined_kernel
def in_turn(bounds: Array, best: float, turn: Indices) -> int:
    """Put those of a few bounds that are below ``best`` in order; returns how many they are."""
    count = np.uint64(0)
    for b in range(len(bounds)):
        if bounds[b] < best:
            at = count
            while at > 0 and bounds[turn[at - np.uint64(1)]] > bounds[b]:
                turn[at] = turn[at - np.uint64(1)]
                at -= np.uint64(1)
            turn[at] = b
            count += np.uint64(1)
    return int(count)


@kernel
def exact_one(
    tables: Tables, asked: Asked, ask: int, around: Around, desk: Desk, budget: int, frames: Indices, scores: Array
) -> tuple[int, float]:
    """The same minimum, looking only where it can be: chunks by their bound, their groups, their blocks, then poses.

    Returns:
        How many poses met the obstacles, and a score below which nothing was left unseen (the best score itself,
        unless the budget ran out).
    """
    begin(tables, asked, ask, around, desk, frames, scores)
    poses, begins, bodies = borrowed(tables.poses), borrowed(tables.begins), borrowed(tables.bodies)
    rows, corners = borrowed(around.rows), borrowed(around.corners)
    block_low, block_high = borrowed(tables.block_low), borrowed(tables.block_high)
    group_low, group_high = borrowed(tables.group_low), borrowed(tables.group_high)
    chunk_low, chunk_high = borrowed(tables.chunk_low), borrowed(tables.chunk_high)
    block_reach, group_reach = borrowed(tables.block_reach), borrowed(tables.group_reach)
    chunk_reach = borrowed(tables.chunk_reach)
    query, weights = borrowed(asked.values[ask]), borrowed(asked.weights[ask])
    environment, given = borrowed(asked.environments[ask]), borrowed(around.given[ask])
    costs, bounds = borrowed(around.costs), borrowed(around.bounds)
    going_on, last = asked.going_on[ask], len(scores) - 1
    spots, all_rows, slots = borrowed(desk.spots), borrowed(desk.rows), borrowed(desk.slots)
    by_chunk, by_group, by_block = borrowed(desk.near[0]), borrowed(desk.near[1]), borrowed(desk.near[2])
    chunk_slots, group_slots, block_slots = borrowed(desk.ends[0]), borrowed(desk.ends[1]), borrowed(desk.ends[2])
    groups, blocks = borrowed(desk.bounds[0]), borrowed(desk.bounds[1])
    group_turn, block_turn = borrowed(desk.turns[0]), borrowed(desk.turns[1])
    away_from, distances = borrowed(desk.away), borrowed(desk.distances)
    looked, seen = 0, 0
    # A good pose found at once makes all that follows short: where the last search ended, motion is much the same.
    hint = asked.hints[ask]
    hinted = tables.block_of[hint // LANES] if hint >= 0 else np.int32(-1)
    if hinted >= 0 and may_win(poses, hinted, query, weights, scores[last], distances):
        looked += meet(
            bodies, begins[hinted], distances, going_on, environment, rows, corners, spots, all_rows, slots,
            costs, given, frames, scores,
        )  # fmt: skip
    dims, chunks = chunk_low.shape
    away_from[:] = 0.0
    for k in range(dims):
        q, w = query[k], weights[k]
        for c in range(chunks):
            away = max(max(chunk_low[k, c] - q, q - chunk_high[k, c]), np.float32(0.0))
            away_from[c] += w * away * away
    away_from *= ROUNDING
    order = np.argsort(away_from)
    for n in range(chunks):
        chunk = order[n]
        room = scores[last] - away_from[chunk]
        if room <= 0.0:
            break
        if seen >= budget:
            return looked, np.float64(away_from[chunk])
        if narrow(
            chunk_reach, chunk, environment, rows, corners, spots, all_rows, slots, bounds, given, room,
            by_chunk, chunk_slots,
        ) >= room:  # fmt: skip
            continue
        bound_sides(group_low, group_high, chunk, query, weights, groups)
        for m in range(in_turn(groups, scores[last], group_turn)):
            g = group_turn[m]
            room = scores[last] - groups[g]
            if room <= 0.0:
                break
            group = chunk * SIDES + np.int64(g)
            # The last chunk and the last group are not full; while little is found, even nowhere is looked at.
            if group >= len(group_reach):
                continue
            if narrow(
                group_reach, group, environment, rows, corners, spots, by_chunk, chunk_slots, bounds, given, room,
                by_group, group_slots,
            ) >= room:  # fmt: skip
                continue
            bound_sides(block_low, block_high, group, query, weights, blocks)
            for p in range(in_turn(blocks, scores[last], block_turn)):
                b = block_turn[p]
                room = scores[last] - blocks[b]
                if room <= 0.0:
                    break
                block = group * SIDES + np.int64(b)
                if block >= len(block_reach) or block == hinted:
                    continue
                if narrow(
                    block_reach, block, environment, rows, corners, spots, by_group, group_slots, bounds, given, room,
                    by_block, block_slots,
                ) >= room:  # fmt: skip
                    continue
                seen += 1
                if may_win(poses, block, query, weights, scores[last], distances):
                    looked += meet(
                        bodies, begins[block], distances, going_on, environment, rows, corners, spots,
                        by_block, block_slots, costs, given, frames, scores,
                    )  # fmt: skip
    return looked, scores[last]


@kernel
def exact_all(
    tables: Tables, asked: Asked, around: Around, budget: int, frames: Indices, scores: Array, work: Array
) -> None:
    """Everybody's search, one after the other. Frames and scores have shape (asks, k), work (asks, 2)."""
    for ask in range(len(frames)):
        work[ask, 0], work[ask, 1] = exact_one(
            tables, asked, ask, around, desk_for(tables, around, ask), budget, frames[ask], scores[ask]
        )


@parallel_kernel
def exact_side_by_side(
    tables: Tables, asked: Asked, around: Around, budget: int, frames: Indices, scores: Array, work: Array
) -> None:
    """Everybody's search on all threads."""
    for ask in numba.prange(len(frames)):
        work[ask, 0], work[ask, 1] = exact_one(
            tables, asked, np.int64(ask), around, desk_for(tables, around, ask), budget, frames[ask], scores[ask]
        )


@kernel
def brute_all(tables: Tables, asked: Asked, around: Around, frames: Indices, scores: Array, work: Array) -> None:
    """Everybody's search, all poses."""
    for ask in range(len(frames)):
        work[ask, 0] = brute_one(tables, asked, ask, around, desk_for(tables, around, ask), frames[ask], scores[ask])
        work[ask, 1] = scores[ask, -1]
