"""Skeletons, clips and poses, and what can be done to them without knowing files or worlds."""

from .clip import CONTACTS, Clip, Event, Prop, Tag
from .skeleton import Skeleton

__all__ = ["CONTACTS", "Clip", "Event", "Prop", "Skeleton", "Tag"]
