"""What can be set on motion matching; all of it by character, most of it while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal

import numpy as np

from ..body import Blend
from ..errors import AskedWrongly, UnknownName
from ..search import Charge, Environment, Paper
from ..search.index import BODIES, Body
from ..world import Router

Search = Literal["exact", "brute", "paper"]
SEARCHES: tuple[Search, ...] = ("exact", "brute", "paper")
STYLES = ("style box", "style rod", "style elbows", "dance", "punch", "push", "pull", "recover")
"""Tags of the default data set that are another way of moving, or an action: asked for, never stumbled into."""


@dataclass(frozen=True, kw_only=True)
class Matching:
    """Settings of motion matching (EMM 5)."""

    responsiveness: float = 0.1
    """How closely the target path is followed (EMM 3)."""
    continuity: float = 0.1
    """How much a pose must be like the one before (EMM 4)."""
    evasion: float = 0.01
    """What is left of the wish to face somewhere while something is near (EMM 5); 1 keeps all of it."""
    anticipation: float = 2.0
    """How much more obstacles weigh at speed (EMM 6)."""
    weights: dict[str, float] = field(default_factory=dict)
    """Of query features by name, before responsiveness and continuity; those not named weigh one (EMM 5.3)."""
    environment: Environment = field(default_factory=Environment)
    upright: float = 0.15
    """What it costs to leave the ground or to go low where nothing asks for it; without that, whoever walks ends up in
    a jump's run-up, and jumps."""
    reward: float = 0.01
    """For going on with the clip that is playing (EMM 5.2)."""
    every: int = 10
    """Ticks between searches (EMM 5.1)."""
    search: Search = "exact"
    paper: Paper = field(default_factory=Paper)
    """Which parts of EMM 5.4 are on, for ``search="paper"``."""
    obstacles: bool = True
    """Off: standard motion matching."""
    only_nearest: bool = False
    """Look at the first ellipse and the nearest obstacle alone (EMM 6.3, "One Obstacle")."""
    body: Body = "ellipse"
    only: tuple[str, ...] = ()
    """Tags to play; all if left out."""
    without: tuple[str, ...] = STYLES
    """Tags not to play, unless ``only`` names what to play."""
    charges: tuple[Charge, ...] = ()
    """Penalties beyond obstacles (see ``search.penalties``)."""
    between: bool = False
    """Check the body at every frame until the next search, not only at the look-ahead times."""
    route: bool = False
    """Bend the target path around what blocks it."""
    router: Router = field(default_factory=Router)
    """How, for ``route=True``."""
    blend: Blend = field(default_factory=Blend)
    plant: bool = True
    """Whether standing feet are kept where they stand."""

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        for name in ("responsiveness", "continuity", "evasion", "anticipation", "reward", "upright"):
            if not 0 <= getattr(self, name) < np.inf:
                raise AskedWrongly(f"{name} is {getattr(self, name)}; it must be zero or above")
        if self.search not in SEARCHES:
            raise UnknownName.among("search", self.search, SEARCHES)
        if self.body not in BODIES:
            raise UnknownName.among("body", self.body, BODIES)
        if self.every < 1:
            raise AskedWrongly(f"a search every {self.every} ticks; at least every one")

    def plain(self) -> dict[str, object]:
        """What differs from the defaults, as text and numbers."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(_PLAIN, f.name)}


_PLAIN = Matching()
