"""Pictures to judge motion by: contact sheets and views from above."""

from .sheet import contact_sheet
from .top import top_view

__all__ = ["contact_sheet", "top_view"]
