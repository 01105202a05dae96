"""Two searches over one cost: every pose in turn, and the exact one that skips what cannot win.

Penalties are never negative, so the distance from a query to a box of poses bounds their whole score from below. And a
box of future places with the smallest body in it bounds their penalties: that smallest body, as a disk, reaches no
further than any of them, and nowhere in the box can it be further from an obstacle than from the box's middle plus its
radius.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..geometry.shapes import A, B, X, Z, point_distance
from ..jit import kernel
from .cost import REACH, SLOTS, barrier, counts, penalty
from .index import FOUR, GROUP, LANES

ROUNDING = np.float32(1 - 1e-5)
"""Bounds are sums in single precision; they must not exceed what they bound by their own rounding."""
SLACK_M = 1e-3
"""What distances may be off."""
HALF = 12
"""Dimensions (the trajectory's) after which it is asked whether any pose of a block can still win."""


@kernel
def pose_distance(poses: Array, frame: int, query: Array, weights: Array) -> float:
    """Weighted squared distance of one pose from a query."""
    block, lane = frame // LANES, frame % LANES
    total = np.float32(0.0)
    for k in range(len(query)):
        away = poses[block, k, lane] - query[k]
        total += weights[k] * away * away
    return np.float64(total)


@kernel
def played_on(
    poses: Array, bodies: Array, query: Array, weights: Array, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array, going_on: int, reward: float,
) -> float:  # fmt: skip
    """The score of the pose that would simply be played next, its reward taken off: what is to beat from the start."""
    if going_on < 0:
        return np.inf
    spent = pose_distance(poses, going_on, query, weights) - reward
    return penalty(bodies, going_on, environment, kinds, rows, firsts, corners, spent, np.inf)


@kernel
def brute_kernel(
    poses: Array, bodies: Array, query: Array, weights: Array, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array, going_on: int, reward: float,
) -> tuple[int, float, int]:  # fmt: skip
    """Every pose, given up as soon as it has passed the best one: the plain truth.

    Returns:
        The frame, its score, and how many poses had their obstacles looked at.
    """
    best = played_on(poses, bodies, query, weights, environment, kinds, rows, firsts, corners, going_on, reward)
    chosen, looked = going_on, 0
    distances = np.empty(LANES, np.float32)
    for block in range(len(poses)):
        best, chosen, looked = score_block(
            block, poses, bodies, query, weights, environment, kinds, rows, firsts, corners,
            going_on, best, chosen, looked, distances,
        )  # fmt: skip
    return chosen, best, looked


@kernel
def least_penalty(
    reach: Array, box: int, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array, room: float,
) -> float:  # fmt: skip
    """What obstacles cost any pose of a box at least; given up once it exceeds ``room``."""
    total, obstacles = 0.0, len(kinds) // SLOTS
    for slot in range(SLOTS):
        x, z = reach[box, slot, 0], reach[box, slot, 1]
        beyond = reach[box, slot, 2] - reach[box, slot, 3] + SLACK_M
        low, high = reach[box, slot, 4], reach[box, slot, 5]
        near = environment[REACH] - beyond
        for i in range(slot * obstacles, (slot + 1) * obstacles):
            # Only what is near for every place in the box, and counts for every height.
            dx, dz, far = rows[i, X] - x, rows[i, Z] - z, near + max(rows[i, A], rows[i, B])
            if far <= 0.0 or dx * dx + dz * dz >= far * far or not counts(i, rows, low, high, environment):
                continue
            most = point_distance(i, kinds, rows, firsts, corners, x, z) + beyond
            total += environment[slot] * barrier(most, environment)
            if total >= room:
                return total
    return total


@kernel
def exact_kernel(
    poses: Array, bodies: Array, block_low: Array, block_high: Array, group_low: Array, group_high: Array,
    block_reach: Array, group_reach: Array, query: Array, weights: Array, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array, going_on: int, reward: float, hint: int,
) -> tuple[int, float, int]:  # fmt: skip
    """The same minimum, looking only where it can be: groups by their bound, blocks by theirs, poses side by side."""
    dims, groups = group_low.shape
    best = played_on(poses, bodies, query, weights, environment, kinds, rows, firsts, corners, going_on, reward)
    chosen, looked = going_on, 0
    # A good pose found at once makes all that follows short: where the last search ended, motion is much the same.
    distances = np.empty(LANES, np.float32)
    if hint >= 0:
        best, chosen, looked = score_block(
            hint // LANES, poses, bodies, query, weights, environment, kinds, rows, firsts, corners,
            going_on, best, chosen, looked, distances,
        )  # fmt: skip
    bounds = np.zeros(groups, np.float32)
    for k in range(dims):
        q, w = query[k], weights[k]
        for g in range(groups):
            away = max(max(group_low[k, g] - q, q - group_high[k, g]), np.float32(0.0))
            bounds[g] += w * away * away
    candidates = np.empty(groups, np.int64)
    count = 0
    bounds *= ROUNDING
    for g in range(groups):
        if bounds[g] < best:
            candidates[count] = g
            count += 1
    candidates = candidates[:count][np.argsort(bounds[candidates[:count]])]
    block_bounds = np.empty(GROUP, np.float32)
    for c in range(count):
        g = candidates[c]
        if bounds[g] >= best:
            break
        room = best - bounds[g]
        if least_penalty(group_reach, g, environment, kinds, rows, firsts, corners, room) >= room:
            continue
        block_bounds[:] = 0.0
        for k in range(dims):
            q, w = query[k], weights[k]
            for b in range(GROUP):
                away = max(max(block_low[g, k, b] - q, q - block_high[g, k, b]), np.float32(0.0))
                block_bounds[b] += w * away * away
        block_bounds *= ROUNDING
        for _ in range(GROUP):
            nearest = int(np.argmin(block_bounds))
            room = best - block_bounds[nearest]
            if room <= 0.0:
                break
            block_bounds[nearest] = np.inf
            block = g * GROUP + nearest
            if least_penalty(block_reach, block, environment, kinds, rows, firsts, corners, room) >= room:
                continue
            best, chosen, looked = score_block(
                block, poses, bodies, query, weights, environment, kinds, rows, firsts, corners,
                going_on, best, chosen, looked, distances,
            )  # fmt: skip
    return chosen, best, looked


@kernel
def score_block(
    block: int, poses: Array, bodies: Array, query: Array, weights: Array, environment: Array,
    kinds: Indices, rows: Array, firsts: Indices, corners: Array,
    going_on: int, best: float, chosen: int, looked: int, distances: Array,
) -> tuple[float, int, int]:  # fmt: skip
    """Score sixteen poses; returns the best score so far, its frame, and how many poses met the obstacles."""
    distances[:] = 0.0
    add_distances(poses, block, 0, HALF, query, weights, distances)
    if distances.min() >= best:
        return best, chosen, looked
    add_distances(poses, block, HALF, len(query), query, weights, distances)
    for lane in range(LANES):
        frame = block * LANES + lane
        if distances[lane] >= best or frame == going_on or frame >= len(bodies):
            continue
        looked += 1
        spent = penalty(bodies, frame, environment, kinds, rows, firsts, corners, np.float64(distances[lane]), best)
        if spent < best:
            best, chosen = spent, frame
    return best, chosen, looked


@kernel
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
