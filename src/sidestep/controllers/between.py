"""Between the samples: whether a body is clean at every frame until the next search (beyond EMM, which leaves it open).

The look-ahead times are a third of a second apart, and ellipses are not bodies. So the best candidates are played in
mind, frame by frame, with all capsules against what is near; the best one that touches nothing is taken.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..body.blend import NONE
from ..body.footprint import footprints, place_capsules
from ..body.pose import pose_all
from ..body.source import Source, way_of
from ..geometry.shapes import BOTTOM, FULL, TOP, A, B, X, Z, body_distance, capsule_distance
from ..jit import kernel

CLEAN_M = 0.02
"""What a body keeps from things."""
CANDIDATES = 96
"""How many of the best poses are known; neighbours of one that touched are passed over."""
TRIED = 12
"""How many are played at most."""
NEIGHBOURS = 5
"""Frames to either side that will touch, too."""
TIMES = (3, 6, 9)
"""For which ticks the surroundings are known."""
REACH_M = 2.2
NEAR_M = 1.1
"""How far from its place a body reaches at most."""


@kernel
def keep_clean(
    source: Source, answers: Indices, due: Indices, chosen: Indices, rows: Array, corners: Array, slots: Indices,
    ticks: int,
) -> None:  # fmt: skip
    """Replace ``chosen`` (asks,) by the best of ``answers`` (asks, k) that touches nothing, or touches least."""
    for m in range(len(due)):
        if slots[m, 0] == slots[m, 3]:
            continue
        best, best_away = chosen[m], clearance(source, chosen[m], rows, corners, slots[m], ticks)
        tried = np.full(TRIED, -1000, np.int64)
        tried[0], count = chosen[m], 1
        for k in range(answers.shape[1]):
            if best_away >= 0.0 or count >= TRIED:
                break
            frame = answers[m, k]
            if frame < 0:
                break
            like = False
            for n in range(count):
                like = like or abs(frame - tried[n]) <= NEIGHBOURS
            if like:
                continue
            tried[count] = frame
            count += 1
            away = clearance(source, frame, rows, corners, slots[m], ticks)
            if away > best_away:
                best, best_away = frame, away
        chosen[m] = best


@kernel
def clearance(source: Source, frame: int, rows: Array, corners: Array, slots: Indices, ticks: int) -> float:
    """The least distance of footprint and capsules to anything over the coming ticks, playing on from a frame, [m]."""
    joints = len(source.parents)
    positions, turned = np.zeros((1, joints, 3), np.float32), np.zeros((1, joints, 4), np.float32)
    capsules, body = np.zeros((1, len(source.capsule_joints), 7), np.float32), np.zeros((1, 8))
    place, velocity, shown = np.zeros((1, 3)), np.zeros((1, 2)), np.zeros(1, np.int64)
    still, age = np.zeros((1, joints, 3)), np.zeros(1)
    least = 1e3
    for tick in range(1, ticks + 1):
        f = frame + tick - 1
        wx, wz, turn = way_of(source.steps, f, place[0, 2])
        place[0, 0] += wx
        place[0, 1] += wz
        place[0, 2] += turn
        velocity[0, 0], velocity[0, 1] = 60.0 * wx, 60.0 * wz
        shown[0] = f + 1
        slot = min((tick - 1) * 3 // ticks, 2)
        posed = False
        for i in range(slots[slot], slots[slot + 1]):
            gap = np.sqrt((rows[i, X] - place[0, 0]) ** 2 + (rows[i, Z] - place[0, 1]) ** 2)
            if gap > max(rows[i, A], rows[i, B]) + NEAR_M:
                continue
            if not posed:
                pose_all(source, shown, place, still, still, age, NONE, 1.0, positions, turned)
                place_capsules(source, positions, turned, capsules)
                footprints(source, shown, place, velocity, positions, turned, capsules, body)
                posed = True
            low, high = body[0, 6], body[0, 7]
            if rows[i, FULL] != 0.0 or (low < rows[i, TOP] and high > rows[i, BOTTOM]):
                ellipse = body_distance(
                    i, rows, corners, place[0, 0], place[0, 1], body[0, 2], body[0, 3], body[0, 4], body[0, 5]
                )
                least = min(least, ellipse - CLEAN_M)
                if ellipse < CLEAN_M:
                    for c in range(capsules.shape[1]):
                        least = min(least, capsule_distance(i, rows, corners, capsules, 0, c) - CLEAN_M)
    return least
