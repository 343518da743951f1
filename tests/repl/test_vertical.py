"""`vertical`: a line for each value, which can be read back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import dpsql
from dpsql.report.result import cells
from dpsql.report.result.formats import FORMATS
from tests.repl import small


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    with small.database() as made:
        yield made


def written(answer: dpsql.Answer) -> str:
    return "".join(FORMATS["vertical"](answer, False))


def read(text: str) -> tuple[list[list[tuple[str, str]]], list[str]]:
    """The records, and what is said below them."""
    records: list[list[tuple[str, str]]] = []
    below: list[str] = []
    for line in text.splitlines():
        name, bar, value = line.partition(" │ ")
        if line.startswith("─[ row "):
            records.append([])
        elif bar:
            records[-1].append((_plain(name.rstrip()), _plain(value)))
        else:
            below.append(line)
    return records, below


def _plain(text: str) -> str:
    """Without the escapes."""
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def test_noisy_numbers(database: dpsql.Database) -> None:
    answer = database.run(small.TEAMS, 1)
    text = written(answer)
    records, below = read(text)
    assert [[value for _, value in record] for record in records] == cells(answer)
    assert [name for name, _ in records[0]] == ["team", "n"]
    assert all(" ± " in dict(record)["n"] for record in records)
    assert below == str(answer).splitlines()[-1:]
    assert text.splitlines()[0] == f"{'─[ row 1 ]':─<40}"


def test_odd_texts_are_read_back(database: dpsql.Database) -> None:
    answer = database.run("SELECT body AS \"a│\\b\", NULL AS n FROM texts WHERE name = 'odd'", 1)
    records, _ = read(written(answer))
    assert records == [[("a│\\b", text), ("n", "NULL")] for text in small.ODD]


def test_no_rows(database: dpsql.Database) -> None:
    answer = database.run("SELECT day FROM days WHERE day > 5", 1)
    assert read(written(answer)) == ([], str(answer).splitlines()[-1:])
