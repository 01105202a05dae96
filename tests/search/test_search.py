"""Searching: what is refused, exact equals the plain truth, and the plain truth is what the paper writes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sidestep.database import EMM, Database, FeatureSet
from sidestep.errors import AskedWrongly, UnknownName
from sidestep.geometry.shapes import Disk, Ellipse, Polygon, Shape, Shapes, Wall, body_distance, box
from sidestep.motion import Clip
from sidestep.search import Environment, Index, Paper, PaperIndex, Query, brute, exact, paper
from sidestep.search.cost import barrier

PAPER = Environment(depth=0.0)


@pytest.fixture(scope="module")
def index(small: Database) -> Index:
    return Index.of(small)


def wanted(small: Database, rng: np.random.Generator, mixed: bool) -> np.ndarray:
    """A pose of one frame and a trajectory of another, or one that hardly differs."""
    frames = np.flatnonzero(small.searchable)
    a, b = rng.choice(frames, 2)
    values = small.values[a, :27].copy()
    values[15:] = small.values[b, 15:27] if mixed else values[15:] + rng.normal(0, 0.3, 12)
    return values


def scattered(rng: np.random.Generator, count: int) -> list[Shape]:
    """Things of every kind around a character who stands at the origin."""
    shapes: list[Shape] = []
    for number in range(count):
        x, z = rng.uniform(-2, 2), rng.uniform(-1, 3)
        kind = number % 5
        heights = {} if rng.random() < 0.5 else {"bottom": 0.0, "top": float(rng.uniform(0.2, 0.8))}
        if kind == 0:
            shapes.append(Disk(x, z, float(rng.uniform(0.05, 0.4)), **heights))
        elif kind == 1:
            shapes.append(Ellipse(x, z, (float(rng.uniform(0.1, 0.4)), 0.1), 0.2, **heights))
        elif kind == 2:
            shapes.append(Wall((x, z), (x + float(rng.normal()), z + 0.5), **heights))
        elif kind == 3:
            shapes.append(box(x, z, 0.5, 0.3, float(rng.uniform(0, 3)), bottom=1.2, top=3.0))
        else:
            shapes.append(Polygon(((x, z), (x + 0.5, z), (x + 0.2, z + 0.4)), **heights))
    return shapes


def test_what_cannot_be_asked(small: Database, index: Index, walk: Clip) -> None:
    values = small.values[0, :27]
    refused = [
        (Query(values=values[:5]), "has 27 finite numbers"),
        (Query(values=np.full(27, np.nan)), "has 27 finite numbers"),
        (Query(values=values, weights={"positions": -1.0}), "weights are zero or above"),
        (Query(values=values, going_on=len(small)), "there are"),
        (Query(values=values, obstacles=[Shapes.of([])] * 2), "3 look-ahead times"),
        (Query(values=values, obstacles=[Shapes.of([]), Shapes.of([Disk(0, 0, 1)]), Shapes.of([])]), "the same ones"),
    ]
    for query, words in refused:
        for search in (brute, exact):
            with pytest.raises(AskedWrongly, match=words):
                search(index, query)
    with pytest.raises(UnknownName, match="no query feature 'position'; nearest: 'positions'"):
        exact(index, Query(values=values, weights={"position": 1.0}))
    with pytest.raises(AskedWrongly, match="no frame may be chosen"):
        Index.of(small, np.zeros(len(small), np.bool_))
    with pytest.raises(AskedWrongly, match="no frame may be chosen"):
        Index.of(Database.build([walk.cut(0, 50)]))
    bare = FeatureSet("bare", EMM.query)
    with pytest.raises(AskedWrongly, match="has no 'ellipses'; obstacles need it"):
        Index.of(Database.build([walk], bare))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("count", [0, 1, 6, 25])
def test_exact_equals_brute_force(small: Database, index: Index, seed: int, count: int) -> None:
    rng = np.random.default_rng([seed, count])
    for round_ in range(12):
        going_on = int(rng.integers(-1, len(small)))
        query = Query(
            values=wanted(small, rng, mixed=round_ % 2 == 0),
            obstacles=[Shapes.of(scattered(np.random.default_rng([seed, round_]), count)) for _ in range(3)],
            environment=replace(
                PAPER if round_ % 3 == 0 else Environment(),
                reach_m=float(rng.choice([0.1, 0.4, 0.6])),
                weight=float(rng.choice([0.5, 5.0, 40.0])),
                heights=bool(round_ % 2),
            ),
            weights={"positions": float(rng.uniform(0, 1)), "velocities": 0.05},
            going_on=going_on,
            reward=float(rng.choice([0.0, 0.05])),
        )
        truth = brute(index, query)
        for hint in (-1, int(rng.integers(len(small))), going_on):
            found = exact(index, query, hint)
            assert found.score == pytest.approx(truth.score, rel=1e-5, abs=1e-6)
        assert small.searchable[truth.frame] or truth.frame == going_on


def test_the_score_is_the_papers(small: Database, index: Index) -> None:
    """Equation 2 and the sums around it, written out once more in plain numpy."""
    rng = np.random.default_rng(5)
    query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 8)), environment=PAPER)
    query = replace(query, environment=replace(PAPER, heights=False))
    found = brute(index, query)
    shapes = query.obstacles
    assert isinstance(shapes, Shapes)

    def score(frame: int) -> float:
        total = 0.1 * float(((small.values[frame, :27] - query.values) ** 2).sum())
        places, bodies = small.raw("positions")[frame].reshape(3, 2), small.raw("ellipses")[frame].reshape(3, 3)
        for place, body, weight in zip(places, bodies, (1.0, 0.4, 0.1), strict=True):
            major = float(np.hypot(body[0], body[1]))
            ellipse = (*place, body[0] / major, body[1] / major, major, body[2])
            for i in range(len(shapes)):
                d = body_distance(i, shapes.rows, shapes.corners, *map(float, ellipse))
                if d < 0.4:
                    d = max(d, 1e-9)
                    total += 5.0 * weight * -((0.4 - d) ** 4) * np.log(d / 0.4)
        return total

    assert found.score == pytest.approx(score(found.frame), rel=1e-4)
    some = rng.choice(np.flatnonzero(small.searchable), 300)
    assert min(score(int(frame)) for frame in some) >= found.score - 1e-5


def test_the_barrier() -> None:
    paper, ours = PAPER.packed(), Environment().packed()
    assert barrier(0.4, paper) == 0.0
    assert barrier(0.0, paper) == pytest.approx(0.51, abs=0.01)  # what the clamp leaves inside: no more, however deep
    assert barrier(-1.0, paper) == barrier(0.0, paper)
    depths = np.linspace(0.39, -0.5, 100)
    for environment in (paper, ours):
        costs = np.array([barrier(d, environment) for d in depths])
        assert (np.diff(costs) >= 0).all()
    assert barrier(-0.1, ours) > barrier(0.0, ours) + 1.0
    assert barrier(0.2, ours) == pytest.approx(-((0.2) ** 4) * np.log(0.5))


def test_obstacles_turn_the_search_away(small: Database, index: Index) -> None:
    """A pose that would end inside a post is not taken when there is another."""
    walking = np.flatnonzero(small.tagged("walk") & small.searchable)
    frame = int(walking[len(walking) // 2])
    values = small.values[frame, :27]
    free = exact(index, Query(values=values))
    assert free.frame == frame
    x, z = small.raw("positions")[frame, :2]
    post = Shapes.of([Disk(float(x), float(z), 0.15)])
    turned = exact(index, Query(values=values, obstacles=post))
    assert turned.frame != frame
    ahead = small.raw("positions")[turned.frame, :2]
    assert np.hypot(*(ahead - [x, z])) > 0.25
    # Over the head or under the feet it is not in the way.
    above = Shapes.of([Disk(float(x), float(z), 0.15, bottom=2.2, top=3.0)])
    assert exact(index, Query(values=values, obstacles=above)).frame == frame
    flat = Environment(heights=False)
    assert exact(index, Query(values=values, obstacles=above, environment=flat)).frame != frame


def test_going_on_is_rewarded(small: Database, index: Index) -> None:
    frames = np.flatnonzero(small.tagged("walk") & small.searchable)
    frame = int(frames[100])
    query = Query(values=small.values[frame, :27], going_on=frame + 1)
    assert exact(index, query).frame == frame
    assert exact(index, replace(query, reward=10.0)).frame == frame + 1


def test_a_restriction_costs_only_what_it_leaves_out(small: Database) -> None:
    crawling = small.tagged("crawl")
    index = Index.of(small, crawling)
    rng = np.random.default_rng(1)
    for _ in range(10):
        query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 5)))
        truth, found = brute(index, query), exact(index, query)
        assert crawling[found.frame]
        assert found.score == pytest.approx(truth.score, rel=1e-5)


def test_a_mirrored_world_gives_the_mirrored_pose(some_clips: list[Clip]) -> None:
    """Left and right exchanged in query and obstacles, the score is the same and the frame the mirrored one."""
    database = Database.build(some_clips, mirrored=True)
    index, half = Index.of(database), len(database) // 2
    rng = np.random.default_rng(3)
    flip = np.array([-1, 1, 1])
    for _ in range(8):
        values = wanted(database, rng, mixed=True)
        raw = values * database.scale[:27] + database.mean[:27]
        seen = raw.copy()
        feet = raw[:9].reshape(3, 3) * flip
        seen[:9] = feet[[1, 0, 2]].ravel()
        seen[9:15] = (raw[9:15].reshape(2, 3) * flip)[[1, 0]].ravel()
        seen[15:] = (raw[15:].reshape(6, 2) * [-1, 1]).ravel()
        shapes = [Disk(float(rng.uniform(-1, 1)), float(rng.uniform(0, 2)), 0.2) for _ in range(4)]
        other = [Disk(-shape.x, shape.z, shape.radius) for shape in shapes]
        one = exact(index, Query(values=values, obstacles=Shapes.of(shapes)))
        two = exact(
            index,
            Query(values=(seen - database.mean[:27]) / database.scale[:27], obstacles=Shapes.of(other)),
        )
        assert two.score == pytest.approx(one.score, rel=0.02, abs=0.01)
        same = (one.frame + half) % len(database) == two.frame
        assert same or abs(two.score - one.score) < 0.01


ALL_OFF = Paper(adaptive=False, dissimilarity=False, start_before_last=False, boxes=False)


def test_the_papers_search_with_everything_off_is_brute_force(small: Database, index: Index) -> None:
    papers = PaperIndex.of(index)
    rng = np.random.default_rng(4)
    for _ in range(20):
        query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 6)), going_on=7)
        assert paper(papers, query, ALL_OFF).score == pytest.approx(brute(index, query).score, rel=1e-5, abs=1e-6)


def test_the_classic_boxes_find_the_nearest_pose_where_nothing_is_near(small: Database, index: Index) -> None:
    papers = PaperIndex.of(index)
    rng = np.random.default_rng(6)
    for _ in range(20):
        query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of([Disk(30.0, 30.0, 0.5)]))
        found, truth = paper(papers, query), brute(index, query)
        assert found.score == pytest.approx(truth.score, rel=1e-5)
        assert found.looked < 0.7 * index.searchable.sum()  # whole boxes were skipped


def test_the_papers_search_is_near_the_minimum_and_never_below(small: Database, index: Index) -> None:
    papers = PaperIndex.of(index)
    rng = np.random.default_rng(8)
    excess: dict[float, list[float]] = {1.0: [], 5.0: [], 40.0: []}
    for _ in range(40):
        query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 6)))
        truth = brute(index, query).score
        for aggressive, rows in excess.items():
            how = Paper(aggressive=aggressive)
            last = int(rng.integers(len(small)))
            found = paper(papers, query, how, last)
            assert found.score >= truth - 1e-5
            assert paper(papers, query, how, last) == found
            rows.append(found.score / truth)
    # The more is skipped, the worse the pose.
    assert np.mean(excess[1.0]) < np.mean(excess[5.0]) < np.mean(excess[40.0])
    assert np.median(excess[1.0]) < 1.3


def test_representatives_are_apart_and_differ(index: Index) -> None:
    papers = PaperIndex.of(index)
    chosen = papers.representatives
    assert np.diff(chosen).min() >= 8
    assert len(chosen) < len(papers.every) / 8
    values = index.database.values[:, index.order]
    spread = np.ptp(values[papers.every], axis=0)
    change = np.abs(np.diff(values[chosen], axis=0)) / spread
    assert change.max(1).min() >= 0.05 - 1e-6
