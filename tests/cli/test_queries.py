"""Queries on the command line: where they come from, and in which formats answers go out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import dpsql
from dpsql.cli import exits
from tests.cli.running import DATA, QUERY, Runner


def test_run(run: Runner) -> None:
    ran = run("run", *DATA, "--eps", "0.5", QUERY)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0].split() == ["channel", "n", "mean"]
    assert len(lines) == 8 and lines[-1] == "(4 rows, ε = 0.5; exact: channel)"
    bounds = "at most 40 rows of each unit count; shipping is clamped to [0, 20]"
    assert (
        lines[-2] == f"{bounds}: what that cuts off is in no ±; faster on a copy by `dpsql prepare`"
    )
    assert ran.err == "cost ε = 0.5; ε = 9.5, δ = 1e-6 left of ε = 10, δ = 1e-6\n"
    # The budget outlives the process.
    again = run("run", *DATA, "--eps", "1/2", "--fresh", QUERY)
    assert "ε = 9, δ = 1e-6 left" in again.err


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (["shop.duckdb", QUERY], ""),
        (["shop.duckdb"], QUERY),
        (["shop.duckdb", "-"], QUERY),
        (["shop.duckdb", "-f", "-"], QUERY),
        (["shop.duckdb", "-f", "query.sql"], ""),
        (["-f", "query.sql", "shop.duckdb"], ""),
    ],
)
@pytest.mark.one_in(2)
def test_where_the_query_comes_from(run: Runner, words: list[str], stdin: str) -> None:
    Path("query.sql").write_text(QUERY)
    ran = run("run", *words, "--policy", "shop.yaml", "--eps", "1", stdin=stdin)
    assert (ran.code, ran.out.split()[0]) == (0, "channel")
    free = run("explain", *words, "--policy", "shop.yaml", stdin=stdin)
    assert (free.code, free.out.split()[0]) == (0, "released:")


def test_csv(run: Runner) -> None:
    ran = run("run", *DATA, "--eps", "1", "--format", "csv", QUERY)
    lines = list(csv.reader(io.StringIO(ran.out)))
    assert lines[0] == ["channel", "n", "mean"]
    assert [line[0] for line in lines[1:]] == ["web", "app", "phone", "shop"]
    assert all(int(line[1]) and len(line[2]) > 6 for line in lines[1:])
    wide = run("run", *DATA, "--eps", "1", "--format", "csv", "--intervals", QUERY)
    lines = list(csv.reader(io.StringIO(wide.out)))
    assert lines[0] == ["channel", "n", "n_low", "n_high", "mean", "mean_low", "mean_high"]
    assert {float(line[3]) - float(line[1]) for line in lines[1:]} == {165.0}
    assert {float(line[1]) - float(line[2]) for line in lines[1:]} == {165.0}


def test_csv_of_odd_values(run: Runner) -> None:
    query = (
        "SELECT NULL AS n, 'a,\"b\n' AS t, true AS b, 0.10::DECIMAL(5,2) AS d FROM regions LIMIT 1"
    )
    ran = run("run", *DATA, "--eps", "1", "--format", "csv", query)
    assert ran.out == 'n,t,b,d\n,"a,""b\n",true,0.10\n'


def test_json(run: Runner) -> None:
    document = json.loads(run("run", *DATA, "--eps", "1", "--format", "json", QUERY).out)
    assert set(document) == {"columns", "types", "rows", "intervals", "cost", "reused"}
    assert document["columns"] == ["channel", "n", "mean"]
    assert document["types"] == ["VARCHAR", "BIGINT", "DOUBLE"]
    assert document["cost"] == {"eps": 1.0, "delta": 0.0}
    assert [row[0] for row in document["rows"]] == ["web", "app", "phone", "shop"]
    assert document["intervals"][0][:2] == [None, 165.0]
    ran = run("run", *DATA, "--eps", "1", "--format", "json", "--intervals", QUERY)
    wide = json.loads(ran.out)
    (_, n, _), *_ = wide["rows"]
    assert wide["low"][0][:2] == [None, n - 165.0] and wide["high"][0][:2] == [None, n + 165.0]


def test_json_keeps_what_a_double_cannot(run: Runner) -> None:
    query = (
        "SELECT 12345678901234567890.12::DECIMAL(22,2) AS d, 'inf'::DOUBLE AS i, DATE '2024-01-02' "
        "AS t, [1, NULL] AS l, {'a': 1.5} AS s, NULL AS n, 'ε' AS u FROM regions LIMIT 1"
    )
    ran = run("run", *DATA, "--eps", "1", "--format", "json", query)
    assert '[12345678901234567890.12, "inf", "2024-01-02", [1, null], {"a": ' in ran.out
    assert '"ε"' in ran.out
    assert json.loads(ran.out)["rows"][0][5] is None
    empty = run("run", *DATA, "--eps", "1", "--format", "json", "SELECT * FROM regions WHERE false")
    assert json.loads(empty.out)["rows"] == []


def test_markdown(run: Runner) -> None:
    ran = run("run", *DATA, "--eps", "1", "--format", "markdown", QUERY)
    lines = ran.out.splitlines()
    assert lines[:2] == ["| channel | n | mean |", "| --- | --- | --- |"]
    assert all(line.count("|") == 4 and "±" not in line for line in lines)
    wide = run("run", *DATA, "--eps", "1", "--format", "markdown", "--intervals", QUERY)
    assert wide.out.startswith("| channel | n | n ± | mean | mean ± |\n")
    assert "| 165 |" in wide.out
    odd = run(
        "run", *DATA, "--eps", "1", "--format", "markdown", "SELECT 'a|b\nc' AS x FROM regions"
    )
    assert odd.out.splitlines()[2] == "| a\\|b\\nc |"


def test_explain(run: Runner) -> None:
    with_data = run("explain", *DATA, "--eps", "0.5", QUERY)
    without = run("explain", "--policy", "shop.yaml", "--eps", "0.5", QUERY)
    for ran in (with_data, without):
        assert (ran.code, ran.err) == (0, "")
        assert ran.out.startswith("released: costs ε = 0.5; unit customers.customer_id")
    plain = json.loads(run("explain", *DATA, "--format", "json", QUERY).out)
    assert plain["cost"] == {"eps": 1.0, "delta": 0.0}
    assert [c["name"] for c in plain["computed"]] == ["n", "mean"]
    assert "SELECT" in run("explain", *DATA, "--sql", QUERY).out
    # Free: no ledger was opened for it.
    assert not Path("shop.duckdb.dpsql-ledger").exists()


def test_the_default_database(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run("run", "--eps", "1", "SELECT region FROM regions ORDER BY region LIMIT 1")
    assert ran.out.splitlines()[2] == "Alps"
    assert ran.err.startswith("dpsql: using the embedded demo\n")
    dpsql.use(None)
    Path("dpsql.yaml").write_text("database: shop.duckdb\npolicy: shop.yaml\n")
    assert "shop.duckdb (from dpsql.yaml)" in run("explain", QUERY).err
    dpsql.use(None)
    monkeypatch.setenv("DPSQL_DATABASE", "shop.duckdb")
    assert run("explain", QUERY).code == exits.POLICY


def test_batch(run: Runner, shop: Path) -> None:
    (shop / "q.sql").write_text(
        "SELECT COUNT(*) AS n FROM orders;\n-- eps: 0.25\nSELECT COUNT(*) AS m FROM customers",
        encoding="utf-8",
    )
    ran = run("batch", "q.sql", *DATA, "--eps", "0.5", "--delta", "0")
    assert ran.code == exits.OK
    assert [line.strip() for line in ran.out.splitlines() if "ε" in line] == [
        "(1 row, ε = 0.5)",
        "(1 row, ε = 0.25)",
    ]
    assert ran.err.endswith(
        "2 answers, cost ε = 0.75; ε = 9.25, δ = 1e-6 left of ε = 10, δ = 1e-6\n"
    )
    again = run("batch", "q.sql", *DATA, "--eps", "0.5", "--delta", "0", "--format", "json")
    documents = json.loads(again.out)
    assert [d["columns"] for d in documents] == [["n"], ["m"]]
    assert [d["reused"] for d in documents] == [{"charge": 1, "kind": "repeat"}] * 2
    (shop / "q.sql").write_text("SELECT COUNT(*) FROM orders; SELECT email FROM customers")
    assert run("batch", "q.sql", *DATA, "--eps", "1").code == exits.REJECTED
    assert run("batch", "q.sql", *DATA).code != exits.OK


def test_csv_quotes_every_end_of_line() -> None:
    from dpsql.report.result.formats import FORMATS

    answer = dpsql.Answer(
        ("a", "b"),
        (("one\rtwo", "three\nfour"), ("x", "y")),
        ((None, None), (None, None)),
        ("VARCHAR", "VARCHAR"),
        None,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
    )
    text = "".join(FORMATS["csv"](answer, False))
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["a", "b"], *map(list, answer.rows)]
