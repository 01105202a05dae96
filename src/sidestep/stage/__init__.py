"""The cast and the clock: who is there, what is in the way, tick by tick, and what was recorded."""

from .recording import Recording
from .stage import Character, Stage

__all__ = ["Character", "Recording", "Stage"]
