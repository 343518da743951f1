"""Randomized answers: unbiased over all that the coins can do, and written as they should be.

Unbiasedness is enumerated: every outcome of every coin of a small table, with its probability, and
the debiased answer in each; their mean is the answer of the true table, exactly.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.cli import main
from dpsql.compile import ReleasedQuery, compile_query
from dpsql.core.noise.randomized_response import RandomizedResponse
from dpsql.core.plan.expr import Call, Case, Column, Expr, Literal, Ref
from dpsql.core.schema import Randomized
from dpsql.core.shape.reported import Reported, classes, combination
from dpsql.core.shape.specialise import specialised
from dpsql.errors import PolicyError
from dpsql.randomize import randomize
from dpsql.types import BOOLEAN, INTEGER
from tests.support.filled import fill

HALF = Fraction(1, 2)

# Weights that doubles hold exactly: 1/t is a power of two.
COINS = {"a": Randomized(HALF, Fraction(1, 4)), "b": Randomized(Fraction(1, 4), HALF)}
ROWS: list[tuple[int, str, int, bool | None, bool | None]] = [
    (1, "F", 30, True, False),
    (2, "M", 40, False, True),
    (3, "F", 50, None, True),
]
POLICY = """
unit: units.id
budget: {eps: 1e9}
tables:
  units: {access: private, key: [id], columns: {id: {type: INTEGER}}}
  people:
    access: ACCESS
    key: [id]
    columns:
      id: {type: INTEGERREFERENCE}
      sex: {type: VARCHAR, values: [F, M], nullable: false}
      age: {type: INTEGER, bounds: [18, 99], nullable: false}
      a: {type: BOOLEAN, nullable: true, randomized: {truth: 0.5, yes: 0.25}}
      b: {type: BOOLEAN, nullable: false, randomized: {truth: 0.25, yes: 0.5}}
"""

QUERIES = [
    "SELECT COUNT(*) FROM people WHERE a",
    "SELECT COUNT(*) FROM people WHERE NOT a",
    "SELECT COUNT(*) FROM people WHERE a IS NULL",
    "SELECT COUNT(*) FROM people WHERE a IS NOT TRUE",
    "SELECT COUNT(*) FROM people WHERE a = TRUE AND age > 35",
    "SELECT COUNT(*) FILTER (WHERE b), COUNT_IF(a), COUNT(a), COUNT(*) FROM people",
    "SELECT SUM(CASE WHEN a THEN age ELSE 1 END) FROM people",
    "SELECT SUM(age) FILTER (WHERE a OR sex = 'F') FROM people",
    "SELECT SUM(CAST(b AS INTEGER) * 3 - age) FROM people",
    "SELECT AVG(CASE WHEN b THEN 1 ELSE 0 END) FROM people WHERE id < 3",
    "SELECT AVG(CAST(a AS INTEGER)) FROM people",
    "SELECT COUNT(*) FROM people WHERE a AND b",
    "SELECT COUNT(*) FROM people WHERE a = b",
    "SELECT COUNT(*) FROM people WHERE b = (age > 35)",
    "SELECT SUM(age) FROM people WHERE COALESCE(a, b)",
    "SELECT b, COUNT(*), SUM(age) FROM people GROUP BY b",
    "SELECT a, COUNT(*) FROM people GROUP BY a",
    "SELECT sex, b, COUNT(*) FROM people GROUP BY sex, b",
    "SELECT a, COUNT(*) FROM people WHERE b GROUP BY a",
    "SELECT CASE WHEN a THEN 'x' ELSE 'y' END AS k, COUNT(*) FROM people GROUP BY 1",
    "SELECT b, COUNT(*) FROM people GROUP BY ROLLUP (b)",
    "WITH t AS (SELECT * FROM people WHERE a) SELECT COUNT(*) FROM t WHERE b",
    "SELECT COUNT(*) FROM people p WHERE p.a AND EXISTS "
    "(SELECT 1 FROM people q WHERE q.id = p.id AND q.age > 35)",
]


def database(access: str) -> tuple[duckdb.DuckDBPyConnection, dpsql.Policy]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE units AS SELECT i::INTEGER AS id FROM range(1, 4) AS r(i)")
    columns = "id INTEGER PRIMARY KEY, sex VARCHAR, age INTEGER, a BOOLEAN, b BOOLEAN"
    connection.execute(f"CREATE TABLE people ({columns})")
    fill(connection, "people", ROWS)
    reference = ", references: units.id, max_rows: 1" if access == "private" else ""
    text = POLICY.replace("ACCESS", access).replace("REFERENCE", reference)
    return connection, dpsql.Policy.parse(text)


def worlds() -> Iterator[tuple[Fraction, list[tuple[int, bool | None, bool | None]]]]:
    """What the rows can report, and how likely that is."""
    cells = [(name, truth) for row in ROWS for name, truth in zip("ab", row[3:], strict=True)]
    choices = [(None,) if truth is None else (False, True) for _, truth in cells]
    for told in product(*choices):
        chance = Fraction(1)
        for (name, truth), report in zip(cells, told, strict=True):
            if truth is not None:
                yes = COINS[name].reports_yes(truth)
                chance *= yes if report else 1 - yes
        yield chance, [(row[0], told[2 * i], told[2 * i + 1]) for i, row in enumerate(ROWS)]


def grouped(
    rows: Sequence[Sequence[object]], keys: int
) -> dict[tuple[object, ...], list[Fraction]]:
    return {
        tuple(row[:keys]): [Fraction(v) for v in row[keys:]]  # type: ignore[arg-type]
        for row in rows
    }


def keys_of(sql: str) -> int:
    """How many of the columns are keys, which come first."""
    return {"b": 1, "a": 1, "sex": 2, "CASE": 1}.get(sql.split()[1].strip(","), 0)


@pytest.fixture(scope="module")
def means() -> dict[str, dict[tuple[object, ...], list[Fraction]]]:
    """The mean of each query's answer over all worlds."""
    connection, policy = database("public")
    schema = dpsql.connect(connection, policy).schema
    texts: dict[str, str] = {}
    names: dict[str, tuple[str, ...]] = {}
    for sql in QUERIES:
        compiled = compile_query(sql, schema, Fraction(1))
        assert isinstance(compiled.query, ReleasedQuery)
        assert not compiled.query.releases
        assert compiled.cost.eps == 0
        texts[sql] = compiled.query.post_sql
        names[sql] = compiled.query.names
    found: dict[str, dict[tuple[object, ...], list[Fraction]]] = {q: {} for q in QUERIES}
    total = Fraction(0)
    for chance, reports in worlds():
        total += chance
        for number, a, b in reports:
            connection.execute("UPDATE people SET a = ?, b = ? WHERE id = ?", [a, b, number])
        for sql, text in texts.items():
            shown = len(names[sql])
            rows = [row[:shown] for row in connection.execute(text).fetchall()]
            for key, values in grouped(rows, keys_of(sql)).items():
                before = found[sql].setdefault(key, [Fraction(0)] * len(values))
                found[sql][key] = [x + chance * v for x, v in zip(before, values, strict=True)]
    assert total == 1
    return found


@pytest.mark.parametrize("sql", QUERIES)
def test_the_mean_over_all_coins_is_the_true_answer(
    sql: str, means: dict[str, dict[tuple[object, ...], list[Fraction]]]
) -> None:
    connection, _ = database("public")
    true = grouped(connection.execute(sql).fetchall(), keys_of(sql))
    for key, values in means[sql].items():
        # A group that nobody is in is estimated too: as none on average.
        assert values == true.get(key, [Fraction(0)] * len(values)), key
    assert true.keys() <= means[sql].keys()


@pytest.fixture(scope="module")
def both() -> list[dpsql.Database]:
    """The same rows, public and private."""
    return [dpsql.connect(*database(access)) for access in ("public", "private")]


@pytest.mark.parametrize("sql", QUERIES)
@pytest.mark.one_in(3)
def test_private_answers_are_the_public_ones_with_noise(
    sql: str, both: list[dpsql.Database]
) -> None:
    public, private = (grouped(db.run(sql, 1_000_000).rows, keys_of(sql)) for db in both)
    for key, values in public.items():
        assert private[key] == values  # no noise at so large an ε
    assert all(not any(private[key]) for key in private.keys() - public.keys())


def test_every_interval_holds_the_coins() -> None:
    connection, policy = database("private")
    db = dpsql.connect(connection, policy)
    answer = db.run("SELECT COUNT(*) AS n FROM people WHERE a", 1_000_000)
    (width,) = answer.intervals[0]
    assert width is not None
    assert width > 1  # the noise alone is within 0
    answer = db.run("SELECT COUNT(*) AS n FROM people", 1_000_000)
    assert answer.intervals == ((0.0,),)


# --- the combination by itself, for any coins ---


def _columns(nullable: bool) -> tuple[Reported, ...]:
    coins = Randomized(Fraction(3, 7), Fraction(2, 9)), Randomized(Fraction(1, 10), Fraction(1))
    return tuple(
        Reported(Column(i, f"b{i}", BOOLEAN), c, ("t", f"b{i}"), nullable, nullable)
        for i, c in enumerate(coins)
    )


X = Column(7, "x", INTEGER)
B0, B1 = (Ref(c.column) for c in _columns(True))


def _case(condition: Expr, value: Expr, default: Expr) -> Expr:
    return Case(((condition, value),), default, INTEGER)


@pytest.mark.parametrize("nullable", [False, True])
@pytest.mark.parametrize(
    ("function", "argument", "filters"),
    [
        ("count", None, (B0,)),
        ("count", _case(B0, Ref(X), Literal(None, INTEGER)), (Call("not", (B1,), BOOLEAN),)),
        ("sum", _case(B0, Ref(X), Literal(3, INTEGER)), ()),
        ("sum", _case(Call("or", (B0, B1), BOOLEAN), Ref(X), Literal(0, INTEGER)), (B1,)),
        ("sum", Literal(2, INTEGER), (Call("eq", (B0, B1), BOOLEAN),)),
    ],
)
def test_the_estimate_of_one_row_has_the_mean_of_its_truth(
    nullable: bool, function: str, argument: Expr | None, filters: tuple[Expr, ...]
) -> None:
    columns = _columns(nullable)
    found = combination(function, argument, filters, columns)

    def of_row(answers: tuple[bool | None, ...]) -> dict[Expr | None, Fraction]:
        total: dict[Expr | None, Fraction] = {}
        for part, weight in found.items():
            if part.answers == answers:
                assert part.filters == ()
                total[part.value] = total.get(part.value, Fraction(0)) + weight
        return total

    for truth in classes(columns):
        mean: dict[Expr | None, Fraction] = {}
        for reported in product(*((None,) if b is None else (False, True) for b in truth)):
            chance = Fraction(1)
            for column, b, r in zip(columns, truth, reported, strict=True):
                if b is not None:
                    yes = column.coins.reports_yes(b)
                    chance *= yes if r else 1 - yes
            for value, weight in of_row(reported).items():
                mean[value] = mean.get(value, Fraction(0)) + chance * weight
        known = dict(zip((c.column for c in columns), truth, strict=True))
        tests = [specialised(f, known) for f in filters]
        passes = all(isinstance(t, Literal) and t.value is True for t in tests)
        value = None if argument is None else specialised(argument, known)
        wanted: dict[Expr | None, Fraction] = {}
        if passes and isinstance(value, Literal):
            assert isinstance(value.value, int | None)
            if value.value is not None:
                wanted[None] = Fraction(value.value) if function == "sum" else Fraction(1)
        elif passes:
            wanted[value] = Fraction(1)
        assert {k: v for k, v in mean.items() if v} == {k: v for k, v in wanted.items() if v}


# --- the command ---


@pytest.mark.parametrize("truth", ["1/2", "1/10", "99/100"])
@pytest.mark.parametrize("yes", ["0", "1/4", "1"])
def test_what_is_written_is_what_a_policy_debiases(truth: str, yes: str) -> None:
    """The channel of the mechanism and the coins of a policy are one."""
    written = RandomizedResponse(Fraction(truth), Fraction(yes))
    said = Randomized(Fraction(truth), Fraction(yes))
    for bit in (False, True):
        assert written.reported(bit) == said.reports_yes(bit)
        assert written.variance(bit) == said.variance(bit)
        assert written.weight(bit) == said.weight(bit, True)


def _table(folder: Path, rows: int) -> Path:
    file = folder / "in.csv"
    answers = ("true", "false", "")
    lines = [f"{i:04},{answers[i % 3]},é|{i},{i}" for i in range(rows)]
    file.write_text("\n".join(["id,Smokes,more,n", *lines]) + "\n", encoding="utf-8")
    return file


def test_only_the_answers_change(tmp_path: Path) -> None:
    source, target = _table(tmp_path, 3_000), tmp_path / "out.csv"
    done = randomize(source, target, "smokes", RandomizedResponse(HALF, HALF))
    assert (done.rows, done.silent) == (3_000, 1_000)
    with source.open(encoding="utf-8") as one, target.open(encoding="utf-8") as two:
        before, after = list(csv.DictReader(one)), list(csv.DictReader(two))
    assert [(r["id"], r["more"]) for r in before] == [(r["id"], r["more"]) for r in after]
    pairs = Counter((b["Smokes"], a["Smokes"]) for b, a in zip(before, after, strict=True))
    assert pairs.pop(("", "")) == 1_000
    assert set(pairs) == set(product(("true", "false"), repeat=2))
    for truth in ("true", "false"):
        # 3/4 are as they were: seven standard deviations.
        assert abs(pairs[truth, truth] - 750) < 7 * math.sqrt(1_000 * 3 / 16)


def test_every_suffix(tmp_path: Path) -> None:
    source = _table(tmp_path, 30)
    coins = RandomizedResponse(Fraction(1, 10), Fraction(1))
    middle, last = tmp_path / "a.parquet", tmp_path / "b.tsv"
    randomize(source, middle, "Smokes", coins)
    randomize(middle, last, "Smokes", coins)
    assert last.read_text(encoding="utf-8").splitlines()[0] == "id\tSmokes\tmore\tn"
    kinds = duckdb.sql(f"DESCRIBE FROM read_parquet('{middle}')").fetchall()
    assert [row[1] for row in kinds] == ["VARCHAR", "BOOLEAN", "VARCHAR", "BIGINT"]


def test_a_database_file(tmp_path: Path) -> None:
    file = tmp_path / "d.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "CREATE TABLE s AS SELECT i AS number, i % 2 AS b FROM range(10) AS r(i)"
        )
    coins = RandomizedResponse(HALF, HALF)
    assert randomize(file, tmp_path / "1.csv", "b", coins).rows == 10
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE other (b BOOLEAN)")
    assert randomize(file, tmp_path / "2.csv", "b", coins, table="S").rows == 10
    for table, message in ((None, "has several tables; name one"), ("x", "has no one table x")):
        with pytest.raises(PolicyError, match=message):
            randomize(file, tmp_path / "3.csv", "b", coins, table=table)


@pytest.mark.parametrize(
    ("source", "target", "column", "message"),
    [
        ("in.csv", "there.csv", "Smokes", "there.csv: is there already; it is not overwritten"),
        ("in.csv", "out.xlsx", "Smokes", "expected a name that ends in .csv or .parquet"),
        ("in.csv", "o*.csv", "Smokes", "takes for a pattern"),
        ("in.csv", "no/out.csv", "Smokes", "cannot be written"),
        ("none.csv", "out.csv", "Smokes", "none.csv: no such file"),
        ("there.csv", "out.parquet", "Smokes", "there.csv: has no column Smokes"),
        ("in.csv", "out.csv", "drinks", "in.csv: has no column drinks"),
        ("in.csv", "out.csv", "more", "is VARCHAR, and not all of it is true or false"),
        ("in.csv", "out.parquet", "n", "is BIGINT, and not all of it is true or false"),
        ("bad.parquet", "out.csv", "Smokes", "bad.parquet: cannot be read"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    source: str,
    target: str,
    column: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    _table(tmp_path, 6)
    (tmp_path / "there.csv").write_text("x\n1\n")
    (tmp_path / "bad.parquet").write_text("secret")
    before = sorted(tmp_path.iterdir())
    arguments = ["randomize", source, target, "--column", column, "--truth", "0.5", "--yes", "0.5"]
    assert main(arguments) == 4
    shown = capsys.readouterr()
    assert message in shown.err
    assert "secret" not in shown.err
    assert "é" not in shown.err
    assert shown.out == ""
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "there.csv").read_text() == "x\n1\n"


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _table(tmp_path, 6)
    arguments = ["randomize", "in.csv", "out.csv", "--column", "Smokes"]
    assert main([*arguments, "--truth", "0.5", "--yes", "0.5"]) == 0
    shown = capsys.readouterr()
    assert "local ε = ln(3) = 1.0987\n" in shown.err
    assert "without an answer: 2; NULL stays NULL" in shown.err
    # The line that it prints is the one that a policy needs.
    text = "unit: out.id\nbudget: {eps: 1}\ntables:\n  out:\n    access: private\n    key: [id]\n"
    policy = dpsql.Policy.parse(f"{text}    columns:\n      id: {{type: VARCHAR}}\n{shown.out}")
    coins = policy.tables["out"].columns["Smokes"].randomized
    assert coins is not None
    assert (coins.truth, coins.yes) == (HALF, HALF)


@pytest.mark.parametrize(
    ("truth", "yes", "message"),
    [
        ("1", "0.5", "--truth must be above 0 and below 1"),
        ("0", "0.5", "--truth must be above 0 and below 1"),
        ("0.5", "1.1", "--yes must be from 0 to 1"),
        ("1/3", "0.5", "--truth must be a decimal: a policy cannot say 1/3"),
        ("x", "0.5", "'x' is no number"),
    ],
)
def test_coins_that_are_none(
    truth: str, yes: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["randomize", "in.csv", str(tmp_path / "out.csv"), "--column", "b"]
    with pytest.raises(SystemExit) as left:
        main([*arguments, "--truth", truth, "--yes", yes])
    assert left.value.code == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_who_always_says_yes_hides_no_no(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source = _table(tmp_path, 3)
    arguments = ["randomize", str(source), str(tmp_path / "out.csv"), "--column", "Smokes"]
    assert main([*arguments, "--truth", "0.5", "--yes", "1"]) == 0
    shown = capsys.readouterr().err
    assert "no local ε: who says FALSE in Smokes certainly tells the truth" in shown
