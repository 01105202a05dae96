"""Reading BVH: the file as it stands, in its own units and axes. ``repair.py`` makes sense of it afterwards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..arrays import Array, Indices
from ..errors import BadFile, DamagedFile
from ..jit import kernel
from ..motion.skeleton import Skeleton
from .decimals import decimals

LARGEST_BYTES = 1_000_000_000
MOST_JOINTS = 2_000
"""More than any body has, fingers, face and twist bones and all."""
MOST_POSES = 400_000_000
"""Frames times joints: what their rotations take must fit a machine's memory."""
LARGEST_NUMBER = 1e9
"""Nothing in a take is so large in any unit; beyond it single precision loses the millimetres."""
_POSITIONS = {"xposition": 0, "yposition": 1, "zposition": 2}
_ROTATIONS = {"xrotation": 0, "yrotation": 1, "zrotation": 2}
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")


@dataclass(frozen=True, eq=False)
class Bvh:
    """A BVH file as written."""

    skeleton: Skeleton
    """Offsets in the file's units."""
    rotations: Array
    """Joint to parent. Shape (frames, joints, 4)."""
    translations: Array
    """Places of the moving joints, file units. Shape (frames, moving, 3)."""
    frame_time_s: float
    orders: dict[str, str]
    """Rotation channels by joint as listed, for joints that have any."""
    notes: tuple[str, ...]


@dataclass
class _Joint:
    name: str
    parent: int
    offset: tuple[float, float, float] | None = None
    channels: tuple[str, ...] | None = None
    line: int = 0


def read_bvh(path: Path) -> Bvh:
    """Read a BVH file.

    Raises:
        BadFile: The file is no BVH, is damaged or holds no motion; the message names line and cure.
    """
    data = _bytes_of(path)
    motion_at = re.search(rb"^[ \t]*MOTION[ \t\r]*$", data, re.MULTILINE | re.IGNORECASE)
    if motion_at is None:
        if not re.match(rb"\s*HIERARCHY", data, re.IGNORECASE):
            raise BadFile(
                f"{path.name}: this is no BVH file, it does not begin with HIERARCHY; convert it to BVH first"
            )
        raise DamagedFile(f"{path.name}: the file ends before MOTION; it was cut off, fetch or export it again")
    header = data[: motion_at.start()].decode("utf-8", "replace").splitlines()
    joints, ends = _hierarchy(header, path.name)
    _fill_missing(joints, path.name)
    names, notes = _unique_names([joint.name for joint in joints])
    count, frame_time, start, first_line = _motion_head(data, motion_at.end(), path.name)
    channels = sum(len(joint.channels or ()) for joint in joints)
    values = _numbers(data, start, first_line, count, channels, path.name)
    if count * len(joints) > MOST_POSES:
        raise BadFile(f"{path.name}: {count:,} frames of {len(joints)} joints are more than a take can hold; split it")
    angle_columns, angle_axes, place_columns = _layout(joints)
    moving = tuple(int(j) for j in np.flatnonzero((place_columns >= 0).any(1))) or (0,)
    offsets = np.array([joint.offset for joint in joints], np.float64)
    rotations = np.empty((count, len(joints), 4), np.float32)
    turn_kernel(values, angle_columns, angle_axes, rotations)
    translations = np.empty((count, len(moving), 3), np.float32)
    for column, joint in enumerate(moving):
        for axis in range(3):
            channel = place_columns[joint, axis]
            translations[:, column, axis] = values[:, channel] if channel >= 0 else offsets[joint, axis]
    skeleton = Skeleton(
        tuple(names),
        np.array([joint.parent for joint in joints]),
        _resting_offsets(offsets, moving, translations).astype(np.float32),
        moving,
        {j: np.array(tip, np.float32) for j, tip in ends.items()},
    )
    orders = {
        name: "".join(c[0].upper() for c in joint.channels or () if c in _ROTATIONS)
        for name, joint in zip(names, joints, strict=True)
    }
    return Bvh(skeleton, rotations, translations, frame_time, {n: o for n, o in orders.items() if o}, tuple(notes))


def _resting_offsets(offsets: Array, moving: tuple[int, ...], translations: Array) -> Array:
    """Offsets with the middling place of joints that move where the file says nothing: bones must have a length."""
    result = offsets.copy()
    for column, joint in enumerate(moving):
        if joint > 0 and not offsets[joint].any():
            result[joint] = np.median(translations[:, column], axis=0)
    return result


def _bytes_of(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > LARGEST_BYTES:
            raise BadFile(
                f"{path.name}: {size / 1e9:.1f} GB is more than one take can hold; split it into shorter takes"
            )
        data = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}); check the path and its permissions") from error
    if not data.strip():
        raise BadFile(f"{path.name}: the file is empty; export or fetch it again")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadFile(f"{path.name}: this is UTF-16 text; save it as UTF-8")
    if b"\0" in data[:4096]:
        raise BadFile(f"{path.name}: this is a binary file, not BVH text; export it as BVH")
    data = data.removeprefix(b"\xef\xbb\xbf")
    # Old Macs ended lines with a carriage return alone.
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _hierarchy(lines: list[str], name: str) -> tuple[list[_Joint], dict[int, tuple[float, float, float]]]:
    """Read joints (parents first) and the tips of end joints."""
    joints: list[_Joint] = []
    ends: dict[int, tuple[float, float, float]] = {}
    stack: list[int] = []  # open braces: index of a joint, or -1 - index for its end site
    waiting: int | None = None
    for number, raw in enumerate(lines, start=1):
        line = raw.strip()
        # A brace may share its line with a name or with what follows.
        while line:
            lower = line.lower()
            where = f"{name}: line {number}"
            if line[0] == "{":
                if waiting is None:
                    raise DamagedFile(f"{where}: '{{' opens nothing; a joint must be named before it")
                stack.append(waiting)
                waiting, line = None, line[1:].strip()
            elif line[0] == "}":
                if not stack:
                    raise DamagedFile(f"{where}: one '}}' too many; remove it")
                stack.pop()
                line = line[1:].strip()
            elif re.match(r"(root|joint|end\s+site)\b", lower):
                keyword = re.match(r"root|joint|end\s+site", lower)
                assert keyword is not None
                rest = line[keyword.end() :]
                label, brace, after = rest.partition("{")
                if keyword.group() == "root" and joints:
                    raise BadFile(f"{where}: a second ROOT; sidestep reads one body a file, split the file")
                parent = stack[-1] if stack else -1
                if keyword.group().startswith("end"):
                    waiting = -1 - parent
                    if parent < 0:
                        raise DamagedFile(f"{where}: an End Site outside of a joint")
                else:
                    if parent < -1 or (parent == -1 and joints):
                        raise DamagedFile(f"{where}: joint '{label.strip()}' stands outside of the root's braces")
                    joints.append(_Joint(label.strip() or f"joint {len(joints)}", parent, line=number))
                    waiting = len(joints) - 1
                line = brace + after
            elif lower.startswith("offset"):
                body, closing = _until_brace(line[6:])
                numbers = _floats(body.split(), where, "OFFSET")
                if len(numbers) != 3:
                    raise DamagedFile(f"{where}: OFFSET takes three numbers, found {len(numbers)}")
                if not stack:
                    raise DamagedFile(f"{where}: OFFSET outside of a joint")
                place = (numbers[0], numbers[1], numbers[2])
                if stack[-1] >= 0:
                    joints[stack[-1]].offset = place
                else:
                    ends[-1 - stack[-1]] = place
                line = closing
            elif lower.startswith("channels"):
                body, closing = _until_brace(line[8:])
                words = body.split()
                if not stack or stack[-1] < 0:
                    raise DamagedFile(f"{where}: CHANNELS outside of a joint")
                joints[stack[-1]].channels = _channels(words, where)
                line = closing
            elif lower.startswith("hierarchy"):
                line = line[9:].strip()
            else:
                raise DamagedFile(
                    f"{where}: '{line[:40]}' is not understood here; expected JOINT, OFFSET, CHANNELS or a brace"
                )
    if stack:
        raise DamagedFile(f"{name}: {len(stack)} brace(s) are never closed before MOTION; the hierarchy is damaged")
    if len(joints) > MOST_JOINTS:
        raise BadFile(f"{name}: {len(joints):,} joints are no body; sidestep reads up to {MOST_JOINTS:,}")
    if not joints:
        raise BadFile(f"{name}: no joints before MOTION; the hierarchy is missing")
    return joints, ends


def _until_brace(text: str) -> tuple[str, str]:
    at = min((i for i in (text.find("{"), text.find("}")) if i >= 0), default=len(text))
    return text[:at], text[at:].strip()


def _floats(words: list[str], where: str, what: str) -> list[float]:
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        bad = next(word for word in words if not _NUMBER.match(word.encode()))
        raise DamagedFile(f"{where}: {what} holds '{bad[:20]}', which is no number (decimals take a point)") from None
    if not (np.abs(numbers) < LARGEST_NUMBER).all():
        raise DamagedFile(f"{where}: {what} holds a number beyond all bounds; correct the line")
    return numbers


def _channels(words: list[str], where: str) -> tuple[str, ...]:
    if not words or not re.fullmatch(r"[0-9]{1,3}", words[0]):
        raise DamagedFile(f"{where}: CHANNELS must begin with how many there are")
    listed = tuple(word.lower() for word in words[1:])
    if len(listed) != int(words[0]):
        raise DamagedFile(f"{where}: CHANNELS says {words[0]} and lists {len(listed)}; make the two agree")
    for word, original in zip(listed, words[1:], strict=True):
        if word not in _POSITIONS and word not in _ROTATIONS:
            raise DamagedFile(f"{where}: channel '{original}' is unknown; known are Xposition ... and Xrotation ...")
    if len(set(listed)) != len(listed):
        twice = next(w for w in listed if listed.count(w) > 1)
        raise DamagedFile(f"{where}: channel '{twice}' is listed twice; remove one")
    return listed


def _fill_missing(joints: list[_Joint], name: str) -> None:
    for joint in joints:
        if joint.offset is None:
            raise DamagedFile(f"{name}: line {joint.line}: joint '{joint.name}' has no OFFSET")


def _unique_names(names: list[str]) -> tuple[list[str], list[str]]:
    taken, result, notes = set(names), [], []
    for index, name in enumerate(names):
        if name in names[:index]:
            number = next(n for n in range(2, len(names) + 2) if f"{name} {n}" not in taken)
            notes.append(f"two joints are called '{name}': the later one is now '{name} {number}'")
            name = f"{name} {number}"
            taken.add(name)
        result.append(name)
    return result, notes


def _motion_head(data: bytes, start: int, name: str) -> tuple[int, float, int, int]:
    """Frames, frame time [s], where the numbers begin (byte) and on which line."""
    head = re.compile(rb"\s*Frames\s*:\s*(\S+)\s+Frame\s*Time[ \t]*:?[ \t]*([^\s:]*)[^\S\n]*(?:\n|\Z)", re.IGNORECASE)
    found = head.match(data, start)
    if found is None:
        raise DamagedFile(f"{name}: MOTION is not followed by 'Frames: N' and 'Frame Time: s'; the file is damaged")
    try:
        frames = int(found.group(1))
    except ValueError:
        raise DamagedFile(f"{name}: 'Frames: {_shown(found.group(1))}' is no whole number; correct the line") from None
    if not found.group(2):
        raise DamagedFile(f"{name}: 'Frame Time:' is followed by no number; write the seconds from frame to frame")
    try:
        frame_time = float(found.group(2).replace(b",", b"."))
    except ValueError:
        raise DamagedFile(f"{name}: 'Frame Time: {_shown(found.group(2))}' is no number; correct the line") from None
    if frames <= 0:
        raise BadFile(f"{name}: 'Frames: {frames}': there is no motion in this file; export it with its motion")
    return frames, frame_time, found.end(), data.count(b"\n", 0, found.end()) + 1


def _shown(text: bytes) -> str:
    return text[:30].decode("utf-8", "replace")


def _numbers(data: bytes, start: int, first_line: int, frames: int, channels: int, name: str) -> Array:
    """The motion block as (frames, channels)."""
    if channels == 0:
        raise BadFile(f"{name}: no joint has channels, nothing moves in this file; export it with rotation channels")
    # A header that announces billions of frames must not ask for their memory: a number takes two bytes at least.
    expected = min(frames * channels, (len(data) - start) // 2 + 1)
    values, found, bad = decimals(data, start, expected)
    if bad >= 0:
        word = data[bad : bad + 40].split(None, 1)[0]
        line = first_line + data.count(b"\n", start, bad)
        raise DamagedFile(
            f"{name}: line {line}: '{_shown(word)}' is no finite number (decimals take a point); export the file again"
        )
    if found != frames * channels:
        raise _bad_count(data, start, first_line, frames, channels, found, name)
    endless = np.flatnonzero(~(np.abs(values) < LARGEST_NUMBER))
    if len(endless):
        frame = int(endless[0]) // channels
        raise DamagedFile(f"{name}: frame {frame} holds a number beyond all bounds; cut the frame or export again")
    return values.reshape(frames, channels)


def _bad_count(
    data: bytes, start: int, first_line: int, frames: int, channels: int, found: int, name: str
) -> DamagedFile:
    for number, line in enumerate(data[start:].split(b"\n"), start=first_line):
        words = len(line.split())
        if words not in (0, channels):
            return DamagedFile(
                f"{name}: line {number} holds {words} numbers where the joints ask for {channels}; "
                "the file was cut off or altered, fetch or export it again"
            )
    whole = found // channels
    return DamagedFile(
        f"{name}: 'Frames: {frames}' is announced but {whole} are there; "
        f"export it again, or write 'Frames: {whole}' to keep what there is"
    )


def _layout(joints: list[_Joint]) -> tuple[Indices, Indices, Indices]:
    """Where each joint's channels stand.

    Returns:
        Columns (joints, 3) and axes (joints, 3) of the rotations in their listed order, and columns (joints, 3) of the
        x, y, z positions; -1 where there is none.
    """
    angle_columns = np.full((len(joints), 3), -1, np.int64)
    angle_axes = np.zeros((len(joints), 3), np.int64)
    place_columns = np.full((len(joints), 3), -1, np.int64)
    column = 0
    for j, joint in enumerate(joints):
        turn = 0
        for channel in joint.channels or ():
            if channel in _ROTATIONS:
                angle_columns[j, turn], angle_axes[j, turn] = column, _ROTATIONS[channel]
                turn += 1
            else:
                place_columns[j, _POSITIONS[channel]] = column
            column += 1
    return angle_columns, angle_axes, place_columns


@kernel
def turn_kernel(values: Array, columns: Indices, axes: Indices, rotations: Array) -> None:
    """Fill ``rotations`` (frames, joints, 4) from Euler angles [degrees] in ``values`` (frames, channels)."""
    half_degree = np.pi / 360.0
    for f in range(values.shape[0]):
        for j in range(columns.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for turn in range(3):
                column = columns[j, turn]
                if column < 0:
                    break
                half = values[f, column] * half_degree
                c, s = np.cos(half), np.sin(half)
                axis = axes[j, turn]
                if axis == 0:
                    w, x, y, z = w * c - x * s, w * s + x * c, y * c + z * s, z * c - y * s
                elif axis == 1:
                    w, x, y, z = w * c - y * s, x * c - z * s, w * s + y * c, z * c + x * s
                else:
                    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, w * s + z * c
            rotations[f, j, 0] = w
            rotations[f, j, 1] = x
            rotations[f, j, 2] = y
            rotations[f, j, 3] = z
