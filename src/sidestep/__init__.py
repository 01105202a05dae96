"""sidestep: motion-captured characters that find their way through a world that gets in their way.

The names below are what the outside can rely on; each is looked up when it is first used, so that importing sidestep
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .controllers import MotionMatching
    from .database import Database, Feature, FeatureSet
    from .errors import SidestepError
    from .files import read, write
    from .intent import Crowd, Goal, Path, Script, Stick
    from .mannequin import grow
    from .motion import Clip, Skeleton
    from .performer import perform
    from .pictures import contact_sheet
    from .search import penalty
    from .stage import Recording, Stage, scene

__version__ = "0.1.0"

_ROOMS = {
    "Clip": "motion",
    "Crowd": "intent",
    "Database": "database",
    "Feature": "database",
    "FeatureSet": "database",
    "Goal": "intent",
    "MotionMatching": "controllers",
    "Path": "intent",
    "Recording": "stage",
    "Script": "intent",
    "SidestepError": "errors",
    "Skeleton": "motion",
    "Stage": "stage",
    "Stick": "intent",
    "contact_sheet": "pictures",
    "grow": "mannequin",
    "penalty": "search",
    "perform": "performer",
    "read": "files",
    "scene": "stage",
    "write": "files",
}

__all__ = [
    "Clip",
    "Crowd",
    "Database",
    "Feature",
    "FeatureSet",
    "Goal",
    "MotionMatching",
    "Path",
    "Recording",
    "Script",
    "SidestepError",
    "Skeleton",
    "Stage",
    "Stick",
    "contact_sheet",
    "grow",
    "penalty",
    "perform",
    "read",
    "scene",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"sidestep has no '{name}'; it offers {', '.join(sorted(_ROOMS))}")
    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
