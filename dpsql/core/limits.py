"""What one query may use: work, time, memory, space. Public, and a reason to reject or to stop."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta

_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a policy; each has a default.

    Attributes:
        work_per_unit: the most steps that one unit may cause, see `dpsql.core.infer.work`.
        public_work: the most steps that public rows may cause.
        public_rows: the most rows that an answer over public tables may have.
        text_length: the characters of a text of which nothing is declared; more are cut off.
        seconds: the wall-clock time of one query.
        memory: bytes that the engine may use; None for its own choice.
        threads: of the engine; None for its own choice.
        temp_space: bytes on disk that the engine may use for what does not fit into memory.
        padding: answers are given at multiples of this time after they were asked; None: at once.
        failures: after so many failed charges an analyst is locked out until the owner looks.
    """

    work_per_unit: int = 1_000_000
    public_work: int = 1_000_000_000_000
    public_rows: int = 1_000_000
    text_length: int = 10_000
    seconds: int = 300
    memory: int | None = None
    threads: int | None = None
    temp_space: int = 16 * 10**9
    padding: timedelta | None = None
    failures: int = 3


def parse_size(value: object) -> int:
    """Bytes: a whole number, or a text such as "4GB" or "512 MiB".

    Raises:
        ValueError: neither.
    """
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 63:
        return value
    found = re.fullmatch(r"([1-9][0-9]{0,8}) ?([KMGT]I?B)", str(value).upper(), re.ASCII)
    if not isinstance(value, str) or found is None:
        raise ValueError('expected a size such as "4GB" or "512MiB"')
    return int(found[1]) * _UNITS[found[2]]


def parse_duration(value: object) -> timedelta:
    """A time of at most an hour, such as "0.25s" or "100ms".

    Raises:
        ValueError: none.
    """
    if isinstance(value, timedelta):
        return value
    found = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,3}))? ?(s|ms)", str(value), re.ASCII)
    if found is None:
        raise ValueError('expected a time such as "0.25s" or "100ms"')
    parts = int(found[1]) * 1000 + int((found[2] or "").ljust(3, "0"))
    made = timedelta(milliseconds=parts) if found[3] == "s" else timedelta(microseconds=parts)
    if not timedelta(0) < made <= timedelta(hours=1):
        raise ValueError("expected a time above 0 and of at most an hour")
    return made
