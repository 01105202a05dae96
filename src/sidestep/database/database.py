"""One searchable, read-only database: poses, features, contacts, tags, events, and where every frame came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ..arrays import Array, Flags, Indices, frozen
from ..errors import AskedWrongly, BadClip, DamagedFile, UnknownName
from ..files.clips import frozen_plain, known_from_plain, known_to_plain, skeleton_from_plain, skeleton_to_plain
from ..files.pack import read_pack, write_pack
from ..mannequin.cover import COVERS, Cover
from ..motion import quaternion as quat
from ..motion.clip import Clip
from ..motion.feet import detect_contacts
from ..motion.limbs import Roles
from ..motion.mirror import mirror
from ..motion.resample import resample
from ..motion.roles import find_roles
from ..motion.root import with_root
from ..motion.skeleton import Skeleton
from .compact import pack_columns, pack_rotations, unpack_columns, unpack_rotations
from .features import EMM, FEATURE_SETS, Feature, FeatureSet
from .take import Take

FPS = 60.0
KIND, FORMAT = "database", "1"
SHORTEST_S = 0.2


@dataclass(frozen=True)
class Source:
    """Where a clip of a database came from."""

    name: str
    origin: str = "performer"
    """File or maker."""
    first_frame: int = 0
    """Which frame of the origin (at its own rate) the clip begins with."""
    mirrored: bool = False
    skeleton: int = 0
    """Index into ``Database.source_skeletons``."""


@dataclass(frozen=True, eq=False, repr=False)
class Database:
    """Poses of one skeleton and what they are searched by; everything is frozen."""

    skeleton: Skeleton
    """With a ground root as joint 0 and the hips as joint 1."""
    features: FeatureSet
    packed_rotations: Indices
    """All joints but the root. Shape (frames, joints - 1, 3) int16."""
    roots: Array
    """Place x, z [m] and yaw [rad] in the clip's world. Shape (frames, 3) float32."""
    hips: Array
    """Hips in the character's frame, [m]. Shape (frames, 3) float16."""
    contacts: Flags
    """As ``motion.CONTACTS``. Shape (frames, 4)."""
    packed_features: Indices
    """Shape (frames, dims) int16; ``values`` holds them expanded."""
    middle: Array
    """What a packed feature of zero stands for. Shape (dims,)."""
    step: Array
    """What one step of a packed feature stands for. Shape (dims,)."""
    mean: Array
    """What was subtracted from each column. Shape (dims,)."""
    scale: Array
    """What each column was divided by. Shape (dims,)."""
    starts: Indices
    """First frame of each clip. Shape (clips,)."""
    stops: Indices
    """One past the last frame of each clip. Shape (clips,)."""
    clips: tuple[Mapping[str, Any], ...]
    """Per clip its name, tags, events and props, frames counted from the clip's start; read-only."""
    sources: tuple[Source, ...]
    source_skeletons: tuple[Skeleton, ...]
    cover: Cover = "capsules"
    note: str = ""

    @classmethod
    def build(
        cls,
        clips: Sequence[Clip],
        features: FeatureSet = EMM,
        *,
        mirrored: bool = False,
        cover: Cover = "capsules",
        sources: Sequence[Source] = (),
        source_skeletons: Sequence[Skeleton] = (),
        note: str = "",
    ) -> Database:
        """Make a database of clips that share a skeleton.

        Args:
            clips: Motion in metres, y up; other rates are resampled to 60 Hz, roots are added.
            features: What to search by.
            mirrored: Add every clip's mirror image.
            cover: What the body's ellipses and heights are taken from: "joints" (EMM), "capsules" or "skin".
            sources: Where the clips came from, one each; made up from their names if left out.
            source_skeletons: The skeletons that ``sources`` point to.
            note: Anything worth telling about it.

        Raises:
            BadClip: No clips, different skeletons, a clip that is too short or not finite.
        """
        if not clips:
            raise BadClip("a database needs at least one clip; none was given")
        if cover not in COVERS:
            raise UnknownName.among("cover", cover, COVERS)
        for clip in clips:
            if not isinstance(clip, Clip):
                raise AskedWrongly(
                    f"a database is built from clips, not from a {type(clip).__name__}; give read(...).clip"
                )
        told = list(sources) or [Source(clip.name) for clip in clips]
        if len(told) != len(clips):
            raise AskedWrongly(f"{len(clips)} clips but {len(told)} sources; give one each")
        roles = find_roles(clips[0].skeleton)
        ready = [_ready(clip, clips[0]) for clip in clips]
        if mirrored:
            ready += [_ready(mirror(clip), clips[0]) for clip in clips]
            told += [replace(s, name=f"{s.name} mirrored", mirrored=not s.mirrored) for s in told]
        skeleton = ready[0].skeleton
        rooted = find_roles(skeleton) if roles.found_by == "names" else find_roles(skeleton, ready[0].world()[0][0])
        raw = [_raw_features(Take(clip, rooted, cover), features) for clip in ready]
        values, mean, scale = _standardized(np.concatenate(raw), features)
        # Rounded here, once: what is searched now is what will be searched after saving and loading.
        packed, middle, step = pack_columns(values)
        lengths = np.array([len(clip) for clip in ready])
        yaw = np.concatenate([quat.yaw_of(quat.rotate(c.rotations[:, 0], _AHEAD)) for c in ready])
        place = np.concatenate([c.translations[:, 0] for c in ready])
        return cls(
            skeleton=skeleton,
            features=features,
            packed_rotations=frozen(pack_rotations(np.concatenate([c.rotations[:, 1:] for c in ready])), np.int16),
            roots=frozen(np.stack([place[:, 0], place[:, 2], yaw], axis=-1)),
            hips=frozen(np.concatenate([c.translations[:, 1] for c in ready]), np.float16),
            contacts=frozen(np.concatenate([c.contacts for c in ready if c.contacts is not None]), np.bool_),
            packed_features=frozen(packed, np.int16),
            middle=frozen(middle),
            step=frozen(step),
            mean=frozen(mean),
            scale=frozen(scale),
            starts=frozen(np.cumsum(lengths) - lengths, np.int32),
            stops=frozen(np.cumsum(lengths), np.int32),
            clips=tuple(MappingProxyType(known_to_plain(clip)) for clip in ready),
            sources=tuple(told),
            source_skeletons=tuple(source_skeletons),
            cover=cover,
            note=note,
        )

    def __repr__(self) -> str:
        """One line: how much, of what, searched by what."""
        return (
            f"<Database {self.hash}: {len(self):,} poses ({len(self) / 3600:.1f} min) of {len(self.clips)} clips, "
            f"{len(self.skeleton)} joints, features '{self.features.name}'>"
        )

    def __len__(self) -> int:
        """How many poses there are."""
        return len(self.packed_features)

    @cached_property
    def values(self) -> Array:
        """Features: query columns standardized, environment columns in metres. Shape (frames, dims) float32."""
        return frozen(unpack_columns(self.packed_features, self.middle, self.step))

    @cached_property
    def roles(self) -> Roles:
        """The body of the runtime skeleton."""
        return find_roles(self.skeleton)

    @cached_property
    def hash(self) -> str:
        """Names the data, all but where it came from: tables and networks made from it tell which database it was."""
        digest = hashlib.sha256()
        for name, array in sorted(self._arrays().items()):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        told = [_described(self.features), skeleton_to_plain(self.skeleton), self.cover, list(map(dict, self.clips))]
        digest.update(json.dumps(told, sort_keys=True).encode())
        return digest.hexdigest()[:16]

    def _arrays(self) -> dict[str, Any]:
        """All that is kept of the frames, as it is saved."""
        return {
            "rotations": self.packed_rotations,
            "roots": self.roots,
            "hips": self.hips.view(np.int16),
            "contacts": np.packbits(self.contacts, axis=-1),
            "features": self.packed_features,
            "middle": self.middle,
            "step": self.step,
            "mean": self.mean,
            "scale": self.scale,
            "starts": self.starts,
            "stops": self.stops,
        }

    @cached_property
    def searchable(self) -> Flags:
        """Frames whose look-ahead lies inside their clip; the others are played, never chosen. Shape (frames,)."""
        result = np.zeros(len(self), np.bool_)
        for start, stop in zip(self.starts, self.stops, strict=True):
            result[start : max(stop - self.features.ahead, start)] = True
        result.flags.writeable = False
        return result

    @cached_property
    def clip_of(self) -> Indices:
        """Which clip a frame belongs to. Shape (frames,)."""
        return frozen(np.repeat(np.arange(len(self.starts)), self.stops - self.starts), np.int32)

    def rotations(self, frames: Indices | slice) -> Array:
        """Joint-to-parent rotations of some frames, root included. Shape (frames, joints, 4)."""
        rest = unpack_rotations(self.packed_rotations[frames])
        root = quat.about("y", self.roots[frames][..., 2]).astype(np.float32)
        return np.concatenate([root[..., None, :], rest], axis=-2)

    def translations(self, frames: Indices | slice) -> Array:
        """Places of root (on the clip's ground) and hips (in the root's frame), [m]. Shape (frames, 2, 3)."""
        roots = self.roots[frames]
        place = np.stack([roots[..., 0], np.zeros_like(roots[..., 0]), roots[..., 1]], axis=-1)
        return np.stack([place, self.hips[frames].astype(np.float32)], axis=-2)

    def clip(self, index: int) -> Clip:
        """A whole clip, as stored (rooted, 60 Hz)."""
        span = slice(int(self.starts[index]), int(self.stops[index]))
        return Clip(
            skeleton=self.skeleton,
            rotations=self.rotations(span),
            translations=self.translations(span),
            contacts=self.contacts[span],
            **known_from_plain(self.clips[index]),
        )

    def tagged(self, name: str) -> Flags:
        """Frames that bear a tag. Shape (frames,)."""
        result = np.zeros(len(self), np.bool_)
        found = False
        for start, clip in zip(self.starts, self.clips, strict=True):
            for tag, first, last in clip["tags"]:
                if tag == name:
                    result[start + first : start + last] = True
                    found = True
        if not found:
            raise UnknownName.among("tag", name, self.tags())
        return result

    def tags(self) -> list[str]:
        """All tags that occur."""
        return sorted({tag for clip in self.clips for tag, *_ in clip["tags"]})

    def events(self) -> list[tuple[str, int]]:
        """All events with their frames in the database."""
        return [
            (name, int(start) + frame)
            for start, c in zip(self.starts, self.clips, strict=True)
            for name, frame in c["events"]
        ]

    def column(self, feature: str) -> slice:
        """Where a feature stands in ``values``."""
        columns = self.features.columns()
        if feature not in columns:
            raise UnknownName.among("feature", feature, columns)
        return columns[feature]

    def raw(self, feature: str) -> Array:
        """A feature in its own units. Shape (frames, dims)."""
        at = self.column(feature)
        return self.values[:, at] * self.scale[at] + self.mean[at]

    def save(self, path: Path | str) -> None:
        """Write the database; about 240 bytes a pose with EMM's features and the default skeleton.

        Raises:
            CannotWrite: What stood at ``path`` still stands.
        """
        described = {
            "features": _described(self.features),
            "skeleton": skeleton_to_plain(self.skeleton),
            "clips": list(map(dict, self.clips)),
            "sources": [[s.name, s.origin, s.first_frame, s.mirrored, s.skeleton] for s in self.sources],
            "source_skeletons": [skeleton_to_plain(s) for s in self.source_skeletons],
            "cover": self.cover,
            "note": self.note,
        }
        write_pack(Path(path), KIND, FORMAT, self._arrays(), described)

    @classmethod
    def load(cls, path: Path | str, features: FeatureSet | None = None) -> Database:
        """Open a saved database.

        Args:
            path: File written by ``save``.
            features: The set it was built with, only needed if that is not one of the built-in ones.

        Raises:
            DamagedFile: Another version, truncated, altered; or features that nobody here knows.
        """
        path = Path(path)
        arrays, told = read_pack(path, KIND, FORMAT)
        known = features or FEATURE_SETS.get(told["features"]["name"])
        if known is None or _described(known) != told["features"]:
            raise DamagedFile(
                f"{path.name}: built with feature set '{told['features']['name']}', which is not known here as it was; "
                "give it as Database.load(path, features=...) or build the database again"
            )
        contacts = np.unpackbits(arrays["contacts"], axis=-1, count=4).view(np.bool_)
        contacts.flags.writeable = False
        return cls(
            skeleton=skeleton_from_plain(told["skeleton"]),
            features=known,
            packed_rotations=arrays["rotations"],
            roots=arrays["roots"],
            hips=arrays["hips"].view(np.float16),
            contacts=contacts,
            packed_features=arrays["features"],
            middle=arrays["middle"],
            step=arrays["step"],
            mean=arrays["mean"],
            scale=arrays["scale"],
            starts=arrays["starts"],
            stops=arrays["stops"],
            clips=tuple(MappingProxyType(frozen_plain(clip)) for clip in told["clips"]),
            sources=tuple(Source(*row) for row in told["sources"]),
            source_skeletons=tuple(skeleton_from_plain(s) for s in told["source_skeletons"]),
            cover=told["cover"],
            note=told["note"],
        )

    @classmethod
    def default(cls, seed: int = 0) -> Database:
        """The embedded data set with EMM's features: from the cache, or made now."""
        from .default import default_database

        return default_database(seed)


_AHEAD = np.array([0.0, 0.0, 1.0], np.float32)


def _described(features: FeatureSet) -> dict[str, Any]:
    def rows(group: tuple[Feature, ...]) -> list[list[Any]]:
        return [[f.name, f.dims, f.normalize, f.ahead] for f in group]

    return {"name": features.name, "query": rows(features.query), "environment": rows(features.environment)}


def _ready(clip: Clip, first: Clip) -> Clip:
    """Check, resample, detect contacts, add the ground root."""
    if not clip.skeleton.same_tree(first.skeleton):
        raise BadClip(f"clip '{clip.name}' has another skeleton than '{first.name}'; retarget it first")
    if not clip.skeleton.same_bones(first.skeleton):
        raise BadClip(f"clip '{clip.name}' has bones of other lengths than '{first.name}'; retarget it first")
    if clip.seconds < SHORTEST_S or len(clip) < 3:
        raise BadClip(f"clip '{clip.name}' lasts {clip.seconds:.2f} s; a database needs {SHORTEST_S} s at least")
    bad = ~(np.isfinite(clip.rotations).all((1, 2)) & np.isfinite(clip.translations).all((1, 2)))
    if bad.any():
        raise BadClip(f"clip '{clip.name}', frame {int(np.argmax(bad))}: values that are not finite; cut these frames")
    clip = resample(clip, FPS)
    if clip.contacts is None:
        clip = replace(clip, contacts=detect_contacts(clip))
    rooted = with_root(clip)
    if rooted.skeleton.moving != (0, 1):
        stray = rooted.skeleton.names[rooted.skeleton.moving[2]]
        raise BadClip(f"clip '{clip.name}': joint '{stray}' moves in place beside the hips; retarget it first")
    return rooted


def _raw_features(take: Take, features: FeatureSet) -> Array:
    columns = []
    for feature in (*features.query, *features.environment):
        values = np.asarray(feature.compute(take), np.float32)
        if values.shape != (len(take.clip), feature.dims):
            raise AskedWrongly(
                f"feature '{feature.name}' returned shape {values.shape}, "
                f"it promised ({len(take.clip)}, {feature.dims})"
            )
        if not np.isfinite(values).all():
            raise BadClip(f"feature '{feature.name}' of clip '{take.clip.name}' is not finite everywhere")
        columns.append(values)
    return np.concatenate(columns, axis=1)


def _standardized(raw: Array, features: FeatureSet) -> tuple[Array, Array, Array]:
    """Values, means and scales by each feature's way of standardizing."""
    mean, scale = np.zeros(raw.shape[1], np.float32), np.ones(raw.shape[1], np.float32)
    columns = features.columns()
    for feature in (*features.query, *features.environment):
        at = columns[feature.name]
        if feature.normalize == "none":
            continue
        mean[at] = raw[:, at].mean(0, dtype=np.float64)
        spread = raw[:, at].std(0, dtype=np.float64)
        # One clip of standing still has no spread; it must not divide by nothing.
        scale[at] = np.maximum(np.sqrt((spread**2).mean()) if feature.normalize == "group" else spread, 1e-3)
    return (raw - mean) / scale, mean, scale
