"""Which joint is what: hips, spine, head, arms and legs found on any humanoid skeleton.

Names are tried first (``names.py``), then the shape of the tree alone (``shape.py``).
"""

from __future__ import annotations

import numpy as np

from ..arrays import Array
from .limbs import SIDES, Limb, Roles
from .names import roles_by_name
from .shape import refuse_quadruped, roles_by_shape
from .skeleton import Skeleton

__all__ = ["SIDES", "Limb", "Roles", "find_roles"]


def find_roles(skeleton: Skeleton, positions: Array | None = None) -> Roles:
    """Find the body in a skeleton, by names or else by shape.

    Args:
        skeleton: Any tree with a trunk, two arms and two legs.
        positions: Joint positions of one ordinary pose, [m]; without it the offsets' own pose is used. Only needed to
            tell left from right where the names do not. Shape (joints, 3).

    Raises:
        BadSkeleton: There is no human body in it; the message says what is missing.
    """
    roles = roles_by_name(skeleton)
    if roles is None:
        refuse_quadruped(skeleton)
        roles = roles_by_shape(skeleton, skeleton.resting_positions() if positions is None else np.asarray(positions))
    return roles
