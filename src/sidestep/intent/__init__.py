"""Where a character wants to go: sticks, paths, goals, scripts and a crowd's rule become target paths ahead."""

from .kinds import Crowd, Goal, Script, Stick
from .path import Path
from .plain import INTENTS, intent_from_plain, intent_to_plain
from .targets import Targets, Wishes

__all__ = [
    "INTENTS",
    "Crowd",
    "Goal",
    "Path",
    "Script",
    "Stick",
    "Targets",
    "Wishes",
    "intent_from_plain",
    "intent_to_plain",
]
