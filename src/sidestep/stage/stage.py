"""The clock and the cast: in each tick everyone reads what was published in the last one, then everyone writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import Array, Indices
from ..controllers import MotionMatching
from ..controllers.explain import Explained
from ..controllers.matching import Crew
from ..errors import AskedWrongly
from ..intent import Stick, Wishes, intent_from_plain, intent_to_plain
from ..world import Obstacle, Obstacles, Published, Surroundings
from .recording import Recording

if TYPE_CHECKING:
    from .scene import Scene

TICKS_PER_SECOND = 60


class Character:
    """Somebody on a stage."""

    def __init__(self, stage: Stage, number: int, name: str) -> None:
        self.stage, self.number, self.name = stage, number, name

    @property
    def intent(self) -> Any:
        """What it wants; give it another one at any time."""
        return self.stage.intent_of(self.number)

    @intent.setter
    def intent(self, intent: Any) -> None:
        self.stage.give(self.number, intent)

    def explain(self) -> Explained:
        """Why it plays what it plays, feature by feature, beside the runner-up."""
        for members, crew in self.stage.crews:
            if self.number in members:
                return crew.explain(int(np.flatnonzero(members == self.number)[0]))
        raise AskedWrongly(f"'{self.name}' is on no stage")

    @property
    def place(self) -> Array:
        """x, z [m] and yaw [rad], as published."""
        return self.stage.published.places[self.number].copy()


class Stage:
    """A world, its characters, and the clock."""

    def __init__(self, obstacles: Sequence[Obstacle] | Scene = (), seed: int = 0) -> None:
        """A stage with these obstacles, or with those of a scene but without its characters (``Scene.stage``)."""
        if not isinstance(obstacles, Sequence):
            obstacles = obstacles.obstacles
        self.obstacles = Obstacles(obstacles)
        self.told: dict[str, Any] = {}
        """What it takes to set the same stage again, where a scene set it."""
        self.inputs: list[tuple[int, int, dict[str, Any]]] = []
        """Intents given while it ran: tick, character, intent as in a scene."""
        self.surroundings = Surroundings(self.obstacles)
        self.seed = seed
        self.tick = 0
        self.characters: list[Character] = []
        self._starts: list[tuple[float, float, float]] = []
        self._controllers: list[MotionMatching] = []
        self._intents: list[Any] = []
        self._crews: list[tuple[Indices, Crew]] = []
        self.wishes: Wishes | None = None
        """What everybody wants; there from the first tick on."""
        self.published = Published.of(0)

    def add(
        self,
        controller: MotionMatching,
        at: tuple[float, float] = (0.0, 0.0),
        facing: float = 0.0,
        intent: Any = None,
        name: str = "",
    ) -> Character:
        """Put somebody on the stage, before the first tick.

        Args:
            controller: Moves it.
            at: x and z, [m].
            facing: Yaw: 0 along +z, positive to the left (+x), [rad].
            intent: What it wants; to stand, if left out.
            name: For people and files.
        """
        if self.wishes is not None:
            raise AskedWrongly("characters are added before the first tick")
        if not np.isfinite([*at, facing]).all():
            raise AskedWrongly(f"a character at {at}, facing {facing}: these are not finite numbers")
        number = len(self.characters)
        self.characters.append(Character(self, number, name or f"character {number}"))
        self._starts.append((*at, facing))
        self._controllers.append(controller)
        self._intents.append(intent or Stick())
        return self.characters[-1]

    def intent_of(self, number: int) -> Any:
        """What a character wants."""
        return self._intents[number]

    def give(self, number: int, intent: Any) -> None:
        """Give a character something to want."""
        self._intents[number] = intent
        if self.wishes is not None:
            self.wishes.set(number, intent, self.tick)
            self.inputs.append((self.tick, number, intent_to_plain(intent)))

    @property
    def crews(self) -> list[tuple[Indices, Crew]]:
        """Characters by who moves them: which of all they are, and their state."""
        if self.wishes is None:
            self._begin()
        return self._crews

    def _begin(self) -> None:
        if not self.characters:
            raise AskedWrongly("the stage is empty; add a character first")
        starts = np.array(self._starts)
        self.published = Published.of(len(starts))
        # In the order in which they came, not by address: runs must repeat.
        kinds = list(dict.fromkeys(self._controllers))
        for controller in kinds:
            members = np.array([i for i, other in enumerate(self._controllers) if other is controller])
            crew = controller.crew(len(members))
            crew.phases = members % controller.settings.every
            crew.places[:] = starts[members]
            crew.show(members, self.published)
            self._crews.append((members, crew))
        self.wishes = Wishes(starts)
        for number, intent in enumerate(self._intents):
            self.wishes.set(number, intent, 0)

    def step(self) -> None:
        """One tick."""
        if self.wishes is None:
            self._begin()
        assert self.wishes is not None
        seen = self.published.copy()
        targets = self.wishes.targets(self.tick, seen)
        for members, crew in self._crews:
            due = crew.due(self.tick)
            if len(due):
                crew.search(self.tick, due, members, targets.of(members), seen, self.surroundings)
        self.tick += 1
        for members, crew in self._crews:
            crew.play(members, self.published)

    def run(
        self,
        seconds: float,
        inputs: Sequence[tuple[int, int, dict[str, Any]]] = (),
        watch: Callable[[int], None] | None = None,
    ) -> Recording:
        """Let time pass, and record it.

        Args:
            seconds: How long.
            inputs: Intents to give on the way, as in ``Stage.inputs``.
            watch: Told how many ticks are done, after each.
        """
        if not 0 < seconds < np.inf:
            raise AskedWrongly(f"{seconds} s is no time to run; give seconds above zero")
        recording = Recording.begin(self, max(round(seconds * TICKS_PER_SECOND), 1))
        waiting = sorted(inputs, key=lambda row: row[0])
        for row in range(recording.ticks):
            while waiting and waiting[0][0] <= self.tick:
                _, number, table = waiting.pop(0)
                self.give(number, intent_from_plain(table))
            self.step()
            recording.keep(row, self)
            if watch is not None:
                watch(row + 1)
        recording.told = {**self.told, "inputs": [list(row) for row in self.inputs]}
        return recording
