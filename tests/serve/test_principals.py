"""Who may ask: tokens, caps, and what of them is kept."""

from __future__ import annotations

import re
import sqlite3
import stat
import threading
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import httpx
import pytest

import dpsql
from dpsql.cli import exits, main
from dpsql.core.account.account import Cap
from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError, InvalidArgument, InvalidBudget
from dpsql.serve.config import ServerConfig
from dpsql.serve.principals import FILE, Principals
from tests.support.serving import POLICY, Served, config, served


@pytest.fixture
def principals(tmp_path: Path) -> Principals:
    return Principals(tmp_path / "state")


def test_a_token_is_kept_as_a_hash(principals: Principals, tmp_path: Path) -> None:
    principals.add("anna", data=frozenset({"shop"}), min_eps=Fraction(1, 10))
    token = principals.new_token("anna")
    assert re.fullmatch(r"dpsql_[0-9a-f]{16}_[A-Za-z0-9_-]{43}", token)
    file = tmp_path / "state" / FILE
    assert token[-43:].encode() not in file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    found = principals.known(token)
    assert found is not None and (found.name, found.role) == ("anna", "analyst")
    assert found.may_see("shop") and not found.may_see("other")
    assert found.min_eps == Fraction(1, 10) and found.token == token[6:22]


def test_tokens_that_are_nobodys(principals: Principals) -> None:
    principals.add("anna")
    good, now = principals.new_token("anna"), datetime.now(UTC)
    late = principals.new_token("anna", now - timedelta(seconds=1))
    long = principals.new_token("anna", now + timedelta(days=1))
    gone = principals.new_token("anna")
    principals.revoke(gone[6:22])
    shown = principals.new_token("anna")
    principals.revoke(shown)  # by itself
    changed = good[:-1] + ("a" if good[-1] != "a" else "b")
    other = good[:22] + long[22:]
    for wrong in (late, gone, shown, changed, other, "", "dpsql_", good + "\n", good.upper()):
        assert principals.known(wrong) is None
    assert principals.known(good) and principals.known(long)
    principals.revoke("anna")  # all of them
    assert principals.known(good) is None and principals.known(long) is None
    with pytest.raises(InvalidArgument, match="no token"):
        principals.revoke("anna")


@pytest.mark.parametrize("name", ["", "a b", "*", "a/b", "x" * 65, "a\n", "ä", "../x", "'--"])
def test_names_that_are_none(principals: Principals, name: str) -> None:
    with pytest.raises(InvalidArgument, match="a principal's name"):
        principals.add(name)
    with pytest.raises(InvalidArgument, match="no principal"):
        principals.new_token(name)
    with pytest.raises(InvalidArgument, match="no principal"):
        principals.pause(name, True)


def test_what_is_given_changes_and_the_rest_stays(principals: Principals) -> None:
    principals.add("anna", role="owner", data=frozenset({"a"}), caps={"*": (Fraction(1), None)})
    principals.add("anna", min_eps=Fraction(1, 3))
    found = principals.named("anna")
    assert found is not None
    assert (found.role, found.data, found.min_eps) == ("owner", {"a"}, Fraction(1, 3))
    with pytest.raises(InvalidArgument, match="a role is one of"):
        principals.add("anna", role="king")


def test_caps(principals: Principals) -> None:
    principals.add("a", caps={"*": (Fraction(1, 3), None)})
    principals.add("b", caps={"shop": (Fraction(2), Fraction(1, 10**9)), "*": (Fraction(9), None)})
    principals.add("c", caps={"other": (Fraction(1), None)})
    delta = Fraction(1, 10**6)
    assert principals.caps("shop", delta) == (
        Cap("a", Cost(Fraction(1, 3), delta)),
        Cap("b", Cost(Fraction(2), Fraction(1, 10**9))),
    )


def test_a_negative_cap_is_refused_and_makes_nobody(principals: Principals) -> None:
    for cap in ((Fraction(-1), None), (Fraction(1), Fraction(-1))):
        with pytest.raises(InvalidBudget, match="negative"):
            principals.add("a", caps={"shop": cap})
    assert principals.all() == ()


@pytest.mark.parametrize(
    "wrong",
    [
        *(("--cap", f"eps={eps}") for eps in ("NaN", "-1", "0", "inf", "1e-400", "1e999999999")),
        *(("--cap", f"eps=1,delta={delta}") for delta in ("NaN", "-1e-9", "1", "1e-400")),
        *(("--min-eps", eps) for eps in ("nan", "inf", "1e-400")),
        ("--expires", "1s"),
    ],
)
def test_what_is_wrong_makes_nobody(
    wrong: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A principal with such a cap would stop the queries of all."""
    config = tmp_path / "server.yaml"
    config.write_text("data: {shop: {data: shop.duckdb, policy: shop.yaml}}\n")
    code = main(["token", "new", "anna", "--config", str(config), *wrong])
    said = capsys.readouterr()
    assert code in (exits.USAGE, exits.BUDGET) and not said.out and "itself" not in said.err
    assert main(["token", "list", "--config", str(config)]) == exits.OK
    assert not capsys.readouterr().out


def test_a_cap_by_the_month(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the server's folder it is one line; where the budget does not renew, the error has it."""
    monkeypatch.chdir(tmp_path)
    words = ["token", "new", "analyst1", "--cap", "eps=2/month"]
    assert main(words) == exits.USAGE
    assert "there is no server.yaml here: say which server by --config FILE" in (
        capsys.readouterr().err
    )
    (tmp_path / "server.yaml").write_text("data: {shop: {data: x.duckdb, policy: shop.yaml}}\n")
    policy = tmp_path / "shop.yaml"
    for renews, why in (
        ("", "the budget of shop does not renew: give --cap eps=2, which is for good"),
        (", renews: 7 days", "renews after 7 days: give --cap eps=2, which is for those"),
    ):
        policy.write_text(POLICY.replace("delta: 1e-6", f"delta: 1e-6{renews}"))
        assert main(words) == exits.USAGE
        said = capsys.readouterr().err
        assert f"{why}; or write budget: {{renews: 28 days}} in {policy}" in said
    assert Principals(tmp_path / "state").all() == ()
    assert main([*words[:-1], "eps=2"]) == exits.OK  # as the error says
    policy.write_text(POLICY.replace("delta: 1e-6", "delta: 1e-6, renews: 28 days"))  # likewise
    assert main(words) == exits.OK
    assert Principals(tmp_path / "state").given("analyst1") == {"*": (Fraction(2), None)}


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("no database, and long enough to be looked at as one" * 20)
    with pytest.raises(EngineError, match="principals"):
        Principals(tmp_path)
    (tmp_path / "x").write_text("")
    with pytest.raises(EngineError, match="cannot be used"):
        Principals(tmp_path / "x" / "y")


def test_a_file_that_is_lost_meanwhile(principals: Principals, tmp_path: Path) -> None:
    principals.add("anna")
    token = principals.new_token("anna")
    with sqlite3.connect(tmp_path / "state" / FILE) as connection:
        connection.execute("DROP TABLE token")
    with pytest.raises(EngineError, match="cannot be read"):
        principals.known(token)


def test_a_cap_binds_at_once_and_by_the_ledger(server: Served) -> None:
    """It is the principal's, whatever token is shown; and others are not bound by it."""
    caps = {"shop": (Fraction(1), None)}
    first = server.connect("capped", caps=caps)
    second, other = server.connect("capped"), server.connect("free")
    first.run("SELECT COUNT(*) FROM people WHERE age < 11", Fraction(2, 3))
    with pytest.raises(dpsql.BudgetExceeded, match="the cap of capped"):
        second.run("SELECT COUNT(*) FROM people WHERE age < 12", Fraction(1, 2))
    [cap] = second.budget.caps_of("capped")
    assert cap.left.exact.eps == Fraction(1, 3) and other.budget.caps == ()
    second.run("SELECT COUNT(*) FROM people WHERE age < 12", Fraction(1, 3))
    other.run("SELECT COUNT(*) FROM people WHERE age < 13", 3)
    server.service.principals.add("capped", caps={"shop": (Fraction(2), None)})
    first.run("SELECT COUNT(*) FROM people WHERE age < 14", Fraction(1, 2))


def test_the_least_eps_and_a_pause(server: Served) -> None:
    db = server.connect("slow", min_eps=Fraction(1, 2))
    for asked in (
        lambda: db.run("SELECT COUNT(*) FROM people", 0.1),
        lambda: db.run_batch("-- eps: 0.1\nSELECT COUNT(*) FROM people; SELECT 1 FROM towns", 1),
    ):
        with pytest.raises(dpsql.InvalidBudget, match=r"the least ε that you may ask for is 0\.5"):
            asked()
    server.service.principals.pause("slow", True)
    assert db.explain("SELECT COUNT(*) FROM people").cost.eps == 1
    with pytest.raises(dpsql.AccessDenied, match="paused"):
        db.run("SELECT COUNT(*) FROM people", 1)
    server.service.principals.pause("slow", False)
    assert db.run("SELECT COUNT(*) FROM people", 1).rows


def test_the_eps_of_a_query_that_names_none(tmp_path: Path) -> None:
    """The principal's own, as it was made or as the configuration has it; else it is an error."""
    listed = {"cora": {"default_eps": "1/3"}, "dora": {"default_eps": 0.5}}
    with served(config(tmp_path, principals=listed)) as server:
        asked = {"sql": "SELECT COUNT(*) AS n FROM people WHERE age < 31"}

        def said(name: str, path: str, **more: object) -> httpx.Response:
            url, headers = f"{server.url}/v1/data/shop/{path}", server.headers(name)
            return httpx.post(url, json=asked | more, headers=headers, timeout=60)

        found = said("anna", "run")
        assert found.status_code == 400 and 'give "eps"' in found.json()["error"]["text"]
        assert said("anna", "explain").json()["cost"]["eps"] == 1
        server.service.principals.add("dora", default_eps=Fraction(1, 4))
        for name, eps in (("cora", 1 / 3), ("dora", 0.25)):
            assert said(name, "explain").json()["cost"]["eps"] == pytest.approx(eps)
            found = said(name, "run", fresh=True)
            assert found.json()["answer"]["cost"]["eps"] == pytest.approx(eps)
            assert said(name, "run", eps=0.75, fresh=True).json()["answer"]["cost"]["eps"] == 0.75
        batch = {"queries": "SELECT COUNT(*) FROM people WHERE age < 32", "sql": ""}
        assert said("dora", "batch", **batch).json()["answer"][0]["cost"]["eps"] == 0.25
        server.service.principals.add("dora", default_eps=Fraction(0))
        assert said("dora", "explain").json()["cost"]["eps"] == 0.5


def test_the_default_eps_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "server.yaml"
    file.write_text("data: {shop: {data: shop.duckdb, policy: shop.yaml}}\n")

    def token(*words: str) -> str:
        assert main(["token", *words, "--config", str(file)]) == exits.OK
        return capsys.readouterr().out

    token("new", "anna", "--default-eps", "1/8")
    assert "anna: analyst; all data; ε = 0.125 if unsaid\n" in token("list")
    token("new", "anna")
    assert "0.125" in token("list")
    token("new", "anna", "--default-eps", "0")
    assert "unsaid" not in token("list")


def test_a_principal_may_have_a_pace_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fewer or more requests than the server lets others have, whichever token is shown."""
    monkeypatch.setattr("dpsql.serve.request_rate.monotonic", lambda: 0.0)  # no time goes by
    listed = {"slow": {"requests_per_minute": 2}, "busy": {"requests_per_minute": 1000}}
    limits = {"requests_per_minute": 4}
    with served(config(tmp_path, principals=listed, limits=limits)) as server:

        def heard(name: str, times: int) -> list[int]:
            url = f"{server.url}/v1/about"
            return [httpx.get(url, headers=server.headers(name)).status_code for _ in range(times)]

        assert heard("slow", 3) == [200, 200, 429]
        assert heard("anna", 5) == [200] * 4 + [429]
        assert heard("busy", 8) == [200] * 8


@pytest.mark.parametrize(
    "part", ["{default_eps: 0}", "{requests_per_minute: 0}", "{default_eps: x}", "{eps: 1}"]
)
def test_principals_of_the_configuration_that_are_none(tmp_path: Path, part: str) -> None:
    file = tmp_path / "server.yaml"
    start = "data: {shop: {data: shop.duckdb, policy: shop.yaml}}\nprincipals:\n"
    file.write_text(f"{start}  a@example.org: {{default_eps: 1/3}}\n")
    assert ServerConfig.load(file).principals["a@example.org"].eps == Fraction(1, 3)
    file.write_text(f"{start}  a@example.org: {part}\n")
    with pytest.raises(dpsql.PolicyError, match=r"principals\.a@example\.org"):
        ServerConfig.load(file)


def test_explain_says_what_would_be_refused(server: Served) -> None:
    """Beyond a cap, below the least ε, of one who is paused: as `run` says it; and it is free."""
    people, sql = server.service.principals, "SELECT COUNT(*) AS n FROM people WHERE age < 77"
    db = server.connect("bound", caps={"shop": (Fraction(2), None)}, min_eps=Fraction(1, 2))
    url, headers = f"{server.url}/v1/data/shop/explain", server.headers("bound")

    def said(eps: float) -> tuple[bool, str | None]:
        ledger = db.explain(sql, eps).ledger
        assert ledger is not None
        asked = {"sql": sql, "eps": eps}
        told = httpx.post(url, json=asked, headers=headers, timeout=60).json()["ledger"]
        assert (told["fits"], told["refused"]) == (ledger.fits, ledger.refused)
        return ledger.fits, ledger.refused

    def refused(eps: float) -> str:
        with pytest.raises((dpsql.BudgetExceeded, dpsql.InvalidBudget, dpsql.AccessDenied)) as it:
            db.run(sql, eps)
        return str(it.value)

    assert said(1) == (True, None)
    for eps in (3, 0.25):
        assert said(eps) == (False, refused(eps))
    assert "the cap of bound" in refused(3) and "the least ε" in refused(0.25)
    people.pause("bound", True)
    assert said(1) == (False, refused(1))
    people.pause("bound", False)
    people.add("bound", caps={"shop": (Fraction(1, 2), None)})
    assert said(1) == (False, refused(1))
    fit = "SELECT dp_decision_tree(cost, [cost / 2], depth := 1) FROM visits"
    people.add("bound", caps={"shop": None})
    ledger = db.explain(fit, 0.6).ledger
    assert ledger is not None and ledger.refused is not None
    with pytest.raises(dpsql.InvalidBudget, match="belong together") as it:
        db.run(fit, 0.6)
    assert ledger.refused == str(it.value)
    assert db.budget.history == ()


def test_data_of_others_is_not_there(server: Served) -> None:
    with pytest.raises(dpsql.AccessDenied, match="no such data set, or it is not yours"):
        dpsql.connect(
            f"{server.url}/shop", token=server.token("stranger", data=frozenset({"nothing"}))
        )


def test_a_revoked_token_ends_what_is_open(server: Served) -> None:
    token = server.token("leaver")
    db = dpsql.connect(f"{server.url}/shop", token=token)
    server.service.principals.revoke(token)
    with pytest.raises(dpsql.AccessDenied, match="revoked"):
        db.run("SELECT COUNT(*) FROM people", 1)


def test_a_cap_of_one_data_set_leaves_that_of_another(principals: Principals) -> None:
    principals.add("a", caps={"shop": (Fraction(1), Fraction(0))})
    principals.add("a", caps={"other": (Fraction(2), None)})
    assert principals.caps("shop", Fraction(1)) == (Cap("a", Cost(Fraction(1))),)


def test_a_cap_does_not_lift_the_policys(tmp_path: Path) -> None:
    budget = "budget: {eps: 1000, delta: 1e-6, caps: {'*': {eps: 1}}}"
    policy = POLICY.replace("budget: {eps: 1000000, delta: 1e-6}", budget)
    with served(config(tmp_path, policy)) as server:
        db = server.connect("anna", caps={"shop": (Fraction(5), None)})
        with pytest.raises(dpsql.BudgetExceeded, match=r"the cap of \*"):
            db.run("SELECT COUNT(*) FROM people", 3)
        db.run("SELECT COUNT(*) FROM people", 1)
        assert [(c.name, c.left.exact.eps) for c in db.budget.caps_of("anna")] == [
            ("*", 0),
            ("anna", 4),
        ]


@pytest.mark.parametrize("ended", ["paused", "revoked", "capped", "barred"])
def test_what_waits_is_asked_by_whoever_it_is_then(server: Served, ended: str) -> None:
    """A pause is what stops spending, of what waits too."""
    name, held, service = f"waits-{ended}", threading.Event(), server.service
    headers = server.headers(name)
    for n in range(service.config.limits.running):
        service.queue.ask(f"other {n}", held.wait)
    asked = {"sql": "SELECT COUNT(*) FROM people WHERE age > 3", "eps": 2, "id": "f" * 32}
    path = f"{server.url}/v1/data/shop"
    found = httpx.post(f"{path}/run", headers=headers, json=asked | {"wait": 0})
    assert found.status_code == 202
    if ended == "paused":
        service.principals.pause(name, True)
    elif ended == "revoked":
        service.principals.revoke(name)
    elif ended == "capped":
        service.principals.add(name, caps={"shop": (Fraction(1), None)})
    else:
        service.principals.add(name, data=frozenset({"other"}))
    held.set()
    waited = service.asked.find(name, "shop", "f" * 32)
    assert waited is not None
    kind = dpsql.BudgetExceeded if ended == "capped" else dpsql.AccessDenied
    assert isinstance(waited.future.exception(60), kind)
