"""sidestep: motion-captured characters that find their way through a world that gets in their way."""

__version__ = "0.1.0"
