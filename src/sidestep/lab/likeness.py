"""How near performed poses are to real ones, against how near two real people are to each other.

All clips are on the performer's skeleton (that is the normalization by size), each pose is turned to its heading and
taken relative to the hips, joints are thighs' lower ends, ankles, toes, trunk, head, elbows and wrists; the distance of
two poses is the root mean square over those joints, in metres. Speeds are matched within 0.12 m/s.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial import cKDTree

from ..arrays import Array
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.roles import find_roles
from ..motion.root import heading_of
from ..motion.smooth import gaussian
from .mocap import RealClip

JOINTS = (
    "Leg", "Foot", "Toe", "Arm", "ForeArm", "Hand",
)  # fmt: skip
TRUNK = ("Spine1", "Spine2", "Neck", "Head")
SPEED_BAND_MPS = 0.12
FEWEST = 120
"""Poses a subject must have at a speed to count."""


def poses_of(clip: Clip) -> tuple[Array, Array]:
    """Joint places in the body's frame (frames, joints * 3) [m], and speeds ahead (frames,); -1 off a straight way."""
    skeleton = clip.skeleton
    names = [*TRUNK, *[side + joint for side in ("Left", "Right") for joint in JOINTS]]
    joints = [skeleton.index(name) for name in names]
    roles = find_roles(skeleton)
    positions, _ = clip.world()
    heading = heading_of(positions, roles, clip.fps, 0.25)
    back = quat.about("y", -heading)[:, None]
    local = quat.rotate(back, positions[:, joints] - positions[:, [roles.hips]])
    hips = gaussian(positions[:, roles.hips], 0.15, clip.fps)
    velocity = np.gradient(hips, 1 / clip.fps, axis=0)
    ahead = quat.rotate(back[:, 0], velocity)
    speed = np.hypot(ahead[:, 0], ahead[:, 2])
    turning = np.abs(np.gradient(np.unwrap(heading), 1 / clip.fps))
    upright = positions[:, roles.hips, 1] > 0.75
    straight = (np.abs(np.arctan2(ahead[:, 0], ahead[:, 2])) < 0.3) & (turning < 0.5) & upright
    return local.reshape(len(local), -1).astype(np.float32), np.where(straight, speed, -1.0)


def likeness(performed: Sequence[Clip], real: Sequence[RealClip], speeds: Sequence[float]) -> dict[str, float]:
    """Median nearest distances at the given speeds, and their ratio.

    Returns:
        ``performed_m``: performed poses to each real subject's, ``real_m``: each subject's to each other's, ``ratio``,
        ``subjects``: how many pairs of a speed and a subject took part. NaN where fewer than two subjects have it.
    """
    own_poses, own_speeds = _joined([poses_of(clip) for clip in performed])
    people: dict[str, list[tuple[Array, Array]]] = {}
    for found in real:
        people.setdefault(found.subject, []).append(poses_of(found.clip))
    joined = {subject: _joined(parts) for subject, parts in people.items()}
    between, towards, used = [], [], 0
    for speed in speeds:
        at = {s: poses[np.abs(v - speed) < SPEED_BAND_MPS] for s, (poses, v) in joined.items()}
        at = {s: poses for s, poses in at.items() if len(poses) >= FEWEST}
        mine = own_poses[np.abs(own_speeds - speed) < SPEED_BAND_MPS]
        if len(at) < 2 or len(mine) < FEWEST:
            continue
        used += len(at)
        for subject, poses in at.items():
            tree = cKDTree(poses)
            towards.append(_nearest(tree, mine))
            between += [_nearest(tree, other) for name, other in at.items() if name != subject]
    if not towards:
        return {"performed_m": float("nan"), "real_m": float("nan"), "ratio": float("nan"), "subjects": 0}
    a, b = float(np.mean(towards)), float(np.mean(between))
    return {"performed_m": a, "real_m": b, "ratio": a / b, "subjects": used}


def _nearest(tree: cKDTree, poses: Array) -> float:
    step = max(len(poses) // 400, 1)
    distance, _ = tree.query(poses[::step])
    joints = poses.shape[1] / 3
    return float(np.median(distance) / np.sqrt(joints))


def _joined(parts: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    return np.concatenate([p for p, _ in parts]), np.concatenate([s for _, s in parts])
