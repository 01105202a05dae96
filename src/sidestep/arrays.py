"""Names for the arrays that travel between rooms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating[Any]]
"""Real numbers; the shape stands in the docstring of whoever takes or returns it."""

Flags = NDArray[np.bool_]
"""True or false per frame, per joint ..."""

Indices = NDArray[np.integer[Any]]
"""Whole numbers that point into something."""


def frozen(array: Any, dtype: Any = np.float32) -> Any:
    """A contiguous read-only copy (or the array itself, if it is one already)."""
    result = np.ascontiguousarray(array, dtype=dtype)
    if result is array or result.base is not None:
        owner = result
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        # Somebody else could still write into it.
        result = result.copy() if owner.flags.writeable else result
    result.flags.writeable = False
    return result
