"""A scene from above: what stands in the way, where everybody went, and the footprints they left on the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ..arrays import Array
from ..errors import UnknownFormat
from ..files.safely import write_whole
from ..geometry.shapes import BOTTOM, DISK, ELLIPSE, FIRST, KIND, LAST, UX, UZ, WALL, A, B, Shapes, X, Z

PAPER, INK, GRID, THING, LOW = (250, 250, 248), (40, 44, 52), (228, 228, 224), (148, 152, 160), (206, 208, 214)
COLOURS = (
    (214, 92, 40), (38, 110, 178), (60, 140, 70), (150, 80, 160), (190, 140, 20), (40, 150, 150),
    (200, 60, 100), (110, 110, 40), (90, 90, 200), (120, 70, 40), (20, 120, 110), (170, 50, 50),
)  # fmt: skip
Colour = tuple[int, int, int]
At = Callable[[float, float], tuple[float, float]]
FINE = 2
"""Drawn so much larger and then made smaller, for smooth edges."""
MARGIN_M = 0.8


def top_view(
    path: Path | str,
    shapes: Shapes,
    places: Array,
    now: Array,
    *,
    title: str = "",
    moving: list[Shapes] | None = None,
    every_s: float = 0.5,
    wide: int = 900,
) -> None:
    """Draw it: +x to the left as the characters see it who look along +z, which is up.

    Args:
        path: PNG to write.
        shapes: What is in the way at the beginning.
        places: x, z and yaw of everybody. Shape (ticks, characters, 3).
        now: Their footprints (see ``search.cost``). Shape (ticks, characters, 8).
        title: Written above.
        moving: What is in the way at later times, drawn fainter.
        every_s: Between footprints, [s].
        wide: Of the longer side, pixels.
    """
    if Path(path).suffix.lower() != ".png":
        raise UnknownFormat(f"{path}: a top view is a PNG; name it so")
    low = places[..., :2].min((0, 1)) - MARGIN_M
    high = places[..., :2].max((0, 1)) + MARGIN_M
    size = np.maximum(high - low, 3.0)
    middle = (low + high) / 2
    low, high = middle - size / 2, middle + size / 2
    # What lies long and narrow is drawn lying.
    lying = size[1] > 1.4 * size[0]
    scale = FINE * wide / max(size.max(), 1e-6)

    def at(x: float, z: float) -> tuple[float, float]:
        if lying:
            return (z - low[1]) * scale, (x - low[0]) * scale + head
        return (high[0] - x) * scale, (high[1] - z) * scale + head

    head = 30 * FINE
    width, height = (size[1], size[0]) if lying else (size[0], size[1])
    image = Image.new("RGB", (int(width * scale), int(height * scale) + head), PAPER)
    draw = ImageDraw.Draw(image)
    for k in np.arange(np.ceil(low.min()), high.max() + 1):
        draw.line([at(k, low[1]), at(k, high[1])], fill=GRID, width=FINE)
        draw.line([at(low[0], k), at(high[0], k)], fill=GRID, width=FINE)
    for faint, some in [*((True, later) for later in moving or []), (False, shapes)]:
        for i in range(len(some)):
            _thing(draw, at, some, i, LOW if faint or some.rows[i, BOTTOM] > 0.3 else THING)
    ticks, characters = places.shape[:2]
    for k in range(characters):
        colour = COLOURS[k % len(COLOURS)]
        red, green, blue = (int(0.45 * c + 0.55 * 255) for c in colour)
        pale = (red, green, blue)
        for t in range(0, ticks, max(int(every_s * 60), 1)):
            _footprint(draw, at, now[t, k], pale)
            x, z, yaw = places[t, k]
            ahead = at(x + 0.22 * np.sin(yaw), z + 0.22 * np.cos(yaw))
            draw.line([at(x, z), ahead], fill=colour, width=FINE)
        draw.line([at(*place) for place in places[:, k, :2]], fill=colour, width=2 * FINE, joint="curve")
        x, y = at(*places[0, k, :2])
        draw.ellipse([x - 4 * FINE, y - 4 * FINE, x + 4 * FINE, y + 4 * FINE], fill=colour)
    draw.rectangle([0, 0, image.width, head - 1], fill=PAPER)
    font = ImageFont.load_default(size=14 * FINE)
    draw.text((8 * FINE, 6 * FINE), f"{title}   (a square is a metre)", fill=INK, font=font)
    small = image.resize((image.width // FINE, image.height // FINE), Image.Resampling.LANCZOS)
    few = small.quantize(colors=96, dither=Image.Dither.NONE)
    write_whole(path, lambda part: few.save(part, format="PNG", optimize=True))


def _thing(draw: ImageDraw.ImageDraw, at: At, shapes: Shapes, i: int, colour: Colour) -> None:
    row = shapes.rows[i]
    if row[KIND] == WALL:
        way = np.array([row[UX], row[UZ]]) * row[A]
        ends = [at(*(np.array([row[X], row[Z]]) + sign * way)) for sign in (-1, 1)]
        draw.line(ends, fill=INK, width=3 * FINE)
        return
    if row[KIND] in (DISK, ELLIPSE):
        corners = _round(row[X], row[Z], row[UX], row[UZ], row[A], row[B])
    else:
        corners = shapes.corners[int(row[FIRST]) : int(row[LAST])]
    draw.polygon([at(*corner) for corner in corners], fill=colour, outline=INK)


def _footprint(draw: ImageDraw.ImageDraw, at: At, body: Array, colour: Colour) -> None:
    corners = _round(*(float(v) for v in body[:6]))
    draw.line([at(*corner) for corner in [*corners, corners[0]]], fill=colour, width=FINE)


def _round(x: float, z: float, ux: float, uz: float, a: float, b: float) -> Array:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    along, across = a * np.cos(turn), b * np.sin(turn)
    return np.stack([x + along * ux - across * uz, z + along * uz + across * ux], axis=-1)
