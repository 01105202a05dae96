"""The mannequin: a smooth body grown around any humanoid skeleton."""

from .grow import Mannequin, grow

__all__ = ["Mannequin", "grow"]
