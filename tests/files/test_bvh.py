"""BVH: what must be refused, every oddity that must be read, and another reader's word for it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from sidestep.errors import BadFile, SidestepError
from sidestep.files import read_raw, write
from sidestep.files.bvh import LARGEST_BYTES, read_bvh
from sidestep.files.decimals import decimals
from sidestep.motion import Clip
from sidestep.motion.kinematics import forward

SIMPLE = """HIERARCHY
ROOT Hips
{
  OFFSET 0 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 4 1
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
1 2 3 10 20 30 40 50 60
1.5 2.5 -3e0 +11 21.5 31 .5 5. 60
"""


def written(folder: Path, text: str | bytes, name: str = "a.bvh") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def positions_of(path: Path) -> np.ndarray:
    bvh = read_bvh(path)
    return forward(bvh.skeleton, bvh.rotations, bvh.translations)[0]


REFUSED = {
    "empty": ("", "empty"),
    "binary": (b"glTF\0\0\0\x02binary", "binary"),
    "other text": ("hello world", "does not begin with HIERARCHY"),
    "cut in header": (SIMPLE[:120], "before MOTION"),
    "no motion head": (SIMPLE.split("Frames")[0], "Frames: N"),
    "zero frames": (SIMPLE.replace("Frames: 2", "Frames: 0"), "no motion"),
    "negative frames": (SIMPLE.replace("Frames: 2", "Frames: -4"), "no motion"),
    "frames mistyped": (SIMPLE.replace("Frames: 2", "Frames: two"), "whole number"),
    "time mistyped": (SIMPLE.replace("0.0333333", "fast"), "no number"),
    "cut in motion": (SIMPLE[:-12], "line 20 holds"),
    "a frame short": (SIMPLE.rsplit("\n", 2)[0] + "\n", "1 are there"),
    "a frame over": (SIMPLE + "1 2 3 10 20 30 40 50 60\n", "3 are there"),
    "nan": (SIMPLE.replace("21.5", "nan"), "line 20: 'nan' is no finite number"),
    "inf": (SIMPLE.replace("21.5", "-inf"), "'-inf' is no finite number"),
    "comma": (SIMPLE.replace("21.5", "21,5"), "decimals take a point"),
    "word": (SIMPLE.replace("21.5", "x"), "line 20: 'x'"),
    "channel unknown": (
        SIMPLE.replace("Zrotation Xrotation Yrotation\n    End", "Zrotation Wrotation Yrotation\n    End"), "Wrotation"
    ),
    "channel twice": (SIMPLE.replace("CHANNELS 3 Zrotation Xrotation", "CHANNELS 3 Zrotation Zrotation"), "twice"),
    "channel count": (SIMPLE.replace("CHANNELS 3", "CHANNELS 4"), "says 4 and lists 3"),
    "offset short": (SIMPLE.replace("OFFSET 0 5 0", "OFFSET 0 5"), "three numbers"),
    "offset word": (SIMPLE.replace("OFFSET 0 5 0", "OFFSET 0 up 0"), "'up'"),
    "no offset": (SIMPLE.replace("    OFFSET 0 5 0\n", ""), "joint 'Chest' has no OFFSET"),
    "brace open": (SIMPLE.replace("  }\n}\nMOTION", "  }\nMOTION"), "never closed"),
    "brace too many": (SIMPLE.replace("}\nMOTION", "}\n}\nMOTION"), "too many"),
    "two roots": (SIMPLE.replace("MOTION", "ROOT Other\n{\nOFFSET 0 0 0\n}\nMOTION"), "second ROOT"),
    "nothing moves": (re.sub(r" *CHANNELS.*\n", "", SIMPLE), "nothing moves"),
    "rubbish": (SIMPLE.replace("OFFSET 0 5 0", "SPEED 0 5 0"), "not understood"),
    "no frame time": (re.sub(r"Frame Time: \S+", "Frame Time:", SIMPLE), "followed by no number"),
    "beyond bounds": (SIMPLE.replace("21.5", "1e999"), "frame 1 holds"),
    "beyond single precision": (SIMPLE.replace("21.5", "1e39"), "frame 1 holds"),
    "offset beyond bounds": (SIMPLE.replace("OFFSET 0 5 0", "OFFSET 0 1e39 0"), "beyond all bounds"),
    "odd digits": (SIMPLE.replace("CHANNELS 3", "CHANNELS ²"), "must begin with how many"),
    "endless digits": (SIMPLE.replace("CHANNELS 3", "CHANNELS " + "3" * 5000), "must begin with how many"),
    "ten thousand joints": (
        SIMPLE.replace("}\nMOTION", "JOINT x\n{\nOFFSET 0 1 0\n}\n" * 10_000 + "}\nMOTION"), "are no body"
    ),
    "a billion frames": (SIMPLE.replace("Frames: 2", "Frames: 1000000000"), "2 are there"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_bad_files_get_one_sentence_that_names_them(case: str, tmp_path: Path) -> None:
    text, expected = REFUSED[case]
    with pytest.raises(BadFile) as caught:
        read_bvh(written(tmp_path, text, "culprit.bvh"))
    message = str(caught.value)
    assert "culprit.bvh" in message
    assert expected in message
    assert "\n" not in message


def test_a_gigabyte_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.bvh"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_BYTES + 1)  # a sparse file: no disk is used
    with pytest.raises(BadFile, match="split it"):
        read_bvh(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="check the path"):
        read_bvh(tmp_path / "nowhere.bvh")
    with pytest.raises(BadFile, match="cannot be read"):
        read_bvh(tmp_path)
    with pytest.raises(BadFile, match="no reader for"):
        read_raw(written(tmp_path, "x", "a.fbx"))


def test_values_are_where_the_header_says(tmp_path: Path) -> None:
    path = written(tmp_path, SIMPLE)
    bvh = read_bvh(path)
    assert bvh.skeleton.names == ("Hips", "Chest")
    assert bvh.orders == {"Hips": "ZXY", "Chest": "ZXY"}
    assert bvh.skeleton.ends[1].tolist() == [0, 4, 1]
    places = positions_of(path)
    assert places[0, 0] == pytest.approx([1, 2, 3])  # the channels replace the offset
    hips = Rotation.from_euler("ZXY", [10, 20, 30], degrees=True)
    assert places[0, 1] == pytest.approx(np.add([1, 2, 3], hips.apply([0, 5, 0])), abs=1e-5)
    assert places[1, 0] == pytest.approx([1.5, 2.5, -3])


VARIANTS = {
    "crlf": SIMPLE.replace("\n", "\r\n"),
    "tabs": SIMPLE.replace("  ", "\t"),
    "blank lines": SIMPLE.replace("\n", "\n\n").replace("Frames: 2\n\n", "Frames: 2\n"),
    "brace on the name's line": SIMPLE.replace("ROOT Hips\n{", "ROOT Hips {").replace(
        "JOINT Chest\n  {", "JOINT Chest {"
    ),
    "small letters": re.sub("HIERARCHY|CHANNELS|OFFSET", lambda word: word.group().lower(), SIMPLE),
    "carriage returns alone": SIMPLE.replace("\n", "\r"),
    "byte order mark": "\ufeff" + SIMPLE,
    "no last newline": SIMPLE.rstrip(),
    "trailing blanks": SIMPLE.replace("\n", "  \n"),
    "wrapped lines": SIMPLE.replace("1 2 3 10", "1 2 3\n10").replace("1.5 2.5 -3e0", "1.5 2.5 -3e0\n"),
}  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
def test_layout_does_not_matter(variant: str, tmp_path: Path) -> None:
    expected = positions_of(written(tmp_path, SIMPLE, "b.bvh"))
    assert positions_of(written(tmp_path, VARIANTS[variant])) == pytest.approx(expected)


def test_names_with_spaces_and_colons(tmp_path: Path) -> None:
    path = written(tmp_path, SIMPLE.replace("JOINT Chest", "JOINT actor 1:Upper Chest"))
    assert read_bvh(path).skeleton.names[1] == "actor 1:Upper Chest"


def test_two_joints_of_one_name_are_told_apart_and_told(tmp_path: Path) -> None:
    bvh = read_bvh(written(tmp_path, SIMPLE.replace("JOINT Chest", "JOINT Hips")))
    assert bvh.skeleton.names == ("Hips", "Hips 2")
    assert "Hips 2" in bvh.notes[0]


def chain(channels: list[str]) -> str:
    """A chain of joints with the given channel lists."""
    text, depth = "HIERARCHY\n", 0
    for i, listed in enumerate(channels):
        words = listed.split()
        text += f"{'ROOT' if i == 0 else 'JOINT'} j{i}\n{{\nOFFSET {i} 1 0.5\n"
        text += f"CHANNELS {len(words)} {' '.join(words)}\n" if words else ""
        depth += 1
    return text + "End Site\n{\nOFFSET 0 1 0\n}\n" + "}\n" * depth + "MOTION\n"


AXES = "XYZ"
ORDERS = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_mix_of_orders_and_channels(data: st.DataObject, tmp_path: Path) -> None:
    kinds = []
    for _ in range(data.draw(st.integers(1, 5))):
        turn = [f"{axis}rotation" for axis in data.draw(st.sampled_from(ORDERS))]
        turn = turn[: data.draw(st.sampled_from([0, 1, 2, 3, 3, 3]))]
        place = data.draw(st.permutations([f"{axis}position" for axis in AXES]))[
            : data.draw(st.sampled_from([0, 0, 3, 3, 1]))
        ]
        first, second = (turn, place) if data.draw(st.booleans()) else (place, turn)
        kinds.append(" ".join([*first, *second]))
    kinds[0] = kinds[0] or "Xrotation"
    count = sum(len(k.split()) for k in kinds)
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    values = rng.uniform(-180, 180, (3, count)).round(4)
    lines = "\n".join(" ".join(f"{v:.4f}" for v in row) for row in values)
    found = positions_of(written(tmp_path, chain(kinds) + f"Frames: 3\nFrame Time: 0.01\n{lines}\n"))
    for frame, row in enumerate(values):
        at, turn, column = np.zeros(3), Rotation.identity(), 0
        for joint, kind in enumerate(kinds):
            offset, order, angles = np.array([joint, 1.0, 0.5]), "", []
            for channel in kind.split():
                if channel.endswith("position"):
                    offset[AXES.index(channel[0])] = row[column]
                else:
                    order, angles = order + channel[0], [*angles, row[column]]
                column += 1
            at = at + turn.apply(offset)
            turn = turn * Rotation.from_euler(order, angles, degrees=True) if order else turn
            assert found[frame, joint] == pytest.approx(at, abs=2e-3)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_are_read_or_refused_with_words(data: st.DataObject, tmp_path: Path) -> None:
    raw = bytearray(SIMPLE.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(raw) - 1))
        kind = data.draw(st.sampled_from(["flip", "cut", "insert", "double", "swap"]))
        if kind == "flip":
            raw[at] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del raw[at : at + data.draw(st.integers(1, 40))]
        elif kind == "insert":
            raw[at:at] = data.draw(st.binary(min_size=1, max_size=8))
        elif kind == "double":
            raw[at:at] = raw[at : at + 30]
        else:
            raw[at : at + 8] = raw[at : at + 8][::-1]
        if not raw:
            break
    path = written(tmp_path, bytes(raw), "fuzz.bvh")
    try:
        bvh = read_bvh(path)
    except SidestepError as error:
        assert "fuzz.bvh" in str(error) or "joint" in str(error)  # noqa: PT017
    else:
        assert np.isfinite(bvh.translations).all()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=20), st.sampled_from(["{:.6f}", "{!r}", "{:e}", "{:g}"]))
def test_decimals_are_what_python_reads(values: list[float], form: str) -> None:
    words = [form.format(v) for v in values]
    text = " \n\t".join(words).encode()
    found, count, bad = decimals(text, 0, len(words))
    assert (count, bad) == (len(words), -1)
    assert found == pytest.approx([float(w) for w in words], rel=1e-14, abs=1e-280)  # smaller ones read as zero


@pytest.mark.parametrize("word", ["nan", "1.2.3", "--1", "1e", "e5", "0x10", "1_0", "+", ".", "1,5"])
def test_what_is_no_decimal_is_found_where_it_stands(word: str) -> None:
    _, count, bad = decimals(f"1 2\n{word} 4".encode(), 0, 4)
    assert (count, bad) == (2, 4)


def test_writing_and_reading_back_moves_nothing(some_clips: list[Clip], tmp_path: Path) -> None:
    for clip in some_clips:
        path = tmp_path / f"{clip.name}.bvh"
        write(path, clip)
        raw = read_raw(path)
        assert 1 / raw.frame_time_s == pytest.approx(clip.fps, rel=1e-6)
        same = [raw.skeleton.index(name) for name in clip.skeleton.names]
        places = forward(raw.skeleton, raw.rotations, raw.translations)[0][:, same] * 0.01
        assert np.abs(places - clip.world()[0]).max() < 1e-4, clip.name  # 0.1 mm


def test_another_reader_agrees_on_real_files(mocap: Path | None) -> None:
    pymotion = pytest.importorskip("pymotion.io.bvh")
    from pymotion.ops.skeleton import fk

    if mocap is None:
        pytest.skip("no real clips")
    for name in ("cmu_60fps/69_06.bvh", "lafan1/walk4_subject1.bvh", "snu_woody2/wd2_PushStep00.bvh"):
        path = mocap / name
        other = pymotion.BVH()
        other.load(str(path))
        rotations, translations, parents, offsets, _, _ = other.get_data()
        expected, _ = fk(rotations, translations[:, 0, :], offsets, parents)
        raw = read_raw(path)
        ours = forward(raw.skeleton, raw.rotations, raw.translations)[0]
        assert np.abs(ours - expected).max() < 2e-3 * np.abs(expected).max() + 1e-3, name


def test_joints_with_places_of_their_own_get_bones(tmp_path: Path) -> None:
    """Exporters write OFFSET 0 0 0 and tell every joint's place by its channels: the bones are in there."""
    lines = ["0.1 5.2 0 "] * 3
    text = SIMPLE.replace("OFFSET 0 5 0", "OFFSET 0 0 0").replace(
        "CHANNELS 3 Zrotation Xrotation Yrotation\n    End",
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n    End",
    )
    head, _, _ = text.partition("Frames:")
    rows = "".join(f"1 2 3 10 20 30 {line}40 50 60\n" for line in lines)
    (tmp_path / "six.bvh").write_text(f"{head}Frames: 3\nFrame Time: 0.033\n{rows}")
    bvh = read_bvh(tmp_path / "six.bvh")
    assert bvh.skeleton.offsets[1] == pytest.approx([0.1, 5.2, 0.0])


def test_names_stay_unique_whatever_they_are(tmp_path: Path) -> None:
    joints = "".join(f"JOINT {name}\n{{\nOFFSET 0 1 0\n}}\n" for name in ("a 2", "a", "a"))
    (tmp_path / "names.bvh").write_text(SIMPLE.replace("}\nMOTION", joints + "}\nMOTION"))
    names = read_bvh(tmp_path / "names.bvh").skeleton.names
    assert len(set(names)) == len(names)


def test_wide_text_is_told_from_binary_files(tmp_path: Path) -> None:
    (tmp_path / "wide.bvh").write_bytes(SIMPLE.encode("utf-16"))
    with pytest.raises(BadFile, match=r"wide\.bvh: this is UTF-16 text; save it as UTF-8"):
        read_bvh(tmp_path / "wide.bvh")
