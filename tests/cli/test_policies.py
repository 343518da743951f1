"""The command line for owners: drafts, checks and policies, and the demo."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.cli import commands, exits
from tests.cli.running import DATA, QUERY, Runner


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
    ran = run("init", "")  # of a variable that is not set
    assert (ran.code, ran.err) == (4, "dpsql: the data cannot be found: it has no name\n")


def test_init_of_a_server_writes_no_token_into_a_file_name(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = commands.opened
    monkeypatch.setattr(commands, "opened", lambda _, **given: opened("shop.duckdb", **given))
    for url in ("sc://host:443/;use_ssl=true;token=SECRET", "spark://host:7077"):
        ran = run("init", url, "--unit", "customers.customer_id", "--force")
        assert (ran.code, "SECRET" in ran.out + ran.err) == (0, False)
        assert sorted(file.name for file in Path().glob("*.yaml")) == ["shop.yaml", "spark.yaml"]


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


def test_verify_tells_what_it_found_where_nothing_can_be_written(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.open

    def shut(path: Path, *args: object, **more: object) -> object:
        if path.name.endswith(".part"):
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", shut)  # root may write what chmod forbids
    ran = run("verify", *DATA)
    assert ran.code == 0 and "31 of 31 claims hold" in ran.out
    assert ran.out.splitlines()[-1].startswith("not recorded: ")
    assert "the verification record cannot be written: Permission denied" in ran.out


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
