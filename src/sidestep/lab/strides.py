"""Gait figures of any clip: cut into strides by foot contacts, angles from joint positions alone.

Everything here is measured the same way on performed and on real clips: retargeted to one skeleton, contacts detected
from motion, angles from positions in the vertical plane of the heading.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from ..arrays import Array, Flags
from ..motion.clip import Clip
from ..motion.feet import detect_contacts
from ..motion.limbs import Limb, Roles
from ..motion.roles import find_roles
from ..motion.root import heading_of
from ..motion.smooth import gaussian

PHASES = 40
"""Samples of a stride, landing to landing of the same foot."""


@dataclass(frozen=True)
class Stride:
    """One stride: what is read off it, and curves over its phase."""

    speed_mps: float
    direction_rad: float
    """Travel against facing: 0 ahead, positive to the left."""
    step_m: float
    step_width_m: float
    cadence_hz: float
    stance: float
    double_support: float
    flight: float
    hips_rise_m: float
    hips_sway_m: float
    trunk_yaw_rad: float
    """Shoulder line against hip line, peak to peak."""
    arm_swing_rad: float
    """Upper arm, peak to peak."""
    elbow_rad: float
    knee_max_rad: float
    knee_stance_rad: float
    """Largest bend while loading, first third of stance."""
    turn_rps: float
    curves: dict[str, Array]


def figures() -> list[str]:
    """Names of a stride's figures."""
    return [field.name for field in fields(Stride) if field.name != "curves"]


def strides_of(clip: Clip, roles: Roles | None = None) -> list[Stride]:
    """All complete strides of a clip whose speed is even enough to speak of one."""
    roles = roles or find_roles(clip.skeleton)
    contacts = detect_contacts(clip, roles)
    stands = np.stack([contacts[:, :2].any(1), contacts[:, 2:].any(1)], axis=-1)
    body = _Body(clip, roles)
    result = []
    for side in (0, 1):
        lands = np.flatnonzero(stands[1:, side] & ~stands[:-1, side]) + 1
        for a, b in pairwise(lands):
            stride = _stride(body, stands, side, int(a), int(b), clip.fps)
            if stride is not None:
                result.append(stride)
    return result


class _Body:
    """Angles and places of a whole clip."""

    def __init__(self, clip: Clip, roles: Roles) -> None:
        self.positions, _ = clip.world()
        self.roles = roles
        self.heading = heading_of(self.positions, roles, clip.fps, 0.25)
        self.ahead = np.stack([np.sin(self.heading), np.zeros(len(self.heading)), np.cos(self.heading)], -1)
        self.left = np.stack([np.cos(self.heading), np.zeros(len(self.heading)), -np.sin(self.heading)], -1)
        self.hips = 0.5 * (self.positions[:, roles.left_leg.upper] + self.positions[:, roles.right_leg.upper])
        self.slow = gaussian(self.hips, 0.35, clip.fps)
        self.velocity = np.gradient(gaussian(self.hips, 0.08, clip.fps), 1 / clip.fps, axis=0)

    def slope(self, a: int, b: int) -> Array:
        """Angle of a bone in the vertical plane of the heading: 0 hanging, positive with the far end ahead."""
        bone = self.positions[:, b] - self.positions[:, a]
        return np.arctan2((bone * self.ahead).sum(-1), -bone[:, 1])

    def bend(self, limb: Limb) -> Array:
        """Knee or elbow: 0 straight."""
        upper = self.positions[:, limb.upper] - self.positions[:, limb.lower]
        lower = self.positions[:, limb.end] - self.positions[:, limb.lower]
        cosine = (upper * lower).sum(-1) / (np.linalg.norm(upper, axis=-1) * np.linalg.norm(lower, axis=-1))
        return np.pi - np.arccos(np.clip(cosine, -1, 1))

    def line_yaw(self, left: int, right: int) -> Array:
        """Heading of a line across the body, against the smoothed heading."""
        across = self.positions[:, left] - self.positions[:, right]
        yaw = np.arctan2(-across[:, 2], across[:, 0])
        return np.asarray((yaw - self.heading + np.pi) % (2 * np.pi) - np.pi)


def _stride(body: _Body, stands: Flags, side: int, a: int, b: int, fps: float) -> Stride | None:
    length = b - a
    if not 0.35 * fps <= length <= 2.2 * fps or a < 2 or b > len(stands) - 3:
        return None
    other_lands = np.flatnonzero(stands[a + 1 : b + 1, 1 - side] & ~stands[a:b, 1 - side]) + a + 1
    if len(other_lands) != 1:
        return None
    travel = body.slow[b] - body.slow[a]
    speed = float(np.hypot(travel[0], travel[2])) / length * fps
    local = np.hypot(body.velocity[a:b, 0], body.velocity[a:b, 2])
    if speed < 0.25 or local.std() > 0.30 * speed + 0.08:
        return None
    roles = body.roles
    leg, other = (roles.legs[side], roles.legs[1 - side])
    arm, other_arm = (roles.arms[side], roles.arms[1 - side])
    mid = (a + b) // 2
    direction = np.arctan2(float(travel @ body.left[mid]), float(travel @ body.ahead[mid]))
    own_foot, other_foot = body.positions[a, leg.end], body.positions[other_lands[0], other.end]
    step = other_foot - own_foot
    way = travel / max(float(np.linalg.norm(travel)), 1e-6)
    span = stands[a:b]
    hips_yaw = body.line_yaw(roles.left_leg.upper, roles.right_leg.upper)
    shoulder_yaw = body.line_yaw(roles.left_arm.upper, roles.right_arm.upper)
    sign = 1.0 if side == 0 else -1.0
    across = body.positions[:, roles.left_leg.upper] - body.positions[:, roles.right_leg.upper]
    neck = roles.neck if roles.neck is not None else roles.head
    toe = leg.tip if leg.tip is not None else leg.end
    ankle = body.positions[:, leg.end] - body.hips
    raw = {
        "thigh": body.slope(leg.upper, leg.lower),
        "knee": body.bend(leg),
        "foot": body.slope(leg.end, toe) - np.pi / 2,
        "other_thigh": body.slope(other.upper, other.lower),
        "other_knee": body.bend(other),
        "arm": body.slope(arm.upper, arm.lower),
        "other_arm": body.slope(other_arm.upper, other_arm.lower),
        "elbow": body.bend(arm),
        "trunk": body.slope(neck, roles.hips) * -1,
        "trunk_yaw": sign * (shoulder_yaw - hips_yaw),
        "pelvis_yaw": sign * hips_yaw,
        "pelvis_list": sign * np.arcsin(np.clip(across[:, 1] / np.linalg.norm(across, axis=-1), -1, 1)),
        "hips_height": body.hips[:, 1],
        "hips_side": sign * ((body.hips - body.slow) * body.left).sum(-1),
        "ankle_ahead": (ankle * body.ahead).sum(-1),
        "ankle_height": body.positions[:, leg.end, 1],
    }
    at = a + np.arange(PHASES) * (length / PHASES)
    frames = np.arange(len(stands))
    curves = {name: np.interp(at, frames, values) for name, values in raw.items()}
    stance_end = a + int(np.argmin(span[:, side])) if not span[:, side].all() else b
    early = slice(a, a + max((stance_end - a) // 3, 2))
    return Stride(
        speed_mps=speed,
        direction_rad=float(direction),
        step_m=abs(float(step @ way)),
        step_width_m=abs(float(step @ np.array([way[2], 0.0, -way[0]]))),
        cadence_hz=2 * fps / length,
        stance=float(span[:, side].mean()),
        double_support=float(span.all(1).mean()),
        flight=float((~span.any(1)).mean()),
        hips_rise_m=float(np.ptp(body.hips[a:b, 1])),
        hips_sway_m=float(np.ptp(raw["hips_side"][a:b])),
        trunk_yaw_rad=float(np.ptp(raw["trunk_yaw"][a:b])),
        arm_swing_rad=float(np.ptp(raw["arm"][a:b])),
        elbow_rad=float(raw["elbow"][a:b].mean()),
        knee_max_rad=float(raw["knee"][a:b].max()),
        knee_stance_rad=float(raw["knee"][early].max()),
        turn_rps=float(abs(body.heading[b] - body.heading[a])) / length * fps,
        curves=curves,
    )
