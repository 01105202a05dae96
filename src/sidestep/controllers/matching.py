"""Environment-aware motion matching (EMM 5) for many characters at once."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..arrays import Array, Flags, Indices
from ..body import Bodies
from ..body.source import way_of
from ..database import Database
from ..errors import AskedWrongly
from ..geometry.shapes import FULL, body_distance
from ..intent import Targets
from ..jit import kernel
from ..search import Index, PaperIndex, Question, brute_many, exact_many, paper_many
from ..search.cost import REACH, WEIGHT_SLOTS
from ..search.find import charged, in_order, weights_of, with_heights
from ..search.index import FIRST, Body
from ..search.tables import Around, Asked
from ..world import Published, Surroundings
from .between import CANDIDATES, REACH_M, TIMES, keep_clean
from .explain import Explained, explain
from .settings import Matching

OFF_GROUND_M = 0.06
"""A body whose lowest point is higher than this flies."""
UPRIGHT_SHARE = 0.93
"""Of its usual height: lower than this it is bent."""
FIRST_S = 1 / 3
"""The first look-ahead time."""
THROUGH = 2.0
"""How much more the way counts for a body that squeezes through."""
TIGHT_M = 0.04
"""In the tightest places a body may come so near to things without cost."""


class MotionMatching:
    """A database and how to play it; one may serve many characters."""

    def __init__(self, database: Database, settings: Matching | None = None, **changes: Any) -> None:
        self.database = database
        self.settings = replace(settings or Matching(), **changes)

    def crew(self, count: int) -> Crew:
        """So many characters, played together."""
        return Crew(self, count)


def index_of(database: Database, settings: Matching) -> Index:
    """The index that settings play; made once."""
    return _index_of(database, settings.only, settings.without, settings.body, settings.upright)


@lru_cache(maxsize=8)
def _index_of(database: Database, only: tuple[str, ...], without: tuple[str, ...], body: Body, upright: float) -> Index:
    allowed = playable(database, only, without)
    return Index.of(database, allowed, body, upright * _out_of_the_way(database, allowed))


def _out_of_the_way(database: Database, allowed: Flags) -> Array:
    """How far from the ground, or from standing upright, a body will be within a second, 0 to 1. Shape (frames,)."""
    heights = database.raw("heights").reshape(len(database), -1, 2)
    low, high = heights[..., 0].max(1), heights[..., 1].min(1)
    tall = float(np.median(high[allowed & database.searchable]))
    off = np.clip((low - OFF_GROUND_M) / OFF_GROUND_M, 0.0, 1.0)
    bent = np.clip((UPRIGHT_SHARE * tall - high) / (0.1 * tall), 0.0, 1.0)
    return np.maximum(off, bent)


@lru_cache(maxsize=8)
def papers_of(index: Index) -> PaperIndex:
    """What the paper's search needs beside an index; made once."""
    return PaperIndex.of(index)


def playable(database: Database, only: tuple[str, ...], without: tuple[str, ...]) -> Flags:
    """Frames that bear one of the tags asked for; if none is asked for, those that bear no other one. (frames,)."""
    if only:
        return np.logical_or.reduce([database.tagged(tag) for tag in only])
    known = set(database.tags())
    shut = [database.tagged(tag) for tag in without if tag in known]
    return ~np.logical_or.reduce([np.zeros(len(database), np.bool_), *shut])


class Crew:
    """Characters that one controller moves; all arrays begin with the characters."""

    def __init__(self, controller: MotionMatching, count: int) -> None:
        settings, database = controller.settings, controller.database
        self.controller, self.settings, self.database = controller, settings, database
        self.index = index_of(database, settings)
        self.bodies = Bodies(database, count, settings.blend, np.full(count, settings.plant))
        self.frames = np.full(count, self._resting(), np.int64)
        """What is shown of the database. Shape (characters,)."""
        self.places = np.zeros((count, 3))
        """x, z [m] and yaw [rad]. Shape (characters, 3)."""
        self.velocities = np.zeros((count, 2))
        """x, z [m/s]. Shape (characters, 2)."""
        self.phases = np.arange(count) % settings.every
        """In which ticks each searches, so that not all do at once. Shape (characters,)."""
        self.scores = np.zeros(count)
        """Of what each found last. Shape (characters,)."""
        self._steps = self.bodies.source.steps
        columns = database.features.columns()
        self._weights = weights_of(self.index, {**{f.name: 1.0 for f in database.features.query}, **settings.weights})
        order = self.index.order

        def at(name: str) -> Indices:
            return np.flatnonzero((order >= columns[name].start) & (order < columns[name].stop))

        self._positions, self._directions = at("positions"), at("directions")
        ahead = np.concatenate([at(name) for name in FIRST])
        rest = np.setdiff1d(np.arange(len(order)), ahead)
        self._weights[ahead] *= settings.responsiveness
        self._weights[rest] *= settings.continuity
        self._standard = [(database.mean[columns[name]], database.scale[columns[name]]) for name in FIRST]
        self._asked: deque[tuple[Indices, Question]] = deque(maxlen=settings.every)
        self.recorded: list[Question] | None = None
        """Where questions are kept, if somebody wants them."""

    def _resting(self) -> int:
        """A frame to begin with: standing quietly and upright, if the data has that."""
        database, allowed = self.database, np.flatnonzero(self.index.searchable)
        moves = np.linalg.norm(database.raw("positions")[allowed], axis=-1)
        for name in ("velocities", "foot_velocities"):
            if name in database.features.columns():
                moves = moves + 0.2 * np.linalg.norm(database.raw(name)[allowed], axis=-1)
        low = database.hips[allowed, 1].astype(np.float64)
        return int(allowed[np.argmin(moves + 4.0 * np.maximum(np.percentile(low, 90) - low, 0.0))])

    def search(
        self, tick: int, due: Indices, members: Indices, targets: Targets, seen: Published, around: Surroundings
    ) -> None:
        """Choose anew for those whose turn it is.

        Args:
            tick: When.
            due: Which of the crew. Shape (asks,).
            members: Which of all characters the crew are. Shape (crew,).
            targets: Of the crew.
            seen: What all characters published in the last tick.
            around: What is in the way.
        """
        question = self.ask(tick, due, members, targets, seen, around)
        self._asked.append((due, question))
        if self.recorded is not None:
            self.recorded.append(question)
        settings = self.settings
        if settings.search == "brute":
            answers = brute_many(self.index, question)
        elif settings.search == "paper":
            answers = paper_many(papers_of(self.index), question, settings.paper)
        else:
            answers = exact_many(self.index, question, CANDIDATES if settings.between else 1, threads=2)
        chosen = answers.frames[:, 0].copy()
        if settings.between:
            soon = around.soon(tick, TIMES, members[due], seen, REACH_M)
            keep_clean(self.bodies.source, answers.frames, due, chosen, *soon, settings.every)
        self.scores[due] = answers.scores[:, 0]
        changed = chosen != self.frames[due]
        who = due[changed]
        self.bodies.change(who, self.frames[who], chosen[changed], self.places)
        self.frames[who] = chosen[changed]

    def ask(
        self, tick: int, due: Indices, members: Indices, targets: Targets, seen: Published, around: Surroundings
    ) -> Question:
        """Make up the questions."""
        settings, index = self.settings, self.index
        places = self.places[due]
        cosine, sine = np.cos(places[:, 2])[:, None], np.sin(places[:, 2])[:, None]
        values = in_order(index, self.database.values[self.frames[due], : self.database.features.query_dims])
        positions = _turned(targets.positions[due] - places[:, None, :2], cosine, sine)
        directions = _turned(targets.directions[due], cosine, sine)
        weights = np.repeat(self._weights[None], len(due), axis=0)
        environments = np.repeat(settings.environment.packed()[None], len(due), axis=0)
        reach = np.repeat((index.far + settings.environment.reach_m)[None], len(due), axis=0)
        rows: Array = np.zeros((0, 12))
        corners: Array = np.zeros((0, 2))
        slots: Indices = np.zeros((len(due), 4), np.int64)
        turning = np.zeros(len(due), np.bool_)
        if settings.obstacles or settings.route:
            rows, corners, slots = around.near(tick, members[due], seen, reach)
        if settings.route:
            turning, room = settings.router.bend(positions, directions, rows, corners, slots)
            # Where the way itself is tight, being near to things is no fault: only touching them is.
            router = settings.router
            share = np.clip((room - router.narrow_m) / (router.roomy_m - router.narrow_m), 0.0, 1.0)
            environments[:, REACH] = TIGHT_M + share * (environments[:, REACH] - TIGHT_M)
        if settings.obstacles:
            # EMM (6): at speed, what is ahead weighs more.
            speeds = np.minimum(targets.speeds[due], np.linalg.norm(positions[:, 0], axis=-1) / FIRST_S)
            more = np.maximum((speeds if settings.route else targets.speeds[due]) * settings.anticipation, 1.0)
            environments[:, :WEIGHT_SLOTS] *= more[:, None]
            # EMM (5): near things, facing where one should matters less.
            near, which = nearest(seen.now[members[due]], places, rows, corners, slots)
            if settings.only_nearest:
                slots = np.column_stack([which, which + 1, which + 1, which + 1])
            share = np.where(turning, 1.0, np.clip(near / settings.environment.reach_m, settings.evasion, 1.0))
            weights[:, self._directions] *= share[:, None].astype(np.float32)
            # Who has to squeeze wants to get through: standing still is worth less there.
            weights[:, self._positions] *= np.where(turning, THROUGH, 1.0)[:, None].astype(np.float32)
        else:
            rows, corners, slots = rows[:0], corners[:0], np.zeros_like(slots)
        for at, wanted, (mean, scale) in (
            (self._positions, positions, self._standard[0]),
            (self._directions, directions, self._standard[1]),
        ):
            values[:, at] = (wanted.reshape(len(due), -1) - mean) / scale
        asked = Asked(
            values,
            weights,
            environments,
            self.frames[due],
            np.full(len(due), settings.reward),
            self.frames[due],
        )
        charges = with_heights(settings.environment, settings.charges, bool((rows[:, FULL] == 0.0).any()))
        return Question(asked, Around(rows, corners, slots, *charged(charges, places)))

    def play(self, members: Indices, published: Published) -> None:
        """Go on by one frame, and show what came of it."""
        _go_on(self._steps, self.frames, self.places, self.velocities)
        self.show(members, published)

    def show(self, members: Indices, published: Published) -> None:
        """Pose the bodies and publish them."""
        self.bodies.pose(self.frames, self.places, self.velocities)
        published.places[members], published.velocities[members] = self.places, self.velocities
        published.now[members] = self.bodies.now
        ahead = np.empty((len(members), 3, 8))
        _look_ahead(self.index.tables.bodies, self.frames, self.places, ahead)
        published.ahead[members] = ahead

    def explain(self, who: int) -> Explained:
        """Why one of the crew plays what it plays: its last question, answered once more in full."""
        for due, question in reversed(self._asked):
            if who in due:
                return explain(self.index, question, int(np.flatnonzero(due == who)[0]))
        raise AskedWrongly("nothing has been chosen yet; let a tick pass first")

    def due(self, tick: int) -> Indices:
        """Whose turn it is to search: those in phase, and those whose clip ends before their next turn."""
        late = self.frames + 1 >= self.database.stops[self.database.clip_of[self.frames]] - 1
        return np.flatnonzero((tick % self.settings.every == self.phases) | late)


def _turned(vectors: Array, cosine: Array, sine: Array) -> Array:
    """Vectors (asks, 3, 2) of the world in the characters' frames."""
    x, z = vectors[..., 0], vectors[..., 1]
    return np.stack([cosine * x - sine * z, sine * x + cosine * z], axis=-1)


@kernel
def _go_on(steps: Array, frames: Indices, places: Array, velocities: Array) -> None:
    for i in range(len(frames)):
        wx, wz, turn = way_of(steps, frames[i], places[i, 2])
        places[i, 0] += wx
        places[i, 1] += wz
        places[i, 2] += turn
        velocities[i, 0], velocities[i, 1] = 60.0 * wx, 60.0 * wz
        frames[i] += 1


@kernel
def _look_ahead(bodies: Array, frames: Indices, places: Array, ahead: Array) -> None:
    """Future bodies in the world."""
    for i in range(len(frames)):
        cosine, sine = np.cos(places[i, 2]), np.sin(places[i, 2])
        for slot in range(3):
            for k in range(8):
                ahead[i, slot, k] = bodies[frames[i], slot, k]
            x, z = ahead[i, slot, 0], ahead[i, slot, 1]
            ahead[i, slot, 0] = places[i, 0] + cosine * x + sine * z
            ahead[i, slot, 1] = places[i, 1] - sine * x + cosine * z
            ux, uz = ahead[i, slot, 2], ahead[i, slot, 3]
            ahead[i, slot, 2], ahead[i, slot, 3] = cosine * ux + sine * uz, -sine * ux + cosine * uz


@kernel
def nearest(now: Array, places: Array, rows: Array, corners: Array, slots: Indices) -> tuple[Array, Indices]:
    """Distance from each body to what is nearest at the first look-ahead time, [m], and its row. Shapes (asks,)."""
    result, which = np.full(len(places), 1e3), np.full(len(places), -1)
    for m in range(len(places)):
        cosine, sine = np.cos(places[m, 2]), np.sin(places[m, 2])
        ux, uz = cosine * now[m, 2] - sine * now[m, 3], sine * now[m, 2] + cosine * now[m, 3]
        a, b = max(now[m, 4], 0.01), max(now[m, 5], 0.01)
        for i in range(slots[m, 0], slots[m, 1]):
            away = body_distance(i, rows, corners, 0.0, 0.0, ux, uz, a, b)
            if away < result[m]:
                result[m], which[m] = away, i
    return result, which
