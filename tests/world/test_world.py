"""Things that stand and move, who is near, ways around: refusals, then properties."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.errors import AskedWrongly
from sidestep.geometry.shapes import SOMEBODY, Disk, Wall, X, Z, box
from sidestep.world import Obstacle, Obstacles, Published, Router, Surroundings, Track


def test_what_tracks_and_routers_refuse() -> None:
    for wrong, words in (
        (lambda: Track(((0.0, 0.0),), (1.0, 2.0)), "as many finite times as points"),
        (lambda: Track(((0.0, 0.0), (1.0, 0.0)), (1.0, 1.0)), "increase from zero on"),
        (lambda: Track(((0.0, 0.0), (float("nan"), 0.0)), (0.0, 1.0)), "finite"),
        (lambda: Track.along([(0.0, 0.0), (1.0, 0.0)], 0.0), "must be above zero"),
        (lambda: Router(narrow_m=0.5), "narrow_m < turning_m"),
        (lambda: Router(roomy_m=0.1), "0 < narrow_m < roomy_m"),
    ):
        with pytest.raises(AskedWrongly, match=words):
            wrong()


def test_things_move_along_their_tracks() -> None:
    thing = Obstacle(box(0.0, 0.0, 1.0, 2.0), Track(((0.0, 0.0), (0.0, 4.0)), (1.0, 3.0), (0.0, np.pi / 2)))
    obstacles = Obstacles([thing, Obstacle(Disk(5.0, 5.0, 0.3))])
    assert obstacles.standing == 1
    for second, z in ((0.0, 0.0), (1.0, 0.0), (2.0, 2.0), (3.0, 4.0), (9.0, 4.0)):
        shapes = obstacles.at(round(60 * second))
        assert shapes.rows[0, :2] == pytest.approx([5.0, 5.0])  # what stands comes first
        assert shapes.rows[1, [X, Z]] == pytest.approx([0.0, z], abs=1e-9)
    turned = obstacles.at(180).corners
    assert np.ptp(turned[:, 0]) == pytest.approx(2.0)  # a quarter turn: depth lies across
    loop = Obstacles([Obstacle(Disk(0, 0, 1), Track.along([(0.0, 0.0), (2.0, 0.0)], 1.0, loop=True))])
    assert loop.at(60).rows[0, X] == pytest.approx(loop.at(180).rows[0, X])


def published(places: list[tuple[float, float, float]]) -> Published:
    seen = Published.of(len(places))
    seen.places[:] = places
    body = [0.0, 0.0, 0.0, 1.0, 0.3, 0.2, 0.0, 1.7]
    seen.now[:] = body
    seen.now[:, :2] = seen.places[:, :2]
    seen.ahead[:] = seen.now[:, None]
    return seen


def test_who_is_near_is_found_and_told_in_ones_own_frame() -> None:
    rng = np.random.default_rng(0)
    shapes = [Disk(*(float(v) for v in rng.uniform(-30, 30, 2)), 0.3) for _ in range(400)]
    shapes += [Wall((-20.0, -20.0), (20.0, -20.0)), box(3.0, 3.0, 8.0, 0.2, 0.4)]  # type: ignore[list-item]
    around = Surroundings(Obstacles([Obstacle(shape) for shape in shapes]))
    rows = around.obstacles.at(0).rows
    seen = published([(0.0, 0.0, 0.7), (-20.0, 11.0, -2.0), (0.5, 0.5, 0.0)])
    reach = np.array([[4.0, 4.0, 4.0], [6.0, 6.0, 6.0], [2.0, 3.0, 4.0]])
    found, corners, slots = around.near(0, np.arange(3), seen, reach)
    for m in range(3):
        for slot in range(3):
            mine = found[slots[m, slot] : slots[m, slot + 1]]
            things = mine[(mine[:, 11] != SOMEBODY) & (mine[:, 8] == 0)]
            away = np.hypot(rows[:400, X] - seen.places[m, 0], rows[:400, Z] - seen.places[m, 1])
            # All disks within reach and no others; told in its own frame, distances are the same.
            true = np.sort(away[away < reach[m, slot] + 0.3])
            assert len(things) == len(true)
            assert np.sort(np.hypot(things[:, X], things[:, Z])) == pytest.approx(true)
    others = found[slots[0, 0] : slots[0, 1]]
    assert (others[:, 11] == SOMEBODY).sum() == 1  # the third stands near, the second does not
    assert len(corners) >= 4
    # To the left is +x: what stands at +x of somebody who faces +z is at their left.
    left = Surroundings(Obstacles([Obstacle(Disk(1.0, 0.0, 0.1))]))
    mine, _, _ = left.near(0, np.array([0]), published([(0.0, 0.0, np.pi / 2)]), np.full((1, 3), 3.0))
    assert mine[0, [X, Z]] == pytest.approx([0.0, 1.0], abs=1e-9)


def bent(shapes: list[object], ahead: float = 1.2, **router: float) -> tuple[np.ndarray, np.ndarray, bool, float]:
    """A target straight ahead, laid by a router."""
    obstacles = Surroundings(Obstacles([Obstacle(shape) for shape in shapes]))  # type: ignore[arg-type]
    rows, corners, slots = obstacles.near(0, np.array([0]), published([(0.0, 0.0, 0.0)]), np.full((1, 3), 6.0))
    wanted = np.array([[[0.0, ahead / 3], [0.0, 2 * ahead / 3], [0.0, ahead]]])
    facing = np.tile([0.0, 1.0], (1, 3, 1))
    turning, room = Router(**router).bend(wanted, facing, rows, corners, slots)
    return wanted[0], facing[0], bool(turning[0]), float(room[0])


def test_a_free_way_is_left_alone() -> None:
    wanted, facing, turning, room = bent([Disk(1.5, 0.8, 0.2)])
    assert wanted[:, 0] == pytest.approx(0.0)
    assert not turning
    assert facing[:, 1] == pytest.approx(1.0)
    assert room > 0.3


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_way_leads_round_what_blocks_it_on_the_shorter_side(side: float) -> None:
    wanted, _, _, _ = bent([Disk(0.15 * side, 1.0, 0.4)])
    assert (np.sign(wanted[1:, 0]) == -side).all()
    away = np.hypot(wanted[:, 0] - 0.15 * side, wanted[:, 1] - 1.0)
    assert away.min() > 0.5


def test_mirrored_things_give_the_mirrored_way() -> None:
    things = [(0.2, 0.9, 0.3), (-0.6, 1.3, 0.25), (0.9, 0.5, 0.2)]
    one, _, _, _ = bent([Disk(*thing) for thing in things])
    two, _, _, _ = bent([Disk(-x, z, r) for x, z, r in things])
    assert two[:, 1] == pytest.approx(one[:, 1], abs=0.06)
    assert two[:, 0] == pytest.approx(-one[:, 0], abs=0.06)


def test_a_narrow_gap_asks_for_a_turned_body_and_less_speed() -> None:
    walls = [Wall((-2.0, 0.5), (-0.2, 0.5)), Wall((0.2, 0.5), (2.0, 0.5))]
    wanted, facing, turning, room = bent(walls)
    assert turning
    assert room == pytest.approx(0.2, abs=0.02)
    assert np.abs(facing[:2, 0]).max() > 0.8
    assert 0.2 < wanted[2, 1] < 1.1
    # Where there is but one thing beside the way, nobody turns.
    assert not bent([Disk(0.5, 0.6, 0.2)])[2]


def test_a_closed_way_ends_where_one_can_get() -> None:
    room = [Wall((-1.0, 1.0), (1.0, 1.0)), Wall((-1.0, -1.0), (-1.0, 1.0)), Wall((1.0, -1.0), (1.0, 1.0)),
            Wall((-1.0, -1.0), (1.0, -1.0))]  # fmt: skip
    wanted, _, _, _ = bent(room, ahead=3.0)
    assert np.isfinite(wanted).all()
    assert np.abs(wanted).max() < 1.0


def test_others_leave_a_way_since_they_can_turn() -> None:
    """A corridor of 0.95 m with somebody in it: closed to a body as wide as they are now, open to one that turns."""
    walls = [Wall((-0.475, -2.0), (-0.475, 4.0)), Wall((0.475, -2.0), (0.475, 4.0))]
    around = Surroundings(Obstacles([Obstacle(wall) for wall in walls]))
    rows, corners, slots = around.near(
        0, np.array([0]), published([(0.0, 0.0, 0.0), (0.1, 1.2, np.pi)]), np.full((1, 3), 6.0)
    )
    wanted = np.array([[[0.0, 0.7], [0.0, 1.4], [0.0, 2.1]]])
    turning, _ = Router().bend(wanted, np.tile([0.0, 1.0], (1, 3, 1)), rows, corners, slots)
    assert turning[0]
    assert wanted[0, 2, 1] > 0.3
    assert wanted[0, :, 0].min() < -0.05
