"""How commands speak: people get text and tables, machines get JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from ..files.safely import write_whole

console = Console(highlight=False)
complaints = Console(highlight=False, stderr=True)
"""What went wrong goes beside the output, so that JSON stays JSON."""


def plain(value: Any) -> Any:
    """Make something JSON can hold of arrays and numbers."""
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return round(value, 6) if np.isfinite(value) else None
    return value


def put_json(value: Any, target: Path | None) -> None:
    """Print JSON, or write it to a file."""
    text = json.dumps(plain(value), indent=None if target is None else 2, ensure_ascii=False)
    if target is None:
        sys.stdout.write(text + "\n")
    else:
        write_whole(target, lambda part: _put(part, text + "\n"))


def _put(part: Path, text: str) -> None:
    part.write_text(text, encoding="utf-8")
