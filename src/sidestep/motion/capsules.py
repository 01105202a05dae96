"""The body as capsules: what touches walls, other bodies and itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Indices, frozen
from . import quaternion as quat
from .limbs import Roles
from .rest import bone, leg_length
from .skeleton import Skeleton

LEG_SHARE = 0.491
"""Thigh and shank as a share of a person's height (GAIT.md)."""

# Radii as shares of height, from the widths of an adult of ordinary build.
_RADIUS = {
    "pelvis": 0.068, "belly": 0.064, "chest": 0.070, "shoulder": 0.040, "neck": 0.032, "head": 0.053,
    "upper_arm": 0.026, "forearm": 0.021, "hand": 0.020, "thigh": 0.044, "shank": 0.030, "foot": 0.022,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Capsules:
    """Capsules that ride on joints."""

    names: tuple[str, ...]
    joints: Indices
    """Shape (capsules,)."""
    starts: Array
    """One end of the axis in the joint's frame, [m]. Shape (capsules, 3)."""
    stops: Array
    """The other end. Shape (capsules, 3)."""
    radii: Array
    """[m]. Shape (capsules,)."""

    def __len__(self) -> int:
        """How many capsules there are."""
        return len(self.names)

    def world(self, positions: Array, turned: Array) -> tuple[Array, Array]:
        """Both ends in the world, [m], from joint positions and rotations (..., joints, 3 and 4).

        Shapes (..., capsules, 3).
        """
        at, how = positions[..., self.joints, :], turned[..., self.joints, :]
        return at + quat.rotate(how, self.starts), at + quat.rotate(how, self.stops)


def body_height(skeleton: Skeleton, roles: Roles) -> float:
    """How tall the person is, from the legs, [m]."""
    return leg_length(skeleton, roles) / LEG_SHARE


def body_capsules(skeleton: Skeleton, roles: Roles) -> Capsules:
    """Wrap any humanoid skeleton in capsules."""
    height = body_height(skeleton, roles)
    rows: list[tuple[str, int, Array, Array, float]] = []

    def add(name: str, joint: int, start: Array, stop: Array) -> None:
        part = name.split("_", 1)[1] if name.startswith(("left_", "right_")) else name
        rows.append((name, joint, start, stop, _RADIUS[part] * height))

    nothing = np.zeros(3, np.float32)
    left_hip, right_hip = (bone(skeleton, roles.hips, leg.upper) for leg in roles.legs)
    inward = 0.12 * (left_hip - right_hip)
    add("pelvis", roles.hips, left_hip - inward, right_hip + inward)
    neck = roles.neck if roles.neck is not None else roles.head
    up = bone(skeleton, roles.chest, neck)
    if roles.spine:
        add("belly", roles.hips, nothing, bone(skeleton, roles.hips, roles.spine[-1]))
    sides = [bone(skeleton, roles.chest, arm.upper) for arm in roles.arms]
    across = 0.30 * (sides[0] - sides[1])
    for name, direction in (("left_shoulder", sides[0]), ("right_shoulder", sides[1])):
        add(name, roles.chest, 0.35 * direction, 0.92 * direction)
    add("chest", roles.chest, 0.35 * up + across, 0.35 * up - across)
    if roles.head != neck:
        add("neck", neck, nothing, bone(skeleton, neck, roles.head))
    crown = skeleton.ends.get(roles.head)
    direction = crown if crown is not None and np.linalg.norm(crown) > 0.02 else 0.09 * height * up / np.linalg.norm(up)
    add("head", roles.head, 0.35 * direction, 0.62 * direction)
    for side, arm, leg in zip(("left", "right"), roles.arms, roles.legs, strict=True):
        add(f"{side}_upper_arm", arm.upper, nothing, bone(skeleton, arm.upper, arm.lower))
        forearm = bone(skeleton, arm.lower, arm.end)
        add(f"{side}_forearm", arm.lower, nothing, forearm)
        tip = _tip(skeleton, arm.end, arm.tip, 0.085 * height * forearm / max(float(np.linalg.norm(forearm)), 1e-6))
        add(f"{side}_hand", arm.end, 0.2 * tip, 0.85 * tip)
        add(f"{side}_thigh", leg.upper, nothing, bone(skeleton, leg.upper, leg.lower))
        add(f"{side}_shank", leg.lower, nothing, bone(skeleton, leg.lower, leg.end))
        if leg.tip is not None:
            add(f"{side}_foot", leg.end, nothing, bone(skeleton, leg.end, leg.tip))
    names, joints, starts, stops, radii = zip(*rows, strict=True)
    return Capsules(tuple(names), frozen(joints, np.int32), frozen(starts), frozen(stops), frozen(radii))


def _tip(skeleton: Skeleton, joint: int, child: int | None, default: Array) -> Array:
    """The far end of a hand, in its frame."""
    candidates = [skeleton.ends.get(joint), None if child is None else bone(skeleton, joint, child)]
    for tip in candidates:
        if tip is not None and np.linalg.norm(tip) > 0.3 * np.linalg.norm(default):
            return tip
    return np.asarray(default, np.float32)
