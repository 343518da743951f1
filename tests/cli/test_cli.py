"""The command line: what goes where, in which format, with which exit code."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql import demo
from dpsql.cli import commands, exits, main

QUERY = "SELECT channel, COUNT(*) AS n, AVG(shipping) AS mean FROM orders GROUP BY channel"
DATA = ["shop.duckdb", "--policy", "shop.yaml"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    demo.save(folder)
    return folder


@pytest.fixture
def shop(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the demo's files, as the current one."""
    for name in (demo.DATABASE_FILE, demo.POLICY_FILE):
        (tmp_path / name).write_bytes((saved / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DPSQL_DATABASE", raising=False)
    monkeypatch.delenv("DPSQL_POLICY", raising=False)
    dpsql.use(None)
    yield tmp_path
    dpsql.use(None)


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def run(shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    return Runner(capsys, monkeypatch)


@dataclass(frozen=True)
class Runner:
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *words: str, stdin: str = "") -> Ran:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            code = main(words)
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        assert "\x1b" not in out + err
        return Ran(code, out, err)


# --- queries -------------------------------------------------------------------------------------


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


# --- policies ------------------------------------------------------------------------------------


def test_init(run: Runner) -> None:
    ran = run("init", "shop.duckdb", "-o", "draft.yaml", "--unit", "customers.customer_id")
    assert (ran.code, ran.out) == (0, "")
    assert "wrote draft.yaml and dpsql.schema.json" in ran.err
    text = Path("draft.yaml").read_text()
    assert text.startswith("# yaml-language-server: $schema=dpsql.schema.json\n")
    assert 'quantity: {type: "INTEGER", bounds: [1, 8]' in text
    dpsql.Policy.load("draft.yaml")
    assert json.loads(Path("dpsql.schema.json").read_text())["title"] == "Policy"
    assert run("init", "shop.duckdb", "-o", "draft.yaml").code == exits.POLICY
    assert run("init", "shop.duckdb", "-o", "draft.yaml", "--force").code == 0
    assert run("init", "shop.duckdb", "-o", "-").out.startswith("# yaml-language-server")
    # By default the policy has the data's name; here it is there already.
    ran = run("init", "shop.duckdb")
    assert (ran.code, ran.err) == (4, "dpsql: shop.yaml: is there already; --force overwrites it\n")
    assert run("init", "shop.duckdb", "--unit", "orders.nothing").code == exits.POLICY
    assert run("init", "nothing.duckdb").code == exits.POLICY


def test_init_asks_on_a_terminal(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "_terminal", lambda: True)
    said = iter(["", "3", "orders.order_id", "nothing"])
    monkeypatch.setattr("builtins.input", lambda: next(said))
    for unit in ("customers.customer_id", "orders.order_id", "orders.order_id"):
        ran = run("init", "shop.duckdb", "-o", "-")
        assert "Who is to be protected?\n  1  customers.customer_id\n" in ran.err
        assert f"\nunit: {unit}\n" in ran.out and "A GUESS" not in ran.out
    assert run("init", "shop.duckdb", "-o", "-").code == exits.POLICY
    ran = run("init", "shop.duckdb", "-o", "-", "--unit", "orders")
    assert "Who" not in ran.err


def test_init_reads_data_where_the_owner_says_so(run: Runner) -> None:
    assert "from the data:" not in run("init", "shop.duckdb", "-o", "-").out
    ran = run("init", "shop.duckdb", "-o", "r.yaml", "--read-data")
    assert ran.code == 0
    assert "max_rows: 50}   # from the data: confirm" in Path("r.yaml").read_text()
    assert run("verify", "shop.duckdb", "--policy", "r.yaml").code == 0


def test_init_asks_the_data_with_noise(run: Runner) -> None:
    with duckdb.connect("small.duckdb") as made:
        made.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, town VARCHAR)")
        made.execute("INSERT INTO people SELECT i, 'Graz' FROM range(1000) r(i)")
    unit = ("--unit", "people.id")
    assert run("init", "small.duckdb", "-o", "-", "--eps", "1/2").code == exits.USAGE
    ran = run("init", "small.duckdb", "-o", "n.yaml", "--eps", "1/2", *unit)
    assert ran.code == 0 and "# from the data, with noise: check it" in Path("n.yaml").read_text()
    left = run("budget", "small.duckdb", "--policy", "n.yaml").out.splitlines()[0]
    assert left == "budget      ε = 1, δ = 1e-6 left of ε = 1.5, δ = 2e-6"
    both = run("init", "small.duckdb", "-o", "-", "--eps", "1", "--read-data")
    assert both.code == exits.USAGE and both.err.startswith("dpsql: --read-data is without noise")
    assert run("init", "small.duckdb", "-o", "-", "--eps", "nan", *unit).code == exits.BUDGET


def test_the_draft_of_init_opens(run: Runner) -> None:
    run("init", "shop.duckdb", "-o", "draft.yaml")
    ran = run("run", "shop.duckdb", "--policy", "draft.yaml", "--eps", "1", "--format", "csv")
    assert ran.code == exits.REJECTED  # stdin is empty
    ran = run(
        *("run", "shop.duckdb", "--policy", "draft.yaml", "--eps", "1", "--format", "csv"),
        "SELECT segment, COUNT(*) AS n FROM customers GROUP BY segment",
    )
    assert [line.split(",")[0] for line in ran.out.splitlines()[1:]] == [
        *("private", "business", "public")
    ]


def test_check(run: Runner) -> None:
    assert run("check", "shop.yaml").code == exits.OK
    assert run("check", "shop.yaml", "shop.duckdb").code == exits.OK
    Path("shop.yaml").write_text(Path("shop.yaml").read_text().replace("eps: 10", "eps: 30"))
    ran = run("check", "shop.yaml", "--format", "json")
    assert ran.code == exits.POLICY
    assert json.loads(ran.out)["remarks"][0]["rule"] == "large-epsilon"
    assert run("check", "none.yaml").code == exits.POLICY
    assert run("check", "shop.yaml", "none.duckdb").code == exits.POLICY


@pytest.mark.parametrize("form", ["text", "json", "html", "mermaid"])
def test_policy_show(run: Runner, form: str) -> None:
    for data in ([], ["shop.duckdb"]):
        ran = run("policy", "show", "shop.yaml", *data, "--format", form)
        assert ran.code == exits.OK and "order_lines" in ran.out and "40 rows each" in ran.out
    assert run("policy", "show", "none.yaml").code == exits.POLICY
    assert run("policy", "draw", "shop.yaml").code == exits.USAGE


def test_policy_export_and_import(run: Runner) -> None:
    for data in ([], ["shop.duckdb"]):
        ran = run("policy", "export", "shop.yaml", *data)
        assert ran.code == exits.OK and "privacy_unit: customers.customer_id\n" in ran.out
    Path("m.json").write_text(
        '{"url": "t.csv", "tableSchema": {"columns": [{"name": "id", "datatype": "int"}]}}'
    )
    ran = run("policy", "import", "m.json", "--unit", "t.id")
    assert ran.code == exits.OK and "unit: t.id\n" in ran.out
    Path("m.yaml").write_text("a: {b: {t: {p: {type: int, private_id: True}}}}")
    ran = run("policy", "import", "m.yaml")
    assert ran.code == exits.OK and "owner: p\n" in ran.out
    for name in ("none.yaml", "shop.duckdb", "shop.yaml"):
        assert run("policy", "import", name).code == exits.POLICY


def test_verify(run: Runner) -> None:
    ran = run("verify", *DATA)
    assert ran.code == 0
    assert "holds  orders.customer_id: at most 40 rows share a value\n" in ran.out
    assert "holds  order_lines.order_id: leads to a unit in every row\n" in ran.out
    assert ran.out.splitlines()[-1].startswith("recorded: ")
    assert "proven" in run("explain", *DATA, "SELECT COUNT(*) FROM order_lines").out


def test_verify_finds_what_is_not_so(run: Runner) -> None:
    text = Path("shop.yaml").read_text().replace("max_rows: 40", "max_rows: 30")
    text = text.replace("bounds: [0, 20]", "bounds: [0, 14]")
    Path("shop.yaml").write_text(text)
    ran = run("verify", *DATA)
    assert ran.code == exits.POLICY
    assert "FAILS  orders.customer_id: at most 30 rows share a value; not so for " in ran.out
    assert "FAILS  orders.shipping: from 0 to 14; not so for " in ran.out
    assert "29 of 31 claims hold" in ran.out
    assert "--into FOLDER writes a\ncopy in which all is proven" in ran.out
    # What holds is recorded, what fails is not.
    assert "enforced per unit" in run("explain", *DATA, "SELECT COUNT(*) FROM orders").out
    lines = run("explain", *DATA, "SELECT SUM(quantity) FROM order_lines").out
    assert "quantity in [1, 8], proven" in lines


def test_verify_tells_cuts_apart(run: Runner) -> None:
    text = Path("shop.yaml").read_text().replace("max_rows: 40", "clip_rows: 30")
    Path("shop.yaml").write_text(text.replace("bounds: [0, 20]", "clip: [0, 14]"))
    ran = run("verify", *DATA)
    assert ran.code == 0
    assert re.search(
        "cuts   orders.customer_id: at most 30 rows .*; [1-9].* values beyond", ran.out
    )
    assert re.search("cuts   orders.shipping: from 0 to 14; [1-9].* rows beyond\n", ran.out)
    assert "29 of 29 claims hold; 2 cuts\nrecorded: " in ran.out


def test_verify_refuses_keys_that_are_none(run: Runner) -> None:
    text = Path("shop.yaml").read_text().replace("key: [region_id]", "key: [country]")
    Path("shop.yaml").write_text(text.replace("references: regions.region_id, ", ""))
    ran = run("explain", *DATA, QUERY)
    assert ran.code == exits.POLICY
    assert "shop.yaml:" in ran.err and "is no key" in ran.err


def test_verify_tells_all_that_is_false_at_once(run: Runner) -> None:
    text = Path("shop.yaml").read_text().replace("key: [region_id]", "key: [country]")
    text = text.replace("references: regions.region_id, ", "").replace("[0, 20]", "[0, 14]")
    Path("shop.yaml").write_text(text.replace("key: [order_id]", "key: [customer_id]"))
    ran = run("verify", *DATA)
    assert ran.code == exits.POLICY
    assert "FAILS  regions.country: a key, no two rows share it, never NULL; not so for " in ran.out
    assert "FAILS  orders.shipping: from 0 to 14; not so for " in ran.out
    assert "not recorded: the data does not open under a policy with a key that is none" in ran.out


# --- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["run", *DATA, "--eps", "1", "SELECT email FROM customers"], 3, "dpsql: DP401: "),
        (["explain", *DATA, "SELECT FROM WHERE"], 3, "dpsql: DP101: "),
        (["run", *DATA, "--eps", "0", QUERY], 5, "dpsql: ε must be positive, not 0; ε = 10"),
        (["run", *DATA, "--eps", "nan", QUERY], 5, "dpsql: ε must be"),
        (["run", *DATA, "--eps", "11", QUERY], 5, "dpsql: the query asks for ε = 11; ε = 10"),
        (["run", "nothing.duckdb", "--policy", "shop.yaml", "--eps", "1", QUERY], 4, "no such"),
        (["run", "shop.duckdb", "--policy", "none.yaml", "--eps", "1", QUERY], 4, "none.yaml: "),
        (["run", *DATA, "--eps", "x", QUERY], 2, "'x' is no number"),
        (["run", *DATA, "--eps", "1/0", QUERY], 2, "'1/0' is no number"),
        (["run", *DATA, QUERY], 2, "required: --eps"),
        (["run", "--eps", "1", "shop.duckdb", QUERY], 2, "shop.duckdb needs its policy"),
        (["run", "--eps", "1", "--policy", "shop.yaml", QUERY], 2, "--policy needs DATA"),
        (["explain", "shop.duckdb", QUERY], 2, "shop.duckdb needs its policy"),
        (["run", *DATA, "--eps", "1", "SELECT", "COUNT(*)"], 2, "quote the query as one"),
        (["run", *DATA, "--eps", "1", "-f", "none.sql"], 2, "cannot read the query from none.sql"),
        (["run", *DATA, "--eps", "1", "-f", "shop.duckdb"], 2, "not UTF-8 text"),
        (["run", *DATA, "--eps", "1", "-f", "a.sql", "--format", "xml"], 2, "invalid choice"),
        (["run", *DATA, "--eps", "1", "-f", "a.sql", QUERY], 2, "the query is given twice"),
        (["run", *DATA, "--ep", "1", QUERY], 2, "--ep"),
        (["sing"], 2, "invalid choice: 'sing'"),
        ([], 2, "required: COMMAND"),
        (["demo", "--save", "."], 4, "is there already; nothing was written"),
        (["run", "--log", "/", *DATA, "--eps", "1", QUERY], 2, "cannot write the log /"),
    ],
)
def test_exit_codes(run: Runner, words: list[str], code: int, message: str) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_an_unexpected_error_shows_its_report_alone(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("Ms Smith")

    monkeypatch.setattr(dpsql.Database, "run", fail)
    words = ("run", "--log", "owner.log", *DATA, "--eps", "1", QUERY)
    ran = run(*words)
    assert ran.code == exits.INTERNAL
    said = r"dpsql: dpsql itself failed; what was charged stays charged; the owner's log has "
    found = re.fullmatch(said + r"report (\w{8})\n", ran.err)
    assert found is not None
    written = Path("owner.log").read_text()
    assert "Ms Smith" in written and found[1] in written
    assert Path("owner.log").stat().st_mode & 0o777 == 0o600


def test_interrupted(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dpsql.Database, "run", interrupt)
    ran = run("run", *DATA, "--eps", "1", QUERY)
    assert (ran.code, ran.out, ran.err) == (130, "", "dpsql: interrupted\n")


def test_help_and_version(run: Runner) -> None:
    assert run("--version").out == f"dpsql {version('dpsql')}\n"
    text = run("--help").out
    assert exits.HELP in text
    for command in ("demo", "init", "verify", "explain", "run", "budget"):
        assert f"    {command} " in text
        assert exits.HELP in run(command, "--help").out
    codes = {exits.OK, exits.INTERNAL, exits.USAGE, exits.REJECTED, exits.POLICY, exits.BUDGET}
    codes |= {exits.LEDGER, exits.AUDIT, exits.INTERRUPTED, exits.BROKEN_PIPE, exits.TERMINATED}
    assert {int(line.split()[0]) for line in exits.HELP.splitlines()[1:]} == codes


def test_demo(run: Runner) -> None:
    ran = run("demo")
    assert (ran.code, ran.err) == (0, "")
    assert "released: costs ε = 0.5" in ran.out
    assert "Islands" in ran.out
    assert "DP401" in ran.out and "^^^^" in ran.out and "help: " in ran.out
    assert ran.out.count("ε = 9.5, δ = 1e-6 left of ε = 10, δ = 1e-6.") == 2


def test_demo_save(run: Runner) -> None:
    ran = run("demo", "--save", "new/shop")
    assert ran.code == 0
    assert Path("new/shop/shop.duckdb").exists()
    dpsql.Policy.load("new/shop/shop.yaml")


# --- as a process --------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "dpsql"]


def environment(**more: str) -> dict[str, str]:
    root = str(Path(dpsql.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": root, **more}


def test_a_reader_that_leaves_is_no_error(shop: Path) -> None:
    script = f"{' '.join(COMMAND)} run {' '.join(DATA)} --eps 1 --format csv "
    script += "'SELECT a.product FROM products a, products b, "
    script += "(SELECT 1 FROM products LIMIT 40) c' | head -n 1; "
    script += 'echo "${PIPESTATUS[0]}"'
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, env=environment()
    )
    assert done.stdout == f"product\n{exits.BROKEN_PIPE}\n"
    assert done.stderr in ("", "cost ε = 0; ε = 10, δ = 1e-6 left of ε = 10, δ = 1e-6\n")


def test_control_c(shop: Path) -> None:
    # Eight of each category, 12 times over: few enough, as far as can be told beforehand.
    joins = "".join(f" JOIN products p{n} USING (category)" for n in range(12))
    query = f"SELECT COUNT(*) FROM products{joins}"
    process = subprocess.Popen(
        [
            *COMMAND,
            "run",
            *DATA,
            "--log",
            "owner.log",
            "--eps",
            "1",
            query,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        # A shell starts background jobs with SIGINT ignored, and they pass that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not (shop / "owner.log").exists() and time.monotonic() < deadline:
        time.sleep(0.1)  # the log is opened as soon as the command begins
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "dpsql: interrupted\n")


def test_core_install_on_a_terminal_without_unicode(shop: Path) -> None:
    """The command needs no optional library."""
    script = (
        "import sys\n"
        "for name in ('pyarrow', 'pandas', 'polars', 'numpy'): sys.modules[name] = None\n"
        "from dpsql.cli import main\n"
        f"main(['explain', *{DATA!r}, {QUERY!r}])\n"
        f"sys.exit(main(['run', *{DATA!r}, '--eps', '1', '--format', 'csv', {QUERY!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=environment(PYTHONIOENCODING="ascii"),
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("released: costs \\u03b5 = 1;")
    assert "\nchannel,n,mean\nweb," in done.stdout


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
