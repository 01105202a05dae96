"""A mannequin for any humanoid skeleton: a smooth mesh with skin weights, made here, nobody else's work."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.sparse import coo_matrix, diags

from ..arrays import Array, Indices, frozen
from ..motion import quaternion as quat
from ..motion.limbs import Roles
from ..motion.rest import reference_world
from ..motion.roles import find_roles
from ..motion.skeleton import Skeleton
from .field import Cone, body_cones, cone_distances, field
from .surface import surface

CELL_M = 0.0192
"""Edge length of the mesh on a body of 1.75 m."""
MOST_TRIANGLES = 15_000
INFLUENCES = 4
"""Joints per vertex, as glTF has them."""
SPREAD_STEPS = 10
"""How often skin weights are averaged over neighbours: they fade over about three edges to each side."""


@dataclass(frozen=True, eq=False)
class Mannequin:
    """A skinned mesh in a skeleton's reference pose."""

    skeleton: Skeleton
    vertices: Array
    """[m]. Shape (vertices, 3)."""
    normals: Array
    """Unit. Shape (vertices, 3)."""
    triangles: Indices
    """Counter-clockwise from outside. Shape (triangles, 3)."""
    joints: Indices
    """Shape (vertices, 4)."""
    weights: Array
    """Sum to one. Shape (vertices, 4)."""
    rest_positions: Array
    """Joints in the reference pose, [m]. Shape (joints, 3)."""
    rest_turned: Array
    """Joint-to-world in the reference pose. Shape (joints, 4)."""

    def posed(self, positions: Array, turned: Array) -> tuple[Array, Array]:
        """Vertices and normals for one pose given joint positions (joints, 3) and joint-to-world rotations."""
        turn = quat.multiply(turned, quat.inverse(self.rest_turned))  # (joints, 4)
        shift = positions - quat.rotate(turn, self.rest_positions)
        vertices, directions = np.zeros_like(self.vertices), np.zeros_like(self.normals)
        for k in range(INFLUENCES):
            joint, weight = self.joints[:, k], self.weights[:, k : k + 1]
            vertices += weight * (quat.rotate(turn[joint], self.vertices) + shift[joint])
            directions += weight * quat.rotate(turn[joint], self.normals)
        return vertices, directions / np.maximum(np.linalg.norm(directions, axis=-1, keepdims=True), 1e-9)


def grow(skeleton: Skeleton, roles: Roles | None = None) -> Mannequin:
    """Grow a body around a humanoid skeleton; equal skeletons get the same body back."""
    return _grown(skeleton, roles)


@lru_cache(maxsize=16)
def _grown(skeleton: Skeleton, roles: Roles | None) -> Mannequin:
    roles = roles or find_roles(skeleton)
    positions, turned = reference_world(skeleton, roles)
    cones = body_cones(skeleton, roles)
    ends = np.array([cone.start for cone in cones] + [cone.stop for cone in cones])
    size = np.ptp(ends[:, 1])
    cell_m = CELL_M * size / 1.72
    vertices, triangles = _meshed(cones, ends, cell_m)
    if len(triangles) >= MOST_TRIANGLES:  # long arms, broad feet: a little coarser
        vertices, triangles = _meshed(cones, ends, cell_m * 1.01 * float(np.sqrt(len(triangles) / MOST_TRIANGLES)))
    direction = _smooth_normals(vertices, triangles)
    joints, weights = _skin(vertices, triangles, cones, len(skeleton))
    return Mannequin(
        skeleton,
        frozen(vertices),
        frozen(direction),
        frozen(triangles, np.int32),
        frozen(joints, np.int32),
        frozen(weights),
        frozen(positions),
        frozen(turned),
    )


def _meshed(cones: list[Cone], ends: Array, cell_m: float) -> tuple[Array, Indices]:
    return surface(lambda points: field(cones, points), ends.min(0) - 0.14, ends.max(0) + 0.14, cell_m)


def _smooth_normals(vertices: Array, triangles: Indices) -> Array:
    """Normals of the mesh, averaged over neighbours: where cones of flesh meet, the field itself has faint edges."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    total = np.zeros_like(vertices)
    for k in range(3):
        np.add.at(total, triangles[:, k], face)
    for _ in range(2):
        unit = total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), 1e-12)
        total = unit.copy()
        for k in range(3):
            np.add.at(total, triangles[:, k], unit[triangles[:, (k + 1) % 3]])
    return np.asarray(total / np.maximum(np.linalg.norm(total, axis=-1, keepdims=True), 1e-12))


def _skin(vertices: Array, triangles: Indices, cones: list, joints: int) -> tuple[Indices, Array]:
    """Whose flesh a vertex is, spread along the surface, so that limbs that lie close stay apart."""
    nearest = cone_distances(cones, vertices).argmin(1)
    owner = np.array([cone.joint for cone in cones])[nearest]
    weights = np.zeros((len(vertices), joints))
    weights[np.arange(len(vertices)), owner] = 1.0
    a, b = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).T
    ones = np.ones(len(a))
    links = coo_matrix((ones, (a, b)), shape=(len(vertices), len(vertices))).tocsr()
    links = ((links + links.T) > 0).astype(float)
    degree = np.asarray(links.sum(1)).ravel()
    step = 0.5 * diags(1 / np.maximum(degree, 1)) @ links
    for _ in range(SPREAD_STEPS):
        weights = 0.5 * weights + step @ weights
    best = np.argsort(-weights, axis=1)[:, :INFLUENCES]
    kept = np.take_along_axis(weights, best, axis=1)
    kept[kept < 0.01] = 0.0
    return best, kept / kept.sum(1, keepdims=True)
