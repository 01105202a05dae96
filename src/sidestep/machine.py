"""The machine that figures were taken on, told without its name."""

from __future__ import annotations

import os
import platform


def machine() -> str:
    """One line: system, processor family, cores."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
