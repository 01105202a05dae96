"""The database of the embedded data set, kept in the cache."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ..caches import cache_folder
from ..errors import CannotWrite, DamagedFile
from ..jit import sources_hash
from ..performer.dataset import default_clips
from .database import Database


@lru_cache(maxsize=2)
def default_database(seed: int = 0) -> Database:
    """Open it, or perform and build it now."""
    # Any change anywhere may change a feature: what a body covers, for one, is told by the mannequin.
    sources = sources_hash(Path(__file__).parent.parent)
    path = cache_folder() / "databases" / f"default-{sources}-seed{seed}.sidestep"
    if path.exists():
        try:
            return Database.load(path)
        except DamagedFile:
            path.unlink(missing_ok=True)
    database = Database.build(default_clips(seed), note=f"the embedded data set, seed {seed}")
    # A cache that cannot be written only costs the next start its time.
    with suppress(CannotWrite, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        database.save(path)
    return database
