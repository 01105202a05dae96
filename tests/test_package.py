"""The package from outside: its front door, its wheel, its compiled kernels."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import sidestep as ss
from sidestep.jit import sources_hash

ROOT = Path(__file__).parent.parent


def test_the_front_door() -> None:
    for name in ss.__all__:
        assert getattr(ss, name).__name__ == name
    assert set(ss.__all__) == set(ss._ROOMS)
    with pytest.raises(AttributeError, match="it offers Clip, Crowd, Database"):
        _ = ss.Databse  # type: ignore[attr-defined]


def test_importing_costs_little() -> None:
    """Nothing heavy is loaded before it is used."""
    code = "import sys, sidestep; print([m for m in ('numpy', 'numba', 'scipy', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_changed_kernel_source_starts_a_fresh_cache(tmp_path: Path) -> None:
    """Numba would keep the old code of a kernel whose callee stands in another, changed file."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n")
    before = sources_hash(tmp_path)
    assert sources_hash(tmp_path) == before
    (tmp_path / "b.py").write_text("# b, changed\n")
    assert sources_hash(tmp_path) != before


@pytest.mark.slow
def test_a_wheel_is_built_and_installed_without_node(tmp_path: Path) -> None:
    """Built and installed in an empty folder, with no Node on the path, it reads and performs."""
    node_free = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SIDESTEP_CACHE": str(tmp_path / "cache")}
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(tmp_path), str(ROOT)], check=True, env=_with(node_free))
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "sidestep/cli.py" in names
    assert not [n for n in names if n.startswith(("tests", "docs")) or n.endswith((".bvh", ".glb", ".png"))]
    subprocess.run([*pip, "install", "--no-deps", "--target", str(tmp_path / "site"), str(wheel)], check=True)
    code = "import sidestep as ss; print(ss.__file__); print(len(ss.perform('walk', 0)))"
    path = {**node_free, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=path, cwd=tmp_path
    )
    where, frames = done.stdout.split()
    assert where.startswith(str(tmp_path))
    assert int(frames) > 300


def _with(changes: dict[str, str]) -> dict[str, str]:
    """This environment (package mirrors and certificates are told there) with some changes."""
    import os

    return {**os.environ, **changes, "HOME": os.environ.get("HOME", changes["HOME"])}
