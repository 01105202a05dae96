"""The body as a distance field: tapered capsules and ellipsoids, blended where flesh is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import Array
from ..motion.capsules import body_height
from ..motion.limbs import Roles
from ..motion.rest import ankle_height, reference_world
from ..motion.skeleton import Skeleton

Add = Callable[..., None]
Vector = Callable[[float, float, float], Array]
SEAM = 0.006
"""How far the pieces of one limb melt into each other, [m]."""


@dataclass(frozen=True, eq=False)
class Cone:
    """A capsule with two radii, ridden by a joint; ``squash`` flattens it along a direction."""

    joint: int
    start: Array
    stop: Array
    radius_start: float
    radius_stop: float
    blend: float
    """How far it melts into what it touches, [m]."""
    flat: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Stretch of space along x, y, z around the axis: above one makes it thinner."""


def body_cones(skeleton: Skeleton, roles: Roles) -> list[Cone]:
    """Flesh for any humanoid skeleton in its reference pose (T-pose, facing +z)."""
    positions, turned = reference_world(skeleton, roles)
    height = body_height(skeleton, roles)
    u = height / 1.75  # all sizes below are those of a person of 1.75 m
    place = {name: positions[joint].astype(float) for name, joint in roles.named().items()}
    cones: list[Cone] = []

    def add(
        joint: int,
        a: Array,
        b: Array,
        ra: float,
        rb: float,
        blend: float = 0.03,
        flat: tuple[float, float, float] = (1.0, 1.0, 1.0),
    ) -> None:
        cones.append(Cone(joint, np.asarray(a, float), np.asarray(b, float), ra * u, rb * u, blend * u, flat))

    def v(x: float, y: float, z: float) -> Array:
        return np.array([x, y, z]) * u

    hips = 0.5 * (place["left_thigh"] + place["right_thigh"])
    shoulders = 0.5 * (place["left_upper_arm"] + place["right_upper_arm"])
    neck = place.get("neck", shoulders + v(0, 0.04, -0.01))
    head = place["head"]
    up = shoulders - hips
    trunk = [roles.hips, *roles.spine]

    def spine_joint(share: float) -> int:
        """The trunk joint that carries flesh at this share of the way from hips to shoulders."""
        at = hips + share * up
        below = [j for j in trunk if positions[j][1] <= at[1] + 0.02 * u]
        return below[-1] if below else roles.hips

    # Trunk: hips, waist, ribcage, shoulders; wider than deep.
    wide = (0.80, 1.0, 1.16)
    add(
        roles.hips, hips + v(-0.052, 0.03, -0.012), hips + v(0.052, 0.03, -0.012), 0.098, 0.098, 0.05, (1.0, 1.05, 1.05)
    )
    add(spine_joint(0.28), hips + 0.16 * up, hips + 0.50 * up, 0.100, 0.100, 0.05, wide)
    add(spine_joint(0.62), hips + 0.48 * up, hips + 0.80 * up + v(0, 0, 0.008), 0.104, 0.116, 0.05, (0.74, 1.0, 1.12))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        clavicle = roles.named().get(f"{side}_clavicle", roles.chest)
        shoulder = place[f"{side}_upper_arm"]
        add(
            roles.chest,
            shoulders + v(sign * 0.055, -0.075, 0.022),
            shoulders + v(sign * 0.085, -0.10, 0.024),
            0.078,
            0.070,
            0.05,
        )
        add(clavicle, neck + v(sign * 0.03, -0.035, 0.0), shoulder + v(-sign * 0.012, 0.006, 0), 0.046, 0.052, 0.05)
        # Seat.
        thigh = place[f"{side}_thigh"]
        add(
            roles.hips,
            thigh + v(-sign * 0.012, -0.005, -0.045),
            thigh + v(-sign * 0.012, -0.03, -0.045),
            0.078,
            0.072,
            0.04,
        )
    # Neck and head.
    neck_joint = roles.neck if roles.neck is not None else roles.chest
    crown = head + v(0, 0.165, 0.022)
    add(neck_joint, neck + v(0, -0.03, -0.008), head + v(0, 0.03, 0.004), 0.056, 0.052, 0.035)
    add(roles.head, head + v(0, 0.080, 0.012), crown + v(0, -0.062, -0.012), 0.080, 0.085, 0.03, (1.10, 1.0, 0.95))
    add(roles.head, head + v(0, 0.022, 0.048), head + v(0, 0.06, 0.054), 0.043, 0.054, 0.04, (1.0, 1.0, 1.0))
    add(roles.head, head + v(0, 0.062, 0.112), head + v(0, 0.078, 0.108), 0.012, 0.009, 0.014)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _arm(add, v, place, roles, side, u)
        _leg(add, v, place, roles, side, sign, ankle_height(skeleton, roles, positions, turned))
    return cones


def _arm(add: Add, v: Vector, place: dict[str, Array], roles: Roles, side: str, u: float) -> None:
    arm = roles.left_arm if side == "left" else roles.right_arm
    shoulder, elbow, wrist = place[f"{side}_upper_arm"], place[f"{side}_forearm"], place[f"{side}_hand"]
    upper, fore = elbow - shoulder, wrist - elbow
    # Pieces of one limb meet with equal radii and melt little: melting swells where pieces overlap.
    add(arm.upper, shoulder, shoulder + 0.30 * upper, 0.055, 0.050, 0.035)
    add(arm.upper, shoulder + 0.30 * upper, shoulder + 0.62 * upper, 0.050, 0.046, SEAM)
    add(arm.upper, shoulder + 0.62 * upper, elbow, 0.046, 0.040, SEAM)
    add(arm.lower, elbow, elbow + 0.28 * fore, 0.040, 0.042, SEAM)
    add(arm.lower, elbow + 0.28 * fore, wrist, 0.042, 0.028, SEAM)
    along = fore / np.linalg.norm(fore)
    # Hand: a flat palm, fingers a little bent and together, a thumb.
    flat = (1.0, 1.65, 0.80)
    add(arm.end, wrist + along * 0.015 * u, wrist + along * 0.075 * u, 0.030, 0.037, 0.02, flat)
    add(arm.end, wrist + along * 0.080 * u, wrist + along * 0.150 * u + v(0, -0.014, 0), 0.034, 0.024, 0.012, flat)
    thumb = wrist + along * 0.030 * u + v(0, -0.004, 0.024)
    add(arm.end, thumb, wrist + along * 0.085 * u + v(0, -0.014, 0.055), 0.017, 0.012, 0.012)


def _leg(add: Add, v: Vector, place: dict[str, Array], roles: Roles, side: str, sign: float, ankle_m: float) -> None:
    leg = roles.left_leg if side == "left" else roles.right_leg
    hip, knee, ankle = place[f"{side}_thigh"], place[f"{side}_shank"], place[f"{side}_foot"]
    thigh, shank = knee - hip, ankle - knee
    add(leg.upper, hip + v(0, -0.03, 0.005), hip + 0.45 * thigh + v(0, 0, 0.008), 0.086, 0.073, 0.04)
    add(leg.upper, hip + 0.45 * thigh + v(0, 0, 0.008), knee + v(0, 0, 0.004), 0.073, 0.053, SEAM)
    add(leg.lower, knee + v(0, 0, 0.004), knee + 0.27 * shank + v(0, 0, -0.012), 0.053, 0.054, SEAM)
    add(leg.lower, knee + 0.27 * shank + v(0, 0, -0.012), ankle + v(0, 0.05, -0.004), 0.054, 0.035, SEAM)
    add(leg.lower, ankle + v(0, 0.05, -0.004), ankle, 0.035, 0.035, SEAM)
    # Shoe: heel, middle, toes; the sole just above the ground.
    floor = np.array([1.0, 0.0, 1.0])
    at = ankle * floor + np.array([0.0, ankle[1] - ankle_m, 0.0])
    toe = place.get(f"{side}_toe", ankle + v(0, -0.05, 0.13))
    ahead = (toe - ankle) * floor
    length = float(np.linalg.norm(ahead))
    ahead = ahead / max(length, 1e-6)
    add(leg.end, ankle + v(0, 0.01, -0.004), at + v(0, 0.045, 0) - ahead * 0.022, 0.036, 0.040, 0.015)
    slim = (0.95, 1.0, 1.0)
    add(leg.end, at + v(0, 0.036, 0) - ahead * 0.025, at + v(0, 0.036, 0) + ahead * length, 0.036, 0.038, 0.025, slim)
    toe_joint = leg.tip if leg.tip is not None else leg.end
    ball = at + ahead * length
    tip = ball + v(0, 0.027, 0) + ahead * 0.055
    add(toe_joint, ball + v(sign * 0.004, 0.032, 0), tip, 0.037, 0.027, 0.015, (0.82, 1.0, 0.9))


def field(cones: list[Cone], points: Array) -> Array:
    """Signed distance to the body, roughly [m], negative inside. Shapes (points, 3) and (points,)."""
    total = np.full(len(points), 10.0)
    for cone in cones:
        # Far points cannot be changed by this cone.
        low = np.minimum(cone.start, cone.stop) - 0.30
        high = np.maximum(cone.start, cone.stop) + 0.30
        near = ((points > low) & (points < high)).all(1)
        if near.any():
            total[near] = _melt(total[near], _cone_distance(cone, points[near]), cone.blend)
    return total


def cone_distances(cones: list[Cone], points: Array) -> Array:
    """Distance to each cone alone, [m]. Shape (points, cones)."""
    return np.stack([_cone_distance(cone, points) for cone in cones], axis=-1)


def _cone_distance(cone: Cone, points: Array) -> Array:
    flat = np.array(cone.flat)
    axis = cone.stop - cone.start
    length2 = max(float(axis @ axis), 1e-9)
    t = np.clip(((points - cone.start) @ axis) / length2, 0, 1)
    away = (points - cone.start - t[:, None] * axis) * flat
    radius = cone.radius_start + t * (cone.radius_stop - cone.radius_start)
    return np.asarray((np.linalg.norm(away, axis=-1) - radius) / flat.max())


def _melt(a: Array, b: Array, k: float) -> Array:
    """Union of two fields, rounded over ``k`` where they meet."""
    h = np.maximum(k - np.abs(a - b), 0.0) / k
    return np.asarray(np.minimum(a, b) - h * h * k * 0.25)
