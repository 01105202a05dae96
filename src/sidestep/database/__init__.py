"""Clips become one searchable, read-only database."""

from .database import Database, Source
from .features import EMM, FEATURE_SETS, LOOK_AHEAD, RMM27, RMM33, Feature, FeatureSet
from .take import Take

__all__ = [
    "EMM",
    "FEATURE_SETS",
    "LOOK_AHEAD",
    "RMM27",
    "RMM33",
    "Database",
    "Feature",
    "FeatureSet",
    "Source",
    "Take",
]
