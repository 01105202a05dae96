"""The mannequin: a smooth body grown around any humanoid skeleton."""

from .grow import Mannequin, grow
from .outline import Outline, outline
from .props import prop_mesh

__all__ = ["Mannequin", "Outline", "grow", "outline", "prop_mesh"]
