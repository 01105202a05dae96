"""The nearest pose under a query and obstacles: exact, as the paper searches, and brute force as the plain truth."""

from .cost import Environment
from .find import Answers, Found, Query, Question, brute, brute_many, exact, exact_many, question, top
from .index import Index
from .paper import Paper, PaperIndex, paper, paper_many
from .penalties import PENALTIES, Charge, Penalty, penalty

__all__ = [
    "PENALTIES",
    "Answers",
    "Charge",
    "Environment",
    "Found",
    "Index",
    "Paper",
    "PaperIndex",
    "Penalty",
    "Query",
    "Question",
    "brute",
    "brute_many",
    "exact",
    "exact_many",
    "paper",
    "paper_many",
    "penalty",
    "question",
    "top",
]
