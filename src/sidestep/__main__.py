"""``python -m sidestep`` is the ``sidestep`` command."""

from .cli import main

if __name__ == "__main__":
    main()
