"""A conforming copy that goes to a schema of a server."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from dpsql.errors import PolicyError
from dpsql.platform.engine import duckdb_open, postgres_copy
from dpsql.platform.engine.resources import Resources
from dpsql.platform.policy import Policy, Verification, resolve
from dpsql.session.beside import RECORD, sidecar
from dpsql.session.copies import manifest


def check(policy: Policy) -> None:
    """See whether a copy of its data can be in one schema.

    Raises:
        PolicyError: it cannot.
    """
    problem = ""
    if policy.time is not None:
        problem = "units in time need a copy in a folder, which says whose a row is"
    elif policy.views:
        problem = "views are not read on a server; list the tables, or make a copy in a folder"
    elif any("." in name for name in policy.tables):
        problem = "the tables of a copy are in one schema; name them in one part each"
    if problem:
        raise PolicyError(problem)


def written(folder: Path, policy: Policy, resources: Resources, url: str, into: str) -> None:
    """Put the copy that is in a folder into a schema of a server.

    Raises:
        PolicyError: it cannot be written there.
        EngineError: the driver is not installed.
    """
    copy = manifest(folder)
    assert copy is not None
    file = folder / copy.file
    record = Verification.load(sidecar(file, RECORD))
    with closing(duckdb_open.open_file(file, resources.allowed)) as engine:
        schema = resolve(policy, engine.catalog(), record)
    postgres_copy.write(url, into, file, schema, copy.salt)
