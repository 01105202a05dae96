"""Hands and knees, and flat on the floor: going down, creeping, crawling, coming up.

One number says how low the body is: 0 stands, 1 is on hands and knees, 2 lies flat. Going down, the feet stay where
they stood (their toes, that is) and the body comes forward over them; so nothing slides but what creeps. Creeping limbs
step in crossed pairs by the same rule as walking feet: they stand around where the body will be in mid-stance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..arrays import Array, Flags
from ..motion import quaternion as quat
from ..motion.clip import Clip, Event, Tag
from ..motion.smooth import gaussian
from .arms import palm
from .body import FOREARM_M, UPPER_ARM_M, Attitude, chest_place, shoulder_place, solve
from .ease import ease
from .noise import slow_noise
from .score import FPS
from .skeleton import SKELETON
from .soles import TOE_BEND_RAD, ankle_place

# Key postures by lowness: (lowness, pelvis ahead [m], pelvis height [m], pelvis pitch, chest pitch, head pitch [rad],
# heel raised [rad], hands on the floor 0..1). "Ahead" counts from where the pelvis is on hands and knees.
_KEYS = np.array([
    (0.00, -0.385, 0.975, 0.06, 0.06, 0.06, 0.00, 0.00),
    (0.20, -0.440, 0.800, 0.40, 0.62, 0.35, 0.06, 0.00),
    (0.42, -0.370, 0.560, 0.75, 1.12, 0.50, 0.45, 0.35),
    (0.62, -0.200, 0.500, 1.05, 1.30, 0.55, 0.85, 1.00),
    (0.82, -0.060, 0.475, 1.25, 1.40, 0.55, 1.15, 1.00),
    (1.00, 0.000, 0.465, 1.36, 1.42, 0.55, 1.30, 1.00),
    (1.35, 0.150, 0.360, 1.40, 1.50, 0.65, 1.32, 1.00),
    (1.70, 0.330, 0.200, 1.46, 1.46, 0.70, 1.36, 1.00),
    (2.00, 0.370, 0.135, 1.52, 1.42, 0.78, 1.40, 1.00),
])  # fmt: skip
ANKLES_AHEAD_M = -0.425
"""Where the ankles stay, from the pelvis on hands and knees."""
HANDS_AHEAD_M = {1: 0.50, 2: 0.97}
WRIST_M = 0.055


@dataclass
class FloorScore:
    """A timeline on the floor: ``(seconds, lowness, speed [m/s], turn [rad/s])`` each."""

    seed: int
    segments: list[tuple[float, float, float, float]] = field(default_factory=list)
    tags: list[tuple[str, float, float]] = field(default_factory=list)

    def go(
        self, seconds: float, low: float, tag: str | None = None, speed: float = 0.0, turn: float = 0.0
    ) -> FloorScore:
        """Append a stretch: be this low (getting there takes about its first second and a half), move on all fours."""
        start = sum(s for s, *_ in self.segments)
        if tag:
            self.tags.append((tag, start, start + seconds))
        self.segments.append((seconds, low, speed, turn))
        return self


@dataclass(frozen=True)
class _Plant:
    """A limb on the floor."""

    lift: float
    land: float
    place: tuple[float, float]


def perform_floor(score: FloorScore, name: str) -> Clip:
    """Act out a timeline on the floor."""
    rng = np.random.default_rng([score.seed, 23])
    low, base, heading, creeping = _timeline(score)
    frames = len(low)
    time = np.arange(frames) / FPS
    keys = {i: PchipInterpolator(_KEYS[:, 0], _KEYS[:, i])(np.clip(low, 0, 2)) for i in range(1, 8)}
    plants = _plan(base, heading, low, creeping, time, rng)
    tracks = {limb: _track(plants[limb], time, limb) for limb in plants}

    phase = _phase(plants, time)
    busy = gaussian(creeping.astype(float), 0.2, FPS)
    upright, sway = np.clip(1 - low, 0, 1), busy * (0.6 + 0.4 * np.clip(low - 1, 0, 1))
    wander = [0.7 * slow_noise(rng, frames, 0.5) for _ in range(4)]
    ahead = np.stack([np.sin(heading), np.cos(heading)], -1)
    left = np.stack([np.cos(heading), -np.sin(heading)], -1)
    middle = (
        base
        + keys[1][:, None] * ahead
        + (0.022 * sway * np.sin(np.pi * phase) + 0.01 * upright * wander[0])[:, None] * left
    )
    pelvis = np.stack([middle[:, 0], keys[2] + 0.012 * sway * np.cos(2 * np.pi * phase), middle[:, 1]], -1)
    roll = 0.09 * sway * np.sin(np.pi * phase)
    pelvis_turn = quat.chain(
        quat.about("y", heading + 0.10 * sway * np.sin(np.pi * phase)), quat.about("x", keys[3]), quat.about("y", roll)
    )
    chest_turn = quat.chain(
        quat.about("y", heading - 0.10 * sway * np.sin(np.pi * phase) + 0.02 * wander[1]),
        quat.about("x", keys[4] + 0.02 * wander[2]),
        quat.about("y", -roll),
    )
    head_turn = quat.chain(quat.about("y", heading + 0.08 * wander[3]), quat.about("x", keys[5]))
    ankles, foot_turn, toe = _feet(tracks, heading, keys[6], low)
    attitude = Attitude(
        pelvis=pelvis,
        pelvis_turn=pelvis_turn,
        chest_turn=chest_turn,
        head_turn=head_turn,
        ankles=ankles,
        foot_turn=foot_turn,
        toe_bend=toe,
        knee_pole=_knees(heading, low),
        wrists=np.zeros((frames, 2, 3)),
        elbow_pole=np.zeros((frames, 2, 3)),
        palm_twist=np.full((frames, 2), 0.25),
        hand_turn=np.zeros((frames, 2, 4)),
        hand_fixed=np.zeros((frames, 2)),
        wrist_bend=np.full((frames, 2), 0.1),
        shrug=np.zeros((frames, 2)),
    )
    _hands(attitude, tracks, heading, keys[7], low)
    rotations, hips = solve(attitude)
    tags = tuple(Tag(t, int(a * FPS), min(int(b * FPS), frames)) for t, a, b in score.tags)
    down = np.flatnonzero((low[1:] > 0.6) & (low[:-1] <= 0.6))
    up = np.flatnonzero((low[1:] < 0.6) & (low[:-1] >= 0.6))
    events = [*(Event("hands down", int(f)) for f in down), *(Event("hands up", int(f)) for f in up)]
    return Clip(
        name=name,
        skeleton=SKELETON,
        rotations=rotations,
        translations=hips,
        fps=FPS,
        contacts=_contacts(tracks, keys[6]),
        tags=tags,
        events=tuple(sorted(events, key=lambda e: e.frame)),
    )


def _timeline(score: FloorScore) -> tuple[Array, Array, Array, Flags]:
    """Lowness, place of the pelvis-to-be (frames, 2) [m], heading [rad] and where limbs may step."""
    low, speed, turn = [], [], []
    for seconds, lowness, mps, rps in score.segments:
        n = int(round(seconds * FPS))
        low += [lowness] * n
        speed += [mps] * n
        turn += [rps] * n
    wanted = np.array(low)
    # Going down takes its time: 1.5 s a step of the scale, a little longer upwards.
    steady: Array = np.empty(len(wanted))
    value = wanted[0]
    for i, goal in enumerate(wanted):
        rate = (0.62 if goal > value else 0.55) / FPS
        value += np.clip(goal - value, -rate, rate)
        steady[i] = value
    steady = gaussian(steady, 0.16, FPS)
    smooth_speed = gaussian(np.array(speed), 0.25, FPS)
    heading = np.cumsum(gaussian(np.array(turn), 0.25, FPS)) / FPS
    step = np.stack([np.sin(heading), np.cos(heading)], -1) * smooth_speed[:, None] / FPS
    return steady, np.cumsum(step, axis=0), heading, np.abs(smooth_speed) > 0.02


_OFFSETS = {"left foot": (0.115, -1), "right foot": (-0.115, -1), "left hand": (0.19, 1), "right hand": (-0.19, 1)}
_PAIRS = (("left foot", "right hand"), ("right foot", "left hand"))


def _canonical(limb: str, base: Array, heading: float, low: float) -> tuple[float, float]:
    side, end = _OFFSETS[limb]
    lying = min(max(low - 1, 0), 1)
    if end < 0:
        ahead = ANKLES_AHEAD_M
        side = side * (1 + 0.35 * lying)
    else:
        ahead = HANDS_AHEAD_M[1] + lying * (HANDS_AHEAD_M[2] - HANDS_AHEAD_M[1])
        side = side * (1 + 0.25 * lying)
    x = base[0] + side * np.cos(heading) + ahead * np.sin(heading)
    z = base[1] - side * np.sin(heading) + ahead * np.cos(heading)
    return float(x), float(z)


def _plan(
    base: Array, heading: Array, low: Array, creeping: Flags, time: Array, rng: np.random.Generator
) -> dict[str, list[_Plant]]:
    """Where each limb is put down and when."""

    def at(limb: str, when: float) -> tuple[float, float]:
        i = min(max(int(when * FPS), 0), len(time) - 1)
        return _canonical(limb, base[i], float(heading[i]), float(low[i]))

    plants = {limb: [_Plant(-10.0, -9.0, at(limb, 0.0))] for limb in _OFFSETS}
    now, pair, last_land = 0.0, int(rng.integers(2)), -1.0
    while now < time[-1]:
        i = int(now * FPS)
        horizon = slice(i, min(i + int(0.5 * FPS), len(time)))
        speed = float(np.linalg.norm(base[horizon][-1] - base[horizon][0])) / max(
            (horizon.stop - horizon.start) / FPS, 1e-3
        )
        lying = min(max(float(low[i]) - 1, 0), 1)
        step_s = (0.62 - 0.22 * min(speed, 0.9)) * (1 + 0.25 * lying)
        swing_s = 0.72 * step_s
        due = [limb for limb in _OFFSETS if _away(plants[limb][-1].place, at(limb, now + swing_s + 0.3)) > 0.05]
        # Standing feet stay: only who is down steps; hands that hang in the air need no place.
        due = [limb for limb in due if low[i] > 0.9 or limb.endswith("hand")]
        if not due or not (creeping[horizon].any() or low[i] > 1.05 or low[i] < 0.6):
            now += 1 / FPS
            continue
        if low[i] < 0.6:
            for limb in due:
                plants[limb].append(_Plant(now, now + 0.2, at(limb, now + 0.2)))
            now += 0.21
            continue
        land = max(last_land + step_s, now + swing_s) if last_land > now - 1.0 else now + swing_s
        for limb in _PAIRS[pair]:
            late = 0.05 if limb.endswith("foot") else 0.0
            jitter = rng.normal(0, 0.006, 2)
            x, z = at(limb, land + late + 0.5 * step_s)
            lift = max(land - swing_s + late, plants[limb][-1].land + 0.05)
            plants[limb].append(_Plant(lift, max(land + late, lift + 0.15), (x + jitter[0], z + jitter[1])))
        pair, last_land = 1 - pair, land
        now = land + step_s - swing_s
    return plants


def _away(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


@dataclass(frozen=True, eq=False)
class _Track:
    place: Array  # (frames, 2)
    raised: Array  # (frames,) 0 on the floor, 1 at the top of a swing
    stands: Flags  # (frames,)


def _track(plants: list[_Plant], time: Array, limb: str) -> _Track:
    place = np.zeros((len(time), 2))
    raised = np.zeros(len(time))
    stands = np.ones(len(time), bool)
    place[:] = plants[0].place
    for before, after in pairwise(plants):
        place[time >= after.land] = after.place
        span = (time >= after.lift) & (time < after.land)
        s = (time[span] - after.lift) / (after.land - after.lift)
        eased = ease(s)
        place[span] = np.array(before.place) + eased[:, None] * (np.array(after.place) - np.array(before.place))
        raised[span] = 16 * s**2 * (1 - s) ** 2
        stands[span] = False
    return _Track(place, raised, stands)


def _phase(plants: dict[str, list[_Plant]], time: Array) -> Array:
    """Whole numbers when pairs land. Shape (frames,)."""
    lands = sorted({round(p.land, 2) for limb in ("left hand", "right hand") for p in plants[limb] if p.land > 0})
    known = [-1.0, *lands, time[-1] + 1.0] if lands else [-1.0, time[-1] + 1.0]
    return np.interp(time, known, np.arange(len(known)))


def _feet(tracks: dict[str, _Track], heading: Array, raised_heel: Array, low: Array) -> tuple[Array, Array, Array]:
    """Ankles (frames, 2, 3), foot turns (frames, 2, 4) and toe bends (frames, 2)."""
    ankles, turns, toes = [], [], []
    for limb, sign in (("left foot", 1.0), ("right foot", -1.0)):
        track = tracks[limb]
        yaw = heading + sign * 0.11 * np.clip(1.2 - low, 0, 1)
        pitch = -raised_heel - 0.25 * track.raised
        ankle = ankle_place(track.place, yaw, pitch)
        ankle[:, 1] += 0.045 * track.raised
        ankles.append(ankle)
        turns.append(quat.multiply(quat.about("y", yaw), quat.about("x", -pitch)))
        toes.append(np.clip(-pitch, 0, TOE_BEND_RAD) * (1 - 0.3 * track.raised))
    return np.stack(ankles, 1), np.stack(turns, 1), np.stack(toes, 1)


def _knees(heading: Array, low: Array) -> Array:
    """Knees point ahead standing, down and ahead on hands and knees, outwards lying. Shape (frames, 2, 3)."""
    kneel, lie = np.clip(low, 0, 1), np.clip(low - 1, 0, 1)
    poles = []
    for sign in (1.0, -1.0):
        local = np.stack(
            [
                sign * (0.12 + 0.15 * np.sin(np.pi * kneel) + 2.0 * lie),
                -0.75 * kneel * (1 - 0.8 * lie),
                1.0 - 0.35 * kneel - 0.5 * lie,
            ],
            -1,
        )
        poles.append(quat.rotate(quat.about("y", heading), local))
    return np.stack(poles, 1)


def _hands(attitude: Attitude, tracks: dict[str, _Track], heading: Array, down: Array, low: Array) -> None:
    """Hands hang while standing, reach for the floor and stand on it."""
    chest = chest_place(attitude)
    facing = quat.about("y", heading)
    lie = np.clip(low - 1, 0, 1)
    for side, (limb, sign) in enumerate((("left hand", 1.0), ("right hand", -1.0))):
        track = tracks[limb]
        shoulder = shoulder_place(attitude, chest, side)
        hanging = shoulder + quat.rotate(facing, np.array([sign * 0.075, -(UPPER_ARM_M + FOREARM_M) * 0.955, 0.07]))
        planted = np.stack([track.place[:, 0], WRIST_M + 0.07 * track.raised, track.place[:, 1]], -1)
        share = (down * down * (3 - 2 * down))[:, None]
        attitude.wrists[:, side] = hanging * (1 - share) + planted * share
        back = np.stack([sign * (0.35 + 0.5 * lie), 0.15 + 0.2 * lie, -1.0 + 0.2 * lie], -1)
        attitude.elbow_pole[:, side] = quat.rotate(facing, back)
        flat = palm((0.0, 0.0, 1.0), (0.0, -1.0, 0.0), side)
        attitude.hand_turn[:, side] = quat.multiply(facing, flat)
        attitude.hand_fixed[:, side] = share[:, 0]


def _contacts(tracks: dict[str, _Track], raised_heel: Array) -> Flags:
    columns = []
    for limb in ("left foot", "right foot"):
        stands = tracks[limb].stands
        columns += [stands & (raised_heel < 0.05), stands]
    return np.stack(columns, -1)
