"""Motion matching that sees its surroundings: refusals, symmetry, and that each switch does what it says."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.controllers import Matching, MotionMatching
from sidestep.database import Database
from sidestep.errors import AskedWrongly, UnknownName
from sidestep.geometry.shapes import Disk, Wall
from sidestep.intent import Stick
from sidestep.motion import Clip
from sidestep.performer import perform
from sidestep.stage import Stage
from sidestep.world import Obstacle


@pytest.fixture(scope="module")
def walker(some_clips: list[Clip]) -> Database:
    """Enough to walk, turn, sidestep and stand with, left as right."""
    tasks = ("walk", "sidestep", "turn_on_spot", "squeeze", "slot", "backward", "start_stop", "zigzag", "diagonal")
    clips = [perform(name, 0, take) for name in tasks for take in (0, 1)]
    return Database.build(clips, mirrored=True)


def walked(
    database: Database, things: list[object], seconds: float = 8.0, turn: float = 0.0, **settings: object
) -> np.ndarray:
    """Places of somebody told to go forward in a world turned by ``turn``. Shape (ticks, 3)."""
    stage = Stage([Obstacle(thing) for thing in things])  # type: ignore[arg-type]
    ahead = Stick(forward=1.2 * float(np.cos(turn)), left=1.2 * float(np.sin(turn)))
    stage.add(MotionMatching(database, **settings), facing=turn, intent=ahead)
    return stage.run(seconds).places[:, 0]


def test_what_settings_refuse() -> None:
    with pytest.raises(AskedWrongly, match="responsiveness is -1"):
        Matching(responsiveness=-1.0)
    with pytest.raises(UnknownName, match="no search 'exakt'; nearest: 'exact'"):
        Matching(search="exakt")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no body 'hulk'"):
        Matching(body="hulk")  # type: ignore[arg-type]
    with pytest.raises(AskedWrongly, match="at least every one"):
        Matching(every=0)
    with pytest.raises(TypeError):
        Matching(responsivness=1.0)  # type: ignore[call-arg]


def test_it_walks_and_stands(walker: Database) -> None:
    places = walked(walker, [])
    assert places[-1, 1] == pytest.approx(8 * 1.2, rel=0.2)
    assert np.abs(places[:, 0]).max() < 0.5
    stage = Stage()
    stage.add(MotionMatching(walker))
    assert np.linalg.norm(stage.run(5.0).places[-1, 0, :2]) < 0.3


def test_same_seed_same_frames(walker: Database) -> None:
    things = [Disk(0.1, 3.0, 0.2), Disk(-0.4, 5.0, 0.2)]
    one, two = walked(walker, things, between=True, route=True), walked(walker, things, between=True, route=True)
    assert (one == two).all()


def test_turned_worlds_give_turned_motion(walker: Database) -> None:
    """The whole world turned: the same way, turned, as long as rounding does not choose another pose."""
    angle = 1.1
    things = [(0.3, 3.0), (-0.5, 4.6)]
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    one = walked(walker, [Disk(x, z, 0.2) for x, z in things], 5.0)
    turned = [turn @ np.array(thing) for thing in things]
    two = walked(walker, [Disk(float(x), float(z), 0.2) for x, z in turned], 5.0, turn=angle)
    away = np.linalg.norm(two[:, :2] - one[:, :2] @ turn.T, axis=-1)
    assert np.median(away) < 0.05
    assert away.max() < 0.5


def test_mirrored_worlds_give_mirrored_motion(walker: Database) -> None:
    one = walked(walker, [Disk(0.12, 3.0, 0.3)], 5.0)
    two = walked(walker, [Disk(-0.12, 3.0, 0.3)], 5.0)
    # Mirrored clips differ by rounding, so a chosen pose may: both pass on opposite sides, about as far.
    aside = [places[np.abs(places[:, 1] - 3.0).argmin(), 0] for places in (one, two)]
    assert aside[0] * aside[1] < 0
    assert abs(aside[0]) == pytest.approx(abs(aside[1]), abs=0.15)


def test_what_stands_in_the_way_is_gone_round(walker: Database) -> None:
    post = Disk(0.05, 3.0, 0.25)
    blind, seeing = walked(walker, [post], obstacles=False), walked(walker, [post])

    def nearest(places: np.ndarray) -> float:
        return float(np.hypot(places[:, 0] - 0.05, places[:, 1] - 3.0).min())

    assert nearest(blind) < 0.2
    assert nearest(seeing) > 0.4
    assert seeing[-1, 1] > 7.0  # it came past, too


def test_a_route_finds_the_gap(walker: Database) -> None:
    """A wall across with a gap a metre and a half aside: forward alone would stand before it."""
    walls = [Wall((-6.0, 3.0), (1.2, 3.0)), Wall((2.0, 3.0), (6.0, 3.0))]
    alone = walked(walker, walls, 12.0, responsiveness=0.2)
    routed = walked(walker, walls, 12.0, responsiveness=0.2, route=True, between=True)
    assert alone[-1, 1] < 3.0
    assert routed[-1, 1] > 4.0


def test_looking_between_the_samples_touches_less(walker: Database) -> None:
    """Over several fields: capsules in posts, with and without."""
    from sidestep.stage.measures import contacts

    touched = {False: 0.0, True: 0.0}
    for seed in range(4):
        rng = np.random.default_rng([seed, 5])
        posts = [Obstacle(Disk(float(rng.uniform(-0.9, 0.9)), float(z), 0.15)) for z in np.arange(2.0, 16.0, 1.1)]
        for between in touched:
            stage = Stage(posts)
            stage.add(MotionMatching(walker, between=between, responsiveness=0.3), intent=Stick(forward=1.3))
            recording = stage.run(12.0)
            assert recording.places[-1, 0, 1] > 6.0
            touched[between] += float((contacts(recording, 0, stage.obstacles).ellipse_m < -0.001).mean())
    assert touched[True] < touched[False]


def test_tags_restrict_what_is_played(walker: Database) -> None:
    stage = Stage()
    stage.add(MotionMatching(walker, only=("sidestep",)), intent=Stick(left=0.6, facing=0.0))
    recording = stage.run(4.0)
    chosen = np.flatnonzero(np.diff(recording.frames[:, 0]) != 1) + 1
    allowed = walker.tagged("sidestep")
    # A frame is shown one tick after it was chosen.
    assert allowed[recording.frames[chosen, 0] - 1].all()
    with pytest.raises(UnknownName, match="no tag 'sidestp'"):
        Stage().add(MotionMatching(walker, only=("sidestp",))).stage.step()


def test_clip_ends_are_never_reached(walker: Database) -> None:
    stage = Stage()
    stage.add(MotionMatching(walker, reward=50.0), intent=Stick(forward=1.2))
    frames = stage.run(20.0).frames[:, 0]
    left = walker.stops[walker.clip_of[frames]] - frames
    assert left.min() > 40


def test_a_target_that_is_no_number_is_refused_before_it_moves_anybody(walker: Database) -> None:
    with pytest.raises(AskedWrongly, match="not finite"):
        Stage().add(MotionMatching(walker), intent=Stick(forward=float("nan")))


def test_a_character_explains_its_choice(walker: Database) -> None:
    stage = Stage([Obstacle(Disk(0.05, 1.2, 0.2))])
    hero = stage.add(MotionMatching(walker), intent=Stick(forward=1.2))
    with pytest.raises(AskedWrongly, match="nothing has been chosen yet"):
        hero.explain()
    stage.run(0.6)
    told = hero.explain()
    crew = stage.crews[0][1]
    assert told.chosen.score == pytest.approx(crew.scores[0], rel=1e-5)
    assert set(told.chosen.features) == {"velocities", "feet", "positions", "directions"}
    assert sum(told.chosen.features.values()) + told.chosen.rest == pytest.approx(told.chosen.score)
    assert told.runner_up is not None
    assert told.runner_up.score >= told.chosen.score
    assert told.runner_up.rest >= -1e-4
