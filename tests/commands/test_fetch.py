"""Downloads against a real server on this machine: resuming, checksums, servers that break off."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from sidestep.cli import run
from sidestep.commands.data import fetch
from sidestep.errors import CannotFetch, CannotWrite, DamagedFile

CONTENT = np.random.default_rng(0).bytes(700_000)
SHA = hashlib.sha256(CONTENT).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Serves CONTENT; /broken breaks off half way, /plain knows no ranges."""

    asked: list[str | None] = []  # noqa: RUF012 (shared between requests on purpose)
    whole: set[str] = set()  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.headers.get("Range"))
        if self.path.startswith("/gone"):
            self.send_error(404, "Not Found")
            return
        start = 0
        wanted = self.headers.get("Range")
        if wanted and not self.path.startswith("/plain"):
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            if self.headers.get("If-Range") not in (None, '"1"'):
                start = 0  # another version by now
            elif start >= len(CONTENT):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(CONTENT)}")
                self.end_headers()
                return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(CONTENT) - start))
        if not self.path.startswith("/plain"):
            self.send_header("ETag", '"1"')
        self.end_headers()
        body = CONTENT[start:]
        self.wfile.write(
            body[: len(body) // 2] if self.path.startswith("/broken") and self.path not in self.whole else body
        )

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def server() -> Iterator[str]:
    Handler.asked.clear()
    Handler.whole.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()


def test_a_whole_file(server: str, tmp_path: Path) -> None:
    path = fetch(f"{server}/data.zip?download=1", tmp_path, SHA)
    assert path.name == "data.zip"
    assert path.read_bytes() == CONTENT
    assert fetch(f"{server}/data.zip?download=1", tmp_path, SHA) == path
    assert len(Handler.asked) == 1  # what is there and right is not fetched again


def test_what_broke_off_goes_on_where_it_stopped(server: str, tmp_path: Path) -> None:
    with pytest.raises(CannotFetch, match="350,000 bytes are kept, call it again"):
        fetch(f"{server}/broken/data.zip", tmp_path)
    assert not (tmp_path / "data.zip").exists()
    Handler.whole.add("/broken/data.zip")  # the server has recovered
    path = fetch(f"{server}/broken/data.zip", tmp_path)
    assert Handler.asked[-1] == "bytes=350000-"
    assert path.read_bytes() == CONTENT
    assert sorted(p.name for p in tmp_path.iterdir()) == [".data.zip.origin", "data.zip"]


def test_a_server_without_ranges_starts_over(server: str, tmp_path: Path) -> None:
    part_of(f"{server}/plain/data.zip", tmp_path, CONTENT[:1000])
    assert fetch(f"{server}/plain/data.zip", tmp_path).read_bytes() == CONTENT


def part_of(url: str, folder: Path, content: bytes, version: str = '"1"') -> None:
    """What an earlier download left."""
    part = folder / f"data.zip.{hashlib.sha256(url.encode()).hexdigest()[:8]}.part"
    part.write_bytes(content)
    part.with_suffix(".version").write_text(version)


def test_a_part_that_is_all_there_is_taken(server: str, tmp_path: Path) -> None:
    part_of(f"{server}/data.zip", tmp_path, CONTENT)
    assert fetch(f"{server}/data.zip", tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("junk", [b"x" * 900_000, b"x" * 1000])
def test_what_belongs_to_nothing_known_is_not_built_upon(server: str, tmp_path: Path, junk: bytes) -> None:
    """A part too long, a part of another version, a file of that name from elsewhere."""
    (tmp_path / "data.zip").write_bytes(b"another file of this name")
    part_of(f"{server}/data.zip", tmp_path, junk, version='"0"' if len(junk) < 2000 else '"1"')
    assert fetch(f"{server}/data.zip", tmp_path).read_bytes() == CONTENT


def test_a_wrong_checksum_is_thrown_away(server: str, tmp_path: Path) -> None:
    with pytest.raises(DamagedFile, match=r"checksum .* thrown away"):
        fetch(f"{server}/data.zip", tmp_path, "0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_refusals(server: str, tmp_path: Path) -> None:
    with pytest.raises(CannotFetch, match="the server says 404"):
        fetch(f"{server}/gone.zip", tmp_path)
    with pytest.raises(CannotFetch, match="0 bytes are kept"):
        fetch("http://127.0.0.1:9/data.zip", tmp_path, timeout_s=2)
    with pytest.raises(CannotFetch):
        fetch("http://127.0.0.1:9/with a blank.zip", tmp_path, timeout_s=2)
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot be made"):
        fetch(f"{server}/data.zip", tmp_path / "file")


def test_the_command(server: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "get", f"{server}/data.zip", "--to", str(tmp_path), "--sha256", SHA]) == 0
    assert "0.7 MB" in capsys.readouterr().out.replace("\n", " ")
    assert run(["data", "get", f"{server}/gone.zip", "--to", str(tmp_path)]) == 1
