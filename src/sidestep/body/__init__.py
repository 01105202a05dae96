"""What happens to a pose after it was chosen: blending over from the last one, planted feet, the footprint it leaves."""

from .blend import Blend
from .bodies import Bodies

__all__ = ["Blend", "Bodies"]
