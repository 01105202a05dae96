"""Seconds of each kind of movement, measured from motion alone (never from tags).

The definitions are those by which the mocap manifest was made: the hip line gives the facing, the smoothed velocity of
the hips the direction; sidestep is 60 to 120 degrees off the facing above 0.35 m/s, backward more, a torso twist is a
shoulder line more than 25 degrees off the hip line.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from ..arrays import Flags
from ..motion.clip import Clip
from ..motion.feet import foot_places
from ..motion.limbs import Roles
from ..motion.roles import find_roles
from ..motion.smooth import gaussian

MOVING_MPS, RUNNING_MPS = 0.35, 2.05
TWIST_RAD = np.radians(25)
SPEED_EDGES = (0.4, 0.8, 1.2, 1.6, 2.05, 2.8, 3.6, 4.6)


def kinds_of(clip: Clip, roles: Roles | None = None) -> dict[str, Flags]:
    """Which frames belong to which kind of movement. Each (frames,)."""
    roles = roles or find_roles(clip.skeleton)
    positions, _ = clip.world()
    hips = positions[:, roles.hips]
    velocity = np.gradient(gaussian(hips, 0.12, clip.fps), 1 / clip.fps, axis=0)
    speed = np.hypot(velocity[:, 0], velocity[:, 2])
    hip_yaw = _line_yaw(positions[:, roles.left_leg.upper] - positions[:, roles.right_leg.upper])
    shoulder_yaw = _line_yaw(positions[:, roles.left_arm.upper] - positions[:, roles.right_arm.upper])
    facing = gaussian(np.unwrap(hip_yaw), 0.12, clip.fps)
    turn = np.gradient(facing, 1 / clip.fps)
    off = _wrapped(np.arctan2(velocity[:, 0], velocity[:, 2]) - facing)
    twist = _wrapped(shoulder_yaw - hip_yaw)
    height = hips[:, 1]
    top = positions[..., 1].max(1) + 0.15
    lowest = foot_places(clip, roles)[..., 1].min(1)
    upright = height > 0.62
    moving, running = speed > MOVING_MPS, speed > RUNNING_MPS
    ahead, back = np.abs(off) < np.radians(25), np.abs(off) > np.radians(120)
    side = (np.abs(off) >= np.radians(60)) & ~back
    left = off > 0
    going = moving & upright
    kinds = {
        "idle": (speed < 0.15) & (np.abs(turn) < 0.4) & upright,
        "walk": going & ahead & ~running,
        "run": going & ahead & running,
        "backward": going & back,
        "turn_on_spot_left": (speed < MOVING_MPS) & (turn > 0.8) & upright,
        "turn_on_spot_right": (speed < MOVING_MPS) & (turn < -0.8) & upright,
        "turn_moving_left": going & (turn > 0.6),
        "turn_moving_right": going & (turn < -0.6),
        "crouch_moving": moving & (top < 1.45) & (top > 0.85) & (height > 0.35),
        "low": (top < 1.05) & (height > 0.3),
        "hands_and_knees_moving": (speed > 0.2) & (height < 0.62) & (height > 0.30) & (top < 0.85),
        "lying": top < 0.6,
        "off_ground": (lowest > 0.06) & (height > 0.55),
        "feet_over_0.3_m": lowest > 0.30,
        "feet_over_0.5_m": lowest > 0.50,
        "crouch_under_1.25_m_moving": moving & (top < 1.25) & (height > 0.35),
        "crouch_under_1.05_m_moving": moving & (top < 1.05) & (height > 0.35),
    }
    for name, mask in (("sidestep", going & side), ("diagonal", going & ~ahead & ~side & ~back)):
        kinds[f"{name}_left"], kinds[f"{name}_right"] = mask & left, mask & ~left
    for name, mask in (
        ("twist_standing", ~moving & upright),
        ("twist_walking", going & ~running),
        ("twist_running", going & running),
    ):
        kinds[f"{name}_left"] = mask & (twist > TWIST_RAD)
        kinds[f"{name}_right"] = mask & (twist < -TWIST_RAD)
    # A shoulder leads: the shoulder line is turned from the way while the hips still point along it.
    course = np.arctan2(velocity[:, 0], velocity[:, 2])
    turned, along = np.abs(_wrapped(shoulder_yaw - course)), np.abs(_wrapped(facing - course)) < np.radians(50)
    for degrees in (45, 60, 75):
        off_course = going & along & (turned > np.radians(degrees))
        kinds[f"shoulders_over_{degrees}_off_walking"] = off_course & ~running
        kinds[f"shoulders_over_{degrees}_off_running"] = off_course & running
    kinds["twist_over_45"] = going & (np.abs(twist) > np.radians(45))
    for low, high in pairwise(SPEED_EDGES):
        kinds[f"ahead_{low:g}_{high:g}_mps"] = going & ahead & (speed >= low) & (speed < high)
    for low, high in ((0.2, 0.5), (0.5, 0.9), (0.9, 1.5)):
        kinds[f"sidestep_{low:g}_{high:g}_mps"] = upright & side & (speed >= low) & (speed < high)
    return kinds


def coverage(clips: Iterable[Clip]) -> dict[str, float]:
    """Seconds of each kind over all clips."""
    total: dict[str, float] = {}
    for clip in clips:
        for name, mask in kinds_of(clip).items():
            total[name] = total.get(name, 0.0) + float(mask.sum()) / clip.fps
    return {name: round(seconds, 1) for name, seconds in total.items()}


def _line_yaw(across: np.ndarray) -> np.ndarray:
    return np.arctan2(-across[:, 2], across[:, 0])


def _wrapped(angle: np.ndarray) -> np.ndarray:
    return np.asarray((angle + np.pi) % (2 * np.pi) - np.pi)
