"""The scripts: every task of the default data set. Importing this package registers them."""

from . import carrying, expression, floor, locomotion, passing, reactions, vertical

__all__ = ["carrying", "expression", "floor", "locomotion", "passing", "reactions", "vertical"]
