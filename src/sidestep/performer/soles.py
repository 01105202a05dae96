"""Foot trajectories: heel strike, flat, heel-off over the ball, push, swing.

What stands, stands: the sole rolls about points that stay where they are.

Pitch is the foot's slope: positive with the toes up, negative with the heel up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Flags
from ..motion import quaternion as quat
from .ease import ease
from .footsteps import Flight, Footfall
from .score import FPS

ANKLE_M = 0.075
"""Ankle above the level sole."""
HEEL_M, BALL_M, TIP_M = -0.0455, 0.13, 0.205
"""Along the foot from the ankle."""
LEAD = 1.05
"""How far a walker's ankle recovers from its push ahead of the leg's swing."""
TOE_BEND_RAD = 0.60
"""How far the toes bend back at push-off."""
CLEARANCE_M = 0.018
"""What heel and toes keep from the ground in mid-swing."""


@dataclass(frozen=True, eq=False)
class Soles:
    """Both feet through a take."""

    ankles: Array
    """[m]. Shape (frames, 2, 3)."""
    rotations: Array
    """Foot to world. Shape (frames, 2, 4)."""
    toe_bend: Array
    """Toes up against the foot, [rad]. Shape (frames, 2)."""
    contacts: Flags
    """Left heel, left toe, right heel, right toe. Shape (frames, 4)."""
    stands: Flags
    """Which foot is on the ground with any part. Shape (frames, 2)."""
    load: Array
    """Share of the weight on each foot; both zero in flight. Shape (frames, 2)."""
    pressure: Array
    """Where each foot is pressed while it stands: from heel to ball, x and z [m]. Shape (frames, 2, 2)."""


def ankle_place(place: Array, yaw: Array, pitch: Array) -> Array:
    """Where the ankle is when the sole is rolled by ``pitch`` about heel (toes up) or ball (heel up).

    Args:
        place: Under the ankle when the sole is level, x and z [m]. Shape (..., 2).
        yaw: Where the toes point, [rad]. Shape (...).
        pitch: [rad]. Shape (...).

    Returns:
        Shape (..., 3).
    """
    pivot = np.where(pitch >= 0, HEEL_M, BALL_M)
    # Toes bend so far; then the whole foot rolls over their tips and the ball leaves the ground, too.
    toes = np.minimum(pitch + TOE_BEND_RAD, 0.0)
    toe_m = TIP_M - BALL_M
    # In the foot's plane: ahead and up, relative to the pivot on the ground.
    ahead = pivot - pivot * np.cos(pitch) - ANKLE_M * np.sin(pitch) + toe_m * (1 - np.cos(toes))
    up = ANKLE_M * np.cos(pitch) - pivot * np.sin(pitch) - toe_m * np.sin(toes)
    return np.stack([place[..., 0] + ahead * np.sin(yaw), up, place[..., 1] + ahead * np.cos(yaw)], axis=-1)


def _stance_pitch(fall: Footfall, lift: float, push: float, time: Array) -> Array:
    """Pitch while the foot stands, from strike to push-off."""
    stance = fall.gait.stance_s
    roll = min(0.16 * stance, 0.12)
    strike = fall.gait.strike_rad * (1 - ease((time - fall.land) / max(roll, 0.03)))
    # Heel-off grows faster towards the end, as ankles do.
    span = min((0.40 + 0.14 * fall.gait.run) * stance, 0.42, 0.8 * max(lift - fall.land, 0.05))
    t = np.clip((time - (lift - span)) / span, 0, 1.15)
    return strike - push * t**2.2


def walk_soles(falls: list[Footfall], flights: list[Flight], channels: dict[str, Array]) -> Soles:
    """Trajectories of both feet from the footfalls."""
    frames = len(channels["lift_m"])
    time = np.arange(frames) / FPS
    ankles = np.zeros((frames, 2, 3))
    yaw, pitch, toe = np.zeros((frames, 2)), np.zeros((frames, 2)), np.zeros((frames, 2))
    stands = np.zeros((frames, 2), bool)
    pressure = np.zeros((frames, 2, 2))
    for side in (0, 1):
        own = [f for f in falls if f.side == side]
        for i, fall in enumerate(own):
            following = own[i + 1] if i + 1 < len(own) else None
            lift = following.lift if following else 1e6
            push = following.gait.push_rad if following else 0.0
            # No heel-off before a pause long enough to stand in.
            stance = (time >= fall.land) & (time < lift)
            at = np.array(fall.place)
            now = time[stance]
            pitch[stance, side] = _stance_pitch(fall, lift, push, now)
            yaw[stance, side] = fall.yaw
            ankles[stance, side] = ankle_place(at, np.full(len(now), fall.yaw), pitch[stance, side])
            stands[stance, side] = True
            along = np.interp(now, [fall.land, fall.land + 0.3 * fall.gait.stance_s, lift], [0.0, 0.45, 1.0])
            along = np.where(lift > fall.land + 2.0, 0.42, along)
            ahead = HEEL_M + along * (BALL_M - HEEL_M)
            pressure[stance, side] = at + ahead[:, None] * np.array([np.sin(fall.yaw), np.cos(fall.yaw)])
            toe[stance, side] = np.clip(-pitch[stance, side], 0.0, TOE_BEND_RAD)
            if following is not None:
                _swing(
                    fall,
                    following,
                    own[i + 2] if i + 2 < len(own) else None,
                    flights,
                    channels,
                    time,
                    side,
                    ankles,
                    yaw,
                    pitch,
                    toe,
                )
    foot = quat.multiply(quat.about("y", yaw), quat.about("x", -pitch))
    heel = stands & (pitch > -0.05)
    ball = stands & (pitch < 0.12) & (pitch > -TOE_BEND_RAD - 0.1)
    contacts = np.stack([heel[:, 0], ball[:, 0], heel[:, 1], ball[:, 1]], axis=-1)
    return Soles(ankles, foot, toe, contacts, stands, _loads(falls, stands, time), _held_pressure(pressure, stands))


def _swing(
    old: Footfall,
    new: Footfall,
    after: Footfall | None,
    flights: list[Flight],
    channels: dict[str, Array],
    time: Array,
    side: int,
    ankles: Array,
    yaw: Array,
    pitch: Array,
    toe: Array,
) -> None:
    """Fill one foot's way through the air, smooth into both stances."""
    span = (time >= new.lift) & (time < new.land)
    if not span.any():
        return
    length = new.land - new.lift
    s = (time[span] - new.lift) / length
    lift_after = after.lift if after else 1e6
    push_after = after.gait.push_rad if after else 0.0
    h = 1 / FPS

    def before(t: Array) -> tuple[Array, Array]:
        tilt = _stance_pitch(old, new.lift, new.gait.push_rad, t)
        return ankle_place(np.array(old.place), np.full(len(t), old.yaw), tilt), tilt

    def behind(t: Array) -> tuple[Array, Array]:
        tilt = _stance_pitch(new, lift_after, push_after, t)
        return ankle_place(np.array(new.place), np.full(len(t), new.yaw), tilt), tilt

    from_ankle, from_pitch = before(new.lift + np.array([-h, 0.0]))
    to_ankle, to_pitch = behind(new.land + np.array([0.0, h]))
    ends = (from_ankle[1], to_ankle[0], (from_ankle[1] - from_ankle[0]) / h, (to_ankle[1] - to_ankle[0]) / h)
    run = new.gait.run
    # A runner's foot trails behind at first and is pulled through late.
    late = s - 0.08 * run * np.sin(np.pi * s)
    way = _quintic(late, length, *ends)
    bump = 16 * s**2 * (1 - s) ** 2
    early = 256 / 27 * s * (1 - s) ** 3 * ease(s / 0.2)
    late_bump = 256 / 27 * (1 - s) * s**3 * ease((1 - s) / 0.2)
    extra = float(np.interp(0.5 * (new.lift + new.land), time, channels["lift_m"]))
    height = new.gait.lift_m * (early * (1 - new.gait.back) + late_bump * new.gait.back) + extra * (
        0.7 * early + 0.3 * bump
    )
    for flight in flights:
        if flight.takeoff - 0.3 < new.lift < flight.landing:
            # Highest while the body flies; the trailing leg is down again when it lands.
            early_bump = 16 * s**1.6 * (1 - s**0.8) ** 2
            height = height + flight.clear_m * early_bump
    way[:, 1] += height
    # Toes that hung late would have to be lifted over the ground by the knee.
    lead = LEAD - 0.05 * run
    sooner = 1 - (1 - s) ** lead
    tilt = _quintic(
        sooner,
        length,
        from_pitch[1],
        to_pitch[0],
        (0.7 - 0.45 * run) / lead * (from_pitch[1] - from_pitch[0]) / h,
        (to_pitch[1] - to_pitch[0]) / h,
    )
    tilt = tilt + (1 - run) * 0.10 * bump * (new.gait.strike_rad > 0)
    # Swinging past a standing leg: the knee bends enough, the foot goes round it a little.
    turned = old.yaw + (new.yaw - old.yaw) * ease(s)
    way[:, 1] += _missing_clearance(way[:, 1], tilt, s)
    ankles[span, side] = way
    pitch[span, side] = tilt
    yaw[span, side] = turned
    leaving, meeting = (min(max(-float(p), 0.0), TOE_BEND_RAD) for p in (from_pitch[1], to_pitch[0]))
    toe[span, side] = leaving * (1 - ease(s / 0.35)) + meeting * ease((s - 0.45) / 0.55) + 0.12 * bump


def _missing_clearance(height: Array, tilt: Array, s: Array) -> Array:
    """What must be added so that neither heel nor toe comes near the ground in mid-swing."""
    lowest = np.minimum(
        height - ANKLE_M * np.cos(tilt) + HEEL_M * np.sin(tilt), height - ANKLE_M * np.cos(tilt) + TIP_M * np.sin(tilt)
    )
    shape = np.minimum(1.0, np.minimum(s / 0.5, (1 - s) / 0.25))
    bump = 16 * s**2 * (1 - s) ** 2
    # Just enough that the lowest point clears, where the bump can help at all.
    missing = np.where(bump > 0.3, (CLEARANCE_M * shape**2 - lowest) / np.maximum(bump, 0.3), 0.0)
    return max(float(missing.max(initial=0.0)), 0.0) * bump


def _quintic(s: Array, length: float, a: Array, b: Array, va: Array, vb: Array) -> Array:
    """From a to b with given end velocities and no end accelerations. Shape (samples, ...)."""
    a, b, va, vb = (np.asarray(v, float) for v in (a, b, va, vb))
    s = s.reshape(-1, *[1] * a.ndim)
    va, vb = va * length, vb * length
    d = b - a
    return (
        a
        + va * s
        + (10 * d - 6 * va - 4 * vb) * s**3
        + (-15 * d + 8 * va + 7 * vb) * s**4
        + (6 * d - 3 * va - 3 * vb) * s**5
    )


def _loads(falls: list[Footfall], stands: Flags, time: Array) -> Array:
    """Weight on each foot: it wanders over while both stand."""
    load = stands.astype(float)
    both = stands.all(1)
    target = np.zeros((len(time), 2))
    target[stands[:, 0] & ~stands[:, 1]] = (1, 0)
    target[stands[:, 1] & ~stands[:, 0]] = (0, 1)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], both.astype(int), [0]])))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        left_before = target[start - 1, 0] if start > 0 else 0.5
        left_after = target[stop, 0] if stop < len(time) else 0.5
        if start > 0 and not stands[start - 1].any():
            left_before = left_after if stop < len(time) else 0.5
        if stop < len(time) and not stands[stop].any():
            left_after = left_before
        n = stop - start
        t = (np.arange(n) + 0.5) / n
        if n > 0.6 * FPS:
            # A pause: over to both feet, and off them again only just before the step.
            shift = 0.35 * FPS / n
            share = np.interp(t, [0, shift, 1 - shift, 1], [left_before, 0.5, 0.5, left_after])
        else:
            share = left_before + (left_after - left_before) * t
        load[start:stop, 0], load[start:stop, 1] = share, 1 - share
    return load


def _held_pressure(pressure: Array, stands: Flags) -> Array:
    """Through the swing the last place holds, so that interpolation has something to start from."""
    result = pressure.copy()
    for side in (0, 1):
        index = np.where(stands[:, side], np.arange(len(stands)), 0)
        np.maximum.accumulate(index, out=index)
        result[:, side] = pressure[index, side]
    return result
