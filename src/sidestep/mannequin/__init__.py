"""The mannequin: a smooth body grown around any humanoid skeleton."""

from .grow import Mannequin, grow
from .props import prop_mesh

__all__ = ["Mannequin", "grow", "prop_mesh"]
