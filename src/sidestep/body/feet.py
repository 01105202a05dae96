"""Planted feet: what stands stays where it stands, and the leg bends to reach it.

While a heel or toe of the source stands on the ground, the point it touched is kept, and the foot is shifted there. When
it lifts off, what is left of the shift fades out. A foot that would have to be held too far away is let go.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Flags, Indices
from ..jit import kernel
from ..motion.turns import Arrow, Turn, arrow_at, between, inverse, multiply, put_arrow, put_turn, rotate, turn_at
from .source import Source

HELD_M = 0.22
"""How far a foot may be held from where the source has it."""
HALFLIFE_S = 0.06
"""Of what is left when a foot lifts off."""
LONGEST_SHARE = 0.9985
"""Share of its length up to which a leg is stretched."""
FREE, HEEL, TOE, LET_GO = range(4)


@kernel
def plant(
    source: Source, frames: Indices, positions: Array, turned: Array,
    held: Indices, anchors: Array, shifts: Array, drifts: Array, active: Flags, dt: float,
) -> None:  # fmt: skip
    """Shift feet and bend legs, in place.

    Args:
        source: Poses.
        frames: What is shown of it. Shape (characters,).
        positions: Joints in the world, changed from the knees down, [m]. Shape (characters, joints, 3).
        turned: Joint-to-world rotations, changed for thighs and shanks. Shape (characters, joints, 4).
        held: What each foot is held by: nothing, heel, toe, or let go until it lifts. Shape (characters, 2).
        anchors: Where that point stands, [m]. Shape (characters, 2, 3).
        shifts: From where the source has the foot to where it is, [m]. Shape (characters, 2, 3).
        drifts: Its rate, [m/s]. Shape (characters, 2, 3).
        active: Whose feet are planted. Shape (characters,).
        dt: Length of a tick, [s].
    """
    y = 2.0 * np.log(2.0) / HALFLIFE_S
    fade = np.exp(-y * dt)
    for i in range(len(frames)):
        if not active[i]:
            continue
        for side in range(2):
            heel = point_of(source, positions, turned, i, 2 * side)
            toe = point_of(source, positions, turned, i, 2 * side + 1)
            wanted = FREE
            if source.contacts[frames[i], 2 * side + 1]:
                wanted = TOE
            elif source.contacts[frames[i], 2 * side]:
                wanted = HEEL
            shift = arrow_at(shifts, i, side)
            if wanted == FREE:
                held[i, side] = FREE
            elif held[i, side] != LET_GO:
                point = toe if wanted == TOE else heel
                if held[i, side] != wanted:
                    held[i, side] = wanted
                    put_arrow(anchors, i, side, (point[0] + shift[0], 0.0, point[2] + shift[2]))
                anchor = arrow_at(anchors, i, side)
                new = (anchor[0] - point[0], shift[1], anchor[2] - point[2])
                if np.hypot(new[0], new[2]) > HELD_M:
                    held[i, side] = LET_GO
                else:
                    put_arrow(drifts, i, side, (0.0, drifts[i, side, 1], 0.0))
                    shift = new
            drift = arrow_at(drifts, i, side)
            if held[i, side] == FREE or held[i, side] == LET_GO:
                jx, jz = drift[0] + y * shift[0], drift[2] + y * shift[2]
                drift = (fade * (drift[0] - jx * y * dt), drift[1], fade * (drift[2] - jz * y * dt))
                shift = (fade * (shift[0] + jx * dt), shift[1], fade * (shift[2] + jz * dt))
            # Never through the ground.
            sunk = max(-min(heel[1], toe[1]), 0.0)
            shift = (shift[0], max(sunk, shift[1] * fade), shift[2])
            put_arrow(shifts, i, side, shift)
            put_arrow(drifts, i, side, drift)
            if abs(shift[0]) + abs(shift[1]) + abs(shift[2]) > 1e-5:
                shift_foot(source, positions, turned, i, side, shift)


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
