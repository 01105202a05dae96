"""Everything sidestep can refuse, under one root.

    SidestepError
    ├── AskedWrongly          the call or command line makes no sense (exit status 2)
    ├── UnknownName           a joint, role, feature, task ... that does not exist; the message lists near ones
    ├── BadSkeleton           a skeleton that cannot be used for what was asked
    ├── BadClip               motion that cannot be used: too short, not finite ...
    ├── BadFile               a file that cannot be read; the message names it and the place
    │   ├── UnknownFormat     no reader or writer for this suffix
    │   └── DamagedFile       truncated, checksum wrong, written by another version
    ├── CannotWrite           the target cannot be written; whatever stood there still stands
    ├── MissingExtra          an optional part is not installed; the message says how to install it
    ├── BrokenSetup           the installation itself is not fit to run; the message says what to install
    ├── CannotFetch           a download did not come to its end; what arrived is kept
    └── JobFailed             a piece of work failed in a worker process

Every message names the culprit and the cure in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class SidestepError(Exception):
    """The root of everything sidestep refuses."""


class AskedWrongly(SidestepError):
    """The call or the command line makes no sense."""


class UnknownName(SidestepError):
    """A name that does not exist; the message lists the nearest ones."""

    @classmethod
    def among(cls, kind: str, name: str, known: Iterable[str], where: str = "") -> UnknownName:
        """Build the error for ``name`` with the nearest of the ``known`` names."""
        known = list(known)
        near = get_close_matches(name, known, n=3, cutoff=0.4) or known[:8]
        prefix = f"{where}: " if where else ""
        return cls(f"{prefix}no {kind} '{name}'; nearest: {', '.join(repr(n) for n in near) or 'none are known'}")


class BadSkeleton(SidestepError):
    """A skeleton that cannot be used for what was asked."""


class BadClip(SidestepError):
    """Motion that cannot be used."""


class BadFile(SidestepError):
    """A file that cannot be read."""


class UnknownFormat(BadFile):
    """No reader or writer for this suffix."""


class DamagedFile(BadFile):
    """A file that is truncated, altered or written by another version."""


class CannotWrite(SidestepError):
    """The target cannot be written; whatever stood there still stands."""


class MissingExtra(SidestepError):
    """An optional part is not installed."""

    @classmethod
    def named(cls, extra: str, purpose: str) -> MissingExtra:
        """Build the error that names the command which installs ``extra``."""
        return cls(f"{purpose} needs the '{extra}' extra: pip install 'sidestep[{extra}]'")


class BrokenSetup(SidestepError):
    """The installation is not fit to run."""


class CannotFetch(SidestepError):
    """A download that did not come to its end; what has arrived is kept and taken up next time."""


class JobFailed(SidestepError):
    """A piece of work failed in a worker process."""
