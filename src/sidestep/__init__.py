"""sidestep: motion-captured characters that find their way through a world that gets in their way.

The names below are what the outside can rely on; each is looked up when it is first used, so that importing sidestep
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .database import Database, Feature, FeatureSet
    from .errors import SidestepError
    from .files import read, write
    from .mannequin import grow
    from .motion import Clip, Skeleton
    from .performer import perform
    from .pictures import contact_sheet

__version__ = "0.1.0"

_ROOMS = {
    "Clip": "motion",
    "Database": "database",
    "Feature": "database",
    "FeatureSet": "database",
    "SidestepError": "errors",
    "Skeleton": "motion",
    "contact_sheet": "pictures",
    "grow": "mannequin",
    "perform": "performer",
    "read": "files",
    "write": "files",
}

__all__ = [
    "Clip",
    "Database",
    "Feature",
    "FeatureSet",
    "SidestepError",
    "Skeleton",
    "contact_sheet",
    "grow",
    "perform",
    "read",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"sidestep has no '{name}'; it offers {', '.join(sorted(_ROOMS))}")
    return getattr(import_module(f".{_ROOMS[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
