"""Work spread over processes; it does not know what the work is."""

from .pool import Outcome, Pool, Store

__all__ = ["Outcome", "Pool", "Store"]
