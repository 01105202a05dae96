"""Reading AMASS and SMPL motion (npz): axis-angle poses of the SMPL body, z up, metres."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadFile, DamagedFile
from ..motion import quaternion as quat
from ..motion.skeleton import from_tree
from .repair import Raw

# A middling adult in SMPL's joint order. The true offsets depend on the model file, which may not be passed on;
# rounded to centimetres they serve every method here, since motion is retargeted anyway.
_SIDED = {
    "Hip": ("Pelvis", (0.07, -0.09, -0.01)),
    "Knee": ("Hip", (0.04, -0.38, 0.00)),
    "Ankle": ("Knee", (-0.01, -0.41, -0.04)),
    "Foot": ("Ankle", (0.03, -0.06, 0.12)),
    "Collar": ("Spine3", (0.08, 0.12, -0.02)),
    "Shoulder": ("Collar", (0.11, 0.04, -0.01)),
    "Elbow": ("Shoulder", (0.26, -0.01, -0.02)),
    "Wrist": ("Elbow", (0.25, 0.01, 0.00)),
    "Hand": ("Wrist", (0.09, -0.01, -0.01)),
}
_MIDDLE = {
    "Pelvis": (None, (0.0, 0.0, 0.0)),
    "Spine1": ("Pelvis", (0.0, 0.12, -0.02)),
    "Spine2": ("Spine1", (0.0, 0.13, 0.01)),
    "Spine3": ("Spine2", (0.0, 0.05, 0.02)),
    "Neck": ("Spine3", (0.0, 0.21, -0.04)),
    "Head": ("Neck", (0.0, 0.09, 0.05)),
}
_ORDER = [
    "Pelvis",
    "L_Hip",
    "R_Hip",
    "Spine1",
    "L_Knee",
    "R_Knee",
    "Spine2",
    "L_Ankle",
    "R_Ankle",
    "Spine3",
    "L_Foot",
    "R_Foot",
    "Neck",
    "L_Collar",
    "R_Collar",
    "Head",
    "L_Shoulder",
    "R_Shoulder",
    "L_Elbow",
    "R_Elbow",
    "L_Wrist",
    "R_Wrist",
    "L_Hand",
    "R_Hand",
]
BODY_JOINTS = 22
"""Joints that AMASS stores for sure; hands follow with 30 finger joints, which are not read."""


def _row(name: str) -> tuple[str, str | None, tuple[float, float, float]]:
    if name in _MIDDLE:
        parent, place = _MIDDLE[name]
        return name, parent, place
    side, part = name.split("_")
    above, (x, y, z) = _SIDED[part]
    parent = above if above in _MIDDLE else f"{side}_{above}"
    return name, parent, (x if side == "L" else -x, y, z)


def read_amass(path: Path, data: Any) -> Raw:
    """Make sense of an opened npz with ``poses`` and ``trans``.

    Raises:
        BadFile: An array is missing or has no shape that SMPL knows.
    """
    try:
        poses, places = np.asarray(data["poses"], np.float64), np.asarray(data["trans"], np.float64)
    except (ValueError, zipfile.BadZipFile, EOFError) as error:
        raise DamagedFile(
            f"{path.name}: 'poses' or 'trans' cannot be read; the file is damaged, fetch it again"
        ) from error
    keys = ("mocap_framerate", "mocap_frame_rate", "fps")
    rate = next((float(np.ravel(data[key])[0]) for key in keys if key in data and np.size(data[key]) == 1), 0.0)
    if poses.ndim == 3:
        poses = poses.reshape(len(poses), -1)
    if poses.ndim != 2 or poses.shape[1] < 3 * BODY_JOINTS or poses.shape[1] % 3 or places.shape != (len(poses), 3):
        raise BadFile(
            f"{path.name}: 'poses' {poses.shape} and 'trans' {places.shape} do not fit; SMPL has (frames, 66 or more) "
            "and (frames, 3)"
        )
    if not len(poses):
        raise BadFile(f"{path.name}: there is no motion in this file")
    if not (np.isfinite(poses).all() and np.isfinite(places).all()):
        raise DamagedFile(f"{path.name}: values that are not finite; cut these frames")
    joints = len(_ORDER)
    vectors = np.zeros((len(poses), joints, 3))
    vectors[:, :BODY_JOINTS] = poses[:, : 3 * BODY_JOINTS].reshape(len(poses), BODY_JOINTS, 3)
    # SMPL and SMPL-H differ only in what follows the wrists.
    skeleton = from_tree([_row(name) for name in _ORDER])
    return Raw(
        name=path.stem,
        format="AMASS npz",
        skeleton=skeleton,
        rotations=quat.from_rotation_vector(vectors).astype(np.float32),
        translations=places[:, None].astype(np.float32),
        frame_time_s=1.0 / rate if rate > 0 else float("nan"),
        orders={},
        notes=("body shape is not stored with the motion: a middling adult is assumed",),
    )
