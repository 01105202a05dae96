"""What happens to a pose after it was chosen: it blends over, feet are planted, a footprint is left."""

from .blend import Blend
from .bodies import Bodies

__all__ = ["Blend", "Bodies"]
