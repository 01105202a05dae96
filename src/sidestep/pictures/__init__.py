"""Pictures people judge motion by."""

from .sheet import contact_sheet

__all__ = ["contact_sheet"]
