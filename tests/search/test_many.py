"""Several at once, the k best, a budget, registered penalties: what is refused, and that all of it stays exact."""

from __future__ import annotations

import numpy as np
import pytest

from sidestep.database import Database
from sidestep.errors import AskedWrongly
from sidestep.geometry.shapes import Disk, Shapes, box
from sidestep.search import Charge, Environment, Index, Query, brute, brute_many, exact, exact_many, question, top
from sidestep.search.find import Question
from sidestep.search.penalties import PENALTIES, penalty

from .test_search import scattered, wanted


@pytest.fixture(scope="module")
def index(small: Database) -> Index:
    return Index.of(small)


def together(questions: list[Question]) -> Question:
    """Several questions as one batch."""
    asked = type(questions[0].asked)(
        *(np.concatenate(arrays) for arrays in zip(*(q.asked for q in questions), strict=True))
    )
    rows, corners, slots = [], [], []
    for q in questions:
        moved = q.around.rows.copy()
        moved[:, 9:11] += sum(len(c) for c in corners)
        slots.append(q.around.slots + sum(len(r) for r in rows))
        rows.append(moved)
        corners.append(q.around.corners)
    first = questions[0].around
    around = first._replace(
        rows=np.concatenate(rows),
        corners=np.concatenate(corners),
        slots=np.concatenate(slots),
        given=np.concatenate([q.around.given for q in questions]),
    )
    return Question(asked, around)


def test_what_cannot_be_asked(index: Index, small: Database) -> None:
    query = Query(values=small.values[0, :27])
    with pytest.raises(AskedWrongly, match="the 0 best poses are none"):
        top(index, query, 0)
    with pytest.raises(AskedWrongly, match="takes 2 arguments; it must take the 10"):
        penalty()(lambda frame, slot: 0.0)
    with pytest.raises(AskedWrongly, match="at most 9 finite numbers"):
        Charge(PENALTIES["heights"], (float("nan"),))


@pytest.mark.parametrize("k", [1, 7, 40])
def test_the_k_best_are_the_k_best(small: Database, index: Index, k: int) -> None:
    rng = np.random.default_rng(k)
    for _ in range(5):
        query = Query(
            values=wanted(small, rng, mixed=True),
            obstacles=Shapes.of(scattered(rng, 8)),
            going_on=int(rng.integers(900)),
        )
        found = [score for _, score in top(index, query, k)]
        truth = brute_many(index, question(index, query), k).scores[0]
        assert found == pytest.approx(list(truth[: len(found)]), rel=1e-5, abs=1e-6)
        assert len(found) == k
        assert found == sorted(found)


def test_the_k_best_of_a_handful(small: Database) -> None:
    """More are asked for than a block holds, of an index whose last group is nearly empty."""
    few = np.zeros(len(small), np.bool_)
    few[100:150] = True
    index = Index.of(small, few & small.searchable)
    answers = exact_many(index, question(index, Query(values=small.values[0, :27])), 96)
    assert set(answers.frames[0, :50]) == set(range(100, 150))


def test_many_at_once_are_each_as_alone(small: Database, index: Index) -> None:
    rng = np.random.default_rng(2)
    alone = [
        question(index, Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 4 + n))))
        for n in range(9)
    ]
    batch = together(alone)
    one, two = exact_many(index, batch), exact_many(index, batch, threads=2)
    for row, asked in enumerate(alone):
        truth = brute(index, asked)
        assert one.scores[row, 0] == pytest.approx(truth.score, rel=1e-5)
        assert two.scores[row, 0] == one.scores[row, 0]


def test_a_budget_tells_what_it_may_have_missed(small: Database, index: Index) -> None:
    rng = np.random.default_rng(4)
    short = 0
    for _ in range(20):
        query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 6)))
        truth = brute(index, query).score
        for budget in (0, 3, 20, 10_000):
            found = exact(index, query, hint=int(rng.integers(len(small))), budget=budget)
            assert found.at_least <= truth + 1e-5
            assert found.score >= truth - 1e-5
            short += found.score > truth + 1e-5
        assert found.score == pytest.approx(truth, rel=1e-5)
        assert found.at_least == pytest.approx(truth, rel=1e-4)
    assert short > 0  # some budgets were too small


@penalty(name="away from the left")
def away_from_the_left(frame, slot, bodies, rows, corners, near, first, last, environment, given):  # type: ignore[no-untyped-def]
    return max(0.0, bodies[frame, slot, 0] - given[3])


def test_a_users_penalty_is_part_of_the_one_cost(small: Database, index: Index) -> None:
    rng = np.random.default_rng(6)
    charge = (Charge(away_from_the_left, (-0.2,)),)
    shifted = 0
    for _ in range(12):
        query = Query(values=wanted(small, rng, mixed=True), obstacles=Shapes.of(scattered(rng, 4)), charges=charge)
        plain = Query(values=query.values, obstacles=query.obstacles)
        truth, found = brute(index, query), exact(index, query)
        assert found.score == pytest.approx(truth.score, rel=1e-5)
        assert found.score >= brute(index, plain).score - 1e-6
        shifted += found.frame != exact(index, plain).frame
    assert shifted > 2


def test_heights_are_such_a_penalty(small: Database, index: Index) -> None:
    """A bar at chest height: nothing for who does not look up, everything for who does."""
    walking = np.flatnonzero(small.tagged("walk") & small.searchable)
    frame = int(walking[len(walking) // 2])
    x, z = small.raw("positions")[frame, :2]
    bar = Shapes.of([box(float(x), float(z), 3.0, 0.3, bottom=1.0, top=1.2)])
    query = Query(values=small.values[frame, :27], obstacles=bar)
    under = exact(index, query)
    assert under.frame != frame
    assert brute(index, query).score == pytest.approx(under.score, rel=1e-5)
    wall = Query(values=query.values, obstacles=bar, environment=Environment(heights=False))
    assert exact(index, wall).score >= under.score - 1e-6


def test_frames_may_be_dear(small: Database, index: Index) -> None:
    frames = np.flatnonzero(small.searchable)
    frame = int(frames[300])
    query = Query(values=small.values[frame, :27])
    assert exact(index, query).frame == frame
    dear = np.zeros(len(small))
    dear[frame - 40 : frame + 40] = 0.7
    costly = Index.of(small, dear=dear)
    found, truth = exact(costly, query), brute(costly, query)
    assert found.score == pytest.approx(truth.score, rel=1e-5)
    assert found.score <= 0.7 + 1e-5
    assert found.frame == frame or not frame - 40 <= found.frame < frame + 40


def test_disks_keep_further_away(small: Database) -> None:
    """EMM 6.5: where an ellipse turns its narrow side, a disk does not fit."""
    as_disks = Index.of(small, body="disk")
    bodies = as_disks.tables.bodies[: len(small)]
    assert (bodies[..., 4] == bodies[..., 5]).all()
    ellipses = Index.of(small).tables.bodies[: len(small)]
    assert (bodies[..., 4] >= ellipses[..., 4:6].max(-1) - 1e-6).all()
    post = Shapes.of([Disk(0.45, 0.6, 0.1)])
    query = Query(values=small.values[int(np.flatnonzero(small.tagged("walk"))[200]), :27], obstacles=post)
    assert exact(as_disks, query).score >= exact(Index.of(small), query).score - 1e-6
