"""A small software renderer: triangles with a depth buffer and one light, enough to judge motion by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Indices
from ..jit import kernel

LIGHT = np.array([0.45, 0.75, 0.60]) / np.linalg.norm([0.45, 0.75, 0.60])
"""Where the light comes from, seen by the camera: right, up, towards the viewer."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A parallel projection: sizes stay comparable from frame to frame."""

    target: Array
    """What is in the middle, [m]. Shape (3,)."""
    yaw: float
    """From where it looks: 0 from the front (+z), positive from the left of a character that faces +z, [rad]."""
    pitch: float
    """From above, [rad]."""
    metres: float
    """Height of the picture, [m]."""

    def axes(self) -> Array:
        """Rows: right, up and towards the viewer. Shape (3, 3)."""
        back = np.array(
            [np.sin(self.yaw) * np.cos(self.pitch), np.sin(self.pitch), np.cos(self.yaw) * np.cos(self.pitch)]
        )
        right = np.cross([0.0, 1.0, 0.0], back)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(back, right), back])


class Canvas:
    """A picture under construction, with depth."""

    def __init__(self, width: int, height: int, camera: Camera, background: tuple[float, float, float]) -> None:
        """An empty picture of ``width`` x ``height`` pixels."""
        self.camera = camera
        self.colour = np.empty((height, width, 3), np.float32)
        self.colour[:] = background
        self.depth = np.full((height, width), -1e9, np.float32)
        self._axes = camera.axes()

    def project(self, points: Array) -> Array:
        """World to pixels and depth. Shape (points, 3)."""
        height, width = self.depth.shape
        seen = (points - self.camera.target) @ self._axes.T * (height / self.camera.metres)
        return np.stack([width / 2 + seen[:, 0], height / 2 - seen[:, 1], seen[:, 2]], axis=-1).astype(np.float32)

    def mesh(self, vertices: Array, normals: Array, triangles: Indices, colour: tuple[float, float, float]) -> None:
        """Draw a lit mesh."""
        lit = np.clip(normals @ (LIGHT @ self._axes), 0, 1)
        rim = 1 - np.abs(normals @ self._axes[2])
        shade = (0.42 + 0.62 * lit + 0.10 * rim).astype(np.float32)
        _fill(self.project(vertices), shade, triangles, np.array(colour, np.float32), self.colour, self.depth)

    def flat(self, vertices: Array, triangles: Indices, colour: tuple[float, float, float], opacity: float) -> None:
        """Draw an unlit, see-through mesh without depth (shadows)."""
        covered = np.zeros(self.depth.shape, np.uint8)
        _cover(self.project(vertices), triangles, covered)
        share = covered[..., None] * np.float32(opacity)
        self.colour = self.colour * (1 - share) + np.array(colour, np.float32) * share

    def line(self, a: Array, b: Array, colour: tuple[float, float, float], opacity: float = 1.0) -> None:
        """Draw a thin line that everything later may cover."""
        ends = self.project(np.stack([a, b]))
        height, width = self.depth.shape
        steps = int(np.abs(ends[1] - ends[0])[:2].max()) + 2
        at = ends[0] + np.linspace(0, 1, steps)[:, None] * (ends[1] - ends[0])
        x, y = np.rint(at[:, 0]).astype(int), np.rint(at[:, 1]).astype(int)
        ok = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        x, y = x[ok], y[ok]
        self.colour[y, x] = self.colour[y, x] * (1 - opacity) + np.array(colour, np.float32) * opacity

    def bytes(self) -> Array:
        """The picture as 8-bit RGB. Shape (height, width, 3)."""
        return (np.clip(self.colour, 0, 1) * 255).astype(np.uint8)


@kernel
def _fill(points: Array, shade: Array, triangles: Indices, colour: Array, picture: Array, depth: Array) -> None:
    height, width = depth.shape
    for i in range(len(triangles)):
        a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        ax, ay, bx, by, cx, cy = points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if area >= -1e-9:  # seen from behind (rows grow downwards)
            continue
        x0, x1 = max(int(min(ax, bx, cx)), 0), min(int(max(ax, bx, cx)) + 1, width - 1)
        y0, y1 = max(int(min(ay, by, cy)), 0), min(int(max(ay, by, cy)) + 1, height - 1)
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                wa = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
                wb = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
                wc = 1.0 - wa - wb
                if wa < 0 or wb < 0 or wc < 0:
                    continue
                z = wa * points[a, 2] + wb * points[b, 2] + wc * points[c, 2]
                if z > depth[y, x]:
                    depth[y, x] = z
                    light = wa * shade[a] + wb * shade[b] + wc * shade[c]
                    for k in range(3):
                        picture[y, x, k] = colour[k] * light


@kernel
def _cover(points: Array, triangles: Indices, covered: Indices) -> None:
    height, width = covered.shape
    for i in range(len(triangles)):
        a, b, c = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        ax, ay, bx, by, cx, cy = points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-9:
            continue
        x0, x1 = max(int(min(ax, bx, cx)), 0), min(int(max(ax, bx, cx)) + 1, width - 1)
        y0, y1 = max(int(min(ay, by, cy)), 0), min(int(max(ay, by, cy)) + 1, height - 1)
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                wa = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
                wb = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
                if wa >= 0 and wb >= 0 and wa + wb <= 1:
                    covered[y, x] = 1
