"""From a file's own world into ours: metres, y up, ground at zero; everything guessed is reported.

What is wrong in practice: units nobody wrote down, Z-up exports, a T-pose added as frame 0 (every CMU conversion),
takes glued together (the body teleports), markers lost (frames frozen) and frame times that were never right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..arrays import Array, Flags
from ..errors import BadFile, DamagedFile
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.feet import foot_places
from ..motion.kinematics import forward
from ..motion.limbs import Roles
from ..motion.rebase import rebased
from ..motion.rest import is_strange, leg_length
from ..motion.roles import find_roles
from ..motion.skeleton import Skeleton
from .report import Motion, Report

UNITS_M = {
    1.0: "m",
    0.1: "dm",
    0.0254: "inch",
    0.01: "cm",
    0.001: "mm",
    0.3048: "foot",
    0.0254 / 0.45: "CMU (0.45 inch)",
}
LEG_M = 0.84
"""Thigh and shank of a middling adult; units are judged by it."""
LEG_RANGE_M = (0.62, 1.12)
FPS_RANGE = (5.0, 1000.0)
TELEVISION_FPS = (23.976, 29.97, 47.952, 59.94, 119.88)
FALLBACK_FPS = 30.0
TELEPORT_MPS = 12.0
"""No one runs this fast; a single step above it, far above its neighbours, is a jump in the data."""
TPOSE_JUMP_M = 0.12
GROUND_NOTE_M = 0.05
"""Ground is always moved to zero; shifts above this are told."""


@dataclass(frozen=True)
class Raw:
    """Motion in a file's own units and axes, whatever the format."""

    name: str
    format: str
    skeleton: Skeleton
    rotations: Array
    translations: Array
    frame_time_s: float
    orders: dict[str, str]
    notes: tuple[str, ...] = ()


def repaired(raw: Raw) -> Motion:
    """Find out what the file means and bring it into our world.

    Raises:
        BadFile, BadSkeleton: No human body, or fewer than three frames that can be used.
    """
    notes = list(raw.notes)
    positions, _ = forward(raw.skeleton, raw.rotations, raw.translations)
    if not np.isfinite(positions).all():
        frame = int(np.argmax(~np.isfinite(positions).all((1, 2))))
        raise DamagedFile(f"frame {frame} holds values that are not finite; cut the frame or export again")
    roles = find_roles(raw.skeleton, positions[len(positions) // 2])
    if roles.found_by == "shape":
        notes.append("joint names are unknown: the body was found by its shape")
    unit = _unit(raw.skeleton, roles, notes)
    up = _up_axis(positions, raw.skeleton, roles)
    fps = _fps(raw.frame_time_s, notes)
    report = Report(
        format=raw.format,
        frames=len(raw.rotations),
        fps=fps,
        unit_m=unit,
        up=_axis_name(up),
        facing=_facing(_drawn(raw, positions, roles), roles, up),
        orders=raw.orders,
    )
    turn = quat.between(up, np.array([0.0, 1.0, 0.0], np.float32)).astype(np.float32)
    if report.up != "+y":
        notes.append(f"{report.up} is up: turned to +y")
    clip = _standing(raw, unit, turn, fps)
    redrawn = rebased(clip, roles)
    if redrawn is not clip:
        notes.append("its zero pose is no standing body: redrawn from its most upright frame")
        clip = redrawn
    positions = clip.world()[0]
    tpose = _begins_with_tpose(positions, roles)
    if tpose:
        notes.append("frame 0 is an added T-pose: dropped")
        clip, positions = clip.cut(1, len(clip)), positions[1:]
    clip = _on_ground(clip, roles, notes)
    positions = clip.world()[0]
    _note_impossible_speed(positions, roles, fps, notes)
    first, last = _without_frozen_ends(positions, fps, notes)
    _note_held_frames(positions[first:last], fps, first + int(tpose), notes)
    clip, positions = clip.cut(first, last), positions[first:last]
    cuts = _teleports(positions, roles, fps)
    if cuts:
        notes.append(f"the body teleports at {_listed([cut + first + int(tpose) for cut in cuts])}: cut there")
    parts, starts = _parts(clip, cuts)
    if not parts:
        raise BadFile("fewer than 3 usable frames; a take needs at least 3 to have a velocity")
    return Motion(
        clip,
        replace(report, tpose_first_frame=tpose, notes=tuple(notes)),
        parts,
        tuple(s + first + int(tpose) for s in starts),
    )


def _unit(skeleton: Skeleton, roles: Roles, notes: list[str]) -> float:
    leg = leg_length(skeleton, roles)
    if not leg > 1e-9:
        raise BadFile("the legs have no length; the offsets are missing, export the file again")
    unit = min(UNITS_M, key=lambda u: abs(np.log(leg * u / LEG_M)))
    if not LEG_RANGE_M[0] <= leg * unit <= LEG_RANGE_M[1]:
        notes.append(f"unit unknown (a leg of {leg:.3g}): scaled to a leg of {LEG_M} m")
        return LEG_M / leg
    return unit


def _up_axis(positions: Array, skeleton: Skeleton, roles: Roles) -> Array:
    """The axis along which bodies stand, signed unit vector. Shape (3,)."""
    feet = 0.5 * (positions[:, roles.left_leg.end] + positions[:, roles.right_leg.end])
    standing = (positions[:, roles.head] - feet).mean(0)
    share = np.abs(standing) / max(float(np.linalg.norm(standing)), 1e-9)
    # Crawling takes have no standing pose: their resting skeleton has, or else y is up as almost everywhere. A body may
    # lie along x; that x is up is believed only where a soundly drawn resting skeleton stands along it, too.
    if share.max() < 0.8 or share[0] == share.max():
        along_x = share[0] == share.max() and share[0] > 0.8
        rest = skeleton.resting_positions()
        standing = rest[roles.head] - 0.5 * (rest[roles.left_leg.end] + rest[roles.right_leg.end])
        share = np.abs(standing) / max(float(np.linalg.norm(standing)), 1e-9)
        if share.max() < 0.9 or (share[0] == share.max() and (not along_x or is_strange(skeleton, roles))):
            return np.array([0, 1, 0], np.float32)
    axis = int(np.argmax(share))
    result = np.zeros(3, np.float32)
    result[axis] = np.sign(standing[axis])
    return result


def _axis_name(axis: Array) -> str:
    index = int(np.argmax(np.abs(axis)))
    return ("+" if axis[index] > 0 else "-") + "xyz"[index]


def _drawn(raw: Raw, positions: Array, roles: Roles) -> Array:
    """The pose in which a skeleton is drawn: at rest, or in the first frame where its rest is no body."""
    return positions[0] if is_strange(raw.skeleton, roles) else raw.skeleton.resting_positions()


def _facing(pose: Array, roles: Roles, up: Array) -> str:
    left = pose[roles.left_leg.upper] - pose[roles.right_leg.upper]
    return _axis_name(np.cross(left, up))


def _fps(frame_time_s: float, notes: list[str]) -> float:
    fps = 1.0 / frame_time_s if frame_time_s > 0 else float("inf")
    if np.isnan(frame_time_s):
        notes.append(f"no frame rate is told: read as {FALLBACK_FPS:g} frames a second")
        return FALLBACK_FPS
    if not FPS_RANGE[0] <= fps <= FPS_RANGE[1]:
        notes.append(f"a frame time of {frame_time_s:g} s cannot be true: read as {FALLBACK_FPS:g} frames a second")
        return FALLBACK_FPS
    # 0.0333 means 30, 0.0166667 means 60; but television's 29.97 means itself.
    for known in (*TELEVISION_FPS, float(round(fps))):
        if abs(fps - known) < (0.0003 if known in TELEVISION_FPS else 0.002) * fps:
            return known
    return fps


def _standing(raw: Raw, unit: float, turn: Array, fps: float) -> Clip:
    """In metres with y up: only what hangs on the root's own frame needs turning."""
    skeleton = raw.skeleton.scaled(unit)
    rotations = np.array(raw.rotations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    translations = raw.translations * np.float32(unit)
    if skeleton.moving[0] == 0:
        translations[:, 0] = quat.rotate(turn, translations[:, 0])
    return Clip(
        name=raw.name, skeleton=skeleton, rotations=quat.normalize(rotations), translations=translations, fps=fps
    )


def _begins_with_tpose(positions: Array, roles: Roles) -> bool:
    """Whether frame 0 has its arms straight out to the sides and the body leaves it at once."""
    if len(positions) < 4:
        return False
    root = positions[:, roles.hips : roles.hips + 1]
    step = np.linalg.norm(np.diff(positions - root, axis=0), axis=-1).max(-1)  # (frames - 1,)
    spread = []
    for arm in roles.arms:
        along = positions[0, arm.end] - positions[0, arm.upper]
        spread.append(abs(along[1]) < 0.35 * np.linalg.norm(along))
    rest = step[1 : min(len(step), 240)]
    return bool(all(spread) and step[0] > TPOSE_JUMP_M and step[0] > 4 * np.percentile(rest, 95))


def _on_ground(clip: Clip, roles: Roles, notes: list[str]) -> Clip:
    lowest = foot_places(clip, roles)[..., 1].min(1)
    ground = float(np.percentile(lowest, 20))
    if abs(ground) > GROUND_NOTE_M:
        notes.append(f"the ground lay at {ground:+.2f} m: moved to zero")
    translations = np.array(clip.translations)
    down = np.broadcast_to(np.array([0.0, ground, 0.0], np.float32), (len(clip), 3))
    above = int(clip.skeleton.parents[clip.skeleton.moving[0]])
    if above >= 0:  # its place is told in its parent's frame, however that is turned
        down = quat.rotate(quat.inverse(clip.world()[1][:, above]), down)
    translations[:, 0] -= down
    return replace(clip, translations=translations)


def _note_impossible_speed(positions: Array, roles: Roles, fps: float, notes: list[str]) -> None:
    if len(positions) < 8:
        return
    speed = np.linalg.norm(np.diff(positions[:, roles.hips], axis=0), axis=-1) * fps
    usual = float(np.percentile(speed, 90))
    if usual > TELEPORT_MPS:
        notes.append(f"the hips move at {usual:.0f} m/s most of the time: frame rate or unit is probably wrong")


def _without_frozen_ends(positions: Array, fps: float, notes: list[str]) -> tuple[int, int]:
    """Frames that remain when identical frames at both ends are cut."""
    still = _held(positions)
    moving = np.flatnonzero(~still)
    if not len(moving):
        notes.append("nothing moves in this clip")
        return 0, len(positions)
    first, last = int(moving[0]), int(moving[-1]) + 2
    shortest = max(int(0.1 * fps), 2)
    first = first if first >= shortest else 0
    last = last if len(positions) - last >= shortest else len(positions)
    if first or last < len(positions):
        notes.append(f"frozen at its ends: {first} frame(s) cut at the start, {len(positions) - last} at the end")
    return first, last


def _held(positions: Array) -> Flags:
    """Whether a frame is the one before, to the last bit of noise. Shape (frames - 1,)."""
    return np.asarray(np.abs(np.diff(positions, axis=0)).max((1, 2)) < 1e-6)


def _note_held_frames(positions: Array, fps: float, first: int, notes: list[str]) -> None:
    held = _held(positions)
    if not held.any() or held.all():
        return
    edges = np.diff(np.concatenate([[0], held.astype(int), [0]]))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    lengths = stops - starts
    shortest = max(int(0.1 * fps), 2)
    frozen, dropped = starts[lengths >= shortest], starts[lengths < shortest]
    if len(frozen):
        notes.append(f"frozen for a while at {_listed([int(s) + first for s in frozen])}")
    if len(dropped):
        notes.append(
            f"{int(lengths[lengths < shortest].sum())} dropped frame(s), the first at {first + int(dropped[0])}"
        )


def _listed(frames: list[int]) -> str:
    shown = ", ".join(str(frame) for frame in frames[:4])
    return f"frame {shown}" + (f" and {len(frames) - 4} more" if len(frames) > 4 else "")


def _teleports(positions: Array, roles: Roles, fps: float) -> list[int]:
    """Frames before which the body jumps."""
    if len(positions) < 4:
        return []
    speed = np.linalg.norm(np.diff(positions[:, roles.hips], axis=0), axis=-1) * fps
    around = np.median(np.stack([np.roll(speed, k) for k in (-2, -1, 1, 2)]), axis=0)
    jumps = (speed > TELEPORT_MPS) & (speed > 5 * around + 1.0)
    # A pose that snaps while the hips stay is one, too.
    local = positions - positions[:, roles.hips : roles.hips + 1]
    snap = np.linalg.norm(np.diff(local, axis=0), axis=-1).max(-1) * fps
    usual = np.median(np.stack([np.roll(snap, k) for k in (-2, -1, 1, 2)]), axis=0)
    jumps |= (snap > 3 * TELEPORT_MPS) & (snap > 8 * usual + 1.0)
    return [int(frame) + 1 for frame in np.flatnonzero(jumps)]


def _parts(clip: Clip, cuts: list[int]) -> tuple[tuple[Clip, ...], tuple[int, ...]]:
    edges = [0, *cuts, len(clip)]
    pairs = [(a, b) for a, b in pairwise(edges) if b - a >= 3]
    names = [clip.name] if len(pairs) == 1 else [f"{clip.name} part {i + 1}" for i in range(len(pairs))]
    parts = tuple(clip.cut(a, b, name) for (a, b), name in zip(pairs, names, strict=True))
    return parts, tuple(a for a, _ in pairs)
