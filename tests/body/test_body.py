"""What happens to a pose after it was chosen: blending without jerks, feet that stay, the footprint."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.body import Blend, Bodies
from sidestep.body.blend import QUINTIC, SPRING, offset_at
from sidestep.database import Database
from sidestep.errors import AskedWrongly


def like(database: Database, frame: int) -> int:
    """The walking frame most like one, from another step."""
    frames = np.flatnonzero(database.tagged("walk") & database.searchable)
    frames = frames[np.abs(frames - frame) > 30]
    pose = slice(0, 15)
    return int(frames[np.linalg.norm(database.values[frames, pose] - database.values[frame, pose], axis=-1).argmin()])


def played(database: Database, blend: Blend, jump: bool, plant: bool = True) -> tuple[np.ndarray, Bodies]:
    """Joints of somebody who walks from one clip into another one. Shape (ticks, joints, 3)."""
    frames = np.flatnonzero(database.tagged("walk") & database.searchable)
    bodies = Bodies(database, 1, blend, np.array([plant]))
    frame, place = np.array([frames[200]]), np.zeros((1, 3))
    shown = []
    for tick in range(60):
        if jump and tick == 20:
            other = np.array([like(database, int(frame[0]))])
            bodies.change(np.array([0]), frame, other, place)
            frame = other.copy()
        step = bodies.source.steps[frame[0]]
        cosine, sine = np.cos(place[0, 2]), np.sin(place[0, 2])
        place[0] += [cosine * step[0] + sine * step[1], cosine * step[1] - sine * step[0], step[2]]
        frame += 1
        bodies.pose(frame, place, np.zeros((1, 2)))
        shown.append(bodies.positions[0].copy())
    return np.array(shown), bodies


def test_what_a_blend_refuses() -> None:
    with pytest.raises(AskedWrongly, match="'linear' is none of spring, quintic, none"):
        Blend(kind="linear")  # type: ignore[arg-type]
    with pytest.raises(AskedWrongly, match="above zero"):
        Blend(halflife_s=0.0)


def test_the_quintic_is_the_papers() -> None:
    """RMM 14 to 20: from x0 with speed v0 to rest at t1, never below zero and never above x0."""
    for v0 in (0.0, -0.5, -3.0, 2.0):
        values = [offset_at(QUINTIC, 0.35, age, (0.4, 0.0, 0.0), (v0, 0.0, 0.0)) for age in np.linspace(0, 0.4, 200)]
        x = np.array([value[0][0] for value in values])
        assert x[0] == pytest.approx(0.4)
        # Clamping the curvature (19) costs a tenth of a millimetre at most.
        assert (x >= -2e-4).all()
        assert x.max() <= 0.4 + 1e-9
        assert x[-1] == 0.0
        rate = (x[1] - x[0]) / (0.4 / 199)
        assert rate == pytest.approx(min(v0, 0.0), abs=0.15)
    # The spring keeps the whole speed, and forgets half of the offset in a half-life or so.
    left, rate = offset_at(SPRING, 0.1, 0.0, (0.4, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert left[0] == pytest.approx(0.4)
    assert rate[0] == pytest.approx(1.0)
    assert offset_at(SPRING, 0.1, 1.0, (0.4, 0.0, 0.0), (1.0, 0.0, 0.0))[0][0] == pytest.approx(0.0, abs=1e-4)


def test_playing_on_shows_the_clip_itself(small: Database) -> None:
    shown, _ = played(small, Blend(), jump=False, plant=False)
    frames = np.flatnonzero(small.tagged("walk") & small.searchable)
    clip = small.clip(int(small.clip_of[frames[200]]))
    start = int(frames[200] - small.starts[small.clip_of[frames[200]]])
    true, _ = clip.world()
    # The same up to where it stands and faces: distances between joints.
    for tick in (5, 30, 59):
        a, b = shown[tick], true[start + tick + 1]
        assert np.linalg.norm(a - a[1], axis=-1) == pytest.approx(np.linalg.norm(b - b[1], axis=-1), abs=2e-3)
        assert a[:, 1] == pytest.approx(b[:, 1], abs=2e-3)


@pytest.mark.parametrize("kind", ["spring", "quintic"])
def test_a_transition_does_not_snap(small: Database, kind: str) -> None:
    smooth, _ = played(small, Blend(kind=kind), jump=True, plant=False)  # type: ignore[arg-type]
    abrupt, _ = played(small, Blend(kind="none"), jump=True, plant=False)
    plain, _ = played(small, Blend(), jump=False, plant=False)

    def most(shown: np.ndarray) -> float:
        return float(np.linalg.norm(np.diff(shown, 2, axis=0), axis=-1)[17:24].max() * 3600)

    assert most(abrupt) > 3 * most(smooth)
    assert most(smooth) < 2.5 * most(plain) + 30
    # What remains of the transition is gone half a second later.
    assert smooth[-1] == pytest.approx(abrupt[-1], abs=0.02)


def test_feet_that_stand_stay(small: Database) -> None:
    """Across a transition in mid-step a standing sole neither slides nor sinks; without planting it does."""
    frames = np.flatnonzero(small.tagged("walk") & small.searchable)
    slides = {}
    for plant in (True, False):
        bodies = Bodies(small, 1, Blend(), np.array([plant]))
        frame, place, speeds, low = np.array([frames[200]]), np.zeros((1, 3)), [], []
        before = None
        for tick in range(120):
            if tick % 12 == 6:
                other = np.array([like(small, int(frame[0]))])
                bodies.change(np.array([0]), frame, other, place)
                frame = other.copy()
            step = bodies.source.steps[frame[0]]
            cosine, sine = np.cos(place[0, 2]), np.sin(place[0, 2])
            place[0] += [cosine * step[0] + sine * step[1], cosine * step[1] - sine * step[0], step[2]]
            frame += 1
            bodies.pose(frame, place, np.zeros((1, 2)))
            ankles = bodies.positions[0, bodies.source.legs[:, 2]]
            flat = small.contacts[frame[0]].reshape(2, 2).all(1)
            if before is not None:
                speeds += list(60 * np.linalg.norm((ankles - before[0])[:, [0, 2]], axis=-1)[flat & before[1]])
            before = (ankles.copy(), flat)
            low.append(float(bodies.positions[0, :, 1].min()))
        slides[plant] = float(np.median(speeds))
        assert not plant or min(low) > -0.02
    assert slides[True] < 0.3 * slides[False]


def test_bones_keep_their_lengths_and_rotations_tell_the_same(small: Database) -> None:
    shown, bodies = played(small, Blend(), jump=True)
    lengths = np.linalg.norm(small.skeleton.offsets, axis=-1)
    parents = small.skeleton.parents
    for joint in range(2, len(parents)):
        span = np.linalg.norm(shown[:, joint] - shown[:, parents[joint]], axis=-1)
        assert span == pytest.approx(np.full(len(span), lengths[joint]), abs=2e-3)
    local = bodies.rotations()[0]
    assert np.linalg.norm(local, axis=-1) == pytest.approx(1.0, abs=1e-4)


def test_the_footprint_is_the_databases(small: Database) -> None:
    """The ellipse of the body shown is what the database foresaw twenty frames before."""
    frames = np.flatnonzero(small.tagged("walk") & small.searchable)
    start = frames[200]
    bodies = Bodies(small, 1, Blend(), np.array([False]))
    place = np.zeros((1, 3))
    for frame in range(start, start + 20):
        step = bodies.source.steps[frame]
        cosine, sine = np.cos(place[0, 2]), np.sin(place[0, 2])
        way = np.array([cosine * step[0] + sine * step[1], cosine * step[1] - sine * step[0]])
        place[0] += [*way, step[2]]
        bodies.pose(np.array([frame + 1]), place, 60 * way[None])
    foreseen = small.raw("ellipses")[start, :3]
    assert bodies.now[0, 4] == pytest.approx(np.hypot(*foreseen[:2]), abs=0.02)
    assert bodies.now[0, 5] == pytest.approx(foreseen[2], abs=0.02)
    assert bodies.now[0, 6:] == pytest.approx(small.raw("heights")[start, :2], abs=0.02)
    assert bodies.now[0, :2] == pytest.approx(small.raw("positions")[start, :2], abs=0.01)
