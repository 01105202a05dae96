"""Contact sheets: a clip as a grid of frames in one PNG, to be judged by eye."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ..arrays import Array
from ..errors import UnknownFormat, UnknownName
from ..files.safely import write_whole
from ..mannequin import grow, prop_mesh
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.feet import detect_contacts
from ..motion.roles import find_roles
from ..motion.root import ground_path, heading_of
from .raster import Camera, Canvas

PAPER, INK, GRID, SKIN = (0.955, 0.955, 0.945), (40, 44, 52), (0.80, 0.80, 0.78), (0.93, 0.66, 0.42)
SHADOW, WOOD = (0.55, 0.55, 0.56), (0.45, 0.55, 0.68)
VIEWS = {"side": 1.5708, "front": 0.0, "three_quarter": 0.75, "back": 3.1416}


def contact_sheet(
    clip: Clip,
    path: Path | str,
    *,
    view: str = "three_quarter",
    columns: int = 10,
    rows: int = 3,
    cell: tuple[int, int] = (150, 210),
    label: bool = True,
    frames: Sequence[int] | None = None,
    tall_m: float = 2.05,
) -> None:
    """Render evenly spaced frames of a clip, the camera turned with the body.

    Args:
        clip: What to show; with or without a ground root.
        path: PNG to write.
        view: "side", "front", "three_quarter" or "back", against where the body faces.
        columns: Pictures in a row.
        rows: Rows.
        cell: Size of one picture, pixels.
        label: Write name, times and contacts; off for blind comparisons.
        frames: Which frames to show instead of evenly spaced ones.
        tall_m: Height of the world that fits a picture, [m].
    """
    if view not in VIEWS:
        raise UnknownName.among("view", view, VIEWS)
    if Path(path).suffix.lower() != ".png":
        raise UnknownFormat(f"{path}: a contact sheet is a PNG; name it so")
    shown = np.asarray(frames if frames is not None else np.linspace(0, len(clip) - 1, columns * rows).astype(int))
    pictures = [_picture(clip, int(f), view, cell, tall_m) for f in shown]
    head = 22 if label else 0
    sheet = Image.new("RGB", (columns * cell[0], -(-len(shown) // columns) * cell[1] + head), (244, 244, 241))
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=12)
    contacts = clip.contacts if clip.contacts is not None else detect_contacts(clip)
    for i, (frame, picture) in enumerate(zip(shown, pictures, strict=True)):
        x, y = i % columns * cell[0], i // columns * cell[1] + head
        sheet.paste(Image.fromarray(picture), (x, y))
        if label:
            down = "".join(letter if on else "·" for letter, on in zip("LlRr", contacts[frame], strict=True))
            draw.text((x + 4, y + 2), f"{frame / clip.fps:.2f} s  {down}", fill=INK, font=font)
    if label:
        draw.text((4, 4), f"{clip.name}: {clip.seconds:.1f} s, {view} view", fill=INK, font=font)
    # Few colours say as much here, in a third of the bytes.
    small = sheet.quantize(colors=160, dither=Image.Dither.NONE)
    write_whole(path, lambda part: small.save(part, format="PNG", optimize=True))


def _picture(clip: Clip, frame: int, view: str, cell: tuple[int, int], tall_m: float) -> Array:
    """One frame, the camera looking at the body from where the view says."""
    roles = find_roles(clip.skeleton)
    near = clip.cut(max(frame - 15, 0), min(frame + 16, len(clip)))
    positions, turned = near.world()
    here = min(frame, 15)
    facing = float(heading_of(positions, roles, clip.fps)[here])
    place = ground_path(positions, roles, clip.fps)[here]
    camera = Camera(place + np.array([0.0, tall_m * 0.44, 0.0]), facing + VIEWS[view], 0.16, tall_m)
    canvas = Canvas(*cell, camera, PAPER)
    _ground(canvas, place)
    mannequin = grow(clip.skeleton)
    vertices, normals = mannequin.posed(positions[here], turned[here])
    drawn = [(vertices, normals, mannequin.triangles, SKIN)]
    for prop in clip.props:
        joint = clip.skeleton.index(prop.joint)
        points, directions, triangles = prop_mesh(prop)
        turn = quat.multiply(turned[here][joint], np.array(prop.rotation, np.float32))
        centre = positions[here][joint] + quat.rotate(turned[here][joint], np.array(prop.position, np.float32))
        drawn.append((centre + quat.rotate(turn, points), quat.rotate(turn, directions), triangles, WOOD))
    for points, _, triangles, _ in drawn:
        flat = points - points[:, 1:2] * np.array([0.25, 1.0, 0.2])
        canvas.flat(flat, triangles, SHADOW, 0.35)
    for points, directions, triangles, colour in drawn:
        canvas.mesh(points, directions, triangles, colour)
    return canvas.bytes()


def _ground(canvas: Canvas, place: Array) -> None:
    """Lines every half metre, fixed in the world, so that sliding shows."""
    x0, z0 = np.round(place[0] * 2) / 2, np.round(place[2] * 2) / 2
    for k in np.arange(-2.0, 2.01, 0.5):
        canvas.line(np.array([x0 + k, 0, z0 - 2]), np.array([x0 + k, 0, z0 + 2]), GRID)
        canvas.line(np.array([x0 - 2, 0, z0 + k]), np.array([x0 + 2, 0, z0 + k]), GRID)
