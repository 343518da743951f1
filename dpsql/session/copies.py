"""The folder of a conforming copy: which file is in force, and of what it was made.

`prepared.json` is written last and at once, so that whoever is stopped before leaves the copy that
was there. Data and copy are one data set: the copy's ledger is that of the data.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dpsql.errors import PolicyError
from dpsql.platform.engine import file_kinds
from dpsql.platform.ledger import locking

MANIFEST = "prepared.json"
_FORMAT = 1
_DATA = "data-"
_PART = ".part-"
_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Copy:
    """What is in a folder of a copy.

    Attributes:
        file: the DuckDB file that is in force.
        version: a digest of that file, as it was made.
        ledger: the path of the data's ledger; empty where it is no file, and has to be named.
        salt: of the hashes by which rows were chosen.
        rules: a digest of the claims that are true of it, and of by what else it was made.
        sources: of what each table was made, by its name in lower case: a digest of its files.
        files: of tables that are Parquet files of a folder, what each of these was: by a digest of
            its name, a digest of its content, and its stamp.
        unit: of units in time, what the policy says of them; else empty.
        owners: how the rows of each private table tell their unit, by its name in lower case.
    """

    file: str
    version: str
    ledger: str
    salt: str
    rules: str
    sources: Mapping[str, str]
    unit: str = ""
    owners: Mapping[str, list[str]] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)


def manifest(folder: Path) -> Copy | None:
    """What a folder says of the copy in it; None where it is none.

    Raises:
        PolicyError: it cannot be read.
    """
    path = folder / MANIFEST
    if not file_kinds.readable(path.is_file, str(folder)):  # where nobody may look
        return None
    content: Any = None
    with suppress(OSError, ValueError, RecursionError):
        content = json.loads(path.read_text(encoding="utf-8"))
    made: Copy | None = None
    if isinstance(content, dict) and content.pop("format", None) == _FORMAT:
        with suppress(TypeError):
            made = Copy(**content)
    if made is None or not _is_one(made):
        raise PolicyError("cannot be read; prepare the copy again", file=str(path))
    return made


def _is_one(copy: Copy) -> bool:
    """Whether what is read of a copy is what it could be."""
    told = (copy.file, copy.version, copy.ledger, copy.salt, copy.rules, copy.unit)
    listed = isinstance(copy.files, dict) and all(
        isinstance(files, dict) and all(_is_file(one) for one in files.values())
        for files in copy.files.values()
    )
    mapped = isinstance(copy.owners, dict) and isinstance(copy.sources, dict)
    texts = all(isinstance(text, str) and "\0" not in text for text in told)
    return texts and mapped and listed and Path(copy.file).name == copy.file


def _is_file(said: object) -> bool:
    return isinstance(said, list) and [type(part) for part in said] == [str, str]


def copy_of(data: Path) -> Copy | None:
    """The copy that a folder is, or that of the folder in which a file of copies is; else None.

    Raises:
        PolicyError: what is said of it cannot be read.
    """
    whole = data.resolve()
    return manifest(whole) or (manifest(whole.parent) if whole.name.startswith(_DATA) else None)


def in_force(data: Path) -> Path:
    """The file of the copy that is in a folder; any other data as they are."""
    copy = manifest(data)
    return data if copy is None else data / copy.file


@contextmanager
def part(folder: Path) -> Iterator[Path]:
    """A file to write a copy to, in a folder for copies alone, which is made; nobody else can
    have one there meanwhile.

    Raises:
        PolicyError: the folder has other files, or cannot be made, or another has it.
    """
    problem, lock, taken = None, -1, False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(not _own(p.name) for p in folder.iterdir()):
            problem = "has other files in it; a copy needs a folder of its own"
        else:
            lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | locking.FLAGS, 0o600)
            taken = locking.take(lock)
            problem = None if taken else "a copy is being prepared in it"
        if taken:
            for left in folder.glob(f"{_PART}*"):  # of one that was stopped
                left.unlink()
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
    try:
        if problem is not None:
            raise PolicyError(problem, file=str(folder))
        yield folder / f"{_PART}{secrets.token_hex(8)}"
    finally:
        if taken:
            locking.release(lock)
        if lock >= 0:
            os.close(lock)


def named(part: Path) -> Path:
    """Give a file that is written the name of a copy."""
    return part.rename(part.with_name(f"{_DATA}{secrets.token_hex(8)}.duckdb"))


def publish(folder: Path, made: Copy) -> None:
    """Put a copy in force, and remove the one that was."""
    path = folder / f"{_PART}{secrets.token_hex(8)}"
    with path.open("x", encoding="utf-8") as stream:
        json.dump({"format": _FORMAT, **asdict(made)}, stream, indent=2, sort_keys=True)
        stream.flush()
        os.fsync(stream.fileno())
    path.replace(folder / MANIFEST)
    locking.sync(folder)  # before what was in force is gone
    for old in folder.glob(f"{_DATA}*"):
        if not old.name.startswith(made.file):
            with suppress(OSError):
                old.unlink()


def _own(file: str) -> bool:
    return file in (MANIFEST, _LOCK) or file.startswith((_DATA, _PART))
