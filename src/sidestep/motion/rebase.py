"""A skeleton drawn strangely, redrawn: the same motion on frames whose zero pose is a T-pose facing +z.

LAFAN1 draws every bone along x; with all rotations zero such a skeleton is a stick. Whatever looks at a skeleton alone
(a mesh to be grown around it, a target to retarget to) needs a zero pose that is a body. Joints move exactly as before.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import quaternion as quat
from .clip import Clip
from .kinematics import to_local
from .limbs import Roles
from .rest import is_strange, reference_world
from .skeleton import Skeleton


def rebased(clip: Clip, roles: Roles) -> Clip:
    """The same motion on a skeleton whose zero pose is a standing body; the clip itself where it already is one."""
    skeleton = clip.skeleton
    if not is_strange(skeleton, roles):
        return clip
    _, rest = reference_world(skeleton, roles, clip.rotations)  # joint to world in the T-pose
    _, turned = clip.world()
    world = quat.multiply(turned, quat.inverse(rest))
    rotations = to_local(skeleton, world)
    above = np.concatenate([quat.identity(1), rest[skeleton.parents[1:]]])  # what a joint's place is told in
    offsets = quat.rotate(above, skeleton.offsets)
    moving = list(skeleton.moving)
    translations = quat.rotate(above[moving], clip.translations)
    redrawn = Skeleton(
        skeleton.names,
        skeleton.parents,
        offsets,
        skeleton.moving,
        {joint: quat.rotate(rest[joint], tip) for joint, tip in skeleton.ends.items()},
    )
    return replace(clip, skeleton=redrawn, rotations=quat.normalize(rotations), translations=translations)
