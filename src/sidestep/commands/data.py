"""sidestep data: known public data sets, what each is good for, and how to fetch them."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from ..caches import cache_folder
from ..errors import AskedWrongly, CannotFetch, CannotWrite, DamagedFile, UnknownName
from .talk import console, put_json


@dataclass(frozen=True)
class PublicData:
    """A data set that others publish."""

    name: str
    page: str
    """Where its makers describe it."""
    url: str | None
    """The file, where there is one to fetch directly."""
    megabytes: int
    licence: str
    good_for: str
    sha256: str | None = None


KNOWN = {
    data.name: data
    for data in (
        PublicData(
            "lafan1", "https://github.com/ubisoft/ubisoft-laforge-animation-dataset",
            "https://github.com/ubisoft/ubisoft-laforge-animation-dataset/raw/master/lafan1/lafan1.zip", 144,
            "CC BY-NC-ND 4.0: not for commercial use, not to be passed on changed",
            "4.6 h of games locomotion, obstacles, falls, dance; 30 Hz BVH, the usual yardstick of motion matching",
        ),
        PublicData(
            "cmu", "http://mocap.cs.cmu.edu", None, 3500,
            "free for any use, credit asked (mocap.cs.cmu.edu, NSF EIA-0196217)",
            "2,600 takes of everything; converted to BVH at 120 Hz by others, with an added T-pose in frame 0",
        ),
        PublicData(
            "100style", "https://zenodo.org/records/8127870",
            "https://zenodo.org/records/8127870/files/100STYLE.zip", 1500, "CC BY 4.0",
            "4 million frames of walking and running, forwards, backwards and sideways, in 100 styles; 60 Hz BVH",
        ),
        PublicData(
            "bandai", "https://github.com/BandaiNamcoResearchInc/Bandai-Namco-Research-Motiondataset",
            "https://github.com/BandaiNamcoResearchInc/Bandai-Namco-Research-Motiondataset/archive/refs/heads/master.zip",
            400, "CC BY-NC 4.0: not for commercial use",
            "36,000 and 384,000 frames of everyday actions in 15 and 7 styles; 30 Hz BVH",
        ),
        PublicData(
            "emm", "https://zenodo.org/records/17220516",
            "https://zenodo.org/api/records/17220516/files-archive", 300, "see the record",
            "184,553 poses made for environment-aware motion matching: one actor among obstacles; 60 Hz BVH",
        ),
    )
}  # fmt: skip


@dataclass(frozen=True)
class DataList:
    """List known public data sets: size, licence, what each is good for.

    Example: sidestep data list
    """

    json: Annotated[bool, tyro.conf.arg(help="Print JSON.")] = False

    def run(self) -> int:
        """Print the table."""
        if self.json:
            put_json([data.__dict__ for data in KNOWN.values()], None)
            return 0
        for data in KNOWN.values():
            console.print(f"[bold]{data.name}[/], about {data.megabytes:,} MB: {data.good_for}")
            console.print(f"    licence: {data.licence}", markup=False)
            console.print(f"    {data.page}", soft_wrap=True, markup=False)
        console.print("sidestep data get NAME fetches one ; sidestep import turns it into a database")
        return 0


@dataclass(frozen=True)
class DataGet:
    """Download a public data set, going on where an earlier download stopped.

    Example: sidestep data get lafan1
    """

    name: tyro.conf.Positional[str]
    """One of the names that `sidestep data list` shows, or an address."""
    to: Path | None = None
    """Folder to put it in; the cache otherwise."""
    sha256: str | None = None
    """Checksum the file must have."""

    def run(self) -> int:
        """Fetch and say where it is."""
        url, expected = self._source()
        folder = self.to or cache_folder() / "downloads"
        # Archives of a branch are all called master.zip.
        name = f"{self.name}.zip" if self.name in KNOWN else None
        path = fetch(url, folder, self.sha256 or expected, name=name)
        console.print(
            f"{path}: {path.stat().st_size / 1e6:.1f} MB; unpack it, then: sidestep import FOLDER -o my.sidestep"
        )
        return 0

    def _source(self) -> tuple[str, str | None]:
        if "://" in self.name:
            return self.name, None
        if self.name not in KNOWN:
            raise UnknownName.among("data set", self.name, KNOWN)
        data = KNOWN[self.name]
        if data.url is None:
            raise AskedWrongly(f"'{self.name}' is not one file to fetch; see {data.page}, then use sidestep import")
        return data.url, data.sha256


def fetch(url: str, folder: Path, sha256: str | None = None, timeout_s: float = 30.0, name: str | None = None) -> Path:
    """Download into a folder, resuming; the finished file appears only when complete and right.

    What has arrived of a file waits under the address's own hash, beside a note of what the server called its version:
    it is taken up only for the same address and the same version.

    Raises:
        CannotFetch: The server did not answer or broke off; what arrived is kept for the next try.
        DamagedFile: The checksum differs; the file is thrown away.
    """
    name = name or url.split("?")[0].rstrip("/").rsplit("/", 1)[-1] or "download"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(f"{folder}: cannot be made ({error.strerror}); name another folder with --to") from error
    key = hashlib.sha256(url.encode()).hexdigest()[:8]
    path, part, origin = folder / name, folder / f"{name}.{key}.part", folder / f".{name}.origin"
    if path.exists() and (_sha256(path) == sha256 if sha256 else origin.exists() and origin.read_text() == url):
        return path
    version = part.with_suffix(".version")
    try:
        _download(url, part, version, timeout_s, name)
    except urllib.error.HTTPError as error:
        raise CannotFetch(f"{url}: the server says {error.code} {error.reason}; see the data set's page") from error
    except (OSError, EOFError, ValueError, http.client.HTTPException) as error:
        kept = part.stat().st_size if part.exists() and version.exists() else 0
        reason = getattr(error, "reason", None) or error
        raise CannotFetch(f"{url}: {reason}; {kept:,} bytes are kept, call it again to go on") from error
    version.unlink(missing_ok=True)
    if sha256 is not None and (found := _sha256(part)) != sha256:
        part.unlink()
        raise DamagedFile(f"{name}: checksum {found[:12]}... instead of {sha256[:12]}...; thrown away, fetch it again")
    os.replace(part, path)
    origin.write_text(url)
    return path


def _download(url: str, part: Path, version: Path, timeout_s: float, name: str) -> None:
    have = part.stat().st_size if part.exists() and version.exists() else 0
    headers = {"Range": f"bytes={have}-", "If-Range": version.read_text()} if have else {}
    try:
        answer = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=timeout_s)
    except urllib.error.HTTPError as error:
        whole = (error.headers.get("Content-Range") or "").rpartition("/")[2]
        if error.code == 416 and whole == str(have):
            return  # asked for what lies behind the end: everything is here already
        if error.code != 416:
            raise
        part.unlink()
        answer = urllib.request.urlopen(url, timeout=timeout_s)
    with answer:
        resumed = answer.status == 206
        length = answer.headers.get("Content-Length")
        total = None if length is None else int(length) + (have if resumed else 0)
        tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified")
        if tag and not resumed:
            version.write_text(tag)
        elif not resumed:
            version.unlink(missing_ok=True)  # without a version to ask for, a broken download begins anew
        _receive(answer, part, have if resumed else 0, total, name)


def _receive(answer: object, part: Path, have: int, total: int | None, name: str) -> None:
    columns = (TextColumn(name), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with part.open("ab" if have else "wb") as stream, Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(name, total=total, completed=have)
        while chunk := answer.read(1 << 18):  # type: ignore[attr-defined]
            stream.write(chunk)
            progress.advance(task, len(chunk))
    if total is not None and part.stat().st_size < total:
        raise EOFError(f"broken off after {part.stat().st_size:,} of {total:,} bytes")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
