"""The performer's own body: 22 joints, 1.75 m tall, standing in a T-pose, facing +z."""

from __future__ import annotations

from ..motion.skeleton import Skeleton, from_tree

_LEG = [("UpLeg", "Hips", (0.092, -0.05, 0.0)), ("Leg", "UpLeg", (0.0, -0.429, 0.0))]
_LEG += [("Foot", "Leg", (0.0, -0.4305, 0.0)), ("Toe", "Foot", (0.0, -0.055, 0.13))]
_ARM = [("Shoulder", "Spine2", (0.03, 0.155, 0.0)), ("Arm", "Shoulder", (0.15, 0.0, 0.0))]
_ARM += [("ForeArm", "Arm", (0.30, 0.0, 0.0)), ("Hand", "ForeArm", (0.255, 0.0, 0.0))]

_TRUNK: list[tuple[str, str | None, tuple[float, float, float]]] = [
    ("Hips", None, (0.0, 0.9845, 0.0)),
    ("Spine", "Hips", (0.0, 0.075, -0.01)),
    ("Spine1", "Spine", (0.0, 0.11, -0.005)),
    ("Spine2", "Spine1", (0.0, 0.12, 0.0)),
    ("Neck", "Spine2", (0.0, 0.215, -0.01)),
    ("Head", "Neck", (0.0, 0.10, 0.02)),
]


def _limb(side: str, rows: list[tuple[str, str, tuple[float, float, float]]]) -> list[tuple[str, str, tuple]]:
    sign = 1.0 if side == "Left" else -1.0
    own = {name for name, *_ in rows}
    return [
        (side + name, side + parent if parent in own else parent, (sign * x, y, z)) for name, parent, (x, y, z) in rows
    ]


def _rows() -> list[tuple[str, str | None, tuple[float, float, float]]]:
    limbs = [row for side in ("Left", "Right") for row in (*_limb(side, _ARM), *_limb(side, _LEG))]
    return _TRUNK + limbs


SKELETON: Skeleton = from_tree(
    _rows(),
    ends={
        "Head": (0.0, 0.15, 0.02),
        "LeftHand": (0.175, 0.0, 0.0),
        "RightHand": (-0.175, 0.0, 0.0),
        "LeftToe": (0.0, -0.012, 0.075),
        "RightToe": (0.0, -0.012, 0.075),
    },
)
