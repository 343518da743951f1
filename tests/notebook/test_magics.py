"""`%dpsql` and `%%dpsql` in IPython."""

from __future__ import annotations

import re
import traceback
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import dpsql
from dpsql import demo

CHANNELS = "SELECT channel, COUNT(*) AS n\nFROM orders GROUP BY channel"
SECRET = "Alice 4711"


def cell(shell: InteractiveShell, text: str) -> Any:
    """What a cell that succeeds gives."""
    done = shell.run_cell(text)
    done.raise_error()
    return done.result


def failed(shell: InteractiveShell, text: str) -> BaseException:
    """The error of a cell that fails, which stops "run all"."""
    done = shell.run_cell(text)
    assert not done.success
    assert done.error_in_exec is not None
    return done.error_in_exec


def spent(database: dpsql.Database) -> Fraction:
    return database.budget.spent.exact.eps


# --- queries ---


def test_a_cell_answers_and_charges_what_is_written(
    shell: InteractiveShell, shop: dpsql.Database
) -> None:
    before = spent(shop)
    answer = cell(shell, f"%%dpsql --eps 0.1\n{CHANNELS}")
    assert isinstance(answer, dpsql.Answer)
    assert (answer.columns, len(answer)) == (("channel", "n"), 4)
    assert answer.cost.exact.eps == Fraction(1, 10)
    assert spent(shop) - before == Fraction(1, 10)
    assert ">web<" in shell.display_formatter.format(answer)[0]["text/html"]


def test_the_same_cell_again_is_free(shell: InteractiveShell, shop: dpsql.Database) -> None:
    first = cell(shell, f"%%dpsql --eps 0.2\n{CHANNELS}")
    before = spent(shop)
    again = cell(shell, f"%%dpsql --eps 0.2\n{CHANNELS};\n")
    assert (again.rows, spent(shop)) == (first.rows, before)
    fresh = cell(shell, f"%%dpsql --eps 0.2 --fresh\n{CHANNELS}")
    assert fresh.rows != first.rows
    assert spent(shop) - before == Fraction(1, 5)


def test_eps_is_exact(shell: InteractiveShell) -> None:
    for text, eps in [
        ("1/3", Fraction(1, 3)),
        ("0.30", Fraction(3, 10)),
        ("1e-3", Fraction(1, 1000)),
    ]:
        found = cell(shell, f"%dpsql --explain --eps {text} SELECT COUNT(*) FROM customers")
        assert found.cost.exact.eps == eps
    found = cell(
        shell,
        "%dpsql --eps 1/3 --delta 1/1000000000 --noise gaussian --explain "
        "SELECT COUNT(*) FROM customers",
    )
    assert found.cost.exact.delta == Fraction(1, 10**9)


def test_a_line_takes_the_query_as_it_is_written(shell: InteractiveShell) -> None:
    found = cell(
        shell,
        "%dpsql --eps=0.1 SELECT 'it''s  \"--eps 9\" {x} $HOME \\' AS t, COUNT(*) "
        "AS n FROM regions WHERE region <> '-o'",
    )
    assert found.rows == (('it\'s  "--eps 9" {x} $HOME \\', 8),)


def test_variables_are_not_put_into_a_query(shell: InteractiveShell) -> None:
    shell.user_ns["x"] = "1 FROM regions --"
    for text in ("%dpsql SELECT {x} FROM regions", "%%dpsql\nSELECT $x FROM regions"):
        assert isinstance(failed(shell, text), dpsql.Rejected)


def test_a_query_without_a_price_is_not_run(shell: InteractiveShell, shop: dpsql.Database) -> None:
    before = spent(shop)
    error = failed(shell, "%dpsql SELECT COUNT(*) FROM orders")
    assert type(error) is UsageError
    assert "--eps 0.5" in str(error)
    assert cell(shell, "%dpsql SELECT COUNT(*) AS n FROM regions").rows == ((8,),)
    assert spent(shop) == before


def test_options_without_a_query_hold_for_the_next(shell: InteractiveShell) -> None:
    assert cell(shell, "%dpsql --eps 0.05 --dialect bigquery") is None
    query = "SELECT COUNT(*) AS n FROM `orders` WHERE gift"
    assert cell(shell, f"%dpsql {query}").cost.exact.eps == Fraction(1, 20)
    assert cell(shell, f"%dpsql --eps 0.06 {query}").cost.exact.eps == Fraction(3, 50)
    assert cell(shell, f"%dpsql --explain {query}").cost.exact.eps == Fraction(1, 20)
    assert isinstance(failed(shell, f"%dpsql --dialect duckdb {query}"), dpsql.Rejected)


def test_wishes_are_passed_on(shell: InteractiveShell) -> None:
    query = "SELECT SUM(price * quantity) AS turnover FROM order_lines"
    plain = cell(shell, f"%dpsql --explain --eps 1 {query}")
    assert [r.clipping for r in plain.releases] == [None]
    found = cell(shell, f"%dpsql --explain --eps 1 --clipping adaptive {query}")
    assert found.releases[0].clipping is not None
    gaussian = cell(shell, f"%dpsql --explain --eps 1 --noise gaussian {query}")
    assert [r.mechanism for r in gaussian.releases] == ["gaussian"]


def test_a_result_is_kept_in_a_variable(shell: InteractiveShell) -> None:
    for option in ("-o found", "--out found", "--out=found"):
        shell.user_ns.pop("found", None)
        answer = cell(shell, f"%%dpsql --eps 0.1 {option}\n{CHANNELS}")
        assert shell.user_ns["found"] is answer
    failed(shell, "%dpsql --eps 0.1 -o kept SELECT email FROM customers")
    assert "kept" not in shell.user_ns


def test_explain_and_estimate_are_free(shell: InteractiveShell, shop: dpsql.Database) -> None:
    before = spent(shop)
    found = cell(shell, f"%%dpsql --explain\n{CHANNELS}")
    assert isinstance(found, dpsql.Explanation)
    assert found.cost.eps == 1
    together = cell(shell, f"%%dpsql --estimate --eps 0.3\n{CHANNELS};\n{CHANNELS}")
    assert isinstance(together, dpsql.Estimate)
    assert {entry.eps for entry in together.entries} == {0.3}
    assert spent(shop) == before


def test_what_a_terminal_shows(shell: InteractiveShell, shop: dpsql.Database) -> None:
    found = cell(shell, f"%%dpsql --explain --eps 1\n{CHANNELS}")
    assert shell.display_formatter.format(found)[0]["text/plain"] == str(found)
    budget = cell(shell, "%dpsql --budget")
    assert shell.display_formatter.format(budget)[0]["text/plain"] == str(shop.budget)
    assert shell.display_formatter.format(found.cost)[0]["text/plain"] == "ε = 1"


# --- databases ---


def test_a_database_by_the_name_of_its_variable(shell: InteractiveShell) -> None:
    with demo.database() as other:
        shell.user_ns["other"] = other
        cell(shell, "%dpsql --db other --eps 0.75 SELECT COUNT(*) FROM orders")
        assert spent(other) == Fraction(3, 4)
        assert str(cell(shell, "%dpsql --db other --budget")) == str(other.budget)
        shell.user_ns["other"] = "other"
        for name in ("other", "nobody"):
            error = failed(shell, f"%dpsql --db {name} --budget")
            assert type(error) is UsageError
            assert f"the variable {name} is no dpsql.Database" in str(error)


def test_connect_makes_the_default(shell: InteractiveShell, tmp_path: Path) -> None:
    data, policy = demo.save(tmp_path / "my shop")
    line = f"--connect \"{data}\" --policy '{policy}' --analyst ada --eps 0.5"
    first = cell(shell, f"%dpsql {line}")
    assert first is dpsql.default.current()
    assert cell(shell, "%dpsql SELECT COUNT(*) FROM orders").cost.exact.eps == Fraction(1, 2)
    assert [charge.analyst for charge in first.budget.history] == ["ada"]
    second = cell(shell, f'%dpsql {line} --ledger "{tmp_path / "other ledger"}"')
    assert second is dpsql.default.current()
    assert spent(second) == 0
    assert (tmp_path / "other ledger").exists()
    second.close()


def test_what_cannot_be_connected_changes_nothing(
    shell: InteractiveShell, shop: dpsql.Database
) -> None:
    error = failed(shell, "%dpsql --connect none.duckdb --policy none.yaml")
    assert isinstance(error, dpsql.PolicyError)
    assert dpsql.default.current() is shop


# --- errors ---


def shown(shell: InteractiveShell, text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """All that a cell that fails prints."""
    capsys.readouterr()
    failed(shell, text)
    found = capsys.readouterr()
    return found.out + found.err


@pytest.mark.parametrize("mode", ["Context", "Verbose", "Plain", "Minimal"])
def test_an_error_is_its_message(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    cell(shell, f"%xmode {mode}")
    assert shown(shell, "%%dpsql --eps 1\nSELECT email\nFROM customers", capsys) == (
        "Rejected: DP401: the query returns rows of individuals\n"
        "  line 1, column 8\n"
        "  | SELECT email\n"
        "  |        ^^^^^\n"
        "  help: aggregate: SELECT COUNT(*), SUM(x) or AVG(x), with GROUP BY on a public key\n"
    )
    text = shown(shell, "%dpsql --eps 999 SELECT COUNT(*) FROM orders", capsys)
    assert text.startswith("BudgetExceeded: the query asks for ε = 999; ")
    assert text.count("\n") == 1


def test_an_error_cannot_write_to_the_terminal(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(shell, "%%dpsql --eps 1\nSELECT '\x1b[2J' FROM customers", capsys)
    assert "\x1b" not in text
    assert "\\x1b[2J" in text
    text = shown(shell, "%dpsql --\x1b[2J", capsys)
    assert "\x1b" not in text


INTERNAL = r"dpsql itself failed; what was charged stays charged; the owner's log has report \w{8}"


@pytest.mark.parametrize("mode", ["Context", "Verbose"])
def test_no_private_value_in_an_error(
    shell: InteractiveShell,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
) -> None:
    raised: list[BaseException] = [
        ValueError(f"could not convert {SECRET}"),
        dpsql.EngineError("the engine could not run the query"),
        KeyboardInterrupt(),
    ]

    def fail(*_: object, **__: object) -> None:
        exact = SECRET
        try:
            raise RuntimeError(exact)
        except RuntimeError as cause:
            raise raised[0] from cause

    monkeypatch.setattr(dpsql.Database, "run", fail)
    cell(shell, f"%xmode {mode}")
    for name, message in [
        ("InternalError", INTERNAL),
        ("EngineError", "the engine could not run the query"),
        ("KeyboardInterrupt", "the query was interrupted; nothing was charged"),
    ]:
        capsys.readouterr()
        error = failed(shell, "%dpsql --eps 1 SELECT COUNT(*) FROM orders")
        printed = capsys.readouterr()
        assert re.fullmatch(f"{name}: {message}\n", printed.out + printed.err)
        assert type(error).__name__ == name and re.fullmatch(message, str(error))
        assert (error.__cause__, error.__context__) == (None, None)
        frames = traceback.TracebackException.from_exception(error, capture_locals=True).stack
        inside = [f for f in frames if "/dpsql/" in f.filename]
        assert {Path(f.filename).parent.name for f in inside} == {"notebook"}
        assert SECRET not in str([f.locals for f in frames])
        raised.pop(0)


def test_an_interrupt_says_what_was_charged(
    shell: InteractiveShell, shop: dpsql.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = dpsql.Database.run

    def pressed_late(*arguments: Any, **more: Any) -> None:
        whole(*arguments, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(dpsql.Database, "run", pressed_late)
    error = failed(shell, "%dpsql --eps 0.07 SELECT COUNT(*) FROM orders WHERE rating = 1")
    assert str(error) == "the query was interrupted; ε = 0.07 was charged"
    assert shop.budget.history[-1].cost.exact.eps == Fraction(7, 100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%dpsql", "there is no query"),
        ("%dpsql --explain", "there is no query"),
        ("%dpsql -o x", "there is no query"),
        ("%dpsql --eps 1 --fresh", "there is no query"),
        ("%dpsql --eps", "argument --eps: expected one argument"),
        ("%dpsql --eps one SELECT 1", "argument --eps: 'one' is no number"),
        ("%dpsql --eps 1/0 SELECT 1", "argument --eps: '1/0' is no number"),
        ("%dpsql --ep 1 SELECT 1", "unrecognized arguments: --ep"),
        ("%dpsql --noise loud SELECT 1", "argument --noise: invalid choice: 'loud'"),
        ("%dpsql -o 1x SELECT 1", "argument -o/--out: '1x' is no name of a variable"),
        ("%dpsql -o class SELECT 1", "argument -o/--out: 'class' is no name of a variable"),
        ("%dpsql --explain --estimate SELECT 1", "not allowed with argument"),
        ("%dpsql --explain --fresh SELECT 1", "--fresh is for a query that is run"),
        ("%dpsql --budget SELECT 1", "--connect and --budget take no query"),
        ("%dpsql --connect x.duckdb", "--connect needs its policy: --policy FILE"),
        ("%dpsql --connect x --policy y --db z", "--db names a database that is open"),
        ("%dpsql --policy x --budget", "are for --connect"),
        ("%dpsql --analyst ada SELECT 1", "are for --connect"),
        ("%%dpsql SELECT 1\nSELECT 2", "the query stands below the line %%dpsql, not on it"),
    ],
)
def test_a_line_that_is_written_wrongly(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    error = failed(shell, text)
    assert type(error) is UsageError
    assert message in str(error)
    printed = capsys.readouterr()
    assert printed.out + printed.err == f"UsageError: {error}\n"


@pytest.mark.parametrize("eps", ["0", "-1", "nan", "inf", "1e9"])
def test_an_eps_that_is_none(shell: InteractiveShell, eps: str) -> None:
    error = failed(shell, f"%dpsql --eps={eps} SELECT COUNT(*) FROM orders")
    assert isinstance(error, dpsql.InvalidBudget)


def test_a_picture_is_shown(shell: InteractiveShell) -> None:
    """Also where pyplot, which would teach IPython to show figures, is not imported."""
    figure = cell(shell, "%dpsql SELECT region_id, COUNT(*) AS n FROM regions GROUP BY 1").plot()
    shown, _ = shell.display_formatter.format(figure)
    assert shown["image/png"].startswith(b"\x89PNG")


# --- the extension ---


def test_help(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    assert cell(shell, "%dpsql --help") is None
    text = capsys.readouterr().out
    assert text.startswith("usage: %dpsql [options] [QUERY], or %%dpsql [options] with the query")
    assert "\n  %dpsql --connect shop.duckdb --policy shop.yaml --eps 0.5\n" in text
    assert "\n  %%dpsql --eps 1 -o channels\n" in text
    assert "Python values are never put into a query" in text
    assert shell.find_line_magic("dpsql").__doc__.strip() == text.strip()


def test_it_can_be_unloaded_and_loaded_again(shell: InteractiveShell) -> None:
    cell(shell, "%unload_ext dpsql")
    assert shell.find_line_magic("dpsql") is shell.find_cell_magic("dpsql") is None
    cell(shell, "%load_ext dpsql")
    assert cell(shell, "%dpsql SELECT COUNT(*) AS n FROM regions").rows == ((8,),)


def test_amounts_are_kept_as_written() -> None:
    from dpsql.notebook.magic_line import split

    found, query = split("  --eps 0.10   SELECT  1 ")
    assert (found.eps, type(found.eps), query) == (Decimal("0.10"), Decimal, "SELECT  1 ")
