"""Whether files are still those that were opened, and a digest of their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from dpsql.errors import EngineError

CHANGED = "the data has changed since it was opened; reopen"


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another without reading it.

    Whoever writes a file can set its modification time back, but not the time of its last change of
    any kind (ctime), which is the kernel's own.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    device: int


@dataclass(frozen=True, slots=True)
class Files:
    """Files as they were at one moment.

    Attributes:
        stamps: (name that goes into the digest, path, stamp), by name.
    """

    stamps: tuple[tuple[str, Path, Stamp], ...]

    @staticmethod
    def of(paths: dict[str, Path]) -> Files:
        """The present state of `paths`, given by name.

        Raises:
            OSError: a file cannot be looked at.
        """
        return Files(tuple((name, path, _stamp(path)) for name, path in sorted(paths.items())))

    def unchanged(self) -> bool:
        """Whether every file is as it was."""
        try:
            return all(_stamp(path) == stamp for _, path, stamp in self.stamps)
        except OSError:
            return False

    def check(self) -> None:
        """Refuse changed files.

        Raises:
            EngineError: a file is not as it was.
        """
        if not self.unchanged():
            raise EngineError(CHANGED)

    def digest(self) -> str:
        """BLAKE2b over the sorted names and contents, in hexadecimal.

        Raises:
            EngineError: a file is not as it was, or cannot be read.
        """
        return combined(self.contents())

    def contents(
        self, known: Mapping[str, Sequence[str]] | None = None
    ) -> dict[str, tuple[str, str]]:
        """By a digest of each file's name one of its content, and its stamp as a text; in the order
        of names. BLAKE2b, in hexadecimal.

        Args:
            known: the same of an earlier time: a file with that stamp has that content.

        Raises:
            EngineError: a file is not as it was, or cannot be read.
        """
        self.check()
        found: dict[str, tuple[str, str]] = {}
        readable = True
        try:
            for name, path, stamp in self.stamps:
                named = name_digest(name)
                state = "-".join(map(str, astuple(stamp)))
                content, *then = (known or {}).get(named, ("", ""))
                if then != [state]:
                    content = _content(path)
                found[named] = content, state
        except OSError:
            readable = False
        if not readable:
            raise EngineError(CHANGED)
        self.check()
        return found


def combined(contents: Mapping[str, tuple[str, str]]) -> str:
    """A digest of what `Files.contents` found."""
    whole = hashlib.blake2b(digest_size=32)
    for name, (content, _) in contents.items():
        # The name by its own digest: no two lists of names and contents look the same.
        whole.update(bytes.fromhex(name) + bytes.fromhex(content))
    return whole.hexdigest()


def name_digest(name: str) -> str:
    """Of a file's name, in hexadecimal."""
    return hashlib.blake2b(name.encode(), digest_size=32).hexdigest()


def _content(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=32)).hexdigest()


def stamped(path: str) -> str:
    """A text that tells one state of a file from another.

    Raises:
        OSError: it cannot be looked at.
    """
    return "-".join(map(str, astuple(_stamp(Path(path)))))


def _stamp(path: Path) -> Stamp:
    state = path.stat()
    return Stamp(state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino, state.st_dev)
