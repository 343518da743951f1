"""Files of many queries, taken apart."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpsql.errors import InvalidBudget, UnknownDialect
from dpsql.report.workloads.workload import queries, workload


def test_queries_end_with_semicolons_that_are_tokens() -> None:
    text = "SELECT 'a;b' -- x ; y\n, $$;$$;\n\n/* ; */ SELECT \"c;d\";;\nSELECT 3"
    found = queries(text, "w.sql")
    assert [query.text for query in found] == [
        "SELECT 'a;b' -- x ; y\n, $$;$$",
        'SELECT "c;d"',
        "SELECT 3",
    ]
    assert [query.place for query in found] == ["w.sql:1:1", "w.sql:4:9", "w.sql:5:1"]


@pytest.mark.parametrize("text", ["", "  \n", "-- nothing\n", ";;\n;"])
def test_no_query(text: str) -> None:
    assert queries(text) == ()


def test_eps_of_the_comment_above() -> None:
    text = (
        "-- eps: 0.5\nSELECT 1;  -- eps: 7\nSELECT 2;\n"
        "-- of the month\n--eps:1/3\n-- all of it\nSELECT 3 -- eps: 9\n;\n"
        "-- EPS: 2\n-- eps: 2.0\nSELECT 4"
    )
    eps = [query.eps for query in queries(text)]
    assert eps == [Fraction(1, 2), None, Fraction(1, 3), Fraction(2)]


def test_two_comments_that_differ_are_refused_and_not_chosen_from() -> None:
    with pytest.raises(InvalidBudget, match=r"^w\.sql:3:1: .* two different ε"):
        queries("-- eps: 1\n-- eps: 2\nSELECT 4", "w.sql")


@pytest.mark.parametrize("eps", ["", "many", "0", "-1", "nan", "inf", "1e9", "1/0"])
def test_what_is_no_eps(eps: str) -> None:
    with pytest.raises(InvalidBudget, match=r"^w\.sql:3:3: "):
        queries(f"SELECT 1;\n-- eps: {eps}\n  SELECT 2", "w.sql")


def test_where_a_character_is() -> None:
    (_, query) = queries("SELECT 1;\n  SELECT ä,\n b", "w")
    assert [query.at(n) for n in (0, 7, 9, 10, 11)] == [
        "w:2:3",
        "w:2:10",
        "w:2:12",
        "w:3:1",
        "w:3:2",
    ]
    assert queries("SELECT 1")[0].at(2) == "1:3"


def test_what_has_no_tokens_is_one_query() -> None:
    found = queries("SELECT 1; SELECT 'a", "w")
    assert [(query.text, query.place) for query in found] == [("SELECT 1; SELECT 'a", "w:1:1")]


def test_a_dialect_has_its_own_strings() -> None:
    assert len(queries("SELECT 'a\\';b'; SELECT 2", dialect="bigquery")) == 2
    with pytest.raises(UnknownDialect):
        queries("SELECT 1", dialect="klingon")


def test_several_texts() -> None:
    named = workload({"a.sql": "SELECT 1; SELECT 2", "b.sql": "SELECT 3"})
    assert [query.place for query in named] == ["a.sql:1:1", "a.sql:1:11", "b.sql:1:1"]
    listed = workload(["SELECT 1", "SELECT 2"])
    assert [query.place for query in listed] == ["text 1:1:1", "text 2:1:1"]
    assert [query.place for query in workload("SELECT 1")] == ["1:1"]
