"""Walking up and down a skeleton's tree."""

from __future__ import annotations

from .skeleton import Skeleton


def is_below(skeleton: Skeleton, joint: int, ancestor: int) -> bool:
    """Whether ``joint`` hangs (directly or not) on ``ancestor``."""
    while joint > ancestor:
        joint = int(skeleton.parents[joint])
    return joint == ancestor


def ancestors(skeleton: Skeleton, joint: int) -> list[int]:
    """The joint and all above it, up to the root."""
    result = [joint]
    while (parent := int(skeleton.parents[result[-1]])) >= 0:
        result.append(parent)
    return result


def common_ancestor(skeleton: Skeleton, a: int, b: int) -> int:
    """The lowest joint on which both hang."""
    above = set(ancestors(skeleton, a))
    return next(j for j in ancestors(skeleton, b) if j in above)


def path_down(skeleton: Skeleton, top: int, joint: int) -> list[int]:
    """The joints from ``top`` (exclusive) down to ``joint`` (inclusive)."""
    chain = ancestors(skeleton, joint)
    return chain[: chain.index(top)][::-1]
