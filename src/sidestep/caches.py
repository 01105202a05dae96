"""Where things that can be made again are kept: compiled kernels, the performed data set, downloads."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The folder for everything that can be made again; ``SIDESTEP_CACHE`` names another one."""
    if named := os.environ.get("SIDESTEP_CACHE"):
        return Path(named).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "sidestep"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "sidestep" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "sidestep"
