"""Writing BVH."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import numpy as np

from ..motion import quaternion as quat
from ..motion.clip import Clip
from .safely import write_whole

ORDER = "ZYX"


def write_bvh(path: Path, clip: Clip, unit_m: float = 0.01) -> None:
    """Write a clip as BVH, in centimetres unless told otherwise.

    Six decimals for angles keep every joint of a body within a few micrometres.
    """
    text = StringIO()
    text.write("HIERARCHY\n")
    _write_joint(text, clip, 0, 0, unit_m)
    columns = []
    skeleton = clip.skeleton
    order = _depth_first(clip)
    angles = np.degrees(quat.to_euler(np.asarray(clip.rotations, np.float64), ORDER))
    for joint in order:
        column = skeleton.moving_column[joint]
        if column >= 0:
            columns.append(clip.translations[:, column].astype(np.float64) / unit_m)
        columns.append(angles[:, joint])
    text.write(f"MOTION\nFrames: {len(clip)}\nFrame Time: {1 / clip.fps:.9f}\n")
    np.savetxt(text, np.concatenate(columns, axis=1), fmt="%.6f", delimiter=" ")
    write_whole(path, lambda part: _put(part, text.getvalue()))


def _put(part: Path, text: str) -> None:
    part.write_text(text, encoding="utf-8", newline="\n")


def _depth_first(clip: Clip) -> list[int]:
    """Joints in the order in which BVH nests them."""
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += clip.skeleton.children(joint)[::-1]
    return order


def _write_joint(text: StringIO, clip: Clip, joint: int, depth: int, unit_m: float) -> None:
    skeleton, pad = clip.skeleton, "\t" * depth
    kind = "ROOT" if depth == 0 else "JOINT"
    text.write(f"{pad}{kind} {skeleton.names[joint]}\n{pad}{{\n")
    text.write(f"{pad}\tOFFSET {_three(skeleton.offsets[joint] / unit_m)}\n")
    turns = " ".join(f"{axis}rotation" for axis in ORDER)
    if skeleton.moving_column[joint] >= 0:
        text.write(f"{pad}\tCHANNELS 6 Xposition Yposition Zposition {turns}\n")
    else:
        text.write(f"{pad}\tCHANNELS 3 {turns}\n")
    for child in skeleton.children(joint):
        _write_joint(text, clip, child, depth + 1, unit_m)
    if not skeleton.children(joint):
        tip = skeleton.ends.get(joint, np.zeros(3, np.float32))
        text.write(f"{pad}\tEnd Site\n{pad}\t{{\n{pad}\t\tOFFSET {_three(tip / unit_m)}\n{pad}\t}}\n")
    text.write(f"{pad}}}\n")


def _three(place: np.ndarray) -> str:
    return " ".join(f"{value:.6f}" for value in place)
