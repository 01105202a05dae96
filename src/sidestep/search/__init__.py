"""The nearest pose under a query and obstacles: exact, as the paper searches, and brute force as the plain truth."""

from .cost import Environment
from .find import Found, Query, Question, asked, brute, exact
from .index import Index
from .paper import Paper, PaperIndex, paper

__all__ = [
    "Environment",
    "Found",
    "Index",
    "Paper",
    "PaperIndex",
    "Query",
    "Question",
    "asked",
    "brute",
    "exact",
    "paper",
]
