"""Texts of queries that grow: of each a shape, which a size makes a query of."""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]
"""From a size to a query over the policy "shop"."""


def columns(one: str, rest: str = "FROM orders", sep: str = ", ") -> Shape:
    """`one` for each number, with # in the place of the number."""
    return lambda n: f"SELECT {sep.join(one.replace('#', str(i)) for i in range(n))} {rest}"


def where(one: str, sep: str, table: str = "orders") -> Shape:
    return lambda n: (
        f"SELECT COUNT(*) FROM {table} WHERE "
        + sep.join(one.replace("#", str(i)) for i in range(n))
    )


def nested(outer: str, inner: str, template: str = "SELECT SUM(~) FROM orders") -> Shape:
    """`outer` around itself, with ~ in the place of what is inside and # in that of the depth."""

    def text(n: int) -> str:
        made = inner
        for i in range(n):
            made = outer.replace("~", made).replace("#", str(i))
        return template.replace("~", made)

    return text


def chain(step: str, first: str, last: str) -> Shape:
    """WITH queries of which each reads the one before it, `@`."""

    def text(n: int) -> str:
        names = [f"a0 AS ({first})"]
        names += [
            f"a{i + 1} AS ({step.replace('@', f'a{i}').replace('#', str(i))})" for i in range(n)
        ]
        return f"WITH {', '.join(names)} {last.replace('@', f'a{n}')}"

    return text


def between(head: str, one: str, sep: str, tail: str) -> Shape:
    return lambda n: head + sep.join(one.replace("#", str(i)) for i in range(n)) + tail
