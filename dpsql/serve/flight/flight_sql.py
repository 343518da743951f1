"""The messages of Flight SQL that are understood; names and numbers are those of FlightSql.proto
and Flight.proto, of Apache Arrow.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpsql.serve.flight.protobuf import at

# ruff: noqa: D101  (each is what the protocol says)


@dataclass(frozen=True, slots=True)
class CommandStatementQuery:
    query: str = at(1, "text")
    transaction_id: bytes = at(2, "bytes")


@dataclass(frozen=True, slots=True)
class CommandPreparedStatementQuery:
    prepared_statement_handle: bytes = at(1, "bytes")


@dataclass(frozen=True, slots=True)
class TicketStatementQuery:
    statement_handle: bytes = at(1, "bytes")


@dataclass(frozen=True, slots=True)
class CommandGetSqlInfo:
    info: tuple[int, ...] = at(1, "numbers")


@dataclass(frozen=True, slots=True)
class CommandGetXdbcTypeInfo:
    data_type: int = at(1, "number")


@dataclass(frozen=True, slots=True)
class CommandGetCatalogs:
    pass


@dataclass(frozen=True, slots=True)
class CommandGetDbSchemas:
    catalog: str | None = at(1, "maybe")
    db_schema_filter_pattern: str | None = at(2, "maybe")


@dataclass(frozen=True, slots=True)
class CommandGetTables:
    catalog: str | None = at(1, "maybe")
    db_schema_filter_pattern: str | None = at(2, "maybe")
    table_name_filter_pattern: str | None = at(3, "maybe")
    table_types: tuple[str, ...] = at(4, "texts")
    include_schema: bool = at(5, "bool")


@dataclass(frozen=True, slots=True)
class CommandGetTableTypes:
    pass


@dataclass(frozen=True, slots=True)
class CommandGetPrimaryKeys:
    catalog: str | None = at(1, "maybe")
    db_schema: str | None = at(2, "maybe")
    table: str = at(3, "text")


@dataclass(frozen=True, slots=True)
class CommandGetExportedKeys:
    table: str = at(3, "text")


@dataclass(frozen=True, slots=True)
class CommandGetImportedKeys:
    table: str = at(3, "text")


@dataclass(frozen=True, slots=True)
class CommandGetCrossReference:
    pk_table: str = at(3, "text")
    fk_table: str = at(6, "text")


Catalogued = (
    CommandGetSqlInfo
    | CommandGetXdbcTypeInfo
    | CommandGetCatalogs
    | CommandGetDbSchemas
    | CommandGetTables
    | CommandGetTableTypes
    | CommandGetPrimaryKeys
    | CommandGetExportedKeys
    | CommandGetImportedKeys
    | CommandGetCrossReference
)
"""What is asked of the server and of its tables."""


@dataclass(frozen=True, slots=True)
class ActionCreatePreparedStatementRequest:
    query: str = at(1, "text")
    transaction_id: bytes = at(2, "bytes")


@dataclass(frozen=True, slots=True)
class ActionCreatePreparedStatementResult:
    prepared_statement_handle: bytes = at(1, "bytes")
    dataset_schema: bytes = at(2, "bytes")
    parameter_schema: bytes = at(3, "bytes")


@dataclass(frozen=True, slots=True)
class ActionClosePreparedStatementRequest:
    prepared_statement_handle: bytes = at(1, "bytes")


@dataclass(frozen=True, slots=True)
class ActionCancelQueryRequest:
    info: bytes = at(1, "bytes")


@dataclass(frozen=True, slots=True)
class ActionCancelQueryResult:
    result: int = at(1, "number")


@dataclass(frozen=True, slots=True)
class CancelFlightInfoRequest:
    info: bytes = at(1, "bytes")


@dataclass(frozen=True, slots=True)
class CancelFlightInfoResult:
    status: int = at(1, "number")


@dataclass(frozen=True, slots=True)
class FlightInfo:
    endpoint: tuple[bytes, ...] = at(3, "parts")


@dataclass(frozen=True, slots=True)
class FlightEndpoint:
    ticket: bytes = at(1, "bytes")


@dataclass(frozen=True, slots=True)
class Ticket:
    ticket: bytes = at(1, "bytes")


CANCELLING, NOT_CANCELLABLE = 2, 3
"""What becomes of what is to be stopped: it is being stopped; it cannot be."""
