"""Data on a PostgreSQL server as users meet them: roles, failures, command line, passwords."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import dpsql
from dpsql import default
from dpsql.__main__ import main
from dpsql.errors import PolicyError
from tests.support.on_a_server import PEOPLE, POLICY, do


def test_nothing_is_copied_where_no_ledger_is_named(url: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="data on a server have their ledger where you say"):
        dpsql.connect(url, "not a policy", temp_directory=tmp_path)


def role(url: str, rights: str) -> str:
    do(url, f"DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; {rights}")
    return url.replace("dpsql@", "reader@")


def test_a_role_that_may_only_read(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    grant = "GRANT USAGE ON SCHEMA clinic TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA "
    reader = role(url, f"{grant} public TO reader; GRANT SELECT ON clinic.visits TO reader")
    with dpsql.connect(reader, POLICY, ledger=tmp_path / "ledger") as db:
        assert db.run("SELECT COUNT(*) FROM people", 1e4).rows == ((200,),)
    do(url, "REVOKE SELECT ON people FROM reader; GRANT SELECT (id) ON people TO reader")
    with dpsql.connect(reader, POLICY, ledger=tmp_path / "ledger") as db:
        assert db.tables["people"] == ("id",)
    do(url, "REVOKE ALL ON people FROM reader")
    with pytest.raises(PolicyError, match="this user may read none of its columns"):
        dpsql.connect(reader, POLICY, ledger=tmp_path / "ledger")
    do(url, "DROP OWNED BY reader; DROP ROLE reader")


def test_a_part_of_the_rows_is_refused(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    reader = role(url, "GRANT SELECT ON people TO reader")
    do(url, "ALTER TABLE people ENABLE ROW LEVEL SECURITY")
    do(url, "CREATE POLICY part ON people USING (id < 5)")
    small = POLICY[: POLICY.index("  clinic")]
    with pytest.raises(PolicyError, match="all of their rows in spite of row-level security"):
        dpsql.connect(reader, small, ledger=tmp_path / "ledger")
    do(url, "DROP OWNED BY reader; DROP ROLE reader")


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (
            "postgresql://nobody:s3cret@localhost:1/x",
            "no server is there, or no such database, or it is not open to this user",
        ),
        (
            "postgresql://nobody:s3cret@localhost:notaport/x",
            "no server is there, or no such database, or it is not open to this user",
        ),
        ("missing", "no server is there, or no such database, or it is not open to this user"),
    ],
)
def test_what_cannot_be_opened(bad: str, words: str, url: str, tmp_path: Path) -> None:
    target = bad if "://" in bad else url.rpartition("/test_")[0] + "/missing?" + url.split("?")[1]
    with pytest.raises(PolicyError, match=words) as caught:
        dpsql.connect(target, POLICY, ledger=tmp_path / "ledger")
    assert "s3cret" not in str(caught.value) + repr(caught.value.args)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_no_value_of_a_row_is_told(url: str, tmp_path: Path) -> None:
    do(url, "CREATE TABLE people (id bigint, x float8)")
    do(url, "INSERT INTO people VALUES (1, 4711.5)")
    text = "unit: people.id\nbudget: {eps: 1}\ntables: {people: {access: private, columns: {}}}"
    long = "ALTER TABLE people ADD note text; UPDATE people SET note = repeat('s3cret', 3000000)"
    do(url, long)
    with pytest.raises(
        PolicyError,
        match="people: its rows cannot be read, as where one has more than 16,000,000 bytes",
    ) as c:
        dpsql.connect(url, text, ledger=tmp_path / "ledger")
    assert "s3cret" not in repr(c.value) and c.value.__context__ is None


def test_answers_are_those_of_the_server(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    queries = (
        "SELECT SUM(cost), COUNT(*) FROM clinic.visits",
        "SELECT town, COUNT(*) FROM people WHERE mood = 'ok' AND town IS NOT NULL GROUP BY town",
        "SELECT COUNT(*) FROM people JOIN clinic.visits v ON people.id = person WHERE age > 50",
    )
    with dpsql.connect(url, POLICY, ledger=tmp_path / "ledger") as db:
        for query in queries:
            found = {tuple(map(_whole, row)) for row in db.run(query, 1e4).rows}
            assert found == {tuple(row) for row in do(url, query)}
        explained = str(db.explain("SELECT SUM(cost) FROM clinic.visits", 1))
        assert "because cost in [0, 50], proven" in explained


def _whole(value: object) -> object:
    return round(value) if isinstance(value, int | float) else value


def test_the_command_line(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    do(url, PEOPLE)
    policy, ledger = tmp_path / "shop.yaml", str(tmp_path / "ledger")
    policy.write_text(POLICY)
    where = (url, "--policy", str(policy))
    assert main(["init", url, "--unit", "people.id", "-o", "-"]) == 0
    assert "bounds: [0, 120], nullable: false" in capsys.readouterr().out
    count = "SELECT COUNT(*) FROM people"
    assert main(["explain", *where, count]) == 0
    assert main(["run", *where, "--eps", "1", count]) == 4
    assert "data on a server have their ledger where you say" in capsys.readouterr().err
    assert main(["run", *where, "--ledger", ledger, "--eps", "1", count]) == 0
    assert main(["budget", *where]) == 4
    assert main(["budget", *where, "--ledger", ledger]) == 0
    assert "charges     1," in capsys.readouterr().out
    assert main(["init", url, "--eps", "1", "--unit", "people.id", "-o", "-"]) == 2
    copy = str(tmp_path / "copy")
    assert main(["prepare", *where, "--into", copy, "--ledger", ledger]) == 0
    assert main(["run", copy, "--policy", str(policy), "--eps", "1", count]) == 0
    assert main(["budget", copy, "--policy", str(policy)]) == 0
    assert "charges     2," in capsys.readouterr().out


def test_a_draft_has_what_the_server_says(
    url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    do(url, PEOPLE)
    do(url, r"COMMENT ON TABLE people IS E'who came\nto us'")
    do(url, "COMMENT ON COLUMN people.age IS 'in years'")
    assert main(["init", url, "--unit", "people.id", "-o", "-"]) == 0
    drafted = capsys.readouterr().out
    assert "\n  # who came to us\n  people:" in drafted
    assert "\n      # in years\n      age:" in drafted
    with dpsql.connect(url, POLICY, ledger=tmp_path / "ledger", in_place=True) as db:
        do(url, "COMMENT ON TABLE people IS 'anybody'")
        db.run("SELECT COUNT(*) FROM people", 1)  # no table is another one for that


def test_temporary_files_go(url: str, tmp_path: Path) -> None:
    do(url, PEOPLE)
    with dpsql.connect(url, POLICY, ledger=tmp_path / "l", temp_directory=tmp_path) as db:
        assert not list(tmp_path.rglob("*.csv"))
        assert list(tmp_path.rglob("server.duckdb"))
        db.run("SELECT COUNT(*) FROM people", 1)
    assert not list(tmp_path.rglob("server.duckdb"))
    shutil.rmtree(tmp_path / "copy", ignore_errors=True)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "POSTGRESQL"])
@pytest.mark.parametrize(
    "words",
    [
        ("run", "URL", "--eps", "1", "SELECT COUNT(*) FROM people"),
        ("run", "URL", "--policy", "POLICY", "--eps", "1", "SELECT COUNT(*) FROM people"),
        ("explain", "URL", "SELECT COUNT(*) FROM people"),
        ("budget", "URL"),
        ("budget", "URL", "acknowledge", "--policy", "POLICY", "--ledger", "l"),
        ("init", "URL"),
        ("verify", "URL", "--policy", "POLICY"),
        ("prepare", "URL", "--policy", "POLICY", "--into", "copy"),
        ("policy", "show", "POLICY", "URL"),
    ],
)
def test_no_password_is_shown(
    words: tuple[str, ...],
    scheme: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "POLICY").write_text(POLICY)
    bad = f"{scheme}://me:s3cret@127.0.0.1:1/x"
    with suppress(SystemExit):
        assert main([bad if word == "URL" else word for word in words]) != 0
    assert "s3cret" not in "".join(capsys.readouterr())


def test_what_the_owner_is_to_type_has_no_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    do(url, PEOPLE)
    monkeypatch.chdir(tmp_path)
    policy, ledger, count = tmp_path / "p.yaml", "ledger", "SELECT COUNT(*) FROM people"
    policy.write_text(POLICY)
    secret = url.replace("dpsql@", "dpsql:s3cret@")
    assert main(["init", secret, "--unit", "people.id"]) == 0
    words = ("run", secret, "--policy", str(policy), "--ledger", ledger, "--eps", "1", count)
    assert main(list(words)) == 0
    policy.write_text(POLICY.replace("unit: people.id", "neighbours: replace\nunit: people.id"))
    assert main(list(words)) == 6
    monkeypatch.setenv("DPSQL_DATABASE", secret)
    monkeypatch.setenv("DPSQL_POLICY", str(policy))
    assert main(["budget", "--ledger", ledger]) == 6
    told = "".join(capsys.readouterr())
    assert "s3cret" not in told and "dpsql verify URL" in told and "dpsql budget URL" in told


def test_a_file_that_names_a_server_as_the_default(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dpsql.yaml").write_text(f"database: {url}\npolicy: shop.yaml\n")
    monkeypatch.chdir(tmp_path)
    named = default.named()
    assert named == (url, str(tmp_path / "shop.yaml"), "URL (from dpsql.yaml)")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_whoever_is_stopped_while_it_copies_leaves_nothing(
    number: signal.Signals, url: str, tmp_path: Path
) -> None:
    slow = "LANGUAGE SQL AS 'SELECT pg_sleep(60)::text'"
    do(url, f"CREATE TYPE pair AS (a int); CREATE FUNCTION slowly(pair) RETURNS text {slow}")
    do(url, "CREATE CAST (pair AS text) WITH FUNCTION slowly")
    do(url, "CREATE TABLE people (id int, p pair); INSERT INTO people VALUES (1, ROW(1))")
    policy, temporary = tmp_path / "p.yaml", tmp_path / "temporary"
    temporary.mkdir()
    text = "unit: people.id\nbudget: {eps: 1}\ntables: {people: {access: private, columns: {}}}"
    policy.write_text(text)
    words = ("run", url, "--policy", policy, "--ledger", tmp_path / "l", "--eps", "1", "SELECT 1")
    with subprocess.Popen(
        [sys.executable, "-m", "dpsql", *words],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        while not (files := list(temporary.rglob("server.csv"))) and process.poll() is None:
            time.sleep(0.05)
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600]
        assert files[0].parent.stat().st_mode & 0o777 == 0o700
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert list(temporary.iterdir()) == []
