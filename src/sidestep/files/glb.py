"""Writing GLB: the mannequin with its skin, animated; it drops into Blender, Unity, Unreal, Godot and browsers."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Array, Indices
from ..errors import BadClip
from ..mannequin import Mannequin, grow, prop_mesh
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.skeleton import Skeleton
from .safely import write_whole

FLOAT, USHORT, UINT = 5126, 5123, 5125
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963
_SKIN_COLOUR, _PROP_COLOUR = [0.80, 0.52, 0.30, 1.0], [0.32, 0.42, 0.56, 1.0]


class _Binary:
    """The one buffer of a GLB and the views into it."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.size = 0
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(
        self, array: Array | Indices, kind: str, component: int, target: int | None = None, bounds: bool = False
    ) -> int:
        """Append an array; returns its accessor."""
        dtype = {FLOAT: np.float32, USHORT: np.uint16, UINT: np.uint32}[component]
        data = np.ascontiguousarray(array, dtype)
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self.size, "byteLength": data.nbytes}
        if target is not None:
            view["target"] = target
        raw = data.tobytes() + b"\0" * (-data.nbytes % 4)
        self.chunks.append(raw)
        self.size += len(raw)
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": component,
            "count": len(data),
            "type": kind,
        }
        if bounds:
            flat = data.reshape(len(data), -1)
            accessor["min"] = [float(v) for v in flat.min(0)]
            accessor["max"] = [float(v) for v in flat.max(0)]
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def write_glb(path: Path, clips: Sequence[Clip]) -> None:
    """Write one character with each clip as an animation.

    Args:
        path: File to write.
        clips: Takes of the same skeleton; props of the first one are held.

    Raises:
        BadClip: The clips' skeletons differ.
    """
    skeleton = clips[0].skeleton
    for clip in clips:
        if not clip.skeleton.same_bones(skeleton):
            raise BadClip(f"clip '{clip.name}' has another skeleton than '{clips[0].name}'; write it to its own file")
    binary = _Binary()
    mannequin = grow(skeleton)
    nodes, roots = _joint_nodes(skeleton, clips[0])
    meshes = [_body_mesh(binary, mannequin)]
    nodes.append({"name": "Mannequin", "mesh": 0, "skin": 0})
    for prop in clips[0].props:
        points, normals, triangles = prop_mesh(prop)
        meshes.append(_mesh(binary, prop.name, points, normals, triangles, material=1))
        turn = [float(prop.rotation[k]) for k in (1, 2, 3, 0)]
        nodes.append({"name": prop.name, "mesh": len(meshes) - 1, "translation": list(prop.position), "rotation": turn})
        nodes[skeleton.index(prop.joint)].setdefault("children", []).append(len(nodes) - 1)
    materials = [_material("skin", _SKIN_COLOUR), _material("prop", _PROP_COLOUR)]
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "sidestep"},
        "scene": 0,
        "scenes": [{"nodes": [*roots, len(skeleton)]}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials if clips[0].props else materials[:1],
        "skins": [
            {
                "joints": list(range(len(skeleton))),
                "skeleton": 0,
                "inverseBindMatrices": binary.add(_inverse_bind(mannequin), "MAT4", FLOAT),
            }
        ],
        "animations": [_animation(binary, clip) for clip in clips],
    }
    document["bufferViews"], document["accessors"] = binary.views, binary.accessors
    document["buffers"] = [{"byteLength": binary.size}]
    write_whole(path, lambda part: _put(part, document, b"".join(binary.chunks)))


def _put(part: Path, document: dict[str, Any], data: bytes) -> None:
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(data)
    with part.open("wb") as stream:
        stream.write(struct.pack("<4sII", b"glTF", 2, total))
        stream.write(struct.pack("<I4s", len(text), b"JSON") + text)
        stream.write(struct.pack("<I4s", len(data), b"BIN\0") + data)


def _joint_nodes(skeleton: Skeleton, clip: Clip) -> tuple[list[dict[str, Any]], list[int]]:
    nodes: list[dict[str, Any]] = []
    for joint, name in enumerate(skeleton.names):
        column = skeleton.moving_column[joint]
        place = clip.translations[0, column] if column >= 0 else skeleton.offsets[joint]
        turn = clip.rotations[0, joint][[1, 2, 3, 0]]
        node: dict[str, Any] = {
            "name": name,
            "translation": [float(v) for v in place],
            "rotation": [float(v) for v in turn],
        }
        if children := skeleton.children(joint):
            node["children"] = children
        nodes.append(node)
    return nodes, [0]


def _body_mesh(binary: _Binary, mannequin: Mannequin) -> dict[str, Any]:
    mesh = _mesh(binary, "Mannequin", mannequin.vertices, mannequin.normals, mannequin.triangles, material=0)
    # Where a weight is zero the joint must be zero, too.
    joints = np.where(mannequin.weights > 0, mannequin.joints, 0)
    attributes = mesh["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = binary.add(joints, "VEC4", USHORT, ARRAY_BUFFER)
    weights = mannequin.weights / mannequin.weights.sum(1, keepdims=True)
    attributes["WEIGHTS_0"] = binary.add(weights, "VEC4", FLOAT, ARRAY_BUFFER)
    return mesh


def _mesh(
    binary: _Binary, name: str, points: Array, normals: Array, triangles: Indices, material: int
) -> dict[str, Any]:
    return {
        "name": name,
        "primitives": [
            {
                "attributes": {
                    "POSITION": binary.add(points, "VEC3", FLOAT, ARRAY_BUFFER, bounds=True),
                    "NORMAL": binary.add(normals, "VEC3", FLOAT, ARRAY_BUFFER),
                },
                "indices": binary.add(triangles.reshape(-1), "SCALAR", UINT, ELEMENT_BUFFER),
                "material": material,
            }
        ],
    }


def _material(name: str, colour: list[float]) -> dict[str, Any]:
    surface = {"baseColorFactor": colour, "metallicFactor": 0.0, "roughnessFactor": 0.75}
    return {"name": name, "pbrMetallicRoughness": surface}


def _inverse_bind(mannequin: Mannequin) -> Array:
    """World to joint in the reference pose, column-major. Shape (joints, 4, 4)."""
    turn = quat.to_matrix(quat.inverse(mannequin.rest_turned))
    matrices = np.zeros((len(turn), 4, 4), np.float32)
    matrices[:, :3, :3] = turn
    matrices[:, :3, 3] = -np.einsum("jab,jb->ja", turn, mannequin.rest_positions)
    matrices[:, 3, 3] = 1.0
    return matrices.transpose(0, 2, 1)


def _animation(binary: _Binary, clip: Clip) -> dict[str, Any]:
    times = binary.add(np.arange(len(clip)) / clip.fps, "SCALAR", FLOAT, bounds=True)
    samplers, channels = [], []
    turns = quat.unrolled(quat.normalize(clip.rotations.astype(np.float64)))[..., [1, 2, 3, 0]]
    for joint in range(len(clip.skeleton)):
        samplers.append(
            {"input": times, "output": binary.add(turns[:, joint], "VEC4", FLOAT), "interpolation": "LINEAR"}
        )
        channels.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": "rotation"}})
        column = clip.skeleton.moving_column[joint]
        if column >= 0:
            places = binary.add(clip.translations[:, column], "VEC3", FLOAT)
            samplers.append({"input": times, "output": places, "interpolation": "LINEAR"})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": joint, "path": "translation"}})
    return {"name": clip.name, "samplers": samplers, "channels": channels}
