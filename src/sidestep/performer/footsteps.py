"""From a path to footfalls: who lands where and when.

A foot stands around the place where the body will be in the middle of its stance. That one rule makes forward, sideways
and backward steps, curves, turns on the spot, starts and stops (the last short step included): when the path comes to
rest, feet land where the body rests, and stepping ends when both stand there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array
from .gait import Gait, blend, gait_of
from .score import FPS

SETTLED_M, SETTLED_RAD = 0.055, 0.20
"""A foot this close to its place needs no further step."""
TOES_OUT_RAD = 0.11
FIRST_SWING_S = 0.46
LONGEST_SWING_S = 0.54
"""However slow the walk, nobody stands on one leg for long."""
PUSH_S = 0.20
"""How long the pushing foot stands before a leap."""
ANKLE_BEHIND_M = 0.055
"""How far the ankles of a standing body are behind its weight."""


@dataclass(frozen=True)
class Footfall:
    """A foot comes down."""

    side: int
    """0 left, 1 right."""
    lift: float
    """When it left its last place, [s]."""
    land: float
    """When it lands, [s]."""
    place: tuple[float, float]
    """Under the ankle, x and z [m]."""
    yaw: float
    """Where the toes point, [rad]."""
    gait: Gait


@dataclass(frozen=True)
class Flight:
    """A stretch in which the body is in the air."""

    takeoff: float
    """[s]."""
    landing: float
    both: bool
    """From both feet to both feet; otherwise from one to the other."""
    clear_m: float
    """What the feet must clear."""


class _Plan:
    """Looks values of the path up at any time."""

    def __init__(self, place: Array, facing: Array, channels: dict[str, Array], ease_m: float) -> None:
        self.place, self.facing, self.channels = place, facing, channels
        # Who comes to stand does not line the feet up.
        self.ease_m = ease_m
        self.frames = len(facing)

    def index(self, time: float) -> int:
        return min(max(int(round(time * FPS)), 0), self.frames - 1)

    def mean(self, name: str, start: float, stop: float) -> float:
        return float(self.channels[name][self.index(start) : self.index(stop) + 1].mean())

    def speed(self, time: float) -> float:
        i = self.index(time)
        return float(np.hypot(self.channels["ahead_mps"][i], self.channels["left_mps"][i]))

    def gait(self, time: float) -> Gait:
        """The steps of a time: they anticipate a speed they lead into, but nobody brakes by standing too long."""
        coming, present = self._gait(time, time + 0.45), self._gait(time, time + 0.12)
        return coming if coming.step_s <= present.step_s else present

    def _gait(self, a: float, b: float) -> Gait:
        return gait_of(
            self.mean("ahead_mps", a, b),
            self.mean("left_mps", a, b),
            self.mean("turn_rps", a, b),
            self.mean("cross", a, b),
            self.mean("drop_m", a, b),
        )

    def ideal(self, side: int, time: float, width_m: float, front_m: float = 0.0) -> tuple[Array, float]:
        """Where a foot belongs at a time."""
        i = self.index(time)
        yaw = float(self.facing[i])
        sign = 1.0 if side == 0 else -1.0
        left = np.array([np.cos(yaw), -np.sin(yaw)])
        ahead = np.array([np.sin(yaw), np.cos(yaw)])
        # The weight rests ahead of the ankles, and walkers lead with the hips: the faster, the more.
        travel = float(self.channels["ahead_mps"][i])
        back = ANKLE_BEHIND_M + max(0.095 * min(travel, 1.8), -0.04 * travel) + 0.07 * blend(travel, 1.9, 2.6)
        uneven = sign * self.ease_m * (1 - blend(self.speed(time), 0.1, 0.5))
        splay = float(self.channels["splay_rad"][i])
        # Feet turned out carry less before the ankle.
        back *= np.cos(splay)
        spot = self.place[i] + left * sign * width_m / 2 + ahead * (front_m + uneven - back)
        return spot, yaw + sign * (TOES_OUT_RAD + splay)


def plan_footsteps(
    place: Array, facing: Array, channels: dict[str, Array], flights: list[Flight], rng: np.random.Generator
) -> list[Footfall]:
    """Plan all footfalls of a take; the first two stand from before its start.

    Args:
        place: The body's way on the ground, x and z [m]. Shape (frames, 2).
        facing: Yaw [rad]. Shape (frames,).
        channels: The score's channels, each (frames,).
        flights: Jumps and leaps, in order.
        rng: Makes no two steps twins.
    """
    plan = _Plan(place, facing, channels, rng.normal(0, 0.04))
    end = plan.frames / FPS
    first = plan.gait(0.0)
    stand_width = _width(plan, 0.0, first)
    falls = []
    for side in (0, 1):
        spot, yaw = plan.ideal(side, 0.0, stand_width)
        falls.append(Footfall(side, -10.0, -9.0, (float(spot[0]), float(spot[1])), yaw, first))
    # Left and right are never twins.
    limp, out = rng.normal(0, 0.010), rng.normal(0.02, 0.07, 2) * [1, -1]
    time, last_side, stepping, jumps = 0.0, int(rng.integers(2)), False, list(flights)
    last_land, starting = -1.0, False
    while time < end:
        gait = plan.gait(time)
        # Steps before a leap are made to measure, so that the last of them is the push.
        to_push = jumps[0].takeoff - PUSH_S - last_land if jumps and stepping and not jumps[0].both else 1e3
        gather_s = 0.75 if jumps and (jumps[0].both or not stepping) else 0.0
        if jumps and (time >= jumps[0].takeoff - gather_s or to_push < 1.5 * gait.step_s):
            landed_on_both = jumps[0].both
            time, last_side = _jump(plan, falls, jumps.pop(0), last_side)
            # Off one foot the run goes on; off both one stands first.
            last_land, stepping = time, not landed_on_both
            continue
        needs = [_need(plan, falls, side, time, gait) for side in (0, 1)]
        if max(needs) <= 1.0:
            stepping = False
            time += 1 / FPS
            continue
        side = 1 - last_side if stepping else _first_foot(plan, needs, time, last_side)
        step_s = gait.step_s * (1 + rng.normal(0, 0.02) + (limp if side == 0 else -limp))
        if to_push < 6 * step_s:
            step_s = to_push / max(np.ceil(to_push / step_s - 0.25), 1.0)
        first_s = _first_swing_s(plan, time, gait)
        land = last_land + step_s if stepping else time + first_s
        own = [f for f in falls if f.side == side][-1]
        lift = max(land - (min(gait.swing_s, LONGEST_SWING_S) if stepping else first_s), own.land + 0.10)
        if own.gait.run > 0.5:
            # A runner whose next step is late flies longer; a foot that stayed would be left behind.
            lift = min(lift, own.land + max(1.15 * own.gait.stance_s, 0.10))
        if not stepping or starting:
            # Out of a stand: no foot leaves before the other has come down.
            lift = max(lift, last_land if stepping else time)
        land = max(land, lift + 0.6 * min(gait.swing_s, first_s), lift + 0.16)
        if jumps and to_push > 1e2 and land > jumps[0].takeoff - 0.30:
            time = jumps[0].takeoff - 0.75
            if land > jumps[0].takeoff - 0.05:
                continue
        front = gait.front_m if _trails(plan, side, land) else -0.2 * gait.front_m
        spot, yaw = plan.ideal(side, land + 0.5 * _stance_s(plan, land, gait), _width(plan, land, gait), front)
        jitter = rng.normal(0, 0.012, 2) * min(gait.step_s * 2, 1.0)
        falls.append(
            Footfall(
                side,
                lift,
                land,
                (float(spot[0] + jitter[0]), float(spot[1] + jitter[1])),
                yaw + out[side] + rng.normal(0, 0.03),
                _own_way(gait, rng),
            )
        )
        starting = not stepping
        last_side, last_land, stepping = side, land, True
        # The next decision falls due when the other foot would have to lift.
        time = max(land + gait.step_s - gait.swing_s, time + 1 / FPS)
    return falls


def _own_way(gait: Gait, rng: np.random.Generator) -> Gait:
    """The same step as nobody takes it twice."""
    return replace(
        gait,
        lift_m=gait.lift_m + rng.normal(0, 0.005),
        strike_rad=gait.strike_rad * (1 + rng.normal(0, 0.08)),
        push_rad=gait.push_rad * (1 + rng.normal(0, 0.05)),
    )


def _stance_s(plan: _Plan, land: float, gait: Gait) -> float:
    """How long the foot will stand: a step that leads into a run is soon left behind, however slow its beginning."""
    return min(gait.stance_s, plan.gait(land).stance_s, plan.gait(land + 0.2).stance_s)


def _first_swing_s(plan: _Plan, time: float, gait: Gait) -> float:
    """The first step out of a stand is a quick one, whatever the speed it leads into, and quicker into a run."""
    hurry = blend(plan.mean("ahead_mps", time + 0.3, time + 0.9), 1.2, 2.6)
    return min(gait.swing_s, FIRST_SWING_S * (1 - 0.35 * hurry))


def _width(plan: _Plan, time: float, gait: Gait) -> float:
    return gait.width_m + plan.mean("width_m", time, time + 0.3)


def _need(plan: _Plan, falls: list[Footfall], side: int, time: float, gait: Gait) -> float:
    """How far a foot is from where it will belong, in units of what may stay."""
    own = [f for f in falls if f.side == side][-1]
    # The first step out of a stand is a quick one, whatever the speed it leads into.
    ahead = time + min(gait.swing_s, FIRST_SWING_S) + 0.3 * min(gait.stance_s, 0.5)
    spot, yaw = plan.ideal(side, ahead, _width(plan, ahead, plan.gait(ahead)))
    away = float(np.hypot(spot[0] - own.place[0], spot[1] - own.place[1]))
    turn = abs(yaw - own.yaw)
    return max(away / SETTLED_M, turn / SETTLED_RAD)


def _first_foot(plan: _Plan, needs: list[float], time: float, last_side: int) -> int:
    """Sideways and turning, the foot on that side goes first; otherwise the one that is further from its place."""
    left = plan.mean("left_mps", time, time + 0.8)
    turn = plan.mean("turn_rps", time, time + 0.8)
    ahead = plan.mean("ahead_mps", time, time + 0.8)
    if abs(left) > max(abs(ahead), 0.08):
        return 0 if left > 0 else 1
    if abs(turn) > 0.5:
        return 0 if turn > 0 else 1
    if abs(needs[0] - needs[1]) > 0.5:
        return int(np.argmax(needs))
    return 1 - last_side


def _trails(plan: _Plan, side: int, time: float) -> bool:
    left = plan.mean("left_mps", time, time + 0.3)
    return (side == 0) == (left < 0)


def _jump(plan: _Plan, falls: list[Footfall], flight: Flight, last_side: int) -> tuple[float, int]:
    """Add the footfalls of a jump; returns when stepping goes on and the foot that landed last."""
    gait = plan.gait(flight.landing)
    if flight.both:
        # Gather: the foot that is behind closes to the other, then both leave and land together.
        gather = flight.takeoff - 0.32
        for side in (1 - last_side, last_side):
            own = [f for f in falls if f.side == side][-1]
            spot, yaw = plan.ideal(side, flight.takeoff, 0.24)
            if np.hypot(spot[0] - own.place[0], spot[1] - own.place[1]) > SETTLED_M and gather - 0.3 > own.land:
                lift = max(own.land + 0.1, gather - 0.36)
                falls.append(Footfall(side, lift, gather, (float(spot[0]), float(spot[1])), yaw, plan.gait(gather)))
                gather += 0.16
        for side in (0, 1):
            spot, yaw = plan.ideal(side, flight.landing + 0.12, 0.26)
            falls.append(Footfall(side, flight.takeoff, flight.landing, (float(spot[0]), float(spot[1])), yaw, gait))
        return flight.landing + 0.30, last_side
    side = 1 - last_side  # the pushing foot is the one that stands at take-off
    push = [f for f in falls if f.side == side][-1]
    spot, yaw = plan.ideal(side, flight.takeoff - 0.10, 0.06)
    land = flight.takeoff - PUSH_S
    lift = max(push.land + 0.1, land - plan.gait(land).swing_s)
    falls.append(Footfall(side, lift, max(land, lift + 0.16), (float(spot[0]), float(spot[1])), yaw, plan.gait(land)))
    other = 1 - side
    spot, yaw = plan.ideal(other, flight.landing + 0.10, 0.06)
    lead = [f for f in falls if f.side == other][-1]
    falls.append(
        Footfall(
            other,
            min(max(lead.land + plan.gait(lead.land).stance_s, lead.land + 0.1), flight.takeoff - 0.05),
            flight.landing,
            (float(spot[0]), float(spot[1])),
            yaw,
            gait,
        )
    )
    follow = flight.landing + min(max(gait.step_s, 0.30), 0.42)
    spot, yaw = plan.ideal(side, follow + 0.5 * gait.stance_s, _width(plan, follow, gait))
    falls.append(Footfall(side, flight.takeoff, follow, (float(spot[0]), float(spot[1])), yaw, gait))
    return follow + max(gait.step_s - gait.swing_s, 0.02), side
