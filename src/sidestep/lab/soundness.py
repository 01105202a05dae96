"""Whether a body moves soundly: limbs through the body, joint ranges, jerk."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from ..arrays import Array, Indices
from ..geometry import segment_distances
from ..motion.capsules import Capsules, body_capsules
from ..motion.clip import Clip
from ..motion.limbs import Limb
from ..motion.roles import find_roles
from ..motion.skeleton import Skeleton
from ..motion.smooth import gaussian

NEIGHBOURS = {
    "pelvis": {"belly", "chest", "left_thigh", "right_thigh", "left_hand", "right_hand"},
    "belly": {"chest", "left_shoulder", "right_shoulder", "left_thigh", "right_thigh"},
    "chest": {"left_shoulder", "right_shoulder", "neck", "head", "left_upper_arm", "right_upper_arm"},
    "neck": {"left_shoulder", "right_shoulder", "head", "left_upper_arm", "right_upper_arm"},
    "head": {"left_shoulder", "right_shoulder"},
    "left_shoulder": {"right_shoulder", "left_upper_arm"},
    "right_shoulder": {"right_upper_arm"},
    "left_thigh": {"right_thigh", "left_shank"},
    "right_thigh": {"right_shank"},
}
"""Capsules that overlap on a sound body, beside the obvious ones along a limb."""


@cache
def _pairs(skeleton: Skeleton) -> tuple[Capsules, Indices, Indices]:
    capsules = body_capsules(skeleton, find_roles(skeleton))
    pairs = []
    for i, a in enumerate(capsules.names):
        for j in range(i + 1, len(capsules)):
            b = capsules.names[j]
            same_limb = a.split("_")[0] == b.split("_")[0] and a.startswith(("left", "right"))
            limb = {"upper_arm": 0, "forearm": 1, "hand": 2, "thigh": 5, "shank": 6, "foot": 7}
            rank_a, rank_b = limb.get(a.partition("_")[2], 20), limb.get(b.partition("_")[2], 40)
            along = same_limb and abs(rank_a - rank_b) <= 2
            if not (along or b in NEIGHBOURS.get(a, ()) or a in NEIGHBOURS.get(b, ())):
                pairs.append((i, j))
    first, second = np.array(pairs).T
    return capsules, first, second


def self_penetration(clip: Clip) -> tuple[Array, str]:
    """How deep limbs are inside each other or the trunk, the deepest pair of each frame [m] (frames,), and its name."""
    capsules, first, second = _pairs(clip.skeleton)
    starts, stops = capsules.world(*clip.world())
    frames = len(clip)
    distances = segment_distances(
        starts[:, first].reshape(-1, 3),
        stops[:, first].reshape(-1, 3),
        starts[:, second].reshape(-1, 3),
        stops[:, second].reshape(-1, 3),
    ).reshape(frames, len(first))
    depth = np.maximum(capsules.radii[first] + capsules.radii[second] - distances, 0.0)
    worst = int(depth.max(0).argmax())
    return depth.max(1), f"{capsules.names[first[worst]]} / {capsules.names[second[worst]]}"


def joint_angles(clip: Clip) -> dict[str, Array]:
    """Bends of the hinges and openings of the big joints, [rad]. Each (2 * frames,), both sides."""
    roles = find_roles(clip.skeleton)
    positions, _ = clip.world()
    trunk = positions[:, roles.head] - positions[:, roles.hips]

    def bend(limb: Limb) -> Array:
        return np.pi - _between(
            positions[:, limb.upper] - positions[:, limb.lower], positions[:, limb.end] - positions[:, limb.lower]
        )

    def opening(limb: Limb) -> Array:
        return np.asarray(_between(positions[:, limb.lower] - positions[:, limb.upper], -trunk))

    return {
        "knee": np.concatenate([bend(leg) for leg in roles.legs]),
        "elbow": np.concatenate([bend(arm) for arm in roles.arms]),
        "hip": np.concatenate([opening(leg) for leg in roles.legs]),
        "shoulder": np.concatenate([opening(arm) for arm in roles.arms]),
    }


def _between(a: Array, b: Array) -> Array:
    cosine = (a * b).sum(-1) / np.maximum(np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1), 1e-9)
    return np.arccos(np.clip(cosine, -1, 1))


def jerk(clip: Clip) -> Array:
    """Jerk of hips, hands and feet, motion smoothed over 0.03 s against marker noise, [m/s3]. Shape (samples,)."""
    roles = find_roles(clip.skeleton)
    joints = [roles.hips, *[limb.end for limb in (*roles.arms, *roles.legs)]]
    places = gaussian(clip.world()[0][:, joints].astype(np.float64), 0.03, clip.fps)
    return np.asarray(np.linalg.norm(np.diff(places, 3, axis=0), axis=-1).ravel() * clip.fps**3)


def soundness(clips: Iterable[Clip]) -> dict[str, object]:
    """All of it over many clips."""
    clips = list(clips)
    depths, names = zip(*(self_penetration(clip) for clip in clips), strict=True)
    depth = np.concatenate(depths)
    worst = names[int(np.argmax([d.max() for d in depths]))]
    angles: dict[str, list[Array]] = {}
    for clip in clips:
        for name, values in joint_angles(clip).items():
            angles.setdefault(name, []).append(values)
    jerks = np.concatenate([jerk(clip) for clip in clips])
    return {
        "limbs_through_body": {
            "share_over_2cm": float((depth > 0.02).mean()),
            "depth_cm_p99": float(100 * np.percentile(depth, 99)),
            "worst_pair": worst,
        },
        "joint_ranges_deg": {
            name: [float(v) for v in np.degrees(np.percentile(np.concatenate(values), [1, 50, 99]))]
            for name, values in angles.items()
        },
        "jerk_mps3": {f"p{q}": float(np.percentile(jerks, q)) for q in (50, 95, 99)},
    }
