"""Acting a score out on two feet: from footfalls to weight, pelvis, trunk and head.

The weight follows the feet by the pendulum that standing bodies are: with the pressure under the feet given, the one
way of the centre of mass that does not fall over is the pressure smoothed on both sides of time,
``com(t) = w/2 * integral exp(-w |t - s|) pressure(s) ds`` with ``w = sqrt(g / height)``. Sway over the standing foot,
the shift before the first step, leaning into curves and the settling after a stop all come from this one line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import minimum_filter1d

from ..arrays import Array
from ..motion import quaternion as quat
from ..motion.smooth import convolved, gaussian
from .body import HIP, SHANK_M, THIGH_M
from .footsteps import Flight, Footfall, plan_footsteps
from .noise import slow_noise
from .score import FPS, Score
from .soles import Soles, walk_soles

GRAVITY = 9.81
STAND_M = 0.980
"""Hips height of an easy stand; straight legs would be 0.9845."""
LONGEST_LEG_M = 0.992 * (THIGH_M + SHANK_M)
HIP_ASIDE_M, HIP_DROP_M = float(HIP[0]), -float(HIP[1])
LONGEST_SWING_M = 0.997 * (THIGH_M + SHANK_M)


@dataclass(eq=False)
class Walk:
    """Everything about the lower body and the trunk of a take; arms are added afterwards."""

    time: Array
    channels: dict[str, Array]
    place: Array
    facing: Array
    falls: list[Footfall]
    flights: list[Flight]
    soles: Soles
    pelvis: Array
    pelvis_turn: Array
    chest_turn: Array
    head_turn: Array
    stride: Array
    """How far the right foot is ahead of the left in the body's frame, smoothed, [m]. Shape (frames,)."""
    run: Array
    """0 walking, 1 running. Shape (frames,)."""
    speed: Array
    """[m/s]. Shape (frames,)."""


def flights_of(score: Score) -> list[Flight]:
    """The jumps among a score's acts; their size is what the feet clear, in metres."""
    result = []
    for name, time, size in sorted(score.acts, key=lambda act: act[1]):
        if name in {"jump", "leap"}:
            # Time in the air from the height to clear; legs are drawn up for the rest.
            air = 2 * np.sqrt(2 * (0.07 + 0.42 * size) / GRAVITY) * (1.0 if name == "jump" else 0.9)
            result.append(Flight(time, time + float(air), name == "jump", size))
    return result


def walk(score: Score) -> Walk:
    """Act out the legs and the trunk of a score."""
    rng = np.random.default_rng([score.seed, 7])
    channels = score.channels()
    place, facing = score.path(channels)
    flights = flights_of(score)
    falls = plan_footsteps(place, facing, channels, flights, rng)
    soles = walk_soles(falls, flights, channels)
    frames = len(facing)
    time = np.arange(frames) / FPS
    speed = np.hypot(channels["ahead_mps"], channels["left_mps"])
    run = _run_share(falls, time)

    across, up_axis = np.stack([np.cos(facing), -np.sin(facing)], -1), np.stack([np.sin(facing), np.cos(facing)], -1)
    # Even who stands at attention sways.
    sway = 0.02 * slow_noise(rng, frames, 1.0)
    ground = _weight(place, facing, soles, channels["shift_m"] + sway, run)
    # How a person holds the body: gaze, head, chest, knees.
    habit = np.clip(rng.normal(0, 1, 4), -1.8, 1.8)
    stand_m = STAND_M + 0.006 * habit[3]
    height = _height(stand_m, falls, flights, soles, channels, ground, facing, time, run, speed)
    ahead_of_other = ((soles.ankles[:, 1] - soles.ankles[:, 0])[:, [0, 2]] * up_axis).sum(-1)
    aside_of_other = ((soles.ankles[:, 0] - soles.ankles[:, 1])[:, [0, 2]] * across).sum(-1)
    stride = gaussian(ahead_of_other, 0.045, FPS)
    standing = np.clip(1 - speed / 0.4, 0, 1)

    def wander(size: float, sigma_s: float = 0.9) -> Array:
        return size * slow_noise(rng, frames, sigma_s)

    acceleration = _second_derivative(place)
    ahead_acc = gaussian((acceleration * up_axis).sum(-1), 0.12, FPS)
    left_acc = gaussian((acceleration * across).sum(-1), 0.12, FPS)
    back = np.clip(-channels["ahead_mps"] / 0.4, 0, 1)
    lean = channels["lean_rad"] + 0.75 * np.arctan(ahead_acc / GRAVITY) + 0.06 + 0.25 * run + 0.75 * channels["drop_m"]
    lean = lean + 0.10 * back
    tilt = channels["tilt_rad"] + 0.55 * np.arctan(left_acc / GRAVITY)
    # Sideways each step pushes off and brakes: the trunk leans with it.
    aside = np.clip(np.abs(channels["left_mps"]) / 0.4, 0, 1) * (1 - run)
    surge = gaussian((_second_derivative(ground) * across).sum(-1), 0.10, FPS)
    tilt = tilt + 0.45 * aside * np.arctan((surge - left_acc) / GRAVITY)

    # Pelvis: turns with the stride, lists to the swinging side, follows the torso's twist a little.
    load = gaussian(soles.load[:, 0] - soles.load[:, 1], 0.07, FPS)
    moving = np.clip(np.maximum(speed / 0.9, np.abs(channels["turn_rps"]) / 2.0), 0, 1)
    pelvis_yaw = facing + np.clip(0.145 * stride, -0.16, 0.16) + 0.36 * channels["twist_rad"]
    # Feet that cross pull the pelvis round.
    pelvis_yaw += 0.50 * np.clip(0.10 - aside_of_other, 0, 0.4) * np.sign(channels["left_mps"]) * channels["cross"]
    # Looking around takes the shoulders along, and a little of the hips.
    pelvis_yaw += 0.07 * channels["look_rad"] * standing
    # Standing at ease on one leg, the free side of the pelvis drops.
    list_rad = (0.055 * moving + 0.02) * load + 0.9 * channels["shift_m"] * standing
    pelvis_turn = quat.chain(
        quat.about("y", pelvis_yaw),
        quat.about("x", 0.06 + 0.45 * lean),
        quat.about("z", list_rad - 0.5 * tilt),
    )
    # In a turn the shoulders go before the hips.
    counter_turn = np.clip((0.07 + 0.035 * run) * stride, -0.17, 0.17) * (0.3 + 0.7 * np.clip(speed, 0, 1))
    chest_yaw = _ahead_of(facing, 0.16) + channels["twist_rad"] - counter_turn
    chest_yaw += wander(0.025) + 0.26 * channels["look_rad"] * standing
    breath = 0.010 * standing * np.sin(2 * np.pi * (0.26 * time + habit[0]))
    chest_lean = (
        lean
        + 0.03 * habit[2] * (1 - run)
        - breath
        + wander(0.018, 1.3)
        + 0.012 * np.cos(2 * np.pi * _step_phase(falls, time)) * moving
    )
    chest_turn = quat.chain(
        quat.about("y", chest_yaw),
        quat.about("x", chest_lean),
        quat.about("z", -tilt - 0.25 * list_rad + wander(0.012, 1.1)),
    )
    gaze = _gaze(facing, channels, 0.10 + 0.06 * max(habit[0], -1.5) + 0.08 * np.maximum(back, aside))
    head_turn = _head(gaze, chest_yaw, chest_lean, 0.03 * habit[1] - 0.25 * tilt, wander)
    pelvis = np.stack([ground[:, 0], height, ground[:, 1]], axis=-1)
    # What leans forward above goes back below: the weight stays over the feet.
    counter = np.clip(0.30 * np.sin(np.clip(lean - 0.08 - 0.25 * run, 0, 1.4)), 0, 0.22) * (1 - run)
    pelvis[:, [0, 2]] -= counter[:, None] * up_axis
    pelvis[:, [0, 2]] -= (0.22 * np.sin(channels["tilt_rad"]))[:, None] * across
    pelvis[:, 1] = _within_reach(pelvis, pelvis_turn, soles, pelvis[:, 1])
    return Walk(
        time,
        channels,
        place,
        facing,
        falls,
        flights,
        soles,
        pelvis,
        pelvis_turn,
        chest_turn,
        head_turn,
        stride,
        run,
        speed,
    )


def _second_derivative(place: Array) -> Array:
    return np.gradient(np.gradient(place, 1 / FPS, axis=0), 1 / FPS, axis=0)


def _run_share(falls: list[Footfall], time: Array) -> Array:
    lands = sorted(falls, key=lambda fall: fall.land)
    share = np.interp(time, [f.land for f in lands], [f.gait.run for f in lands])
    return gaussian(share, 0.10, FPS)


def _step_phase(falls: list[Footfall], time: Array) -> Array:
    """Whole numbers at landings, growing evenly between. Shape (frames,)."""
    lands = sorted({round(f.land, 4) for f in falls if f.land > -5})
    if not lands:
        return np.zeros(len(time))
    known = np.concatenate([[lands[0] - 0.6], lands, [lands[-1] + 0.7]])
    return np.interp(time, known, np.arange(len(known)) - 1.0)


def _weight(place: Array, facing: Array, soles: Soles, shift_m: Array, run: Array) -> Array:
    """Where the weight is on the ground, x and z [m]. Shape (frames, 2)."""
    across = np.stack([np.cos(facing), -np.sin(facing)], -1)
    share = soles.load.copy()
    standing = share.sum(1) > 0.5
    # Standing at ease the pressure moves between the feet.
    both = (share > 0.2).all(1)
    offset = np.where(both, shift_m, 0.0)
    pressed = (soles.pressure * share[..., None]).sum(1) / np.maximum(share.sum(1, keepdims=True), 1e-6)
    pressed = pressed + offset[:, None] * across
    pressed = np.where(standing[:, None], pressed, place)
    # Runners fly between feet; what sways is how far the standing foot is beside the way.
    beside = ((pressed - place) * across).sum(-1, keepdims=True) * across
    pressed = pressed * (1 - run[:, None]) + (place + 4.5 * beside) * run[:, None]
    ahead = np.stack([np.sin(facing), np.cos(facing)], -1)
    rate = np.sqrt(GRAVITY / 0.95)
    half = int(2.0 * FPS)
    kernel = np.exp(-rate * np.abs(np.arange(-half, half + 1)) / FPS)
    kernel /= kernel.sum()
    swayed = convolved(pressed, kernel)
    # Runners bounce sideways far less than the pendulum says, and fore and aft the foot's roll does the smoothing.
    base = convolved(place, kernel)
    along = ((swayed - base) * ahead).sum(-1, keepdims=True) * ahead * 0.65
    aside = ((swayed - base) * across).sum(-1, keepdims=True) * across
    return gaussian(base + along + aside, 0.03, FPS)


def _height(
    stand_m: float,
    falls: list[Footfall],
    flights: list[Flight],
    soles: Soles,
    channels: dict[str, Array],
    ground: Array,
    facing: Array,
    time: Array,
    run: Array,
    speed: Array,
) -> Array:
    """Hips height before the legs' reach is asked, [m]. Shape (frames,)."""
    lands = sorted((f for f in falls if f.land > -5), key=lambda fall: fall.land)
    phase = _step_phase(falls, time)
    bounce: Array = np.zeros(len(time))
    low_at: Array = np.full(len(time), 0.12)
    bend: Array = np.zeros(len(time))
    if lands:
        at = [f.land for f in lands]
        # The rise over the standing leg, as a compass would, and about two thirds of it.
        steps = [_step_length(falls, f) for f in lands]
        swing = [min(0.012 + 0.45 * (0.86 - np.sqrt(max(0.74 - (s / 2) ** 2, 0.1))), 0.055) for s in steps]
        run_swing = [0.095 for f in lands]
        pp = [a * (1 - f.gait.run) + b * f.gait.run for a, b, f in zip(swing, run_swing, lands, strict=True)]
        bounce = np.interp(time, at, pp, left=0.0, right=0.0)
        low_at = np.interp(time, at, [0.12 * (1 - f.gait.run) + (f.gait.duty - 0.02) * f.gait.run for f in lands])
        bend = np.interp(time, at, [0.018 * f.gait.run for f in lands], left=0.0, right=0.0)
        ended = np.clip((time - at[-1]) / 0.5, 0, 1)
        bounce = gaussian(bounce * (1 - ended), 0.12, FPS)
    height = stand_m - bend - 0.5 * bounce * (1 + np.cos(2 * np.pi * (phase - low_at)))
    side = np.abs(channels["left_mps"]) * (1 - channels["cross"])
    height = height - channels["drop_m"] - 0.035 * np.clip(side / 1.0, 0, 1)
    cap = _reach_cap(ground, facing, soles)
    height = np.minimum(height, cap)
    width = int(0.10 * FPS)
    height = gaussian(minimum_filter1d(height, width), 0.035, FPS)
    for flight in flights:
        height = _through_the_air(height, flight, time, falls)
    return height


def _step_length(falls: list[Footfall], fall: Footfall) -> float:
    others = [f for f in falls if f.side != fall.side and f.land < fall.land]
    if not others:
        return 0.0
    before = others[-1]
    return float(np.hypot(fall.place[0] - before.place[0], fall.place[1] - before.place[1]))


def _reach_cap(ground: Array, facing: Array, soles: Soles) -> Array:
    """The highest hips at which both legs reach their ankles, [m]. Shape (frames,)."""
    across = np.stack([np.cos(facing), -np.sin(facing)], -1)
    caps = []
    for side, sign in ((0, 1.0), (1, -1.0)):
        hip = ground + sign * HIP_ASIDE_M * across
        away = soles.ankles[:, side][:, [0, 2]] - hip
        flat = np.minimum((away**2).sum(-1), 0.55**2)
        # A swinging leg may be straighter, and where it is longer than the leg the knee simply goes along.
        longest = np.where(soles.load[:, side] > 0.02, LONGEST_LEG_M, LONGEST_SWING_M)
        caps.append(soles.ankles[:, side, 1] + np.sqrt(longest**2 - flat) + HIP_DROP_M)
    return np.minimum(*caps)


def _within_reach(pelvis: Array, pelvis_turn: Array, soles: Soles, height: Array) -> Array:
    """Lower the hips where a leg would be overstretched, smoothly. Shape (frames,)."""
    excess = np.zeros(len(height))
    for side, sign in ((0, 1.0), (1, -1.0)):
        hip = pelvis + quat.rotate(pelvis_turn, np.array([sign * HIP_ASIDE_M, -HIP_DROP_M, 0.0]))
        away = soles.ankles[:, side] - hip
        flat = np.minimum((away[:, [0, 2]] ** 2).sum(-1), 0.60**2)
        top = soles.ankles[:, side, 1] + np.sqrt((LONGEST_LEG_M + 0.004) ** 2 - flat)
        excess = np.maximum(excess, np.where(soles.load[:, side] > 0.02, hip[:, 1] - top, hip[:, 1] - top - 0.01))
    excess = np.maximum(excess, 0.0)
    if not excess.any():
        return height
    width = int(0.12 * FPS)
    return height - gaussian(-minimum_filter1d(-excess, width), 0.03, FPS)


def _through_the_air(height: Array, flight: Flight, time: Array, falls: list[Footfall]) -> Array:
    """Crouch, push off, fly, land, recover."""
    air = flight.landing - flight.takeoff
    result = height.copy()
    leave = 1.005 if flight.both else 0.99
    meet = 0.93 if flight.both else 0.94
    rise = (meet - leave) / air + 0.5 * GRAVITY * air
    dip_s, back_s = (0.42, 0.55) if flight.both else (0.26, 0.35)
    dip = (0.26 if flight.both else 0.08) * min(0.6 + flight.clear_m, 1.1)
    flying = (time >= flight.takeoff) & (time < flight.landing)
    t = time[flying] - flight.takeoff
    result[flying] = leave + rise * t - 0.5 * GRAVITY * t**2
    # Before: from the walk's height down and up again, arriving with the speed of take-off.
    before = (time >= flight.takeoff - dip_s) & (time < flight.takeoff)
    start = int(np.argmax(before))
    h0, v0 = height[max(start - 1, 0)], (height[start] - height[max(start - 1, 0)]) * FPS
    result[before] = _dip(time[before], flight.takeoff - dip_s, dip_s, h0, v0, leave, rise, dip)
    fall = rise - GRAVITY * air
    after = (time >= flight.landing) & (time < flight.landing + back_s)
    if after.any():
        stop = min(int(np.flatnonzero(after)[-1]) + 1, len(height) - 1)
        h1, v1 = height[stop], (height[stop] - height[stop - 1]) * FPS
        result[after] = _dip(time[after], flight.landing, back_s, meet, fall, h1, v1, 0.55 * dip)
    return result


def _dip(time: Array, start: float, length: float, a: float, va: float, b: float, vb: float, depth: float) -> Array:
    """A curve with given ends and end speeds that goes down in between."""
    s = (time - start) / length
    va, vb, d = va * length, vb * length, b - a
    curve = a + va * s + (3 * d - 2 * va - vb) * s**2 + (va + vb - 2 * d) * s**3
    return np.asarray(curve - depth * 16 * s**2 * (1 - s) ** 2)


def _ahead_of(values: Array, seconds: float) -> Array:
    """What will be, so many seconds later; the end stays. Shape (frames,)."""
    return values[np.minimum(np.arange(len(values)) + int(seconds * FPS), len(values) - 1)]


def _gaze(facing: Array, channels: dict[str, Array], down_rad: Array) -> tuple[Array, Array]:
    """Where the eyes go: ahead of the body along the way, yaw and pitch [rad]. Each (frames,)."""
    return gaussian(_ahead_of(facing, 0.32), 0.08, FPS) + channels["look_rad"], down_rad + channels["nod_rad"]


def _head(
    gaze: tuple[Array, Array], chest_yaw: Array, chest_lean: Array, roll: Array, wander: Callable[..., Array]
) -> Array:
    """The head follows the gaze as far as the neck allows and stays nearly level. Shape (frames, 4)."""
    yaw = chest_yaw + np.clip(gaze[0] + wander(0.05, 0.8) - chest_yaw, -1.15, 1.15)
    pitch = gaze[1] + 0.30 * np.clip(chest_lean - 0.05, -0.3, 1.2) + wander(0.035, 0.9)
    return quat.chain(quat.about("y", yaw), quat.about("x", pitch), quat.about("z", roll + wander(0.025, 1.1)))
