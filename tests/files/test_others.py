"""npz, GLB, USD, packs, and writing safely."""

from __future__ import annotations

import json
import resource
import shutil
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sidestep.errors import BadFile, CannotWrite, DamagedFile, UnknownFormat
from sidestep.files import read, write
from sidestep.files.glb import write_glb
from sidestep.files.pack import read_pack, write_pack
from sidestep.files.safely import write_whole
from sidestep.motion import Clip
from sidestep.motion.roles import find_roles
from sidestep.performer import perform

BROWSER = Path(__file__).parent.parent / "browser"


def test_own_npz_keeps_everything(tmp_path: Path) -> None:
    clip = perform("box", 0)
    write(tmp_path / "a.npz", clip)
    again = read(tmp_path / "a.npz").clip
    assert np.array_equal(again.rotations, clip.rotations)
    assert np.array_equal(again.contacts, clip.contacts)
    assert (again.tags, again.events, again.name) == (clip.tags, clip.events, clip.name)
    assert again.props[0].size == clip.props[0].size


def test_bad_npz_files(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(DamagedFile, match=r"text\.npz"):
        read(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", weights=np.zeros(3))
    with pytest.raises(BadFile, match="it holds weights"):
        read(tmp_path / "other.npz")
    np.savez(tmp_path / "short.npz", poses=np.zeros((4, 12)), trans=np.zeros((4, 3)))
    with pytest.raises(BadFile, match="do not fit"):
        read(tmp_path / "short.npz")
    np.savez(tmp_path / "nan.npz", poses=np.full((4, 156), np.nan), trans=np.zeros((4, 3)))
    with pytest.raises(BadFile, match="not finite"):
        read(tmp_path / "nan.npz")
    cut = (tmp_path / "nan.npz").read_bytes()[:300]
    (tmp_path / "cut.npz").write_bytes(cut)
    with pytest.raises(DamagedFile, match=r"cut\.npz"):
        read(tmp_path / "cut.npz")


def test_amass_stands_up_and_moves_as_told(tmp_path: Path) -> None:
    frames = 60
    poses, trans = np.zeros((frames, 156)), np.zeros((frames, 3))
    poses[:, :3] = Rotation.from_euler("x", np.pi / 2).as_rotvec()  # SMPL is y up, AMASS's world z up
    poses[:, 3 * 4] = np.linspace(0, 1.0, frames)  # left knee bends
    trans[:, 1] = -np.linspace(0, 1.5, frames)
    trans[:, 2] = 0.95
    np.savez(tmp_path / "walk_poses.npz", poses=poses, trans=trans, mocap_framerate=120.0, betas=np.zeros(16))
    motion = read(tmp_path / "walk_poses.npz")
    assert (motion.report.up, motion.report.fps, motion.report.unit_m) == ("+z", 120.0, 1.0)
    places = motion.clip.world()[0]
    roles = find_roles(motion.clip.skeleton)
    assert places[0, roles.head, 1] > 1.4
    assert places[-1, roles.hips, 2] - places[0, roles.hips, 2] == pytest.approx(1.5, abs=0.03)
    knee = places[-1, roles.left_leg.end] - places[-1, roles.left_leg.lower]
    assert knee[2] < -0.2  # bent backwards


def test_unknown_suffixes_and_places(walk: Clip, tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match="writable are"):
        write(tmp_path / "a.fbx", walk)
    with pytest.raises(CannotWrite, match="make it or name another"):
        write(tmp_path / "none" / "a.bvh", walk)


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path, walk: Clip) -> None:
    path = tmp_path / "a.npz"
    path.write_text("the old one")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))  # the system refuses larger files
    try:
        with pytest.raises(CannotWrite, match="untouched"):
            write(path, walk)
        with pytest.raises(CannotWrite, match="untouched"):
            write_pack(path, "clips", "1", {"x": np.zeros(100_000, np.float32)}, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "the old one"
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]


def test_a_failure_while_writing_leaves_nothing_behind(tmp_path: Path) -> None:
    def fill(part: Path) -> None:
        part.write_text("half")
        raise ValueError("broke off")

    with pytest.raises(ValueError, match="broke off"):
        write_whole(tmp_path / "a.txt", fill)
    assert list(tmp_path.iterdir()) == []


def test_packs_refuse_what_is_old_foreign_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.pack"
    write_pack(path, "thing", "2", {"x": np.arange(1000, dtype=np.float32)}, {"a": 1})
    arrays, told = read_pack(path, "thing", "2")
    assert told == {"a": 1}
    assert arrays["x"][999] == 999
    with pytest.raises(DamagedFile, match="format 2, this sidestep reads format 3"):
        read_pack(path, "thing", "3")
    with pytest.raises(DamagedFile, match="holds thing, not a database"):
        read_pack(path, "database", "2")
    data = bytearray(path.read_bytes())
    data[-100] ^= 1
    (tmp_path / "flipped").write_bytes(data)
    with pytest.raises(DamagedFile, match="checksum"):
        read_pack(tmp_path / "flipped", "thing", "2")
    for length in (0, 5, 40, len(data) - 500):
        (tmp_path / "cut").write_bytes(data[:length])
        with pytest.raises(DamagedFile, match="cut"):
            read_pack(tmp_path / "cut", "thing", "2")
    (tmp_path / "noise").write_bytes(np.random.default_rng(0).bytes(5000))
    with pytest.raises(DamagedFile, match="noise"):
        read_pack(tmp_path / "noise", "thing", "2")


def glb_parts(path: Path) -> tuple[dict, bytes]:
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


@pytest.mark.parametrize("task", ["walk", "box", "crawl"])
def test_glb_passes_the_khronos_validator(task: str, tmp_path: Path) -> None:
    if shutil.which("node") is None or not (BROWSER / "node_modules" / "gltf-validator").exists():
        pytest.skip("the Khronos validator is not installed (npm)")
    path = tmp_path / "a.glb"
    write_glb(path, [perform(task, 0).cut(0, 120), perform(task, 0).cut(200, 260, "second")])
    script = (
        "const v=require('gltf-validator');const fs=require('fs');"
        "v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1])))"
        ".then(r=>console.log(JSON.stringify(r.issues)))"
    )
    done = subprocess.run(["node", "-e", script, str(path)], cwd=BROWSER, capture_output=True, text=True, check=True)
    issues = json.loads(done.stdout)
    assert issues["numErrors"] == 0, issues["messages"][:3]
    assert issues["numWarnings"] == 0, issues["messages"][:3]


def test_glb_holds_skin_animations_and_props(tmp_path: Path) -> None:
    clip = perform("box", 0).cut(0, 90)
    write(tmp_path / "a.glb", clip)
    document, binary = glb_parts(tmp_path / "a.glb")
    assert len(document["skins"][0]["joints"]) == len(clip.skeleton)
    assert {mesh["name"] for mesh in document["meshes"]} == {"Mannequin", "box"}
    accessor = document["accessors"][document["animations"][0]["samplers"][0]["input"]]
    assert (accessor["count"], accessor["max"][0]) == (90, pytest.approx(89 / 60))
    assert len(binary) == document["buffers"][0]["byteLength"]
    triangles = document["accessors"][document["meshes"][0]["primitives"][0]["indices"]]["count"] / 3
    assert triangles < 15_000


def test_usd_opens_with_skeleton_and_animation(tmp_path: Path) -> None:
    pxr = pytest.importorskip("pxr", reason="the extra 'usd' is not installed")
    from pxr import Usd, UsdGeom, UsdSkel

    assert pxr
    clip = perform("walk", 0).cut(0, 30)
    write(tmp_path / "a.usdc", clip)
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert stage.GetEndTimeCode() == 29
    cache = UsdSkel.Cache()
    root = UsdSkel.Root(stage.GetDefaultPrim())
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Character/Skeleton")))
    matrices = query.ComputeJointSkelTransforms(Usd.TimeCode(20))
    found = np.array([list(m.ExtractTranslation()) for m in matrices])
    assert found == pytest.approx(clip.world()[0][20], abs=1e-3)


def test_mixed_skeletons_are_not_written_together(walk: Clip, tmp_path: Path) -> None:
    from sidestep.errors import BadClip
    from sidestep.motion.root import with_root

    with pytest.raises(BadClip, match="another skeleton"):
        write_glb(tmp_path / "a.glb", [walk, replace(with_root(walk), name="rooted")])
