"""Who chooses the next pose: a controller turns targets and surroundings into frames, for many characters at once."""

from .matching import MotionMatching
from .settings import Matching

__all__ = ["Matching", "MotionMatching"]
