"""The files of dpsql's own beside the data: the ledger, and the record of the verification."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dpsql.errors import PolicyError
from dpsql.platform.engine import file_kinds
from dpsql.session.copies import copy_of

LEDGER, RECORD = "ledger", "verified.json"


def sidecar(data: Path, suffix: str) -> Path:
    """A file of dpsql's own beside the data.

    Raises:
        PolicyError: the data is the root of the file system, which nothing is beside.
    """
    where = data.resolve()
    if not where.name:
        raise PolicyError(f"{where} is no database and no folder of tables")
    return where.with_name(f"{where.name}.dpsql-{suffix}")


def ledger_beside(data: Path) -> Path:
    """The ledger that is meant where none is named: of a copy, that of the data; of a file or
    folder within a folder that has one, the folder's, since both are one data set.

    Raises:
        PolicyError: data that have none, or whose ledger is no file or gone.
    """
    copy = copy_of(data)
    if copy is None:
        own = sidecar(data, LEDGER)
        if data.is_dir() or file_kinds.named(data.name):
            return next(_ledgers_around(data.resolve()), own)
        return own
    if not copy.ledger:
        raise PolicyError(
            "the ledger of the data that were copied is no file: name it", file=str(data)
        )
    if not Path(copy.ledger).is_file():  # a new one would be a second budget
        raise PolicyError(
            "the ledger of the data that were copied is not where it was: name it, or prepare the "
            "copy again",
            file=str(data),
        )
    return Path(copy.ledger)


def _ledgers_around(path: Path) -> Iterator[Path]:
    """The ledgers of a file or folder, and of the folders around it, the nearest first."""
    beside = (sidecar(part, LEDGER) for part in (path, *path.parents) if part.name)
    return (ledger for ledger in beside if ledger.exists())
