"""Planted feet: what stands stays where it stands, and the leg bends to reach it.

While a heel or toe of the source stands on the ground, the point it touched is kept, and the foot is shifted there; a
sole that stands with both is kept from turning, too. When it lifts off, what is left of shift and turn fades out. A
foot that would have to be held too far away is let go. While a pose is still blending, a swinging foot is lifted as
high as the source has it, so that it does not drag.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Flags, Indices
from ..jit import inlined_kernel, kernel
from ..motion.turns import Arrow, Turn, arrow_at, between, inverse, multiply, put_arrow, put_turn, rotate, turn_at
from .source import Source, hips_of, turn_of

HELD_M = 0.22
"""How far a foot may be held from where the source has it."""
HELD_RAD = 0.7
"""How far it may be kept from turning."""
HALFLIFE_S = 0.06
"""Of what is left when a foot lifts off."""
LIFT_HALFLIFE_S = 0.05
"""In which a swinging foot is lifted."""
BLENDING_S = 0.6
"""So long after a transition feet may be lower than the source has them."""
LONGEST_SHARE = 0.9985
"""Share of its length up to which a leg is stretched."""
FREE, HEEL, TOE, LET_GO = range(4)


@kernel
def plant(
    source: Source, frames: Indices, ages: Array, positions: Array, turned: Array,
    held: Indices, anchors: Array, shifts: Array, drifts: Array, active: Flags, dt: float,
) -> None:  # fmt: skip
    """Shift feet and bend legs, in place.

    Args:
        source: Poses.
        frames: What is shown of it. Shape (characters,).
        ages: How long ago the last transition was, [s]. Shape (characters,).
        positions: Joints in the world, changed from the knees down, [m]. Shape (characters, joints, 3).
        turned: Joint-to-world rotations, changed for the legs. Shape (characters, joints, 4).
        held: What each foot is held by: nothing, heel, toe, or let go until it lifts. Shape (characters, 2).
        anchors: Where heel and toe stand, [m]. Shape (characters, 4, 3).
        shifts: From where the source has the foot to where it is, [m], and how it is turned about the vertical [rad].
            Shape (characters, 2, 4).
        drifts: Their rates. Shape (characters, 2, 4).
        active: Whose feet are planted. Shape (characters,).
        dt: Length of a tick, [s].
    """
    for i in range(len(frames)):
        if not active[i]:
            continue
        f = frames[i]
        for side in range(2):
            heel_down, toe_down = source.contacts[f, 2 * side], source.contacts[f, 2 * side + 1]
            was = held[i, side]
            if not (heel_down or toe_down):
                held[i, side] = FREE
            elif was != LET_GO:
                held[i, side] = TOE if toe_down else HEEL
            by = held[i, side]
            standing = by in (HEEL, TOE)
            end = source.legs[side, 2]
            ankle = arrow_at(positions, i, end)
            heel = point_of(source, positions, turned, i, 2 * side)
            toe = point_of(source, positions, turned, i, 2 * side + 1)
            # A sole that stands with both keeps its direction.
            flat = standing and heel_down and toe_down
            if flat and was == TOE and anchors[i, 2 * side, 1] == 1.0 and anchors[i, 2 * side + 1, 1] == 1.0:
                wx, wz = (
                    anchors[i, 2 * side + 1, 0] - anchors[i, 2 * side, 0],
                    anchors[i, 2 * side + 1, 2] - anchors[i, 2 * side, 2],
                )
                gx, gz = toe[0] - heel[0], toe[2] - heel[2]
                turn = np.arctan2(wx * gz - wz * gx, wx * gx + wz * gz)
                if abs(turn) > HELD_RAD:
                    held[i, side], standing = LET_GO, False
                else:
                    shifts[i, side, 3], drifts[i, side, 3] = turn, 0.0
            else:
                fade(shifts, drifts, i, side, 3, 0.0, HALFLIFE_S, dt)
            turn = shifts[i, side, 3]
            heel, toe = swung(heel, ankle, turn), swung(toe, ankle, turn)
            # What has just come down stands where it is shown.
            for end_of, down, point in ((0, heel_down, heel), (1, toe_down, toe)):
                k = 2 * side + end_of
                if not standing or not down:
                    anchors[i, k, 1] = 0.0
                elif anchors[i, k, 1] == 0.0:
                    put_arrow(anchors, i, k, (point[0] + shifts[i, side, 0], 1.0, point[2] + shifts[i, side, 2]))
            if standing:
                point = toe if by == TOE else heel
                anchor = arrow_at(anchors, i, 2 * side + (1 if by == TOE else 0))
                x, z = anchor[0] - point[0], anchor[2] - point[2]
                if np.hypot(x, z) > HELD_M:
                    held[i, side], standing = LET_GO, False
                else:
                    shifts[i, side, 0], shifts[i, side, 2] = x, z
                    drifts[i, side, 0], drifts[i, side, 2] = 0.0, 0.0
            if not standing:
                fade(shifts, drifts, i, side, 0, 0.0, HALFLIFE_S, dt)
                fade(shifts, drifts, i, side, 2, 0.0, HALFLIFE_S, dt)
            lift = 0.0
            if ages[i] < BLENDING_S:
                low_heel, low_toe = sole_heights(source, f, side)
                lift = max(low_heel - heel[1], low_toe - toe[1])
                if standing:
                    # A foot that stands comes down as well as up.
                    lift = -min(heel[1] if heel_down else 1e9, toe[1] if toe_down else 1e9)
                    lift = max(min(lift, 0.1), -0.1)
                else:
                    lift = max(lift, 0.0)
            fade(shifts, drifts, i, side, 1, lift, LIFT_HALFLIFE_S, dt)
            # Never through the ground.
            shifts[i, side, 1] = max(shifts[i, side, 1], -min(heel[1], toe[1]))
            if abs(turn) > 1e-5:
                turn_foot(source, positions, turned, i, end, turn)
            shift = (shifts[i, side, 0], shifts[i, side, 1], shifts[i, side, 2])
            if abs(shift[0]) + abs(shift[1]) + abs(shift[2]) > 1e-5:
                shift_foot(source, positions, turned, i, side, shift)


@inlined_kernel
def fade(shifts: Array, drifts: Array, i: int, side: int, k: int, goal: float, halflife_s: float, dt: float) -> None:
    """One number of a foot springs towards a goal."""
    y = 2.0 * np.log(2.0) / halflife_s
    left = shifts[i, side, k] - goal
    j = drifts[i, side, k] + y * left
    fading = np.exp(-y * dt)
    shifts[i, side, k] = goal + fading * (left + j * dt)
    drifts[i, side, k] = fading * (drifts[i, side, k] - j * y * dt)


@inlined_kernel
def swung(point: Arrow, about: Arrow, yaw: float) -> Arrow:
    """A point turned about the vertical through another."""
    dx, dz, cosine, sine = point[0] - about[0], point[2] - about[2], np.cos(yaw), np.sin(yaw)
    return about[0] + cosine * dx + sine * dz, point[1], about[2] - sine * dx + cosine * dz


@kernel
def sole_heights(source: Source, frame: int, side: int) -> tuple[float, float]:
    """How high the source has heel and toe, [m]."""
    x, y, z = hips_of(source, frame)
    place, turn = (x, y, z), turn_of(source, frame, 1)
    heel, toe = 0.0, 0.0
    last = source.sole_joints[2 * side + 1]
    for joint in range(2, last + 1):
        if under(source.parents, last, joint):
            ox, oy, oz = rotate(
                turn,
                (
                    np.float64(source.offsets[joint, 0]),
                    np.float64(source.offsets[joint, 1]),
                    np.float64(source.offsets[joint, 2]),
                ),
            )
            place = (place[0] + ox, place[1] + oy, place[2] + oz)
            turn = multiply(turn, turn_of(source, frame, joint))
            for k in range(2):
                if source.sole_joints[2 * side + k] == joint:
                    _, up, _ = rotate(
                        turn,
                        (
                            np.float64(source.sole_points[2 * side + k, 0]),
                            np.float64(source.sole_points[2 * side + k, 1]),
                            np.float64(source.sole_points[2 * side + k, 2]),
                        ),
                    )
                    if k == 0:
                        heel = place[1] + up
                    else:
                        toe = place[1] + up
    return heel, toe


@kernel
def turn_foot(source: Source, positions: Array, turned: Array, i: int, end: int, yaw: float) -> None:
    """Turn a foot and what hangs on it about the vertical through the ankle."""
    about = arrow_at(positions, i, end)
    turn = (np.cos(0.5 * yaw), 0.0, np.sin(0.5 * yaw), 0.0)
    for joint in range(end, positions.shape[1]):
        if joint == end or under(source.parents, joint, end):
            put_arrow(positions, i, joint, swung(arrow_at(positions, i, joint), about, yaw))
            put_turn(turned, i, joint, multiply(turn, turn_at(turned, i, joint)))


@kernel
def point_of(source: Source, positions: Array, turned: Array, i: int, contact: int) -> Arrow:
    """A heel or toe in the world, [m]."""
    joint = source.sole_joints[contact]
    local = (
        np.float64(source.sole_points[contact, 0]),
        np.float64(source.sole_points[contact, 1]),
        np.float64(source.sole_points[contact, 2]),
    )
    x, y, z = rotate(turn_at(turned, i, joint), local)
    at = arrow_at(positions, i, joint)
    return at[0] + x, at[1] + y, at[2] + z


@kernel
def shift_foot(source: Source, positions: Array, turned: Array, i: int, side: int, shift: Arrow) -> None:
    """Bend a leg so that its foot, turned as it is, comes to stand elsewhere."""
    upper, lower, end = source.legs[side, 0], source.legs[side, 1], source.legs[side, 2]
    hip, knee, ankle = arrow_at(positions, i, upper), arrow_at(positions, i, lower), arrow_at(positions, i, end)
    first, second = apart(hip, knee), apart(knee, ankle)
    goal = (ankle[0] + shift[0], ankle[1] + shift[1], ankle[2] + shift[2])
    reach = apart(hip, goal)
    longest = LONGEST_SHARE * (first + second)
    if reach > longest:
        # A leg that the source stretches further may stay so.
        reach_was = apart(hip, ankle)
        allowed = max(longest, min(reach_was, 0.9999 * (first + second)))
        part = min(allowed / reach, 1.0)
        goal = (
            hip[0] + (goal[0] - hip[0]) * part,
            hip[1] + (goal[1] - hip[1]) * part,
            hip[2] + (goal[2] - hip[2]) * part,
        )
        reach = apart(hip, goal)
    way = ((goal[0] - hip[0]) / reach, (goal[1] - hip[1]) / reach, (goal[2] - hip[2]) / reach)
    # The knee keeps pointing where it does, turned along with the leg.
    turn = between((ankle[0] - hip[0], ankle[1] - hip[1], ankle[2] - hip[2]), way)
    thigh = rotate(turn, (knee[0] - hip[0], knee[1] - hip[1], knee[2] - hip[2]))
    along = thigh[0] * way[0] + thigh[1] * way[1] + thigh[2] * way[2]
    px, py, pz = thigh[0] - along * way[0], thigh[1] - along * way[1], thigh[2] - along * way[2]
    out = np.sqrt(px * px + py * py + pz * pz)
    if out < 1e-6:
        return
    foot = (first * first - second * second + reach * reach) / (2.0 * reach)
    beside = np.sqrt(max(first * first - foot * foot, 0.0)) / out
    bend = (foot * way[0] + beside * px, foot * way[1] + beside * py, foot * way[2] + beside * pz)
    new_knee = (hip[0] + bend[0], hip[1] + bend[1], hip[2] + bend[2])
    aim(turned, i, upper, (knee[0] - hip[0], knee[1] - hip[1], knee[2] - hip[2]), bend)
    aim(
        turned, i, lower, (ankle[0] - knee[0], ankle[1] - knee[1], ankle[2] - knee[2]),
        (goal[0] - new_knee[0], goal[1] - new_knee[1], goal[2] - new_knee[2]),
    )  # fmt: skip
    put_arrow(positions, i, lower, new_knee)
    moved = (goal[0] - ankle[0], goal[1] - ankle[1], goal[2] - ankle[2])
    for joint in range(end, positions.shape[1]):
        if joint == end or under(source.parents, joint, end):
            at = arrow_at(positions, i, joint)
            put_arrow(positions, i, joint, (at[0] + moved[0], at[1] + moved[1], at[2] + moved[2]))


@kernel
def aim(turned: Array, i: int, joint: int, was: Arrow, now: Arrow) -> None:
    """Turn a bone from one direction to another."""
    turn: Turn = multiply(between(was, now), turn_at(turned, i, joint))
    put_turn(turned, i, joint, turn)


@kernel
def apart(a: Arrow, b: Arrow) -> float:
    """Distance of two points, [m]."""
    return np.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@kernel
def under(parents: Indices, joint: int, top: int) -> bool:
    """Whether a joint hangs below another one."""
    while joint > top:
        joint = parents[joint]
    return bool(joint == top)


@kernel
def to_local(parents: Indices, turned: Array, rotations: Array) -> None:
    """Fill joint-to-parent rotations (characters, joints, 4) from joint-to-world ones."""
    for i in range(len(turned)):
        put_turn(rotations, i, 0, turn_at(turned, i, 0))
        for joint in range(1, turned.shape[1]):
            above = inverse(turn_at(turned, i, parents[joint]))
            put_turn(rotations, i, joint, multiply(above, turn_at(turned, i, joint)))
