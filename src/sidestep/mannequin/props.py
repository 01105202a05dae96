"""Meshes for things that are held."""

from __future__ import annotations

import numpy as np

from ..arrays import Array, Indices
from ..motion.clip import Prop

_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def prop_mesh(prop: Prop) -> tuple[Array, Array, Indices]:
    """Vertices (n, 3) [m] in the prop's frame, unit normals (n, 3) and triangles (m, 3), counter-clockwise outside."""
    half = np.array(prop.size) / 2
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    vertices: list[Array] = []
    normals: list[Array] = []
    triangles: list[tuple[int, int, int]] = []
    for face in _FACES:
        square = corners[list(face)]
        normal = np.cross(square[1] - square[0], square[2] - square[0])
        normal = normal / np.linalg.norm(normal)
        order = [0, 1, 2, 3] if normal @ square.mean(0) > 0 else [3, 2, 1, 0]
        base = len(vertices)
        vertices += [square[k] for k in order]
        normals += [normal * np.sign(normal @ square.mean(0))] * 4
        triangles += [(base, base + 1, base + 2), (base, base + 2, base + 3)]
    return np.array(vertices), np.array(normals), np.array(triangles, np.int32)
