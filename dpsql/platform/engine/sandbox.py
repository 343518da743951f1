"""DuckDB's doors, closed; and refusal of databases in which a name does not mean what it says."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import duckdb

from dpsql.errors import PolicyError
from dpsql.platform.engine.spill import Spill

_LOCKING = Lock()

_CLOSED = {
    "python_enable_replacements": "false",
    "temp_file_encryption": "true",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    # It evaluates what readers of a WITH query ask of its groups for each of its rows.
    "disabled_optimizers": "cte_filter_pusher",
}

_MEANING = (
    *("default_collation", "integer_division", "ieee_floating_point_ops"),
    *("error_on_division_by_zero", "dialect_compatibility_mode", "active_grammar_extensions"),
    *("allow_parser_override_extension", "legacy_disable_null_type", "disabled_optimizers"),
    *("scalar_subquery_error_on_multiple_rows", "order_by_non_integer_literal"),
    *("regex_match_operator_semantics", "warnings_as_errors", "max_execution_time"),
    *("Calendar", "default_null_order", "default_order", "binary_as_string"),
)
"""Settings on which the meaning, or the failing, of an accepted query depends."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an engine may use.

    Attributes:
        threads: at most so many; None for DuckDB's choice.
        memory_limit: such as "4GB"; None for DuckDB's choice.
        spill: where what does not fit into memory goes; None for nowhere: such queries fail.
    """

    threads: int | None = None
    memory_limit: str | None = None
    spill: Spill | None = None


USUAL = Allowance()


def config(allowed: Allowance = USUAL) -> dict[str, str | bool | int | float | list[str]]:
    """The configuration to connect with; file access is open until `lock`, which must follow."""
    chosen: dict[str, str | bool | int | float | list[str]] = dict(_CLOSED)
    if allowed.threads is not None:
        chosen["threads"] = str(allowed.threads)
    if allowed.memory_limit is not None:
        chosen["memory_limit"] = allowed.memory_limit
    chosen["temp_directory"] = "" if allowed.spill is None else str(allowed.spill.directory)
    if allowed.spill is not None:
        # Or DuckDB refuses to encrypt: its own module has no good random generator. What that
        # leaves open is in the threat model; without encryption it would be everything.
        chosen["force_mbedtls_unsafe"] = "true"
    return chosen


def lock(connection: duckdb.DuckDBPyConnection, spill: Spill | None = None) -> None:
    """Close file access, but for the allowed paths and the place of `spill`, and every setting.

    Raises:
        PolicyError: another connection of this process to the same file keeps it open.
    """
    with _LOCKING:
        no_bar(connection)
        with suppress(duckdb.Error):  # locked before, by another connection
            # Or what a query over public tables says of moments with a zone is the machine's.
            connection.execute("SET TimeZone = 'UTC'")
        try:
            if spill is not None:  # given to `connect`, it would not be in force
                connection.execute("SET max_temp_directory_size = ?", [f"{spill.size}B"])
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            return
        except duckdb.InvalidInputException:
            pass
        # Connections of one process to one file share one engine: another has locked it.
        setting = '"system"."main"."current_setting"'
        found = connection.execute(
            f"SELECT {setting}('enable_external_access'), {setting}('lock_configuration')"
        ).fetchall()
    if found != [(False, True)]:
        raise PolicyError("another connection of this process keeps its file access open")


def no_bar(connection: duckdb.DuckDBPyConnection) -> None:
    """No progress bar: it would be printed among answers, and tell how far a query is."""
    with suppress(duckdb.Error):  # a notebook's cannot be set
        connection.execute("SET enable_progress_bar = false")


def counted(connection: duckdb.DuckDBPyConnection) -> None:
    """From now on it can be asked how far a statement of the owner's is; nothing is printed."""
    with suppress(duckdb.Error):  # a notebook's cannot be set
        connection.execute("SET enable_progress_bar_print = false")
        connection.execute("SET enable_progress_bar = true")


def check_macros(connection: duckdb.DuckDBPyConnection) -> None:
    """Refuse macros that take the name of a built-in function or operator.

    In a query, ``sum(x)`` and even ``a + b`` would call them.

    Raises:
        PolicyError: there is such a macro.
    """
    # Qualified, and filtered by CASE: the check must not use a name that may be shadowed itself.
    every = 'SELECT "function_name" FROM "system"."main"."duckdb_functions"() WHERE'
    own = connection.execute(f'{every} CASE WHEN "internal" THEN false ELSE true END').fetchall()
    if not own:
        return
    found = connection.execute(f'{every} "internal"').fetchall()
    builtin = {str(name).lower() for (name,) in found}
    shadows = sorted({str(name) for (name,) in own if str(name).lower() in builtin})
    if shadows:
        raise PolicyError(
            f"the database has macros that shadow built-in functions: {', '.join(shadows)}; "
            "rename or drop them"
        )


def builtins_only(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the names of functions, operators and types mean DuckDB's own, whatever macros there are.

    Claim: no macro of a database is called, also none that is made later. Why: what is not
    qualified is looked for in the schemas of the search path; these are now the connection's
    temporary one, which is empty as long as the connection is new, and the system's, in which
    nobody can make anything. (To list all functions in each query would take 10 ms.)

    Args:
        connection: new; a table's name needs its database and schema from now on.
    """
    connection.execute("SET search_path = 'system.main'")


def check_settings(connection: duckdb.DuckDBPyConnection) -> None:
    """Refuse an owner's connection whose settings change what a query means.

    Raises:
        PolicyError: a setting is not DuckDB's default.
    """
    found = zip(_MEANING, _defaults(), _settings(connection), strict=True)
    changed = sorted(n for n, usual, now in found if now not in (usual, _CLOSED.get(n)))
    if changed:
        raise PolicyError(
            f"the connection has settings that change what queries mean: {', '.join(changed)}; "
            "RESET them"
        )


@lru_cache(maxsize=1)
def _defaults() -> tuple[str, ...]:
    fresh = duckdb.connect(":memory:")
    try:
        return _settings(fresh)
    finally:
        fresh.close()


def _settings(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The values of `_MEANING`, one by one: a list of all settings takes four times as long."""
    [row] = connection.execute(_ASKED).fetchall()
    return tuple(map(str, row))


_ASKED = "SELECT " + ", ".join(f'"system"."main"."current_setting"(\'{n}\')' for n in _MEANING)
