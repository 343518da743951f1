"""`dpsql prepare`: a conforming copy, and what became of the data in it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from dpsql.cli import exits
from dpsql.cli.progress import bar
from dpsql.platform.engine.conform import Cut
from dpsql.session.prepare import prepare as written


def prepare(arguments: Namespace) -> int:
    """Write the copy, and tell the owner what was cut."""
    with bar() as told:
        cuts = written(
            arguments.data,
            arguments.policy,
            arguments.into,
            schema=arguments.schema,
            refresh=arguments.refresh,
            ledger=arguments.ledger,
            memory_limit=arguments.memory,
            told=told,
        )
    for cut in cuts:
        for line in lines(cut):
            print(line)
    if not cuts:
        print("nothing has changed since the copy was made")
    if arguments.schema is not None:
        print(f"wrote the schema {arguments.schema}, in which the server enforces the claims")
        return exits.OK
    print(f"wrote {arguments.into}; dpsql run {arguments.into} --policy {arguments.policy} …")
    return exits.OK


def lines(cut: Cut) -> Iterator[str]:
    """What became of one table; exact, and for the owner alone."""
    whose = "" if cut.of is None else f", of the {cut.of:,} units of which new files have rows"
    yield f"{cut.table}: {cut.kept:,} of {cut.rows:,} rows{_percent(cut.rows, cut.kept)}{whose}"
    for why, rows in cut.reasons.items():
        yield f"  {_counted(rows, 'row')} left out: {why}"
    if cut.units:
        yield f"  {_counted(cut.units, 'unit')} had more rows than the copy has of them"
    for (column, why), values in cut.changed.items():
        yield f"  {_counted(values, 'value')} of {column} changed: {why}"
    changed = {column for column, _ in cut.changed}
    for column, (before, after) in cut.totals.items():
        if column in changed or cut.kept != cut.rows:
            yield f"  the total of {column} is {after:,.6g} instead of {before:,.6g}" + _percent(
                before, after
            )


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _percent(before: float, after: float) -> str:
    if not before or before == after:
        return ""
    return f" ({100 * (after - before) / abs(before):+.3g} %)"
