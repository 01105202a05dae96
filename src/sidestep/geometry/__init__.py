"""Shapes and true distances."""

from .segments import segment_distances

__all__ = ["segment_distances"]
