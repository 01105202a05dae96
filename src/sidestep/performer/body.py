"""From an attitude (where pelvis, chest, head, feet and hands are) to joint rotations of the performer's skeleton."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Flags
from ..motion import quaternion as quat
from ..motion.ik import middle_joint
from ..motion.kinematics import to_local
from ..motion.smooth import gaussian
from .score import FPS
from .skeleton import SKELETON

_INDEX = {name: i for i, name in enumerate(SKELETON.names)}


def _offset(name: str) -> Array:
    return SKELETON.offsets[_INDEX[name]].astype(float)


THIGH_M, SHANK_M = (float(np.linalg.norm(_offset(name))) for name in ("LeftLeg", "LeftFoot"))
UPPER_ARM_M, FOREARM_M = (float(np.linalg.norm(_offset(name))) for name in ("LeftForeArm", "LeftHand"))
HIP, CLAVICLE, SHOULDER = _offset("LeftUpLeg"), _offset("LeftShoulder"), _offset("LeftArm")
FOLDED_LEG_M = 0.36
"""From hip to ankle with the heel near the seat."""
POLE_SIGMA_S = 0.06
"""Over which knees and elbows change their direction."""


@dataclass(eq=False)
class Attitude:
    """How a body is held, frame by frame; all in the world, rotations as turns away from the T-pose facing +z."""

    pelvis: Array
    """Hips joint, [m]. Shape (frames, 3)."""
    pelvis_turn: Array
    """Shape (frames, 4)."""
    chest_turn: Array
    """Shape (frames, 4)."""
    head_turn: Array
    """Shape (frames, 4)."""
    ankles: Array
    """[m]. Shape (frames, 2, 3)."""
    foot_turn: Array
    """Shape (frames, 2, 4)."""
    toe_bend: Array
    """Toes up, [rad]. Shape (frames, 2)."""
    knee_pole: Array
    """Where the knees point. Shape (frames, 2, 3)."""
    wrists: Array
    """[m]. Shape (frames, 2, 3)."""
    elbow_pole: Array
    """Where the elbows point. Shape (frames, 2, 3)."""
    palm_twist: Array
    """Forearm turned inwards about its own length, [rad]. Shape (frames, 2)."""
    hand_turn: Array
    """A fixed turn for the hands, where ``hand_fixed`` says so. Shape (frames, 2, 4)."""
    hand_fixed: Array
    """0: hands continue the forearms, 1: they take ``hand_turn``. Shape (frames, 2)."""
    wrist_bend: Array
    """Hand bent towards the palm, [rad]. Shape (frames, 2)."""
    shrug: Array
    """Clavicles raised, [rad]. Shape (frames, 2)."""


def shoulder_place(attitude: Attitude, chest: Array, side: int) -> Array:
    """The shoulder joint, [m], given the chest joint. Shape (frames, 3)."""
    sign = 1.0 if side == 0 else -1.0
    mirror = np.array([sign, 1.0, 1.0])
    clavicle = quat.multiply(attitude.chest_turn, quat.about("z", sign * attitude.shrug[:, side]))
    return chest + quat.rotate(attitude.chest_turn, CLAVICLE * mirror) + quat.rotate(clavicle, SHOULDER * mirror)


def trunk_turns(attitude: Attitude) -> list[Array]:
    """Spine, Spine1 and Spine2: the bend is shared out, more of it above. Each (frames, 4)."""
    low = quat.slerp(attitude.pelvis_turn, attitude.chest_turn, 0.30)
    middle = quat.slerp(attitude.pelvis_turn, attitude.chest_turn, 0.65)
    return [low, middle, attitude.chest_turn]


def chest_place(attitude: Attitude) -> Array:
    """The joint that carries arms and neck, [m]. Shape (frames, 3)."""
    place = attitude.pelvis
    turns = [attitude.pelvis_turn, *trunk_turns(attitude)[:2]]
    for turn, name in zip(turns, ("Spine", "Spine1", "Spine2"), strict=True):
        place = place + quat.rotate(turn, _offset(name))
    return np.asarray(place)


def _unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-9)


def _across(pole: Array, along: Array) -> Array:
    return _unit(pole - (pole * along).sum(-1, keepdims=True) * along)


def within_reach(attitude: Attitude, stands: Flags) -> None:
    """Draw feet that hang in the air, and hands, up to where the limbs reach them, without a jerk.

    Args:
        attitude: Changed in place.
        stands: Which foot stands; those stay where they are. Shape (frames, 2).
    """
    chest = chest_place(attitude)
    for side in (0, 1):
        mirror = np.array([1.0 if side == 0 else -1.0, 1.0, 1.0])
        hip = attitude.pelvis + quat.rotate(attitude.pelvis_turn, HIP * mirror)
        drawn = _drawn(hip, _below_hip(hip, attitude.ankles[:, side]), THIGH_M + SHANK_M)
        attitude.ankles[:, side] = np.where(stands[:, side, None], attitude.ankles[:, side], drawn)
        shoulder = shoulder_place(attitude, chest, side)
        attitude.wrists[:, side] = _drawn(shoulder, attitude.wrists[:, side], UPPER_ARM_M + FOREARM_M)


def _below_hip(hip: Array, ankle: Array) -> Array:
    """Keep a foot that is drawn up high as far under the hip as a bent knee leaves it. Shape (frames, 3)."""
    away = ankle - hip
    room = np.sqrt(np.maximum(FOLDED_LEG_M**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
    lowered = np.array(ankle)
    lowered[:, 1] -= gaussian(np.where(room > 0, np.maximum(away[:, 1] + room, 0.0), 0.0), 0.05, FPS)
    return lowered


def _drawn(root: Array, tip: Array, length_m: float) -> Array:
    """The tip at most nearly as far as the limb is long: what would be further comes ever less nearer to that."""
    free, most = 0.985 * length_m, 0.996 * length_m
    way = tip - root
    distance = np.linalg.norm(way, axis=-1, keepdims=True)
    far = most - (most - free) * np.exp(-np.maximum(distance - free, 0.0) / (most - free))
    return root + way * np.where(distance > free, far / np.maximum(distance, 1e-9), 1.0)


def solve(attitude: Attitude) -> tuple[Array, Array]:
    """Local rotations (frames, joints, 4) and hips places (frames, 1, 3) [m] of the performer's skeleton."""
    frames = len(attitude.pelvis)
    world = np.zeros((frames, len(SKELETON), 4))
    world[:, _INDEX["Hips"]] = attitude.pelvis_turn
    for name, turn in zip(("Spine", "Spine1", "Spine2"), trunk_turns(attitude), strict=True):
        world[:, _INDEX[name]] = turn
    world[:, _INDEX["Neck"]] = quat.slerp(attitude.chest_turn, attitude.head_turn, 0.45)
    world[:, _INDEX["Head"]] = attitude.head_turn
    chest = chest_place(attitude)
    for side, name in enumerate(("Left", "Right")):
        _solve_leg(attitude, world, side, name)
        _solve_arm(attitude, world, chest, side, name)
    return quat.normalize(to_local(SKELETON, world)).astype(np.float32), attitude.pelvis[:, None].astype(np.float32)


def _steady(pole: Array, along: Array) -> Array:
    """A pole as a limb can follow it: the part across the limb, smoothed over time. Shape (frames, 3).

    Where a limb swings past its pole that part shrinks to nothing and comes back the other way; smoothed before it is
    scaled to one, those frames count for nothing and the elbow wheels round instead of flipping.
    """
    return gaussian(pole - (pole * along).sum(-1, keepdims=True) * along, POLE_SIGMA_S, FPS)


def thigh_ends(attitude: Attitude, side: int) -> tuple[Array, Array]:
    """Hip and knee of a leg, [m]. Each (frames, 3)."""
    mirror = np.array([1.0 if side == 0 else -1.0, 1.0, 1.0])
    hip = attitude.pelvis + quat.rotate(attitude.pelvis_turn, HIP * mirror)
    ankle = attitude.ankles[:, side]
    pole = _steady(attitude.knee_pole[:, side], _unit(ankle - hip))
    return hip, middle_joint(hip, ankle, pole, THIGH_M, SHANK_M)


def _solve_leg(attitude: Attitude, world: Array, side: int, name: str) -> None:
    hip, knee = thigh_ends(attitude, side)
    ankle = attitude.ankles[:, side]
    thigh, shank = _unit(hip - knee), _unit(knee - ankle)
    # The hinge: across the plane of the bent leg; both bones share it. The plane is that of hip, ankle and pole: told
    # by thigh and pole it would turn over whenever the thigh swings past the pole, as it does in a crouch.
    along = _unit(hip - ankle)
    hinge = _unit(np.cross(along, _across(_steady(attitude.knee_pole[:, side], along), along)))
    world[:, _INDEX[f"{name}UpLeg"]] = quat.from_axes(hinge, thigh, np.cross(hinge, thigh))
    world[:, _INDEX[f"{name}Leg"]] = quat.from_axes(hinge, shank, np.cross(hinge, shank))
    world[:, _INDEX[f"{name}Foot"]] = attitude.foot_turn[:, side]
    bend = quat.about("x", -attitude.toe_bend[:, side])
    world[:, _INDEX[f"{name}Toe"]] = quat.multiply(attitude.foot_turn[:, side], bend)


def _solve_arm(attitude: Attitude, world: Array, chest: Array, side: int, name: str) -> None:
    sign = 1.0 if side == 0 else -1.0
    clavicle = quat.multiply(attitude.chest_turn, quat.about("z", sign * attitude.shrug[:, side]))
    world[:, _INDEX[f"{name}Shoulder"]] = clavicle
    shoulder = shoulder_place(attitude, chest, side)
    pole = _steady(attitude.elbow_pole[:, side], _unit(attitude.wrists[:, side] - shoulder))
    elbow = middle_joint(shoulder, attitude.wrists[:, side], pole, UPPER_ARM_M, FOREARM_M)
    reached = attitude.wrists[:, side]
    upper, fore = sign * _unit(elbow - shoulder), sign * _unit(reached - elbow)
    # Elbows bend towards +z of the T-pose; the pole is where the elbow itself points, the other way.
    along = sign * _unit(reached - shoulder)
    hinge = _unit(np.cross(-_across(pole, along), along))
    world[:, _INDEX[f"{name}Arm"]] = quat.from_axes(upper, hinge, np.cross(upper, hinge))
    forearm = quat.from_axes(fore, hinge, np.cross(fore, hinge))
    twist = quat.about("x", -attitude.palm_twist[:, side])
    forearm = quat.multiply(forearm, twist)
    world[:, _INDEX[f"{name}ForeArm"]] = forearm
    hand = quat.multiply(forearm, quat.about("z", -sign * attitude.wrist_bend[:, side]))
    world[:, _INDEX[f"{name}Hand"]] = quat.slerp(hand, attitude.hand_turn[:, side], attitude.hand_fixed[:, side])
