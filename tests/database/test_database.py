"""The database: refusals, what it keeps, saving and loading."""

from __future__ import annotations

import resource
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sidestep.database import EMM, RMM27, Database, Feature, FeatureSet, Source, Take
from sidestep.errors import AskedWrongly, BadClip, CannotWrite, DamagedFile, UnknownName
from sidestep.files import Motion, Report
from sidestep.motion import Clip, Skeleton
from sidestep.motion import quaternion as quat
from sidestep.motion.root import with_root
from sidestep.performer import perform

from .test_compact import degrees_between


def test_what_cannot_be_built(walk: Clip) -> None:
    with pytest.raises(BadClip, match="at least one clip"):
        Database.build([])
    with pytest.raises(BadClip, match=r"lasts 0\.03 s"):
        Database.build([walk.cut(0, 2, "tiny")])
    broken = np.array(walk.rotations)
    broken[17] = np.nan
    with pytest.raises(BadClip, match="frame 17: values that are not finite"):
        Database.build([replace(walk, rotations=broken)])
    tall = replace(walk, name="tall", skeleton=walk.skeleton.scaled(1.1))
    with pytest.raises(BadClip, match="'tall' has bones of other lengths than 'walk 0'; retarget"):
        Database.build([walk, tall])
    with pytest.raises(BadClip, match="another skeleton"):
        Database.build([walk, with_root(walk)])
    with pytest.raises(AskedWrongly, match="1 clips but 2 sources"):
        Database.build([walk], sources=[Source("a"), Source("b")])
    with pytest.raises(AskedWrongly, match=r"not from a Motion; give read\(...\).clip"):
        Database.build([Motion(walk, Report(format="", frames=1, fps=1, unit_m=1, up="", facing=""))])  # type: ignore[list-item]
    moving = replace(walk.skeleton, moving=(0, 5))
    stray = replace(walk, name="stray", skeleton=moving, translations=np.repeat(walk.translations, 2, axis=1))
    with pytest.raises(BadClip, match="joint 'Head' moves in place beside the hips"):
        Database.build([stray])
    with pytest.raises(UnknownName, match="nearest: 'skin'"):
        Database.build([walk], cover="skinn")  # type: ignore[arg-type]


def test_unknown_names_are_told_the_nearest(small: Database) -> None:
    with pytest.raises(UnknownName, match="no tag 'walks'; nearest: 'walk'"):
        small.tagged("walks")
    with pytest.raises(UnknownName, match="no feature 'feets'; nearest: 'feet'"):
        small.column("feets")


def test_features_of_ones_own(walk: Clip, tmp_path: Path) -> None:
    def hand_height(take: Take) -> np.ndarray:
        return take.positions[:, [take.roles.left_arm.end, take.roles.right_arm.end], 1]

    mine = FeatureSet("mine", (*EMM.query, Feature("hands", 2, hand_height)), EMM.environment)
    database = Database.build([walk], mine)
    rooted = with_root(walk)
    hand = rooted.world()[0][:, rooted.skeleton.index("LeftHand"), 1]
    assert database.raw("hands")[:, 0] == pytest.approx(hand, abs=1e-5)
    database.save(tmp_path / "mine.sidestep")
    with pytest.raises(DamagedFile, match="feature set 'mine', which is not known here"):
        Database.load(tmp_path / "mine.sidestep")
    assert Database.load(tmp_path / "mine.sidestep", features=mine).features is mine
    wrong = FeatureSet("wrong", (Feature("hands", 3, hand_height),))
    with pytest.raises(AskedWrongly, match=r"returned shape \(\d+, 2\), it promised \(\d+, 3\)"):
        Database.build([walk], wrong)
    endless = FeatureSet("endless", (Feature("nan", 1, lambda take: np.full((len(take.clip), 1), np.nan)),))
    with pytest.raises(BadClip, match="'nan' of clip 'walk 0' is not finite"):
        Database.build([walk], endless)


def test_poses_come_back(small: Database, some_clips: list[Clip]) -> None:
    for index, clip in enumerate(some_clips):
        again, rooted = small.clip(index), with_root(clip)
        assert again.name == clip.name
        assert np.array_equal(again.contacts, clip.contacts)
        assert (again.tags, again.events) == (clip.tags, clip.events)
        assert [p.name for p in again.props] == [p.name for p in clip.props]
        apart = degrees_between(again.rotations.astype(np.float64), rooted.rotations.astype(np.float64))
        assert apart.max() < 0.05
        assert np.abs(again.world()[0] - rooted.world()[0]).max() < 0.002


def test_tags_events_and_sources(small: Database, some_clips: list[Clip]) -> None:
    frames = np.flatnonzero(small.tagged("run"))
    assert {some_clips[i].name.split()[0] for i in np.unique(small.clip_of[frames])} >= {"run"}
    takeoffs = [frame for name, frame in small.events() if name == "takeoff"]
    jump = [clip.name for clip in some_clips].index("jump 0")
    assert takeoffs
    assert set(small.clip_of[takeoffs]) == {jump}
    assert [source.origin for source in small.sources] == ["performer"] * len(some_clips)


def test_mirroring_doubles(walk: Clip) -> None:
    database = Database.build([walk], mirrored=True)
    assert len(database) == 2 * len(walk)
    assert [source.mirrored for source in database.sources] == [False, True]
    left, right = database.clip(0), database.clip(1)
    index = left.skeleton.index
    a, b = left.world()[0], right.world()[0]
    assert b[:, index("RightFoot")] == pytest.approx(a[:, index("LeftFoot")] * [-1, 1, 1], abs=0.003)
    assert np.array_equal(right.contacts[:, :2], left.contacts[:, 2:])  # type: ignore[index]


def test_a_captures_own_root_joint_is_a_joint_like_any_other(walk: Clip) -> None:
    """Many captures call their first joint "Root"; it must not be taken for the ground root."""
    skeleton = walk.skeleton
    names = ("Root", *skeleton.names)
    parents = np.concatenate([[-1], skeleton.parents + 1])
    offsets = np.concatenate([np.zeros((1, 3), np.float32), skeleton.offsets])
    ends = {joint + 1: tip for joint, tip in skeleton.ends.items()}
    rotations = np.concatenate([np.tile(quat.identity(1), (len(walk), 1, 1)), walk.rotations], axis=1)
    under = replace(walk, skeleton=Skeleton(names, parents, offsets, (1,), ends), rotations=rotations)
    database, plain = Database.build([under]), Database.build([walk])
    assert database.values == pytest.approx(plain.values, abs=1e-3)
    renamed = Skeleton(("Root", *skeleton.names[1:]), skeleton.parents, skeleton.offsets, (0,), skeleton.ends)
    assert Database.build([replace(walk, skeleton=renamed)]).roots == pytest.approx(plain.roots, abs=1e-5)


def test_everything_is_frozen(small: Database) -> None:
    for array in (small.values, small.roots, small.hips, small.contacts, small.packed_rotations, small.searchable):
        assert not array.flags.writeable


def test_saving_and_loading(small: Database, tmp_path: Path) -> None:
    path = tmp_path / "small.sidestep"
    small.save(path)
    again = Database.load(path)
    assert np.array_equal(again.packed_rotations, small.packed_rotations)
    assert np.array_equal(again.contacts, small.contacts)
    for own, other in zip(small.clips, again.clips, strict=True):
        assert (own["name"], own["tags"], own["events"]) == (other["name"], other["tags"], other["events"])
        assert own["props"] == other["props"]
    assert again.sources == small.sources
    assert again.skeleton.same_bones(small.skeleton, 1e-6)
    assert np.array_equal(again.values, small.values)
    assert again.hash == small.hash
    again.save(tmp_path / "again.sidestep")
    assert Database.load(tmp_path / "again.sidestep").hash == again.hash
    assert not again.values.flags.writeable


def test_a_pose_takes_less_than_300_bytes(small: Database, tmp_path: Path) -> None:
    small.save(tmp_path / "a.sidestep")
    assert (tmp_path / "a.sidestep").stat().st_size / len(small) < 300


def test_every_flipped_bit_of_the_header_is_noticed(walk: Clip, tmp_path: Path) -> None:
    """Names, tags, offsets, types: nothing in front of the arrays may change unseen, or end in a traceback."""
    path = tmp_path / "a.sidestep"
    database = Database.build([walk])
    database.save(path)
    data = bytearray(path.read_bytes())
    header = int.from_bytes(data[:8], "little")
    rng = np.random.default_rng(0)
    for place in rng.integers(0, 8 + header, 300):
        bit = 1 << int(rng.integers(8))
        data[place] ^= bit
        path.write_bytes(data)
        refused = same = None
        try:
            same = Database.load(path)
        except DamagedFile as error:
            refused = str(error)
        # White space may differ, nothing else.
        assert "a.sidestep" in refused if refused else same.hash == database.hash
        data[place] ^= bit


def test_the_hash_names_everything_but_the_origin(walk: Clip) -> None:
    database = Database.build([walk])
    assert Database.build([walk], note="another", sources=[Source("x", "elsewhere")]).hash == database.hash
    for changed in (replace(walk, tags=()), replace(walk, events=()), replace(walk, contacts=~walk.contacts)):
        assert Database.build([changed]).hash != database.hash
    assert Database.build([walk], cover="joints").hash != database.hash
    with pytest.raises(TypeError):
        database.clips[0]["name"] = "other"  # type: ignore[index]


@pytest.mark.parametrize("how", ["cut", "flipped", "text", "empty", "old", "folder", "missing"])
def test_damaged_files_are_refused_with_words(how: str, small: Database, tmp_path: Path) -> None:
    path = tmp_path / "bad.sidestep"
    small.save(path)
    data = path.read_bytes()
    if how == "folder":
        path.unlink()
        path.mkdir()
    elif how == "missing":
        path.unlink()
    else:
        middle = len(data) // 2
        path.write_bytes(
            {
                "cut": data[:middle],
                "flipped": data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :],
                "text": b"HIERARCHY\n" * 100,
                "empty": b"",
                "old": data.replace(b'"version":"1"', b'"version":"0"', 1),
            }[how]
        )
    with pytest.raises(DamagedFile, match=r"bad\.sidestep"):
        Database.load(path)


def test_a_full_disk_leaves_the_old_database_whole(small: Database, walk: Clip, tmp_path: Path) -> None:
    path = tmp_path / "a.sidestep"
    Database.build([walk]).save(path)
    old = path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))  # the system refuses larger files
    try:
        with pytest.raises(CannotWrite, match=r"a\.sidestep: not written .* untouched"):
            small.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["a.sidestep"]


def test_clips_of_another_rate_are_resampled(walk: Clip) -> None:
    slow = replace(
        walk,
        fps=30.0,
        rotations=walk.rotations[::2],
        translations=walk.translations[::2],
        contacts=None,
        tags=(),
        events=(),
    )
    database = Database.build([slow])
    assert len(database) == pytest.approx(len(walk), abs=2)
    end = with_root(walk).translations[-1, 0][[0, 2]]
    assert database.roots[-1, :2] == pytest.approx(end, abs=0.02)


def test_other_sets_and_other_seeds(walk: Clip) -> None:
    assert Database.build([walk]).hash == Database.build([perform("walk", 0)]).hash
    assert Database.build([walk]).hash != Database.build([walk], RMM27).hash
    assert Database.build([walk]).hash != Database.build([perform("walk", 1)]).hash
