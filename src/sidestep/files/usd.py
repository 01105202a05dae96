"""Writing USD: skeleton, skinned mannequin and animation. Needs the extra 'usd'."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Array
from ..errors import MissingExtra
from ..mannequin import grow
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.skeleton import Skeleton
from .safely import write_whole


def write_usd(path: Path, clip: Clip) -> None:
    """Write one clip as a USD stage (usda, usdc or usd).

    Raises:
        MissingExtra: usd-core is not installed.
    """
    try:
        from pxr import Usd
    except ImportError:
        raise MissingExtra.named("usd", "Writing USD") from None

    def fill(part: Path) -> None:
        # USD tells the format by the suffix.
        named = part.with_name(f"{part.name}{path.suffix.lower()}")
        try:
            stage = Usd.Stage.CreateNew(str(named))
            _describe(stage, clip)
            stage.GetRootLayer().Save()
            named.replace(part)
        finally:
            named.unlink(missing_ok=True)

    write_whole(path, fill)


def _describe(stage: Any, clip: Clip) -> None:
    from pxr import Gf, UsdGeom, UsdSkel, Vt

    skeleton, mannequin = clip.skeleton, grow(clip.skeleton)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(clip.fps)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(clip) - 1)
    root = UsdSkel.Root.Define(stage, "/Character")
    stage.SetDefaultPrim(root.GetPrim())
    paths = _joint_paths(skeleton)
    skel = UsdSkel.Skeleton.Define(stage, "/Character/Skeleton")
    skel.CreateJointsAttr(paths)
    bind = _matrices(mannequin.rest_positions, mannequin.rest_turned)
    skel.CreateBindTransformsAttr(Vt.Matrix4dArray([Gf.Matrix4d(*m.ravel().tolist()) for m in bind]))
    local = quat.to_matrix(clip.rotations[0])
    places = np.array(skeleton.offsets)
    places[list(skeleton.moving)] = clip.translations[0]
    rest = _from_parts(places, local)
    skel.CreateRestTransformsAttr(Vt.Matrix4dArray([Gf.Matrix4d(*m.ravel().tolist()) for m in rest]))

    mesh = UsdGeom.Mesh.Define(stage, "/Character/Mannequin")
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.array(mannequin.vertices)))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(np.array(mannequin.normals)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(mannequin.triangles), 3, np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(np.array(mannequin.triangles).reshape(-1)))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skel.GetPath()])
    binding.CreateJointIndicesPrimvar(False, 4).Set(Vt.IntArray.FromNumpy(np.array(mannequin.joints).reshape(-1)))
    binding.CreateJointWeightsPrimvar(False, 4).Set(Vt.FloatArray.FromNumpy(np.array(mannequin.weights).reshape(-1)))

    animation = UsdSkel.Animation.Define(stage, "/Character/Animation")
    animation.CreateJointsAttr(paths)
    turns, ways = animation.CreateRotationsAttr(), animation.CreateTranslationsAttr()
    animation.CreateScalesAttr(Vt.Vec3hArray(len(skeleton), Gf.Vec3h(1, 1, 1)))
    for frame in range(len(clip)):
        rows = clip.rotations[frame].tolist()
        turns.Set(Vt.QuatfArray([Gf.Quatf(w, x, y, z) for w, x, y, z in rows]), frame)
        places[list(skeleton.moving)] = clip.translations[frame]
        ways.Set(Vt.Vec3fArray.FromNumpy(places.astype(np.float32)), frame)
    UsdSkel.BindingAPI.Apply(skel.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])


def _joint_paths(skeleton: Skeleton) -> list[str]:
    paths: list[str] = []
    for joint, name in enumerate(skeleton.names):
        clean = "".join(c if c.isalnum() else "_" for c in name)
        parent = int(skeleton.parents[joint])
        paths.append(clean if parent < 0 else f"{paths[parent]}/{clean}")
    return paths


def _matrices(positions: Array, turned: Array) -> Array:
    return _from_parts(positions, quat.to_matrix(turned))


def _from_parts(positions: Array, turns: Array) -> Array:
    """USD's row vectors: the rotation transposed, the place in the last row. Shape (joints, 4, 4)."""
    result = np.zeros((len(positions), 4, 4))
    result[:, :3, :3] = turns.transpose(0, 2, 1)
    result[:, 3, :3] = positions
    result[:, 3, 3] = 1.0
    return result
