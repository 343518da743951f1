"""What the suites' data are made of."""

from __future__ import annotations


def mixed(salt: int, options: str, number: str = "i") -> str:
    """SQL for a number below `options` that a row's number and `salt` make, as if by chance; the
    same in any version of the engine.
    """
    once = f"((({number}) + {salt * 7919}) * 2654435761 % 4294967296)::BIGINT"
    return f"(xor({once}, {once} >> 15) * 1597334677 % 4294967296 // 8192 % {options})"
