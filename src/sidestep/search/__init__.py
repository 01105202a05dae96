"""The nearest pose under a query and obstacles: exact, and brute force as the plain truth beside it."""

from .cost import Environment
from .find import Found, Query, brute, exact
from .index import Index

__all__ = ["Environment", "Found", "Index", "Query", "brute", "exact"]
