"""Contact sheets: what is drawn stands where the body is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sidestep.errors import CannotWrite
from sidestep.motion import Clip
from sidestep.performer import perform
from sidestep.pictures import contact_sheet
from sidestep.pictures.raster import Camera, Canvas


def pixels(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def skin(picture: np.ndarray) -> np.ndarray:
    """Where the mannequin's colour is: redder than blue by far."""
    return picture[..., 0] - picture[..., 2] > 25


def test_a_place_that_is_not_there(walk: Clip, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="make it or name another"):
        contact_sheet(walk, tmp_path / "none" / "a.png", columns=1, rows=1)


def test_every_cell_holds_a_body(walk: Clip, tmp_path: Path) -> None:
    contact_sheet(walk, tmp_path / "a.png", columns=4, rows=2, cell=(90, 130), label=False)
    picture = pixels(tmp_path / "a.png")
    assert picture.shape == (260, 360, 3)
    for row in range(2):
        for column in range(4):
            cell = skin(picture[row * 130 : row * 130 + 130, column * 90 : column * 90 + 90])
            assert 0.03 < cell.mean() < 0.4
            tall = np.flatnonzero(cell.any(1))
            assert np.ptp(tall) > 0.7 * 130  # 1.75 m of the 2.05 m that fit


def test_a_crawling_body_is_low(tmp_path: Path) -> None:
    clip = perform("crawl", 0)
    low = int(clip.world()[0][..., 1].max(1).argmin())
    contact_sheet(clip, tmp_path / "a.png", columns=1, rows=1, frames=[low], cell=(130, 130), label=False)
    tall = np.flatnonzero(skin(pixels(tmp_path / "a.png")).any(1))
    assert np.ptp(tall) < 0.45 * 130


def test_where_the_body_faces_in_the_world_does_not_matter(walk: Clip, tmp_path: Path) -> None:
    """The camera turns with the body, so a turned world gives the same picture of it."""
    from tests.database.test_features import moved

    for name, clip in (("a", walk), ("b", replace(moved(walk, 1.0, 5.0, 3.0), contacts=walk.contacts))):
        contact_sheet(clip, tmp_path / f"{name}.png", columns=3, rows=1, cell=(90, 130), label=False, view="front")
    same = skin(pixels(tmp_path / "a.png")) == skin(pixels(tmp_path / "b.png"))
    assert same.mean() > 0.995


def test_nearer_triangles_cover_farther_ones() -> None:
    canvas = Canvas(40, 40, Camera(np.zeros(3), 0.0, 0.0, 2.0), (1.0, 1.0, 1.0))
    square = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]], np.float32)
    triangles = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    canvas.mesh(np.add(square, [0, 0, 0.5]), normals, triangles, (1.0, 0.0, 0.0))
    canvas.mesh(square, normals, triangles, (0.0, 0.0, 1.0))
    middle = canvas.bytes()[20, 20]
    assert middle[0] > middle[2]
    assert tuple(canvas.bytes()[2, 2]) == (255, 255, 255)
    back = Canvas(40, 40, Camera(np.zeros(3), np.pi, 0.0, 2.0), (1.0, 1.0, 1.0))
    back.mesh(square, normals, triangles, (1.0, 0.0, 0.0))
    assert (back.bytes() == 255).all()  # seen from behind there is nothing
