"""Heels and toes: where they are, when they stand, how far they slide."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_closing, binary_opening

from ..arrays import Array, Flags, Indices
from . import quaternion as quat
from .clip import Clip
from .limbs import Roles
from .rest import ankle_height, bone, reference_world
from .roles import find_roles
from .skeleton import Skeleton

NEAR_GROUND_M = 0.02
"""Foot slide is measured below this height (HOUSE, "How figures are taken")."""
CONTACT_HEIGHT_M = 0.045
CONTACT_SPEED_MPS = 0.35
RELEASE_SPEED_MPS = 0.65
SHORTEST_S = 0.06
"""Contacts and gaps shorter than this are noise."""


def foot_points(skeleton: Skeleton, roles: Roles, sample: Array | None = None) -> tuple[Indices, Array]:
    """The four points that ``CONTACTS`` names: heels behind the ankles, balls of the feet under the toe joints.

    Returns:
        Joints (4,) and places in those joints' frames (4, 3) [m]; all lie on the ground when the sole is level.
    """
    positions, turned = reference_world(skeleton, roles, sample)
    joints, points = [], []
    height = ankle_height(skeleton, roles, positions, turned)
    for leg in roles.legs:
        ankle = positions[leg.end]
        ahead = np.array([0.0, 0.0, 1.0], np.float32)
        reach = 0.155 * float(np.linalg.norm(bone(skeleton, leg.lower, leg.end))) / 0.43
        ball = ankle + reach * ahead
        if leg.tip is not None:
            ball = positions[leg.tip].copy()
            reach = float(np.hypot(ball[0] - ankle[0], ball[2] - ankle[2]))
        heel = ankle - 0.35 * reach * ahead
        heel[1] = ball[1] = ankle[1] - height
        toe_joint = leg.end if leg.tip is None else leg.tip
        for joint, place in ((leg.end, heel), (toe_joint, ball)):
            joints.append(joint)
            points.append(quat.rotate(quat.inverse(turned[joint]), place - positions[joint]))
    return np.array(joints, np.int32), np.array(points, np.float32)


def foot_places(clip: Clip, roles: Roles | None = None) -> Array:
    """Heels and toes in the world, [m], in the order of ``CONTACTS``. Shape (frames, 4, 3)."""
    roles = roles or find_roles(clip.skeleton)
    joints, points = foot_points(clip.skeleton, roles, clip.rotations)
    positions, turned = clip.world()
    return positions[:, joints] + quat.rotate(turned[:, joints], points)


def detect_contacts(clip: Clip, roles: Roles | None = None) -> Flags:
    """Which heel or toe stands, from height and speed with hysteresis. Shape (frames, 4)."""
    places = foot_places(clip, roles)
    if len(places) < 2:
        return places[..., 1] < CONTACT_HEIGHT_M
    speed = np.linalg.norm(np.gradient(places, 1 / clip.fps, axis=0), axis=-1)
    # The ground as this clip knows it: takes stand a little above or below zero.
    ground = np.clip(np.percentile(places[..., 1], 2, axis=0), -0.05, 0.03)
    low = places[..., 1] - ground < CONTACT_HEIGHT_M
    sure, held = low & (speed < CONTACT_SPEED_MPS), low & (speed < RELEASE_SPEED_MPS)
    span = max(int(round(SHORTEST_S * clip.fps)), 1)
    result = np.empty_like(sure)
    for column in range(4):
        grown = _grow(sure[:, column], held[:, column])
        closed = binary_closing(np.pad(grown, span, mode="edge"), np.ones(span + 1, bool))
        result[:, column] = binary_opening(closed, np.ones(span, bool))[span:-span]
    return result


def _grow(sure: Flags, held: Flags) -> Flags:
    """Runs of ``held`` that hold at least one ``sure`` frame."""
    starts = np.flatnonzero(held & ~np.concatenate([[False], held[:-1]]))
    stops = np.flatnonzero(held & ~np.concatenate([held[1:], [False]])) + 1
    count = np.concatenate([[0], np.cumsum(sure)])
    result = np.zeros_like(held)
    for start, stop in zip(starts, stops, strict=True):
        result[start:stop] = count[stop] > count[start]
    return result


def foot_slide(clip: Clip, roles: Roles | None = None) -> Array:
    """Horizontal speeds of heels and toes while they are near the ground in this and the next frame, [m/s].

    Shape (samples,); judge by its median and its 95th percentile. Heights count from y = 0, as written.
    """
    places = foot_places(clip, roles)
    near = places[..., 1] < NEAR_GROUND_M
    both = near[:-1] & near[1:]
    step = np.diff(places[..., [0, 2]], axis=0) * clip.fps
    return np.asarray(np.linalg.norm(step, axis=-1)[both])
