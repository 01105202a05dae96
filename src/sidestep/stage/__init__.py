"""The cast and the clock: who is there, what is in the way, tick by tick, and what was recorded."""

from .recording import Recording
from .scene import Scene, scene, scene_names
from .stage import Character, Stage

__all__ = ["Character", "Recording", "Scene", "Stage", "scene", "scene_names"]
