"""Models that are asked for in SQL: what is answered, what it costs, and what is refused, where."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

import duckdb
import numpy as np
import pytest

import dpsql
from dpsql import audit
from dpsql.errors import BudgetExceeded, InvalidArgument, Rejected
from dpsql.front.model_statement import model_statement
from dpsql.models import KMeans, LinearModels, LinearRegression
from tests.models.people import ENOUGH, columns, data, opened
from tests.support.effort import tries

GROUPED = (
    "SELECT town, dp_linear_regression(paid, [age, works]) FROM people WHERE age > 20 GROUP BY town"
)
ALONE = "SELECT dp_linear_regression(paid, [age, size]) FROM people"


@pytest.fixture(scope="module")
def db() -> Iterator[dpsql.Database]:
    with opened(data()) as found:
        yield found


def test_it_is_least_squares(db: dpsql.Database) -> None:
    answer = db.run("SELECT dp_linear_regression(paid + 1, [age, size * 2]) FROM people", ENOUGH)
    rows = columns(data(), "SELECT paid, age, size FROM people")
    x = np.column_stack([np.ones(len(rows["age"])), rows["age"], rows["size"] * 2])
    found = np.linalg.lstsq(x, rows["paid"].astype(float) + 1, rcond=None)[0]
    assert answer.columns == ("term", "coefficient", "sampling", "rows")
    assert answer["term"] == ("intercept", "age", "size * 2")
    assert answer["coefficient"] == pytest.approx(found, rel=1e-3)
    assert answer["rows"] == pytest.approx([400] * 3, abs=0.01)
    assert answer.types == ("VARCHAR", "DOUBLE", "DOUBLE", "DOUBLE")


def test_it_is_the_model_that_fit_gives(db: dpsql.Database) -> None:
    answer = db.run(GROUPED, 20)
    model = LinearRegression("paid", ["age", "works"], by=["town"])
    rows = 'SELECT * FROM (SELECT town, paid, age, works FROM people WHERE age > 20) AS r("town", '
    fitted = db.fit(rows + '"paid", "age", "works")', model, 20)
    assert isinstance(fitted, LinearModels)
    assert fitted.cost.eps == 0, "it was asked before"
    told = [
        (*key, name, made.value, made.sampling, one.rows.value)
        for key, one in fitted.groups.items()
        for name, made in [("intercept", one.intercept), *one.coefficients.items()]
        if made is not None
    ]
    assert answer.rows == tuple(told) and len(answer) == 9
    widths = [m.noise for one in fitted for m in (one.intercept, *one.coefficients.values()) if m]
    assert answer.interval("coefficient") == tuple(widths)
    assert answer.noisy == (False, False, True, True, True)


def test_keys_and_options_are_read_however_they_are_written(db: dpsql.Database) -> None:
    same = db.run(GROUPED, 20).rows
    for written in (
        "FROM people SELECT dp_linear_regression(paid, ARRAY[age, works]), town WHERE age > 20 "
        "GROUP BY ALL;",
        "SELECT p.town, DP_LINEAR_REGRESSION(p.paid, list_value(age, works)) /* so */ FROM people "
        "AS p WHERE age > 20 GROUP BY 1 -- once",
        "WITH p AS (FROM people) (SELECT town AS t, dp_linear_regression(paid, [age, works]) "
        "FROM p WHERE age > 20 GROUP BY t)",
    ):
        answer = db.run(written, 20)
        assert [(row[0], row[1]) for row in answer.rows] == [(row[0], row[1]) for row in same]
    ridge = "SELECT dp_linear_regression(paid, [age, town], ridge := 50, intercept := FALSE) FROM "
    answer = db.run(ridge + "people", ENOUGH)
    model = LinearRegression("paid", ["age", "town"], ridge=50, intercept=False)
    assert answer["term"] == ("age", "town = Bern", "town = Cork")
    expected = db.fit("SELECT paid, age, town FROM people", model, ENOUGH)
    assert answer["coefficient"] == pytest.approx([*expected.coef.values()], rel=1e-3)  # type: ignore[union-attr]
    years = "SELECT dp_linear_regression(paid, [LEAST(GREATEST(age, 30), 32)], categorical := ["
    answer = db.run(years + "LEAST(GREATEST(age, 30), 32)]) FROM people", ENOUGH)
    assert len(answer) == 3


def test_what_it_costs_is_known_before_and_charged_once(db: dpsql.Database) -> None:
    sql = ALONE + " WHERE age < 80"
    before = db.budget.spent.eps
    assert db.explain(sql, 3).cost.eps == 3 and db.explain(sql, 3).ledger is not None
    assert not db.stored(sql, 3)
    with pytest.raises(BudgetExceeded, match="no stored answer"):
        db.run(sql, 3, free=True)
    told = dict(db.run(f"EXPLAIN {sql}", 3).rows)
    assert told["cost"] == "ε = 3" and "laplace" in str(told["n"])
    assert db.budget.spent.eps == before
    first = db.run(sql, 3, idempotency_key="once")
    assert first.cost.eps == 3 and db.budget.spent.eps == before + 3
    line = db.charged("once")
    assert line is not None and line.cost.eps == 3
    assert db.stored(sql, 3) and db.stored(sql, 2) and not db.stored(sql, 4)
    again = db.run(sql, 3, free=True)
    assert again.rows == first.rows and again.cost.eps == 0
    assert "free: the answer of charge" in str(again)
    assert db.run(sql, 3, fresh=True, idempotency_key="once").rows == first.rows, "a retry"
    assert db.run(sql, 3, fresh=True).rows != first.rows
    assert db.budget.spent.eps == before + 6


def test_a_model_of_several_queries_has_one_verdict_and_one_price(db: dpsql.Database) -> None:
    sql = "SELECT dp_logistic_regression(works, [age, paid], steps := 2) FROM people"
    explained, before = db.explain(sql, 3), db.budget.spent.exact.eps
    assert 2.99 < explained.cost.eps <= 3 and explained.ledger is not None
    assert explained.ledger.charge == str(explained.cost)
    assert len(explained.tree.steps) == len(explained._parts) >= 2
    assert sum(release.eps for release in explained.releases) == pytest.approx(3, abs=0.01)
    assert json.loads(explained.to_json()) and "query 2" in str(explained.tree)
    assert not db.stored(sql, 3)
    wanted = explained.within(5).wanted
    assert wanted is not None and wanted.eps is None and "share" in str(wanted.why)
    assert db.budget.spent.exact.eps == before
    answer = db.run(sql, 3, idempotency_key="several")
    assert answer.cost.exact.eps == db.budget.spent.exact.eps - before <= 3
    assert answer["term"] == ("intercept", "age", "paid") and answer.reused is None
    assert answer.explanation.cost == answer.cost
    assert db.stored(sql, 3) and db.run(sql, 3, free=True).rows == answer.rows
    retried = db.run(sql, 3, fresh=True, idempotency_key="several")
    assert retried.rows == answer.rows and retried.cost.eps == 0


def test_so_many_models_that_computing_them_would_take_long_are_refused() -> None:
    policy = """
unit: t.id
budget: {eps: 9}
tables:
  t:
    access: private
    key: [id]
    columns: {k: {type: INTEGER, bounds: [0, 2999]}, x: {type: INTEGER, bounds: [0, 9]}}
"""
    owner = duckdb.connect()
    owner.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER)")
    with dpsql.connect(owner, policy) as db:
        for ask in (db.explain, db.run):
            with pytest.raises(Rejected, match="3,000 models, each of 6 sums") as found:
                ask("SELECT k, dp_linear_regression(x, [x + k]) FROM t GROUP BY k", 1)
            assert found.value.code == "DP304"
        assert db.budget.spent.eps == 0


def test_half_of_a_model_is_not_free(db: dpsql.Database) -> None:
    """A run that was ended between its queries is taken up, and pays for what is left of it."""
    sql = "SELECT dp_poisson_regression(age, [size, paid], steps := 2) FROM people"
    parts = db.explain(sql, 3)._parts
    whole, run = db.budget.spent.exact.eps, type(db)._answered
    asked: list[str] = []

    def ended(self: dpsql.Database, text: str, *rest: object) -> object:
        asked.append(text)
        if sum("SUM(" in one for one in asked) == 2:
            raise KeyboardInterrupt
        return run(self, text, *rest)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(db), "_answered", ended)
        with pytest.raises(KeyboardInterrupt):
            db.run(sql, 3)
    first = db.budget.spent.exact.eps - whole
    assert first == parts[0][0].cost.exact.eps
    assert not db.stored(sql, 3), "the second query was not asked"
    assert db.budget.spent.exact.eps == whole + first
    rest = db.run(sql, 3)
    assert rest.cost.exact.eps == db.budget.spent.exact.eps - whole - first > 0
    assert db.stored(sql, 3) and rest.reused is None


def test_clusters(db: dpsql.Database) -> None:
    sql = "SELECT dp_kmeans([age, size], clusters := 2) FROM people"
    explained, answer = db.explain(sql, ENOUGH), db.run(sql, ENOUGH)
    assert explained.cost.eps == answer.cost.eps == ENOUGH
    found = db.fit("SELECT age, size FROM people", KMeans(["age", "size"], 2), ENOUGH)
    assert answer["cluster"] == (0, 0, 1, 1) and answer["term"] == ("age", "size") * 2
    told = [made.value for one in found for made in one.centre.values()]
    assert np.allclose(answer["centre"], told, rtol=1e-3)
    assert answer["rows"][0] == pytest.approx(found[0].size.value, abs=1)
    assert db.stored(sql, ENOUGH) and db.run(sql, ENOUGH).cost.eps == 0
    with pytest.raises(dpsql.Rejected, match="is one model, and none for each group"):
        db.run("SELECT town, dp_kmeans([age, size]) FROM people GROUP BY town", 1)


def test_what_is_shown(db: dpsql.Database) -> None:
    lines = str(db.run(GROUPED, 21)).splitlines()
    assert lines[0].split() == ["town", "term", "coefficient", "sampling", "rows"]
    assert lines[2].startswith("Aki   intercept") and lines[2].count("±") == 2
    assert lines[-1] == "(9 rows, ε = 21; exact: town, term)"
    assert lines[-2].startswith("≈ sampling: the half-width at 95 %")
    assert not any("clamped" in line for line in lines), "which is of sums"
    several = [db.run(ALONE, 0.001, fresh=True) for _ in range(6)]
    little = next(one for one in several if one["sampling"][0] is None)
    assert little.notes and "too small" in str(little)
    assert little.interval("coefficient", 0.9) == (None,) * 3
    made = db.run(GROUPED, 20).to_arrow(intervals=True)
    assert "coefficient_low" in made.column_names and made["town"].to_pylist()[0] == "Aki"
    assert "<table" in little._repr_html_()


def test_what_is_to_be_known_of_all_groups_is_said_once(db: dpsql.Database) -> None:
    rows = "FROM visits JOIN people USING (id) GROUP BY works"
    answer = db.run(f"SELECT works, dp_linear_regression(cost, [hours]) {rows}", ENOUGH)
    assert answer.notes is not None
    (note,) = answer.notes
    assert note.startswith("a unit has up to 3 rows")


def test_any_way_of_asking(db: dpsql.Database) -> None:
    from dpsql.dbapi import connect

    with connect(db, eps=20) as there:
        cursor = there.cursor()
        cursor.execute(GROUPED)
        assert cursor.description is not None and cursor.description[1][0] == "term"
        assert tuple(cursor.fetchall()) == db.run(GROUPED, 20).rows


def test_its_sums_keep_what_is_claimed_on_data_that_break_what_is_declared() -> None:
    for seed in range(tries(1, 10)):
        with opened(data(12, seed, broken=True)) as db:
            rows = "FROM visits JOIN people USING (id) WHERE hours < 9 GROUP BY town"
            sql = f"SELECT town, dp_linear_regression(cost * 2, [hours + 1, age]) {rows}"
            found = audit.sensitivity(db, db.explain(sql)._compiled.text)
            assert all(one.within for one in found), [one for one in found if not one.within]
            assert any(one.l1 for one in found)


M = "dp_linear_regression"
REFUSED = {
    "no column": (f"SELECT {M}(paid, [agee]) FROM people", "DP202", "agee", "age?"),
    "no column of the rows": (
        f"SELECT {M}(paid, [age]) FROM people WHERE ag > 1",
        "DP202",
        "ag",
        "age?",
    ),
    "no bounds": (f"SELECT {M}(paid, [age, free]) FROM people", "DP301", "free", "LEAST"),
    "no number": (f"SELECT {M}(paid, [born]) FROM people", "DP205", "born", ""),
    "no target": (f"SELECT {M}(town, [age]) FROM people", "DP205", "town", ""),
    "one value": (
        f"SELECT {M}(paid, [LEAST(size, 1.2)]) FROM people",
        "DP205",
        "LEAST(size, 1.2",
        "",
    ),
    "twice": (f"SELECT {M}(paid, [age, AGE]) FROM people", "DP205", "AGE", ""),
    "a key and a feature": (
        f"SELECT town, {M}(paid, [town]) FROM people GROUP BY town",
        "DP205",
        "town",
        "",
    ),
    "no list": (f"SELECT {M}(paid, age) FROM people", "DP205", f"{M}(paid, age", "[x1, x2]"),
    "nothing": (f"SELECT {M}() FROM people", "DP205", M, "[x1, x2]"),
    "no feature": (f"SELECT {M}(paid, []) FROM people", "DP205", f"{M}(paid", "[x1, x2]"),
    "all": (f"SELECT {M}(paid, [*]) FROM people", "DP205", "*", ""),
    "an option": (
        f"SELECT {M}(paid, [age], rigde := 1) FROM people",
        "DP205",
        f"{M}(paid, [age], rigde := 1",
        "",
    ),
    "an option of rows": (
        f"SELECT {M}(paid, [age], ridge := age + 1) FROM people",
        *("DP205",),
        "age + 1",
        "",
    ),
    "a bad option": (
        f"SELECT {M}(paid, [age], ridge := 'x') FROM people",
        "DP205",
        f"{M}(paid, [age], ridge := 'x'",
        "",
    ),
    "no key": (f"SELECT town, {M}(paid, [age]) FROM people", "DP208", "town", "GROUP BY"),
    "a sum": (f"SELECT COUNT(*), {M}(paid, [age]) FROM people", "DP208", "COUNT(*", "leave"),
    "not shown": (f"SELECT {M}(paid, [age]) FROM people GROUP BY town", "DP104", "town", "before"),
    "sets": (
        f"SELECT town, {M}(paid, [age]) FROM people GROUP BY CUBE (town)",
        *("DP208", "town", "GROUP BY"),
    ),
    "an order": (f"SELECT {M}(paid, [age]) FROM people ORDER BY 1", "DP104", "1", "leave"),
    "a limit": (f"SELECT {M}(paid, [age]) FROM people LIMIT 3", "DP104", "3", ""),
    "distinct": (f"SELECT DISTINCT {M}(paid, [age]) FROM people", "DP104", None, ""),
    "having": (
        f"SELECT town, {M}(paid, [age]) FROM people GROUP BY town HAVING town > 'B'",
        *("DP104", "town > 'B'", ""),
    ),
    "a name": (
        f"SELECT {M}(paid, [age]) AS m FROM people",
        *("DP104",),
        f"{M}(paid, [age]) AS m",
        "leave",
    ),
    "two": (
        f"SELECT {M}(paid, [age]), {M}(paid, [size]) FROM people",
        *("DP104", f"{M}(paid, [size", "after"),
    ),
    "in an expression": (
        f"SELECT 1 + {M}(paid, [age]) FROM people",
        "DP204",
        None,
        "run a model alone",
    ),
    "in a subquery": (
        f"SELECT * FROM (SELECT {M}(paid, [age]) FROM people)",
        *("DP204", None, "run a model alone"),
    ),
    "of each row": (f"SELECT {M}(paid, [age]) OVER () FROM people", "DP204", None, ""),
    "filtered": (f"SELECT {M}(paid, [age]) FILTER (age > 3) FROM people", "DP207", None, ""),
    "another": ("SELECT dp_linear(paid, [age]) FROM people", "DP204", None, M),
    "described": (
        f"DESCRIBE SELECT {M}(paid, [age]) FROM people",
        "DP204",
        None,
        "run a model alone",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_shown_where_it_stands(db: dpsql.Database, name: str) -> None:
    sql, code, shown, help = REFUSED[name]
    before = db.budget.spent.eps
    for ask in (db.explain, db.run, db.stored):
        with pytest.raises(Rejected) as found:
            ask(sql, 1)
        assert found.value.code == code, str(found.value)
        assert help in (found.value.help or ""), str(found.value)
        assert found.value.text == sql
        if shown is not None:
            span = found.value.span
            assert span is not None and sql[span.start : span.end] == shown
    assert db.budget.spent.eps == before


def test_wishes(db: dpsql.Database) -> None:
    assert db.explain(ALONE, 1, noise="laplace", clipping="declared").cost.delta == 0
    for wish in ({"weights": {"n": 2}}, {"clipping": "adaptive"}):
        with pytest.raises(InvalidArgument):
            db.run(ALONE, 1, **wish)  # type: ignore[arg-type]
    with pytest.raises(Rejected):
        db.run(ALONE, 1, dialect="spark")
    with pytest.raises(Rejected, match="run a model alone"):
        db.run_batch([ALONE], 1)


WHOLE = (
    "WITH a AS ( SELECT town , paid FROM people GROUP BY 1 , 2 ) SELECT town , -- why\n "
    "dp_linear_regression ( paid + 1 , [ age , f ( 2 ) ] , ridge := 10 ) FROM a "
    "WHERE x IN ( 1 , 2 ) GROUP BY town , 1 ; "
)


def test_no_text_is_more_than_refused() -> None:
    """What is left out of a text, or stands twice or elsewhere, makes it another one or none."""
    draw, read, refused = random.Random(3), 0, 0
    for _ in range(tries(600, 10_000)):
        parts = WHOLE.split(" ")
        for _ in range(draw.choice((1, 1, 2))):
            place = draw.randrange(len(parts))
            parts[place : place + 1] = draw.choice(([], parts[place : place + 1] * 2))
            parts.insert(draw.randrange(len(parts)), parts.pop(draw.randrange(len(parts))))
        text = " ".join(parts)
        try:
            found = model_statement(text)
        except Rejected as rejected:
            refused += rejected.text == text
            continue
        if found is None:
            continue
        read += 1
        assert len(found.rows) == len(text)
        for before, after in zip(text, found.rows, strict=True):
            assert after == before or (after == " " and before not in "\r\n")
        for span in filter(None, found.columns.values()):
            assert found.rows[span.start : span.end] == text[span.start : span.end]
    assert read > 10 and refused > 1


def test_without_numpy_it_is_said_and_other_queries_run() -> None:
    code = """
import sys, json
sys.modules["numpy"] = None
import duckdb, dpsql
owner = duckdb.connect()
owner.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, dp_x INTEGER)")
policy = '''
unit: t.id
budget: {eps: 9}
tables: {t: {access: private, key: [id], columns: {dp_x: {type: INTEGER, bounds: [0, 9]}}}}
'''
db = dpsql.connect(owner, policy)
said = []
try:
    db.run("SELECT dp_linear_regression(dp_x, [dp_x + 1]) FROM t", 1)
except dpsql.Rejected as rejected:
    said = [rejected.code, rejected.message, rejected.help]
print(json.dumps([*said, len(db.run("SELECT SUM(dp_x) FROM t", 1))]))
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    code, message, help, rows = json.loads(made.stdout)
    assert code == "DP204" and message == "dp_linear_regression needs NumPy"
    assert "dpsql[models]" in help and rows == 1
