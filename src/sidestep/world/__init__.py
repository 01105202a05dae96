"""Everything a character can perceive: what stands and moves around it, who else is there, where a way leads."""

from .obstacles import Obstacle, Obstacles, Track
from .published import Published
from .routes import Router
from .surroundings import Surroundings

__all__ = ["Obstacle", "Obstacles", "Published", "Router", "Surroundings", "Track"]
