"""Writing a file so that a reader sees either the old one or the whole new one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from ..errors import CannotWrite


def write_whole(path: Path | str, fill: Callable[[Path], None]) -> None:
    """Let ``fill`` write a temporary file beside ``path`` and put it in place only when that has succeeded.

    Raises:
        CannotWrite: The folder is missing, the disk is full ...; whatever stood at ``path`` still stands.
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:
        raise CannotWrite(
            f"{path}: cannot write into folder '{path.parent}' ({error.strerror}); make it or name another"
        ) from error
    os.close(handle)
    part = Path(name)
    try:
        fill(part)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.chmod(0o644)
        part.replace(path)
    except OSError as error:
        raise CannotWrite(
            f"{path}: not written ({error.strerror or error}); free some space or name another place; "
            "what stood there before is untouched"
        ) from error
    finally:
        part.unlink(missing_ok=True)
