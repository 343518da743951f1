"""The audit log: all that was asked, nothing private, and nothing taken out unseen."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import httpx
import pytest

import dpsql
from dpsql.cli import exits, main
from dpsql.errors import EngineError
from dpsql.serve.audit_log import FILE, AuditLog, checked
from dpsql.serve.principals import Principals, named
from dpsql.serve.refused_logins import PER_MINUTE, RefusedLogins
from tests.support.serving import Served


def test_lines_follow_each_other(tmp_path: Path) -> None:
    log, file = AuditLog(tmp_path), tmp_path / FILE
    for number in range(5):
        log.write({"action": "ask", "sql": f"line\n{number}\t'ä'"})
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert checked(file) is None and len(log.lines()) == 6
    lines = file.read_text().splitlines()
    for at in range(1, 5):
        for broken in (lines[:at] + lines[at + 1 :], [*lines[:at], lines[at + 1], *lines[at:]]):
            file.write_text("\n".join(broken) + "\n")
            assert checked(file) is not None
    said = json.loads(lines[3]) | {"sql": "another"}
    file.write_text("\n".join([*lines[:3], json.dumps(said), *lines[4:]]) + "\n")
    assert checked(file) == 5


def test_many_at_once_and_several_servers(tmp_path: Path) -> None:
    logs = [AuditLog(tmp_path) for _ in range(3)]
    threads = [
        threading.Thread(target=lambda log=log: [log.write({"n": n}) for n in range(20)])  # type: ignore[misc]
        for log in logs
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert checked(tmp_path / FILE) is None and len(logs[0].lines()) == 3 + 120


@pytest.mark.parametrize("end", ["", "\n", '{"time"', '{"time":1}\n{"x'])
def test_it_goes_on_after_a_power_cut(tmp_path: Path, end: str) -> None:
    log = AuditLog(tmp_path)
    file = tmp_path / FILE
    with file.open("a") as stream:
        stream.write(end)
    log.write({"action": "next"})
    assert json.loads(file.read_text().splitlines()[-1])["action"] == "next"


def test_long_lines(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    for size in (10, 200_000, 70_000, 5):
        log.write({"sql": ["x" * size]})
    assert checked(tmp_path / FILE) is None


def test_what_it_says_of_a_query(server: Served) -> None:
    db = server.connect("audited")
    sql = "SELECT COUNT(*) FROM people WHERE age = 17"
    answer = db.run(sql, 0.5)
    db.run(sql, 0.5)
    with pytest.raises(dpsql.Rejected):
        db.run("SELECT id FROM people", 1)
    with pytest.raises(dpsql.BudgetExceeded):
        db.run("SELECT SUM(age) FROM people", 999_999.9)
    lines = [x for x in server.service.audit.lines() if x.get("principal") == "audited"]
    told = [(x["action"], x.get("sql"), x.get("verdict"), x.get("cost")) for x in lines]
    assert told == [
        ("ask", sql, None, None),
        ("run", None, "answered", "ε = 0.5"),
        ("ask", sql, None, None),
        ("run", None, "reused", "ε = 0"),
        ("ask", "SELECT id FROM people", None, None),
        ("run", None, "DP401", None),
        ("ask", "SELECT SUM(age) FROM people", None, None),
        ("run", None, "BudgetExceeded", None),
    ]
    fields = {
        "time",
        "principal",
        "token",
        "data",
        "action",
        "sql",
        "verdict",
        "cost",
        "id",
        "after",
    }
    assert answer.rows and set().union(*lines) <= fields
    assert {x["token"] for x in lines} == {lines[0]["token"]} and lines[0]["token"]
    assert checked(server.folder / "state" / FILE) is None


def test_nothing_is_asked_that_cannot_be_noted(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = server.connect("unnoted")
    before = db.budget.spent.exact

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dpsql.serve.audit_log.os.write", full)
    with pytest.raises(EngineError, match="the audit log cannot be written"):
        db.run("SELECT COUNT(*) FROM people WHERE age = 18", 0.5)
    monkeypatch.undo()
    assert db.budget.spent.exact == before


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x1c", "\r", "\n"])
def test_no_text_hides_a_line(tmp_path: Path, end: str) -> None:
    log = AuditLog(tmp_path)
    log.write({"sql": f"SELECT 1 -- {end}1{end}"})
    assert [x.get("sql") for x in log.lines(1)] == [f"SELECT 1 -- {end}1{end}"]
    assert checked(tmp_path / FILE) is None and len(log.lines()) == 2


def test_a_line_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    log = AuditLog(tmp_path)
    with (tmp_path / FILE).open("a") as stream:
        stream.write('{"time"')
    log.write({"action": "next"})
    assert [x["action"] for x in log.lines()] == ["opened", "unreadable", "next"]


def test_a_disk_that_takes_a_part_of_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, write = AuditLog(tmp_path), os.write
    monkeypatch.setattr(
        "dpsql.serve.audit_log.os.write", lambda file, body: write(file, body[: len(body) // 2])
    )
    with pytest.raises(EngineError, match="cannot be written"):
        log.write({"action": "ask"})
    monkeypatch.undo()
    log.write({"action": "next"})
    assert checked(tmp_path / FILE) is None and len(log.lines()) == 2


def test_what_is_free_does_not_fill_the_disk(server: Served) -> None:
    file, db = server.folder / "state" / FILE, server.connect("long")
    before = file.stat().st_size
    db.explain("SELECT COUNT(*) FROM people -- " + "x" * 200_000)
    assert file.stat().st_size < before + 20_000
    db.stored("SELECT COUNT(*) FROM people", 1)
    [said] = [x for x in server.service.audit.lines() if x["action"] == "stored"]
    assert said["principal"] == "long" and said["verdict"] == "not stored"


def test_the_command_line_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who was let in and out, by which account of the machine; of a token its id alone."""
    config = tmp_path / "server.yaml"
    config.write_text("data: {shop: {data: shop.duckdb, policy: shop.yaml}}\n")

    def token(*words: str) -> str:
        assert main(["token", *words, "--config", str(config)]) == exits.OK
        return capsys.readouterr().out.strip()

    made = token("new", "anna", "--role", "service", "--cap", "eps=2", "--min-eps", "0.1")
    token("pause", "anna")
    token("resume", "anna")
    token("revoke", made)
    token("list")
    file = tmp_path / "state" / FILE
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    number = made.split("_")[1]
    assert [(x["action"], x["whom"]) for x in lines] == [
        ("token", "anna"),
        ("pause", "anna"),
        ("resume", "anna"),
        ("revoke", number),
    ]
    assert all(x["by"].startswith("a command of ") for x in lines)
    assert (lines[0]["role"], lines[0]["caps"]) == ("service", "eps=2")
    assert made not in file.read_text() and made[-43:] not in file.read_text()
    assert checked(file) is None


def test_what_cannot_be_noted_is_not_changed(tmp_path: Path) -> None:
    config = tmp_path / "server.yaml"
    config.write_text("data: {shop: {data: shop.duckdb, policy: shop.yaml}}\n")
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / FILE).mkdir()  # no file
    assert main(["token", "new", "anna", "--config", str(config)]) != exits.OK
    assert Principals(tmp_path / "state").all() == ()


@pytest.mark.parametrize(
    ("which", "found"),
    [
        ("anna@example.org", "anna@example.org"),
        ("0123456789abcdef", "0123456789abcdef"),
        ("dpsql_0123456789abcdef_" + "x" * 43, "0123456789abcdef"),
        ("dpsql_0123456789abcdef_" + "x" * 20, "0123456789abcdef"),
        ("dpsql_" + "x" * 43, ""),
        ("a b", ""),
        ("x" * 65, ""),
    ],
)
def test_no_part_of_a_token_but_its_id_is_a_name(which: str, found: str) -> None:
    assert named(which) == found


def refusals(log: AuditLog) -> list[dict[str, object]]:
    """The lines of refused logins, without their times."""
    found = (line for line in log.lines() if line["action"] == "refused login")
    return [{k: v for k, v in line.items() if k not in ("time", "after")} for line in found]


def test_a_refused_login_is_noted_without_what_was_shown(tmp_path: Path) -> None:
    people, log = Principals(tmp_path), AuditLog(tmp_path)
    people.add("anna")
    token = people.new_token("anna")
    number = token.split("_")[1]
    refused = RefusedLogins(log, people)
    for name, shown in (
        ("", token[:-1] + "x"),
        ("anna", ""),
        ("anna", "her password"),
        ("hunter2", ""),
        ("", "dpsql_0123456789abcdef_" + "y" * 43),
    ):
        refused.note("mysql", name=name, token=shown)
    start = {"action": "refused login", "protocol": "mysql"}
    anna = start | {"whom": "anna"}
    assert refusals(log) == [anna | {"token": number}, anna, anna, start, start]
    text = (tmp_path / FILE).read_text()
    assert not any(word in text for word in ("hunter2", "password", "yyy", token[-43:-1]))


def test_refused_logins_do_not_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few lines of each protocol are written, and how many there were besides."""
    log = AuditLog(tmp_path)
    refused = RefusedLogins(log, Principals(tmp_path))
    monkeypatch.setattr("dpsql.serve.request_rate.monotonic", lambda: 0.0)  # no time goes by
    for _ in range(1000):
        refused.note("http", token="x")
    refused.note("flight", token="x")
    lines = refusals(log)
    assert [line["protocol"] for line in lines] == ["http"] * PER_MINUTE + ["flight"]
    refused.close()
    assert refusals(log)[-1] == {
        "action": "refused login",
        "protocol": "http",
        "unlogged": 1000 - PER_MINUTE,
    }
    refused.close()
    assert len(refusals(log)) == PER_MINUTE + 2


def test_refused_logins_of_requests(server: Served) -> None:
    token = server.token("leaving")
    server.service.principals.revoke(token)
    shown = {"whom": "leaving", "token": token.split("_")[1]}
    headers = {"Authorization": f"Bearer {token}"}
    before = len(refusals(server.service.audit))
    assert httpx.get(f"{server.url}/v1/about").status_code == 401  # nothing was shown
    assert httpx.get(f"{server.url}/v1/about", headers=headers).status_code == 401
    said = {"action": "refused login", "protocol": "http", **shown}
    assert refusals(server.service.audit)[before:] == [said]
