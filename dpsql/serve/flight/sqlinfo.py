"""What a driver asks of the server itself: numbers and answers are those of FlightSql.proto."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version

import pyarrow as pa

_UNION = pa.dense_union(
    [
        pa.field("string_value", pa.string()),
        pa.field("bool_value", pa.bool_()),
        pa.field("bigint_value", pa.int64()),
        pa.field("int32_bitmask", pa.int32()),
        pa.field("string_list", pa.list_(pa.string())),
        pa.field("int32_to_int32_list_map", pa.map_(pa.int32(), pa.list_(pa.int32()))),
    ]
)
_SCHEMA = pa.schema(
    [pa.field("info_name", pa.uint32(), nullable=False), pa.field("value", _UNION, nullable=False)]
)
_ANSWERS: dict[int, str | bool | int] = {
    0: "dpsql",
    1: version("dpsql"),
    2: pa.__version__,
    3: True,  # read only
    4: True,  # SQL
    5: False,  # Substrait
    8: 0,  # no transactions
    9: True,  # what runs can be stopped
    10: False,  # nothing is written
    100: 0,  # no timeout of statements that a client sets
    101: 0,
    500: False,  # no CREATE
    501: False,
    502: False,
    503: 1,  # names without quotes: any case
    504: '"',
    505: 1,  # names in quotes: any case
}
"""Texts, truths and whole numbers."""


def sql_info(wanted: Iterable[int]) -> pa.Table:
    """Answers to the questions of these numbers, or to all; to those of others there are none."""
    asked = [n for n in dict.fromkeys(wanted) if n in _ANSWERS] if wanted else list(_ANSWERS)
    values = [_ANSWERS[number] for number in asked]
    children: list[list[object]] = [[] for _ in range(_UNION.num_fields)]
    kinds, offsets = [], []
    for value in values:
        kind = 0 if isinstance(value, str) else 1 if isinstance(value, bool) else 2
        kinds.append(kind)
        offsets.append(len(children[kind]))
        children[kind].append(value)
    union = pa.UnionArray.from_dense(
        pa.array(kinds, pa.int8()),
        pa.array(offsets, pa.int32()),
        [pa.array(c, f.type) for c, f in zip(children, _UNION, strict=True)],
        [field.name for field in _UNION],
    )
    return pa.Table.from_arrays([pa.array(asked, pa.uint32()), union], schema=_SCHEMA)
