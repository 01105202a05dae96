"""A mesh from a distance field: surface nets, then every vertex is pulled onto the surface."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import Array, Flags, Indices

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_EDGES = [(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(_CORNERS[a] - _CORNERS[b]).sum() == 1]


def surface(distance: Callable[[Array], Array], low: Array, high: Array, cell_m: float) -> tuple[Array, Indices]:
    """Mesh the zero of a distance field inside a box.

    Args:
        distance: Points (n, 3) to signed distances (n,), [m].
        low: Corner of the box. Shape (3,).
        high: Opposite corner. Shape (3,).
        cell_m: Size of a grid cell, about the length of the mesh's edges.

    Returns:
        Vertices (vertices, 3) [m] and triangles (triangles, 3), counter-clockwise seen from outside.
    """
    counts = np.ceil((high - low) / cell_m).astype(int) + 1
    grid = np.stack(np.meshgrid(*[np.arange(n) for n in counts], indexing="ij"), axis=-1)
    values = distance((low + grid * cell_m).reshape(-1, 3)).reshape(tuple(counts))
    inside = values < 0
    cells = counts - 1
    corner = np.stack([values[_block(c, cells)] for c in _CORNERS], axis=-1)  # (x, y, z, 8)
    mixed = (corner < 0).any(-1) & (corner >= 0).any(-1)
    index = np.full(tuple(cells), -1)
    index[mixed] = np.arange(int(mixed.sum()))
    vertices: Array = low + (np.argwhere(mixed) + _crossings(corner[mixed])) * cell_m
    faces = [_faces(inside, index, axis) for axis in range(3)]
    vertices = _onto_surface(distance, vertices, cell_m)
    return vertices, np.concatenate(faces).astype(np.int32)


def normals(distance: Callable[[Array], Array], points: Array, step_m: float = 2e-3) -> Array:
    """Outward unit normals of the field at points. Shape (points, 3)."""
    gradient = np.stack(
        [distance(points + step_m * axis) - distance(points - step_m * axis) for axis in np.eye(3)], axis=-1
    )
    return np.asarray(gradient / np.maximum(np.linalg.norm(gradient, axis=-1, keepdims=True), 1e-9))


def _block(corner: Array, cells: Array) -> tuple[slice, ...]:
    return tuple(slice(int(c), int(c + n)) for c, n in zip(corner, cells, strict=True))


def _crossings(corner: Array) -> Array:
    """Mean of the points where a cell's edges cross the surface, in cell units. Shape (cells, 3)."""
    total, count = np.zeros((len(corner), 3)), np.zeros(len(corner))
    for a, b in _EDGES:
        va, vb = corner[:, a], corner[:, b]
        cut = (va < 0) != (vb < 0)
        t = np.where(cut, va / np.where(cut, va - vb, 1.0), 0.0)
        total += np.where(cut[:, None], _CORNERS[a] + t[:, None] * (_CORNERS[b] - _CORNERS[a]), 0.0)
        count += cut
    return total / count[:, None]


def _faces(inside: Flags, index: Indices, axis: int) -> Indices:
    """Two triangles around every grid edge along ``axis`` that crosses the surface."""
    other = [a for a in range(3) if a != axis]
    first, second = other if axis != 1 else other[::-1]
    ahead = np.take(inside, range(1, inside.shape[axis]), axis)
    here = np.take(inside, range(inside.shape[axis] - 1), axis)
    at = np.argwhere(here != ahead)
    at = at[
        (at[:, first] > 0)
        & (at[:, second] > 0)
        & (at[:, first] < inside.shape[first] - 1)
        & (at[:, second] < inside.shape[second] - 1)
    ]
    da, db = np.eye(3, dtype=int)[first], np.eye(3, dtype=int)[second]
    quad = np.stack([index[tuple((at - o).T)] for o in (0 * da, da, da + db, db)], axis=-1)
    outward = here[tuple(at.T)]
    quad = np.where(outward[:, None], quad, quad[:, ::-1])
    return np.concatenate([quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]])


def _onto_surface(distance: Callable[[Array], Array], vertices: Array, cell_m: float) -> Array:
    for _ in range(3):
        normal = normals(distance, vertices)
        step = np.clip(distance(vertices), -0.5 * cell_m, 0.5 * cell_m)
        vertices = vertices - step[:, None] * normal
    return vertices
