"""The shop of the grammar tests with 30 customers and two orders of each, some amounts of which are
NULL."""

from __future__ import annotations

from tests.support.answers import Home, home


def small_shop(policy: str = "shop verified") -> Home:
    """The database of a policy, filled anew."""
    found = home(policy)
    people = [[str(i), *[None] * 4, "true", *[None] * 5] for i in range(30)]
    orders = [
        [str(i), str(i // 2), "2024-02-01", None, str(i * 7 % 50) if i % 3 else None]
        + [str(i % 20), "true" if i % 2 else None, "open" if i % 5 else "sent", str(1 + i % 9)]
        + [None] * 3
        for i in range(60)
    ]
    rows: dict[str, list[list[str | None]]] = {name: [] for name in found.tables}
    found.fill(rows | {"customers": people, "orders": orders})  # type: ignore[arg-type]
    return found
