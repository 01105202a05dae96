"""One door to Numba: every kernel is made by ``kernel`` or ``parallel_kernel``.

Numba's on-disk cache looks only at the file a function is written in. A kernel that calls a kernel of another file
would keep the old code when that other file changes. The cache folder is therefore named after a hash of the whole
package's sources: any change starts a fresh folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import config as _numba_config

from .caches import cache_folder

numba_config: Any = _numba_config

# Not plain True: that would make `isnan` false for NaN, and NaN must never travel.
FAST_MATH = {"contract", "reassoc", "nsz"}


def sources_hash(package: Path) -> str:
    """Hash every Python source below ``package`` (paths and contents)."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def kernel_cache() -> str:
    """The folder in which compiled kernels of exactly these sources are kept."""
    return str(cache_folder() / "kernels" / sources_hash(Path(__file__).parent))


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    # Numba reads the folder when the decorator runs; other users of Numba in this process keep their own.
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = kernel_cache()
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST_MATH, **options)(function)
    finally:
        numba_config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function for one thread; it releases the GIL."""
    return _compile(function)


def parallel_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function whose ``numba.prange`` loops run on all threads."""
    return _compile(function, parallel=True)
