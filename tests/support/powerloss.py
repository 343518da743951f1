"""What a disk may hold after the power failed: the files of a process as its own calls left them.

`recorded` runs a piece of work in a fork and stops it at each of its system calls (ptrace, so that
neither SQLite nor Python is asked, and nothing has to be installed): each write, truncation, sync,
link, rename and removal below a folder becomes an `Event`, in order. `Disk` takes the events one by
one and says what may be there if the power fails at that point:

* what was synced (fsync, fdatasync) is there;
* of what was written since, each write is there, or is not, or is there in part: some of its
  sectors of 512 bytes; a file that grew may have zeros where a write is missing;
* a name that was made, moved or removed since its folder was synced is, each by itself, as it was
  or as it is; syncing a file makes its content durable, not its name.

So writes come through in any order between two syncs. It is what POSIX allows, and more than ext4
or XFS do to names. Not simulated: a disk that says that it has synced and has not, a sector that is
neither old nor new, damage to what was not written, and maps of memory (the ledger uses none).
"""

from __future__ import annotations

import ctypes
import os
import platform
import random
import signal
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512

Tell = Callable[[bytes], object]

_TRACEME, _SYSCALL, _SETOPTIONS, _INFO = 0, 24, 0x4200, 0x420E
_OPTIONS = 1 | 0x100000  # a stop for a call is told apart; the child dies with us

# Numbers differ by architecture; the newer ones lack the calls that take no folder.
_NUMBERS = {
    "x86_64": {
        1: "write",
        2: "open",
        3: "close",
        18: "pwrite64",
        74: "fsync",
        75: "fdatasync",
        77: "ftruncate",
        82: "rename",
        83: "mkdir",
        86: "link",
        87: "unlink",
        257: "openat",
        8: "lseek",
        258: "mkdirat",
        263: "unlinkat",
        264: "renameat",
        265: "linkat",
        20: "writev",
        76: "truncate",
        285: "fallocate",
        296: "pwritev",
        316: "renameat2",
    },
    "aarch64": {
        64: "write",
        57: "close",
        68: "pwrite64",
        82: "fsync",
        83: "fdatasync",
        46: "ftruncate",
        56: "openat",
        62: "lseek",
        34: "mkdirat",
        35: "unlinkat",
        38: "renameat",
        37: "linkat",
        276: "renameat2",
        66: "writev",
        45: "truncate",
        47: "fallocate",
        70: "pwritev",
    },
}


@dataclass(frozen=True, slots=True)
class Event:
    """One call that did something.

    Attributes:
        kind: open (with what it does to the file), write, truncate, sync, link, move, remove,
            folder; or tell, which the process said to the outside.
        path: of the file as it was opened, or of the name.
        to: of a link or a move, the new name.
        offset: of a write; of a truncation, the size.
        data: of a write, or what was told.
        flags: of an open.
    """

    kind: str
    path: str = ""
    to: str = ""
    offset: int = 0
    data: bytes = b""
    flags: int = 0


def recorded(root: Path, work: Callable[[Tell], None]) -> list[Event]:
    """What `work` does to the files below a folder, and when it tells what.

    Raises:
        AssertionError: it failed, or used a call that is not understood here.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    inside, outside = os.pipe()
    process = os.fork()
    if process == 0:
        code = 1
        try:
            libc.ptrace(_TRACEME, 0, None, None)
            os.kill(os.getpid(), signal.SIGSTOP)
            work(lambda text: os.write(outside, text))
            code = 0
        finally:
            os._exit(code)
    os.close(outside)
    os.waitpid(process, 0)

    def ptrace(what: int, address: int = 0, data: object = None) -> None:
        assert libc.ptrace(what, process, address, data) >= 0, os.strerror(ctypes.get_errno())

    ptrace(_SETOPTIONS, 0, ctypes.c_void_p(_OPTIONS))
    calls = _Calls(str(root), process, outside)
    given = 0
    try:
        while True:
            ptrace(_SYSCALL, 0, ctypes.c_void_p(given))
            _, status = os.waitpid(process, 0)
            if not os.WIFSTOPPED(status):
                break
            found = os.WSTOPSIG(status)
            given = 0 if found in (signal.SIGTRAP | 0x80, signal.SIGSTOP) else found
            if found == signal.SIGTRAP | 0x80:
                buffer = ctypes.create_string_buffer(128)
                ptrace(_INFO, len(buffer), buffer)
                calls.stopped(buffer.raw)
    finally:
        os.close(inside)
    assert os.waitstatus_to_exitcode(status) == 0, "the work failed"
    return calls.events


class _Calls:
    """The calls of a stopped process, as events."""

    def __init__(self, root: str, process: int, told: int) -> None:
        self._root, self._process, self._told = root, process, told
        self._names = _NUMBERS[platform.machine()]
        self._open: dict[int, str] = {}
        self._at: dict[int, int] = {}
        self._begun: tuple[str, tuple[int, ...], list[str], bytes] | None = None
        self.events: list[Event] = []

    def stopped(self, info: bytes) -> None:
        """At the beginning of a call, or at its end."""
        kind = info[0]
        if kind == 1:
            number, *args = struct.unpack_from("<7Q", info, 24)
            name = self._names.get(number, "")
            self._begun = (name, tuple(args), *self._read(name, args)) if name else None
        elif kind == 2 and self._begun is not None:
            (result,) = struct.unpack_from("<q", info, 24)
            begun, self._begun = self._begun, None
            if result >= 0:
                self._done(*begun, result)

    def _read(self, name: str, args: list[int]) -> tuple[list[str], bytes]:
        """Paths and bytes that the call is given: they are there before it only."""
        where = {
            "open": (0,),
            "mkdir": (0,),
            "unlink": (0,),
            "rename": (0, 1),
            "link": (0, 1),
            "openat": (1,),
            "mkdirat": (1,),
            "unlinkat": (1,),
            "truncate": (0,),
            "renameat": (1, 3),
            "renameat2": (1, 3),
            "linkat": (1, 3),
        }.get(name, ())
        paths = [self._text(args[n]) for n in where]
        data = b""
        if name in ("write", "pwrite64") and (args[0] in self._open or args[0] == self._told):
            data = self._memory(args[1], args[2])
        return paths, data

    def _text(self, address: int) -> str:
        """A path: up to its end, and not into a page that may not be there."""
        text = b""
        while b"\0" not in text:
            text += self._memory(address + len(text), 4096 - (address + len(text)) % 4096)
        return text.split(b"\0")[0].decode()

    def _memory(self, address: int, size: int) -> bytes:
        with open(f"/proc/{self._process}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            text = memory.read(size) or b""
        assert len(text) == size
        return text

    def _done(
        self, name: str, args: tuple[int, ...], paths: list[str], data: bytes, result: int
    ) -> None:
        below = [path for path in paths if path.startswith(self._root)]
        file = self._open.get(args[0], "")
        add = self.events.append
        if name in ("open", "openat"):
            self._open.pop(result, None)
            if below:
                self._open[result], self._at[result] = paths[0], 0
                add(Event("open", paths[0], flags=args[1 if name == "open" else 2]))
        elif name == "close":
            self._open.pop(args[0], None)
        elif name == "write" and args[0] == self._told:
            add(Event("tell", data=data[:result]))
        elif name in ("mkdir", "mkdirat") and below:
            add(Event("folder", paths[0]))
        elif name in ("unlink", "unlinkat") and below:
            add(Event("remove", paths[0]))
        elif name.startswith(("rename", "link")) and below:
            add(Event("link" if name.startswith("link") else "move", *paths))
        elif not file:
            assert not below, f"{name} is not understood"
        elif name in ("fsync", "fdatasync"):
            add(Event("sync", file))
        elif name == "ftruncate":
            add(Event("truncate", file, offset=args[1]))
        elif name == "pwrite64":
            add(Event("write", file, offset=args[3], data=data[:result]))
        elif name == "write":
            add(Event("write", file, offset=self._at[args[0]], data=data[:result]))
            self._at[args[0]] += result
        elif name == "lseek":
            self._at[args[0]] = result
        else:
            raise AssertionError(f"{name} is not understood")


Keep = Callable[[], bool]


@dataclass(slots=True)
class _File:
    """Attributes: what is durable, and what was done to it since, in order."""

    durable: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def content(self, keep: Keep) -> bytes:
        text = bytearray(self.durable)
        for offset, data in self.since:
            if data is None:
                if keep():
                    text[offset:] = b"\0" * max(0, offset - len(text))
                continue
            for start in range(0, len(data), SECTOR):
                if keep():
                    at, part = offset + start, data[start : start + SECTOR]
                    text.extend(b"\0" * (at - len(text)))
                    text[at : at + len(part)] = part
        return bytes(text)


class Disk:
    """The files below a folder, all of them durable at first; then `happened` is told of events."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._now: dict[str, _File | None] = {}  # None: a folder
        for path in sorted(root.rglob("*")):
            self._now[str(path)] = None if path.is_dir() else _File(path.read_bytes())
        self._durable = dict(self._now)
        self._names: list[tuple[str, str, _File | None]] = []
        """Folder, name and what it is since: None for nothing any more."""
        self._folders: list[str] = []

    def happened(self, event: Event) -> None:
        """What a call did."""
        path, file = event.path, self._now.get(event.path)
        if event.kind == "open":
            if event.flags & os.O_CREAT and path not in self._now:
                self._name(path, _File())
            elif event.flags & os.O_TRUNC and file is not None:
                file.since.append((0, None))
        elif event.kind == "folder":
            self._now[path] = None
            self._folders.append(path)
        elif event.kind == "remove":
            self._name(path, None)
        elif event.kind in ("link", "move"):
            self._name(event.to, file)
            if event.kind == "move":
                self._name(path, None)
        elif event.kind == "sync" and (file is None):
            for folder, name, is_now in self._names:
                if folder == path:
                    self._set(self._durable, name, is_now)
            self._names = [one for one in self._names if one[0] != path]
        elif event.kind == "sync" and file is not None:
            file.durable, file.since = file.content(lambda: True), []
        elif event.kind == "truncate" and file is not None:
            file.since.append((event.offset, None))
        elif event.kind == "write" and file is not None:
            file.since.append((event.offset, event.data))

    def after(self, folder: Path, keep: Keep) -> None:
        """Write what may be there if the power fails now.

        Args:
            folder: a new one.
            keep: whether the next thing that is not durable is there; asked for each.
        """
        names = dict(self._durable)
        for made in self._folders:  # a folder that is not there has nothing in it
            names[made] = None
        for _, name, is_now in self._names:
            if keep():
                self._set(names, name, is_now)
        for name, file in names.items():
            to = folder / os.path.relpath(name, self._root)
            if file is None:
                to.mkdir(parents=True, exist_ok=True)
            else:
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(file.content(keep))

    @property
    def settled(self) -> bool:
        """Whether all that there is would be there."""
        return not self._names and not any(
            file is not None and file.since for file in self._now.values()
        )

    def _name(self, path: str, file: _File | None) -> None:
        self._set(self._now, path, file)
        self._names.append((os.path.dirname(path), path, file))

    @staticmethod
    def _set(names: dict[str, _File | None], path: str, file: _File | None) -> None:
        if file is None:
            names.pop(path, None)
        else:
            names[path] = file


def losses(seed: int) -> Iterator[tuple[str, Keep]]:
    """Ways to lose what is not durable: all of it, and then by chance, or nothing."""
    coin = random.Random(seed)
    yield "all is lost", lambda: False
    while True:
        share = coin.choice([0.2, 0.5, 0.8, 1.0])
        yield f"{share} is there", lambda share=share: coin.random() < share  # type: ignore[misc]
