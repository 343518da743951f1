"""The tables of a folder: which files are whose.

`orders.parquet`, `orders.csv.gz` or `orders.jsonl` is the table `orders`, and so is a folder
`orders` with files of one kind, also in folders for each value of a column, as Hive names them:
`orders/year=2024/part-0.parquet`. Or the policy names the files of a table. A file that is no
table's is left out, and named to the owner.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from dpsql.errors import PolicyError
from dpsql.platform.engine import file_kinds
from dpsql.platform.engine.file_kinds import Format, Kind
from dpsql.platform.policy import SCHEMA_FILE
from dpsql.types import Type

Types = Mapping[str, Mapping[str, Type | None]]
"""The declared columns and their types, where they have one: by table; names in any case."""

Globs = Mapping[str, Sequence[str]]
"""The files that are declared, as patterns below the folder: by table, for those that have some."""

_PATTERN = re.compile(r"[*?\[\]{}]")
_NULL = "__HIVE_DEFAULT_PARTITION__"
_MOST = 10_000
"""So many files are looked at for those that are left out."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a table.

    Attributes:
        path: where it really is, so that a link that is changed changes nothing.
        name: below the folder.
        shown: its path for errors, without a partition's values, which are its rows'.
        form: what it is, as its name says.
        partition: columns and values that the folders around it name; None stands for NULL.
    """

    path: Path
    name: str
    shown: str
    form: Format
    partition: tuple[tuple[str, str | None], ...] = ()

    @property
    def is_parquet(self) -> bool:
        """Whether it is read in place."""
        return self.form.kind == "parquet"


@dataclass(frozen=True, slots=True)
class FolderTable:
    """A table and its files, in the order of their names: of one kind, partitioned in one way."""

    name: str
    files: tuple[DataFile, ...]

    @property
    def kind(self) -> Kind:
        """How the files are read."""
        return self.files[0].form.kind

    @property
    def partition(self) -> tuple[str, ...]:
        """The columns that folders name."""
        return tuple(key for key, _ in self.files[0].partition)


@dataclass(frozen=True, slots=True)
class Found:
    """What is in a folder.

    Attributes:
        tables: by name.
        left_out: the names of files that are no table's, each with the reason.
    """

    tables: tuple[FolderTable, ...]
    left_out: tuple[str, ...] = ()


def find(folder: Path, wanted: frozenset[str] | None = None, globs: Globs | None = None) -> Found:
    """The tables of a folder; only those `wanted` (lower-cased), if given.

    Raises:
        PolicyError: two files are the same table, or one is of two tables; a table's files are of
            several kinds, or named in several ways; a pattern leaves the folder or finds nothing;
            a name is a pattern to the engine; the folder cannot be read.
    """
    entries, tables = _entries(folder), dict[str, FolderTable]()
    for name, patterns in (globs or {}).items():
        tables[name.lower()] = _table(name, _matching(folder, name, patterns), folder)
    declared = frozenset(tables)

    def add(entry: Path, name: str) -> None:
        low = name.lower()
        if not name or low in declared or (wanted is not None and low not in wanted):
            return
        paths = list(_parts(entry, frozenset())) if entry.is_dir() else [entry]
        table = _table(name, paths, folder) if paths else None
        before = None if table is None else tables.setdefault(low, table)
        if table is not None and before is not None and before is not table:
            both = f"{before.files[0].shown} and {table.files[0].shown}"
            message = f"two files or folders are the table {name}: {both}"
            raise PolicyError(message, file=str(folder))

    for entry in entries:
        is_folder = entry.is_dir()
        if "=" not in entry.name or not is_folder:
            add(entry, _stem(entry.name, entry.name if is_folder else ""))
    if not tables:  # perhaps the folder of one table
        name = folder.resolve().name
        add(folder, _stem(name, name))
    made = tuple(tables[name] for name in sorted(tables))
    _check_apart(made, str(folder))
    return Found(made, tuple(_left_out(folder, {f.name for table in made for f in table.files})))


def _stem(name: str, otherwise: str) -> str:
    """A name without what says how it is read; Spark names folders so, too."""
    form = file_kinds.named(name)
    return otherwise if form is None else form.stem


def alone(file: Path) -> FolderTable:
    """The table that one file is, with the name of the file.

    Raises:
        PolicyError: it cannot be read, or is nothing that is.
    """
    form = file_kinds.named(file.name)
    if form is None:
        what = file_kinds.seen(file)
        raise PolicyError(f"cannot be opened: it {what.what}; {what.fix}", file=str(file))
    return _table(form.stem, [file], file.parent)


def _entries(folder: Path) -> list[Path]:
    """What is in a folder, by name, but for hidden things."""
    return sorted(entry for entry in folder.iterdir() if not _hidden(entry.name))


def _hidden(name: str) -> bool:
    """What is no data, also dpsql's own files: of a ledger, a record, the schema of policies."""
    return name.startswith(".") or ".dpsql-" in name or name == SCHEMA_FILE


def _parts(folder: Path, above: frozenset[Path]) -> Iterator[Path]:
    """The files that are read directly in a folder, and in those for values of a column."""
    here = folder.resolve()
    if here in above:
        raise PolicyError("a link in it leads back to it", file=_masked(folder.name))
    for entry in _entries(folder):
        if entry.name == "_delta_log":
            raise PolicyError(
                "is a Delta Lake table, in which not every file counts: load it with its own "
                "reader, and open the frame or a Parquet file of it",
                file=_masked(folder.name),
            )
        if entry.name.startswith("_"):  # what Spark and the like write beside the data
            continue
        if entry.is_dir():
            if "=" in entry.name:
                yield from _parts(entry, above | {here})
        elif file_kinds.named(entry.name) is not None and entry.is_file():
            yield entry


def _matching(root: Path, table: str, patterns: Sequence[str]) -> list[Path]:
    """The files that a table is declared to have."""
    found: set[Path] = set()
    for pattern in patterns:
        parts = PurePosixPath(pattern)
        if parts.is_absolute() or ".." in parts.parts or "\\" in pattern or "\0" in pattern:
            raise PolicyError(
                f"{table}: files have to be below the folder: {pattern}", file=str(root)
            )
        problem, paths = False, list[Path]()
        try:
            paths = [p for p in root.glob(pattern) if p.is_file()]
        except (ValueError, IndexError, NotImplementedError, OSError):  # "" and "." are no pattern
            problem = True
        if problem or not paths:
            raise PolicyError(f"{table}: no file is {pattern}", file=str(root))
        found.update(paths)
    return sorted(p for p in found if not _hidden(p.name))


def _table(name: str, paths: Sequence[Path], root: Path) -> FolderTable:
    files = tuple(_file(path, root) for path in paths)
    for file in files:
        file_kinds.check(file.path, file.form, file.shown)
        if file.form.kind != files[0].form.kind:
            raise PolicyError(
                f"{name} has files of two kinds, {files[0].shown} and {file.shown}: name those "
                "that count, files: in the policy",
                file=str(root),
            )
        if _keys(file) != _keys(files[0]):
            raise PolicyError(
                f"is in other folders of values (key=value) than {files[0].shown}", file=file.shown
            )
    if len({key.lower() for key in _keys(files[0])}) < len(_keys(files[0])):
        raise PolicyError("two folders around it are of one column", file=files[0].shown)
    return FolderTable(name, files)


def _keys(file: DataFile) -> list[str]:
    return [key for key, _ in file.partition]


def _file(path: Path, root: Path) -> DataFile:
    form, name, real = (
        file_kinds.named(path.name),
        path.relative_to(root).as_posix(),
        path.resolve(),
    )
    *folders, last = name.split("/")
    shown = str(root.joinpath(*map(_masked, folders), last))
    pairs = [part.partition("=") for part in folders if "=" in part]
    problem = None
    if form is None:
        what = file_kinds.seen(real, shown)
        problem = f"cannot be read: it {what.what}; {what.fix}"
    elif any(not key or "=" in value for key, _, value in pairs):
        problem = "a folder around it is no key=value"
    elif not _is_text(str(real)):
        problem = "the path is no text in UTF-8"
    elif any("\ufffd" in unquote(value) for _, _, value in pairs):
        problem = "a folder around it names a value that is no text in UTF-8"
    if form is None or problem is not None:
        raise PolicyError(problem or "", file=shown)
    refuse_pattern(real, shown)
    values = tuple((key, None if value == _NULL else unquote(value)) for key, _, value in pairs)
    return DataFile(real, name, shown, form, values)


def refuse_pattern(file: Path, shown: str | None = None) -> None:
    """Raise PolicyError where the engine would read more files than this one."""
    if _PATTERN.search(str(file)):
        message = "the path has a character that the engine takes for a pattern (*, ?, [, {)"
        raise PolicyError(message, file=shown or str(file))


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_apart(tables: Sequence[FolderTable], folder: str) -> None:
    """A file of two tables could be private in one and public in the other."""
    whose: dict[tuple[int, int], str] = {}
    for table in tables:
        for file in table.files:
            state = file.path.stat()  # under whatever name
            other = whose.setdefault((state.st_dev, state.st_ino), table.name)
            if other != table.name:
                message = f"{file.shown} is of two tables, {other} and {table.name}"
                raise PolicyError(message, file=folder)


def _left_out(root: Path, used: set[str]) -> Iterator[str]:
    """What is below a folder beside the files that are used, and what dpsql keeps there."""
    for path in islice(_every(root), _MOST):
        name = path.relative_to(root).as_posix()
        if name in used or any(map(_hidden, name.split("/"))):
            continue
        why = "of no kind that is read" if file_kinds.named(path.name) is None else "of no table"
        *folders, last = name.split("/")
        yield f"{'/'.join([*map(_masked, folders), last])}: {why}"


def _every(root: Path) -> Iterator[Path]:
    for where, inner, names in os.walk(root):
        inner.sort()
        for name in sorted(names):
            yield Path(where) / name


def _masked(part: str) -> str:
    key, equals, _ = part.partition("=")
    return f"{key}=…" if equals else part
