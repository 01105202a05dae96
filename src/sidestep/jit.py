"""One door to Numba: every kernel is made by ``kernel`` or ``parallel_kernel``.

Numba's on-disk cache looks only at the file a function is written in. A kernel that calls a kernel of another file
would keep the old code when that other file changes. The cache folder is therefore named after a hash of the whole
package's sources: any change starts a fresh folder.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import cgutils as _cgutils
from numba.core import config as _numba_config
from numba.extending import intrinsic

from .caches import cache_folder

numba_config: Any = _numba_config
cgutils: Any = _cgutils

# Penalties are handed to kernels as functions; Numba calls that an experiment, for years now.
warnings.filterwarnings("ignore", message="First-class function type feature is experimental")

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


@contextmanager
def _own_cache() -> Iterator[None]:
    # Numba reads the folder when a decorator runs; other users of Numba in this process keep their own.
    before = numba_config.CACHE_DIR
    numba_config.CACHE_DIR = kernel_cache()
    try:
        yield
    finally:
        numba_config.CACHE_DIR = before


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    with _own_cache():
        return numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=FAST_MATH, **options)(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function for one thread; it releases the GIL."""
    return _compile(function)


def inlined_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function into its callers: for those that are handed many arrays many thousand times."""
    return _compile(function, forceinline=True)


def parallel_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function whose ``numba.prange`` loops run on all threads."""
    return _compile(function, parallel=True)


def callback(function: Callable[..., Any], signature: Any) -> Any:
    """Compile a function that kernels take as an argument: one type for all of them, so no kernel is compiled again."""
    with _own_cache():
        return numba.cfunc(signature, cache=True, error_model="numpy")(function)


def function_at(signature: Any) -> Any:
    """What turns an address, inside a kernel, into a function of this signature.

    Numba can be handed compiled functions directly, but looks each of them over anew at every call.
    """
    function_type = numba.types.FunctionType(signature)

    @intrinsic
    def at(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            made = cgutils.create_struct_proxy(function_type)(context, builder)
            made.c_addr = builder.inttoptr(arguments[0], cgutils.voidptr_t)
            made.py_addr = cgutils.get_null_value(cgutils.voidptr_t)
            made.jit_addr = cgutils.get_null_value(cgutils.voidptr_t)
            return made._getvalue()

        return function_type(numba.types.int64), generate

    return at


@intrinsic
def _borrowed(typing: Any, array: Any) -> Any:
    """The same array, not counted: for inner loops, whose caller keeps it alive.

    Numba counts every array at every call, inlined or not, with an atomic instruction; in a search that cost more than
    the distances.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        made.meminfo = cgutils.get_null_value(made.meminfo.type)
        made.parent = cgutils.get_null_value(made.parent.type)
        return made._getvalue()

    return array(array), generate


borrowed: Any = _borrowed
"""See ``_borrowed``."""
