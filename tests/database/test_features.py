"""Features: what they say about a pose, in the character's own frame and never past the clip's end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sidestep.database import EMM, FEATURE_SETS, LOOK_AHEAD, RMM27, RMM33, Database, Take
from sidestep.database.features import heights, trajectory_facings, trajectory_headings
from sidestep.mannequin import grow
from sidestep.motion import Clip
from sidestep.motion import quaternion as quat
from sidestep.motion.mirror import mirror
from sidestep.motion.roles import find_roles
from sidestep.motion.root import with_root
from sidestep.performer import perform


def take_of(clip: Clip, cover: str = "capsules") -> Take:
    rooted = with_root(clip)
    return Take(rooted, find_roles(rooted.skeleton), cover)  # type: ignore[arg-type]


def moved(clip: Clip, yaw: float, x: float, z: float) -> Clip:
    """The same motion somewhere else on the ground, facing elsewhere."""
    turn = quat.about("y", yaw)
    rotations, translations = np.array(clip.rotations), np.array(clip.translations)
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    translations[:, 0] = np.add(quat.rotate(turn, translations[:, 0]), [x, 0, z])
    return replace(clip, rotations=rotations.astype(np.float32), translations=translations.astype(np.float32))


@pytest.mark.parametrize(("name", "query"), [("emm", 27), ("rmm27", 27), ("rmm33", 33)])
def test_the_papers_sets_have_their_sizes(name: str, query: int) -> None:
    chosen = FEATURE_SETS[name]
    assert (chosen.query_dims, chosen.dims, chosen.ahead) == (query, query + 9 + 6, 60)


@pytest.mark.parametrize("chosen", [EMM, RMM27, RMM33], ids=lambda c: c.name)
def test_place_and_facing_in_the_world_do_not_matter(chosen: object, walk: Clip) -> None:
    feature_set = FEATURE_SETS[chosen.name]  # type: ignore[attr-defined]
    here, there = take_of(walk), take_of(moved(walk, 2.1, 30.0, -12.0))
    for feature in (*feature_set.query, *feature_set.environment):
        assert feature.compute(there) == pytest.approx(feature.compute(here), abs=2e-3), feature.name


def test_mirrored_motion_has_mirrored_features() -> None:
    clip = perform("sidestep", 1)
    here, there = take_of(clip), take_of(mirror(clip))
    flip = {"positions": [-1, 1] * 3, "directions": [-1, 1] * 3, "heights": [1] * 6}
    flip["ellipses"] = [-1, 1, 1] * 3
    for feature in (*EMM.query, *EMM.environment):
        own, other = feature.compute(here), feature.compute(there)
        if feature.name in flip:
            expected = own * flip[feature.name]
        else:  # left foot, right foot (and hips): the feet change places
            by_joint = (own.reshape(len(own), -1, 3) * [-1, 1, 1])[:, [1, 0, *range(2, own.shape[1] // 3)]]
            expected = by_joint.reshape(len(own), -1)
        assert other == pytest.approx(expected, abs=3e-3), feature.name


def test_trajectory_says_where_the_character_will_be(walk: Clip) -> None:
    take = take_of(walk)
    places, facings = (f.compute(take) for f in EMM.query[2:4])
    frame = 300
    for k, later in enumerate(LOOK_AHEAD):
        away = take.place[frame + later] - take.place[frame]
        yaw = quat.yaw_of(quat.rotate(take.facing[frame], np.array([0, 0, 1.0])))
        left, ahead = away @ [np.cos(yaw), 0, -np.sin(yaw)], away @ [np.sin(yaw), 0, np.cos(yaw)]
        assert places[frame, 2 * k : 2 * k + 2] == pytest.approx([left, ahead], abs=1e-4)
        assert np.linalg.norm(facings[frame, 2 * k : 2 * k + 2]) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", list(FEATURE_SETS))
def test_nothing_looks_past_the_end(name: str, walk: Clip) -> None:
    """What follows a clip in its database must not change its features."""
    rooted = with_root(walk)
    short = replace(rooted, **{n: getattr(rooted.cut(0, 200), n) for n in ("rotations", "translations", "contacts")})
    whole, part = (Take(c, find_roles(c.skeleton), "capsules") for c in (rooted, short))
    for feature in (*FEATURE_SETS[name].query, *FEATURE_SETS[name].environment):
        long, cut = feature.compute(whole), feature.compute(part)
        inside = 200 - feature.ahead - 1  # one frame of slack for the velocity at the cut
        assert cut[:inside] == pytest.approx(long[:inside], abs=1e-5), feature.name
        assert np.isfinite(cut).all()
    # Where the clip ends, its last frame is what the future holds.
    held = part.place[-1] - part.place[150]
    assert np.linalg.norm(EMM.query[2].compute(part)[150, 4:6]) == pytest.approx(np.linalg.norm(held), abs=1e-4)


def test_only_frames_with_their_whole_future_are_searchable(small: Database) -> None:
    for start, stop in zip(small.starts, small.stops, strict=True):
        assert not small.searchable[max(stop - 60, start) : stop].any()
        assert small.searchable[start : stop - 60].all()


def test_a_standing_character_moves_where_it_faces() -> None:
    clip = perform("idle", 0)
    take = take_of(clip)
    still = np.linalg.norm(take.velocity, axis=-1) < 0.1
    still &= np.roll(still, -60) & np.roll(still, -20)
    still[-61:] = False
    assert still.sum() > 200
    facings, headings = trajectory_facings(take), trajectory_headings(take)
    assert headings[still][:, :2] == pytest.approx(facings[still][:, :2], abs=1e-5)
    # And no flips on the way from standing to walking: the axis turns at most a little from frame to frame.
    started = take_of(perform("start_stop", 0))
    turn = np.degrees(np.arccos(np.clip((started.heading[1:] * started.heading[:-1]).sum(-1), -1, 1)))
    assert np.percentile(turn, 99) < 8


@pytest.mark.parametrize("cover", ["joints", "capsules", "skin"])
def test_ellipses_reach_to_the_bodys_furthest_point(cover: str) -> None:
    take = take_of(perform("squeeze", 0), cover)
    ellipse = EMM.environment[0].compute(take)
    points, radii = take.covered()
    for frame in (100, 250, 400):
        later = frame + 20
        across = np.array([-take.heading[later, 2], 0, take.heading[later, 0]])
        flat = points[later] - take.place[later]
        major, minor = np.linalg.norm(ellipse[frame, :2]), ellipse[frame, 2]
        assert major == pytest.approx((np.abs(flat @ take.heading[later]) + radii).max(), abs=1e-4)
        assert minor == pytest.approx((np.abs(flat @ across) + radii).max(), abs=1e-4)


def test_the_skins_outline_is_nearly_the_whole_skin() -> None:
    clip = with_root(perform("dance", 0))
    take = take_of(clip, "skin")
    points, _ = take.covered()
    mannequin = grow(clip.skeleton)
    missing = []
    for frame in range(50, len(clip), 50):
        vertices, _ = mannequin.posed(take.positions[frame], take.turned[frame])
        axes = np.random.default_rng(frame).normal(size=(3, 20))
        axes /= np.linalg.norm(axes, axis=0)
        missing.append((vertices @ axes).max(0) - (points[frame] @ axes).max(0))
    assert np.percentile(missing, 98) < 0.006
    assert np.max(missing) < 0.020
    assert points.shape[1] < 0.25 * len(mannequin.vertices)


def test_the_three_covers_agree_roughly_and_in_order() -> None:
    clip = perform("walk", 2)
    reach = {c: np.median(heights(take_of(clip, c))[:, 1]) for c in ("joints", "capsules", "skin")}
    assert reach["joints"] < reach["capsules"]
    assert reach["capsules"] == pytest.approx(reach["skin"], abs=0.02)
    assert reach["skin"] == pytest.approx(1.75, abs=0.04)


def test_what_is_held_counts_as_body() -> None:
    boxed = take_of(perform("box", 0))
    bare = Take(replace(boxed.clip, props=()), boxed.roles, "capsules")
    assert heights(boxed)[:, 1].max() > heights(bare)[:, 1].max() + 0.1
    wide, slim = (np.percentile(EMM.environment[0].compute(t)[:, 2], 90) for t in (boxed, bare))
    assert wide > slim + 0.05


def test_lying_and_creeping_bodies_are_low_and_long() -> None:
    take = take_of(perform("crawl", 0))
    top = heights(take)[:, 1]
    assert top.min() < 0.6
    lying = top < 0.6
    assert np.median(np.linalg.norm(EMM.environment[0].compute(take)[lying, :2], axis=-1)) > 0.6


def test_standardizing_by_group_and_by_number(some_clips: list[Clip]) -> None:
    emm, rmm = Database.build(some_clips), Database.build(some_clips, RMM27)
    for feature in EMM.query:
        at = emm.column(feature.name)
        assert emm.values[:, at].mean(0) == pytest.approx(0, abs=1e-3)
        assert np.sqrt((emm.values[:, at].std(0) ** 2).mean()) == pytest.approx(1, abs=1e-3)
        assert np.ptp(emm.scale[at]) == 0  # one deviation for the group
    assert rmm.values[:, : RMM27.query_dims].std(0) == pytest.approx(1, abs=1e-3)
    at = emm.column("ellipses")
    assert emm.scale[at] == pytest.approx(1)
    assert emm.raw("ellipses") == pytest.approx(emm.values[:, at])
