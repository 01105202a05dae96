"""Why a pose was chosen: what it cost, feature by feature, beside the one it was chosen over."""

from __future__ import annotations

from dataclasses import dataclass

from ..arrays import Indices
from ..search import Index, Question, exact_many
from ..search.index import LANES
from ..search.tables import Asked

KNOWN = 128
"""Among so many of the best poses the runner-up is looked for."""
APART = 10
"""Frames of the same clip nearer than this are the same choice."""


@dataclass(frozen=True)
class Choice:
    """A pose and its price."""

    frame: int
    clip: str
    score: float
    features: dict[str, float]
    """Weighted squared distance by query feature."""
    rest: float
    """Obstacles, registered penalties and what the frame costs by itself, less the reward for going on."""


@dataclass(frozen=True)
class Explained:
    """What was chosen, and what would have been."""

    chosen: Choice
    runner_up: Choice | None


def explain(index: Index, question: Question, row: int) -> Explained:
    """Ask once more for one of those who asked, and take the two best choices apart."""
    own = slice(row, row + 1)
    values, weights, environments, going_on, rewards, hints = question.asked
    asked = Asked(values[own], weights[own], environments[own], going_on[own], rewards[own], hints[own])
    around = question.around._replace(slots=question.around.slots[own], given=question.around.given[own])
    alone = Question(asked, around)
    answers = exact_many(index, alone, KNOWN)
    frames, scores = answers.frames[0], answers.scores[0]
    chosen = _choice(index, alone, int(frames[0]), float(scores[0]))
    other = _other(index, frames)
    return Explained(chosen, None if other is None else _choice(index, alone, int(frames[other]), float(scores[other])))


def _other(index: Index, frames: Indices) -> int | None:
    clips = index.database.clip_of
    for number, frame in enumerate(frames):
        if frame >= 0 and (clips[frame] != clips[frames[0]] or abs(frame - frames[0]) > APART):
            return number
    return None


def _choice(index: Index, question: Question, frame: int, score: float) -> Choice:
    database = index.database
    block, lane = index.tables.block_of[frame // LANES], frame % LANES
    costs = question.asked.weights[0] * (index.tables.poses[block, :, lane] - question.asked.values[0]) ** 2
    columns = database.features.columns()
    features = {}
    for feature in database.features.query:
        at = columns[feature.name]
        mine = (index.order >= at.start) & (index.order < at.stop)
        features[feature.name] = float(costs[: len(index.order)][mine].sum())
    name = str(database.clips[int(database.clip_of[frame])]["name"])
    return Choice(frame, name, score, features, score - sum(features.values()))
