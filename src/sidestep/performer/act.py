"""A score becomes a clip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import Array
from ..motion import quaternion as quat
from ..motion.clip import Clip, Event, Prop, Tag
from ..motion.smooth import gaussian
from .arms import swing_arms
from .body import Attitude, solve, within_reach
from .score import FPS, Score
from .skeleton import SKELETON
from .walker import Walk, walk

SETTLE_S = 1.3
"""After the last segment: braking, the settling step, standing."""


def attitude_of(acted: Walk, score: Score) -> Attitude:
    """Hold the whole body: legs and trunk from the walk, arms on top."""
    frames = len(acted.time)
    soles = acted.soles
    facing = quat.about("y", acted.facing)
    attitude = Attitude(
        pelvis=acted.pelvis,
        pelvis_turn=acted.pelvis_turn,
        chest_turn=acted.chest_turn,
        head_turn=acted.head_turn,
        ankles=soles.ankles,
        foot_turn=soles.rotations,
        toe_bend=soles.toe_bend,
        knee_pole=_knee_poles(acted, facing),
        wrists=np.zeros((frames, 2, 3)),
        elbow_pole=np.zeros((frames, 2, 3)),
        palm_twist=np.zeros((frames, 2)),
        hand_turn=np.zeros((frames, 2, 4)),
        hand_fixed=np.zeros((frames, 2)),
        wrist_bend=np.zeros((frames, 2)),
        shrug=np.zeros((frames, 2)),
    )
    swing_arms(acted, score, attitude)
    within_reach(attitude, soles.stands)
    return attitude


def _knee_poles(acted: Walk, facing: Array) -> Array:
    """Knees point between where the toes and where the pelvis point, and outwards in a crouch. Shape (frames, 2, 3)."""
    ahead = np.array([0.0, 0.0, 1.0])
    hips = quat.rotate(quat.about("y", quat.yaw_of(quat.rotate(acted.pelvis_turn, ahead))), ahead)
    poles = []
    for side, sign in ((0, 1.0), (1, -1.0)):
        # From the foot's side, which stays level: a foot that hangs points its toes anywhere.
        aside = quat.rotate(acted.soles.rotations[:, side], np.array([1.0, 0.0, 0.0]))
        toes = np.stack([-aside[:, 2], np.zeros(len(aside)), aside[:, 0]], axis=-1)
        out = quat.rotate(facing, np.array([sign, 0.0, 0.0])) * (0.15 + 0.8 * acted.channels["drop_m"])[:, None]
        splayed = quat.rotate(quat.about("y", sign * acted.channels["splay_rad"]), hips)
        poles.append(gaussian(0.55 * toes + 0.45 * splayed + out * 0.5, 0.04, FPS))
    return np.stack(poles, axis=1)


def perform_score(score: Score, name: str, props: tuple[Prop, ...] = ()) -> Clip:
    """Act a score out on two feet; the last second is for settling."""
    score = replace(score, segments=[*score.segments, (SETTLE_S, {})])
    acted = walk(score)
    rotations, hips = solve(attitude_of(acted, score))
    frames = len(rotations)
    tags = tuple(
        Tag(tag, int(round(a * FPS)), min(int(round(b * FPS)), frames))
        for tag, a, b in score.tags
        if int(round(a * FPS)) < min(int(round(b * FPS)), frames)
    )
    events = [Event("takeoff", int(f.takeoff * FPS)) for f in acted.flights]
    events += [Event("landing", min(int(f.landing * FPS), frames - 1)) for f in acted.flights]
    events += [
        Event(f"{'left' if f.side == 0 else 'right'} step", int(f.land * FPS))
        for f in acted.falls
        if 0 <= f.land * FPS < frames
    ]
    events += [Event(act, int(time * FPS)) for act, time, _ in score.acts if act not in {"jump", "leap"}]
    return Clip(
        name=name,
        skeleton=SKELETON,
        rotations=rotations,
        translations=hips,
        fps=FPS,
        contacts=acted.soles.contacts,
        tags=tags,
        events=tuple(sorted((e for e in events if e.frame < frames), key=lambda e: e.frame)),
        props=props,
    )
