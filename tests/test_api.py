"""The public API, by the names and the shapes that it was promised with."""

from __future__ import annotations

import inspect
import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import audit, default, demo

QUERY = "SELECT channel, COUNT(*) AS n, AVG(shipping) AS mean FROM orders GROUP BY channel"


@pytest.fixture(scope="module")
def owner() -> Iterator[duckdb.DuckDBPyConnection]:
    with demo.connection() as connection:
        yield connection


@pytest.fixture(scope="module")
def db(owner: duckdb.DuckDBPyConnection) -> Iterator[dpsql.Database]:
    with dpsql.connect(owner, demo.policy()) as opened:
        yield opened


@pytest.fixture
def no_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder, and no default database."""
    monkeypatch.delenv("DPSQL_DATABASE", raising=False)
    monkeypatch.delenv("DPSQL_POLICY", raising=False)
    monkeypatch.chdir(tmp_path)
    dpsql.use(None)
    yield tmp_path
    dpsql.use(None)


def parameters(function: object) -> list[str]:
    assert callable(function)
    return list(inspect.signature(function).parameters)


def test_functions() -> None:
    assert parameters(dpsql.connect)[:2] == ["data", "policy"]
    asked = ["sql", "eps", "delta", "fresh", "idempotency_key", "timeout"]
    assert parameters(dpsql.run) == [*asked, "wishes"]
    here = [*asked[:4], "free", *asked[4:], "stop", "then"]
    assert parameters(dpsql.Database.run) == ["self", *here, "wishes"]
    assert parameters(dpsql.explain) == ["sql", "eps", "delta", "policy", "wishes"]
    assert parameters(dpsql.use) == ["database"]
    assert parameters(dpsql.Database.explain) == ["self", "sql", "eps", "delta", "wishes"]
    assert inspect.signature(dpsql.run).parameters["delta"].default is None
    assert parameters(dpsql.Release.interval) == ["self", "confidence"]
    assert inspect.signature(dpsql.Release.interval).parameters["confidence"].default == 0.95


def test_audit_is_there_and_imported_when_it_is_named() -> None:
    program = (
        "import sys, dpsql; assert 'dpsql.audit' not in sys.modules; "
        "dpsql.audit.check; assert 'dpsql.audit' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    with pytest.raises(AttributeError, match=r"^module 'dpsql' has no attribute 'audits'$"):
        _ = dpsql.audits


def test_database(db: dpsql.Database) -> None:
    assert set(db.tables) == {"customers", "orders", "order_lines", "products", "regions"}
    assert db.tables["regions"] == ("region_id", "region", "country")
    assert db.budget.total.eps == 10
    budget = db.budget
    assert budget.remaining.exact == budget.total.exact - budget.spent.exact


def test_explanation(db: dpsql.Database) -> None:
    found = db.explain(QUERY, eps=0.5)
    assert found.kind == "released"
    assert (found.cost.eps, found.cost.delta) == (0.5, 0.0)
    assert "SELECT" in found.sql
    assert [r.name for r in found.releases] == ["sum(shipping)", "sum(shipping - 20)"]
    assert [c.name for c in found.computed] == ["n", "mean"]
    for release in found.releases:
        assert release.mechanism == "laplace"
        assert release.groups == 4
        assert release.delta == 0
        assert release.l0 == 4 <= release.l1
        assert release.linf <= release.l2 <= release.l1
        assert release.scale == pytest.approx(release.l1 / release.eps)
        assert release.reasons and all(isinstance(why, str) for why in release.reasons)
        assert 0 == release.interval(0) < release.interval(0.5) < release.interval()
        assert release.interval() == release.interval(confidence=0.95)
        assert release.shared and release.eps == 0.5
    assert 2 * found.cost.exact.eps == 1
    plain = found.to_dict()
    assert set(plain) == {
        *("kind", "cost", "neighbours", "unit", "releases", "computed", "sql"),
        *("totals", "saved", "ledger", "wanted", "tree"),
    }
    assert plain["cost"] == {"eps": 0.5, "delta": 0.0}
    public = db.explain("SELECT region FROM regions")
    assert (public.kind, public.cost.eps, public.releases) == ("public", 0, ())
    assert str(public).startswith("public: ")


def test_explanation_text(db: dpsql.Database) -> None:
    assert str(db.explain("SELECT COUNT(*) AS n, AVG(quantity) AS a FROM order_lines", 1)) == (
        "released: costs ε = 1; unit customers.customer_id, neighbours add_remove\n"
        "  because rows per unit 200, enforced per unit (5 rows of order_lines per "
        "order_id, 40 rows of orders per customer_id)\n"
        "  because quantity in [1, 8], proven\n"
        "  because a row adds 7 to sum(quantity - 1) and sum(quantity - 8) together\n"
        "  sum(quantity - 1), 1 group\n"
        "    sensitivity L0 1, L1 1,400, L2 1,400, L∞ 1,400\n"
        "    laplace noise, scale 1,400, ε 1, ρ 0.3679, shared: ± 4,194 at 95 %\n"
        "    because summed around 1, the least\n"
        "  sum(quantity - 8), 1 group\n"
        "    sensitivity L0 1, L1 1,400, L2 1,400, L∞ 1,400\n"
        "    laplace noise, scale 1,400, ε 1, ρ 0.3679, shared: ± 4,194 at 95 %\n"
        "    because summed around 8, the greatest\n"
        "  n, from sum(quantity - 1) and sum(quantity - 8): ± 823 at 95 %\n"
        "  a, from sum(quantity - 1) and sum(quantity - 8): ± 2,879 / values at 95 %, ± "
        "4,194 / values at an end of its range\n"
        "  total ε 1 by basic composition, 1 by zCDP (ρ 0.3679), 1 by PLD, at δ 1e-6\n"
        "  saved ε 1 by shared measurements, over asking apart\n"
        "  bounds are enforced while it runs: on a copy that `dpsql prepare` writes it is faster\n"
        "  the ledger (approx) charges ε = 1; then ε = 9, δ = 1e-6 is left, 9 more such "
        "queries"
    )


def test_answer(db: dpsql.Database) -> None:
    answer = db.run(QUERY, 0.5)
    assert answer.columns == ("channel", "n", "mean")
    assert answer["channel"] == ("web", "app", "phone", "shop")
    assert [len(r) for r in answer.rows] == [len(w) for w in answer.intervals] == [3] * 4
    assert all(w[0] is None and (w[1] or 0) > 0 and (w[2] or 0) > 0 for w in answer.intervals)
    assert answer.cost.eps == 0.5
    explained = db.explain(QUERY, 0.5).to_dict()
    assert answer.explanation.to_dict() == {**explained, "ledger": None}
    assert len(answer) == 4 and list(answer) == list(answer.rows)
    assert answer.to_arrow().num_rows == len(answer.to_pandas()) == answer.to_polars().height == 4
    assert hasattr(answer, "__arrow_c_stream__")
    assert answer._repr_html_().startswith('<div class="dpsql">')


def test_public_answers_are_exact_and_free(db: dpsql.Database) -> None:
    before = db.budget.spent
    answer = db.run("SELECT region FROM regions ORDER BY region LIMIT 2", 1)
    assert answer.rows == (("Alps",), ("Baltic",))
    assert answer.intervals == ((None,), (None,))
    assert (answer.cost.eps, db.budget.spent) == (0, before)


def test_errors(db: dpsql.Database) -> None:
    for kind in ("Rejected", "PolicyError", "BudgetExceeded", "EngineError", "InvalidBudget"):
        assert issubclass(getattr(dpsql, kind), dpsql.DpsqlError)
    before = db.budget.spent
    with pytest.raises(dpsql.Rejected) as caught:
        db.run("SELECT emial FROM customers", 1)
    error = caught.value
    assert (error.code, error.message) == ("DP202", "no column emial")
    assert error.help == "did you mean email?"
    assert error.span is not None
    assert "SELECT emial"[error.span.start : error.span.end] == "emial"
    with pytest.raises(dpsql.BudgetExceeded, match="is left"):
        db.run("SELECT COUNT(*) FROM orders", 100)
    for eps in (0, -1, float("nan"), float("inf"), "1", None, True):
        with pytest.raises(dpsql.InvalidBudget, match="is left"):
            db.run("SELECT COUNT(*) FROM orders", eps)
    assert db.budget.spent == before
    with pytest.raises(dpsql.PolicyError) as missing:
        dpsql.connect("nowhere.duckdb", demo.policy())
    assert missing.value.file == "nowhere.duckdb"


def test_policy() -> None:
    policy = demo.policy()
    assert (policy.unit, policy.neighbours) == ("customers.customer_id", "add_remove")
    with pytest.raises(dpsql.PolicyError) as caught:
        dpsql.Policy.parse("unit: a.b\nbudget: {eps: -1}\ntables: {}\n", "p.yaml")
    assert (caught.value.file, caught.value.line) == ("p.yaml", 2)


def test_audit(db: dpsql.Database, owner: duckdb.DuckDBPyConnection) -> None:
    above, below = audit.exact(db, QUERY)
    assert [above.name, below.name] == ["sum(shipping)", "sum(shipping - 20)"]
    assert above.groups[0] == ("web",)
    truth = {r[0]: r[1:] for r in owner.execute(QUERY).fetchall()}
    for (group,), a, b in zip(above.groups, above.values, below.values, strict=True):
        n = (a - b) / 20
        assert n == truth[group][0]
        assert float(a / n) == pytest.approx(truth[group][1])
    assert audit.exact(db, "SELECT region FROM regions") == ()
    assert audit.sensitivity(db, "SELECT region FROM regions") == ()


# --- the default database ------------------------------------------------------------------------


def test_explain_without_data(no_default: Path) -> None:
    demo.save("shop")
    found = dpsql.explain("SELECT COUNT(*) FROM orders", 0.5, policy="shop/shop.yaml")
    assert found.releases[0].l1 == 40
    assert not Path("shop/shop.duckdb.dpsql-ledger").exists()


def test_the_embedded_demo_is_the_last_default(no_default: Path) -> None:
    said = io.StringIO()
    with redirect_stderr(said):
        assert len(dpsql.run("SELECT * FROM regions", 1)) == 8
        dpsql.explain("SELECT COUNT(*) FROM orders", 1)
    assert said.getvalue() == "dpsql: using the embedded demo\n"
    default.current().close()


def test_the_file_in_the_folder_comes_before_the_demo(no_default: Path) -> None:
    demo.save("shop")
    Path("dpsql.yaml").write_text("database: shop/shop.duckdb\npolicy: shop/shop.yaml\n")
    found, which = default.find()
    found.close()
    assert which.endswith("shop.duckdb (from dpsql.yaml)")
    Path("dpsql.yaml").write_text("database: shop/shop.duckdb\n")
    with pytest.raises(dpsql.PolicyError, match="two keys"):
        default.find()


def test_the_environment_comes_before_the_file(
    no_default: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo.save("shop")
    Path("dpsql.yaml").write_text("this is: not read\n")
    monkeypatch.setenv("DPSQL_DATABASE", "shop/shop.duckdb")
    with pytest.raises(dpsql.PolicyError, match="both DPSQL_DATABASE and DPSQL_POLICY"):
        default.find()
    monkeypatch.setenv("DPSQL_POLICY", "shop/shop.yaml")
    found, which = default.find()
    found.close()
    assert which == "shop/shop.duckdb (from DPSQL_DATABASE)"


def test_use_comes_first(no_default: Path, db: dpsql.Database) -> None:
    said = io.StringIO()
    with redirect_stderr(said):
        dpsql.use(db)
        assert default.current() is db
        assert len(dpsql.run("SELECT * FROM regions", 0.5)) == 8
    assert said.getvalue() == ""


def test_the_demo_is_deterministic(owner: duckdb.DuckDBPyConnection) -> None:
    sizes = {
        table: (owner.execute(f"SELECT COUNT(*) FROM {table}").fetchone() or (0,))[0]
        for table in ("customers", "orders", "order_lines", "products", "regions")
    }
    assert sizes == {
        "customers": 10_000,
        "orders": 100_000,
        "order_lines": 219_620,
        "products": 48,
        "regions": 8,
    }
    sums = owner.execute("SELECT SUM(price * quantity), COUNT(DISTINCT order_id) FROM order_lines")
    assert [str(x) for x in sums.fetchone() or ()] == ["47874084.60", "100000"]


def test_the_demos_policy_is_true_of_its_data(db: dpsql.Database) -> None:
    report = db.verify()
    assert report.clean and len(report.findings) > 25


def test_a_ledger_on_a_server_needs_a_name() -> None:
    url = "postgresql://user:secret@localhost:1/x"
    with pytest.raises(dpsql.PolicyError, match="name this one, such as account: shop") as caught:
        dpsql.connect(demo.connection(), demo.policy(), ledger=url)
    assert "secret" not in str(caught.value)
