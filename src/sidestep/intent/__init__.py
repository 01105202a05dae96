"""Where a character wants to go: sticks, paths, goals, scripts and a crowd's rule become target paths ahead."""

from .kinds import Crowd, Goal, Script, Stick
from .path import Path
from .targets import Targets, Wishes

__all__ = ["Crowd", "Goal", "Path", "Script", "Stick", "Targets", "Wishes"]
