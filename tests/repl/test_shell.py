"""The shell: statements one after the other, and what lasts between them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

import dpsql
from dpsql.errors import PolicyError
from dpsql.repl import commands
from dpsql.repl.pending import Opening
from dpsql.repl.saved import Saved
from dpsql.repl.settings import ShellSettings
from dpsql.repl.shell import Shell
from tests.repl import small


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    with small.database() as made:
        yield made


class Session:
    """A shell, and what it put out."""

    def __init__(
        self, database: dpsql.Database, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        saved = Saved(folder / "queries")
        self.shell = Shell(Opening(lambda: database), interactive=True, saved=saved)
        self._capsys = capsys

    def __call__(self, text: str) -> tuple[str, str]:
        assert self.shell.execute_text(text)
        return self._capsys.readouterr()

    @property
    def charges(self) -> int:
        return len(self.shell.database.budget.history)


@pytest.fixture
def session(
    database: dpsql.Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Session:
    return Session(database, tmp_path, capsys)


# --- queries -------------------------------------------------------------------------------------


def test_a_query(session: Session) -> None:
    out, err = session(f"{small.TEAMS};")
    assert [line.split()[0] for line in out.splitlines()] == ["team", "----", "red", "blue", "(2"]
    assert err == "cost ε = 0.5; ε = 9.5, δ = 1e-6 left of ε = 10, δ = 1e-6\n"
    assert session.shell.query == small.TEAMS
    assert session.shell.answer is not None and len(session.shell.answer) == 2
    # Again: free, and that is said.
    again, err = session(f"{small.TEAMS};")
    assert again.splitlines()[:4] == out.splitlines()[:4]
    assert err == "free: the answer of charge 1; ε = 9.5, δ = 1e-6 left of ε = 10, δ = 1e-6\n"
    assert session.charges == 1


def test_the_comment_above_is_what_is_charged(session: Session) -> None:
    _, err = session(f"-- eps: 1/8\n{small.COUNT};")
    assert err.startswith("cost ε = 0.125;")
    assert session.shell.settings.eps == Decimal("0.5")


def test_the_comment_above_is_what_commands_look_at(session: Session) -> None:
    plain = f"{small.COUNT} WHERE id > 7"
    query = f"-- eps: 1/4\n{plain}"
    told = session(f"{query} \\cost")[0]
    assert told.startswith("the ledger (approx) charges ε = 0.25; ")
    assert session("\\cost")[0] == told
    assert "laplace noise, scale 4, ε 0.25" in session("\\why")[0]
    session("\\save quarter")
    _, err = session("\\run quarter")
    assert err.startswith("cost ε = 0.25;")
    assert session("\\cost")[0].startswith("stored, free: ")  # at its own ε, not the settings'
    assert session.shell.query == query
    # A query that is written after a command has none.
    assert session(f"\\cost {plain}")[0].startswith("the ledger (approx) charges ε = 0.5; ")


def test_an_error_stops_what_was_typed_with_it(session: Session) -> None:
    before = session.charges
    _, err = session(f"SELECT wrong FROM people; -- eps: 9\n{small.COUNT};")
    assert err.splitlines() == [
        "DP202: no column wrong",
        "  line 1, column 8",
        "  | SELECT wrong FROM people; -- eps: 9",
        "  |        ^^^^^",
    ]
    assert session.charges == before
    # The place is that of the typed text, whichever of its statements it is.
    _, err = session("\\timing off\nSELECT\n  wrong FROM people;")
    assert err.splitlines()[1:] == [
        "DP202: no column wrong",
        "  line 3, column 3",
        "  |   wrong FROM people;",
        "  |   ^^^^^",
    ]


def test_timing(session: Session) -> None:
    _, err = session(f"\\timing\n{small.PUBLIC};\\timing")
    said = err.splitlines()
    assert said[0] == "timing: on" and said[3] == "timing: off"
    assert said[2].startswith("time 0.") and said[2].endswith(" s")


@pytest.mark.parametrize("agreed", [True, False])
def test_confirm(session: Session, agreed: bool) -> None:
    asked: list[str] = []
    session.shell.ask = lambda question: bool(asked.append(question)) or agreed
    before = session.charges
    out, err = session(f"\\confirm on\n-- eps: 0.2{int(agreed)}\n{small.COUNT};")
    assert session.charges - before == agreed
    assert bool(out) is agreed
    assert ("not run; nothing was charged" in err) is not agreed
    (question,) = asked
    assert question.startswith(
        f"charge ε = 0.2{int(agreed) or ''}, unless a stored answer will do?"
    )
    assert question.endswith(f" is left then; for {small.COUNT}")
    # Nobody is asked about what costs nothing, is rejected, or is more than is left.
    for text in (small.PUBLIC, "SELECT id FROM people", f"-- eps: 100\n{small.COUNT}"):
        session(f"{text};")
    assert len(asked) == 1


# --- commands ------------------------------------------------------------------------------------


def test_settings(session: Session) -> None:
    shell = session.shell
    said = session(
        "\\eps 1/3\n\\delta 1e-9\n\\clipping adaptive\n\\noise laplace\n\\format csv\n\\intervals\n"
    )[1]
    assert shell.settings == ShellSettings(
        eps=Fraction(1, 3),
        delta=Decimal("1e-9"),
        clipping="adaptive",
        noise="laplace",
        format="csv",
        intervals=True,
    )
    assert said.splitlines() == [
        "ε = 1/3 for each query",
        "δ = 1E-9 for each query that needs one",
        "clipping: adaptive",
        "noise: laplace",
        "format: csv",
        "intervals in csv and markdown: on",
    ]
    assert session("\\eps\n\\format")[1] == "ε = 1/3 for each query\nformat: csv\n"
    assert session("\\delta auto")[1].startswith("δ = that part of the policy's")
    assert shell.settings.delta is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\\eps 0", "ε must be positive, not 0"),
        ("\\eps much", "'much' is no ε; write a number such as 0.5 or 1/3"),
        ("\\delta 2", "δ must be at least 0 and below 1, not 2"),
        ("\\format xml", "'xml' is not one of table, csv, json, markdown, vertical"),
        ("\\timing maybe", "'maybe' is not one of on, off"),
        ("\\frmat csv", "no command \\frmat; did you mean \\format?"),
        ("\\", "no command \\; "),
        ("\\x", "no command \\x; \\format vertical has a line for each value"),
        ("\\zzz", "no command \\zzz; \\help lists them"),
        ("SELECT 1 \\eps 1", "\\eps has nothing to do with a query; end that with ;"),
        ("\\i", "\\i needs the name of a file"),
        ("\\i nowhere.sql", "cannot read nowhere.sql: No such file or directory"),
        ("\\i ~nobody-here/x", "cannot read ~nobody-here/x: no such user"),
        ("\\o ~nobody-here/x", "cannot write ~nobody-here/x: no such file"),
        ("\\o |less", "\\o writes to a file, not to a program"),
        ("\\o nowhere/at.all", "cannot write nowhere/at.all: No such file or directory"),
        ("\\run ../../etc/passwd", "'../../etc/passwd' is no name for a query: "),
        ("\\run never", "no saved query never; there are: none yet"),
    ],
)
def test_wrong_commands(session: Session, text: str, said: str) -> None:
    before = session.shell.settings
    out, err = session(text)
    assert out == "" and err.startswith(said) and err.count("\n") == 1
    assert session.shell.settings == before


@pytest.mark.parametrize("text", ["\\d+", "SHOW TABLES;", ".tables"])
def test_what_other_shells_call_it(session: Session, text: str) -> None:
    assert session(text) == session("\\d")


def test_what_there_is_is_told_in_sql(session: Session) -> None:
    assert session("DESCRIBE people;")[0].startswith("column_name")
    assert "answered exactly, free" in session("explain\nSELECT 1;")[0]


def test_help(session: Session) -> None:
    out, _ = session("\\help")
    assert all(command.usage in out for command in commands.COMMANDS.values())
    assert session("help")[0] == session("\\?")[0] == out
    assert session("\\help eps")[0] == "\\eps [E]\n  the ε of each query\n"


@pytest.mark.parametrize("text", ["\\q", "exit", "quit;", "\\quit"])
def test_leaving(session: Session, text: str) -> None:
    assert not session.shell.execute_text(text)
    assert session.shell.failure is None


def test_a_query_before_a_command_is_not_run(session: Session) -> None:
    before = session.charges
    session("SELECT COUNT(*) FROM people \\save it")
    assert session.shell.query == "SELECT COUNT(*) FROM people"
    assert session.charges == before


def test_saved_queries(session: Session, tmp_path: Path) -> None:
    assert "no query to save" in session("\\save first")[1]
    assert "no saved queries yet" in session("\\run")[1]
    session(f"{small.PUBLIC};")
    assert session("\\save last-day")[1] == "saved as last-day\n"
    assert session("SELECT 1 AS one \\save last-day")[1].endswith("in place of the one before\n")
    session(f"{small.PUBLIC} \\save a_b")
    assert session("\\save")[0] == session("\\run")[0] == "a_b\nlast-day\n"
    assert session("\\run last-day")[0].split()[:3] == ["one", "---", "1"]
    assert (tmp_path / "queries" / "last-day.sql").read_text() == "SELECT 1 AS one;\n"
    for name in ("a.b", "a/b", "..", "-x", "é", "a" * 65):
        assert "is no name for a query" in session(f"SELECT 1 \\save {name}")[1]
    # One that names itself is stopped.
    (tmp_path / "queries" / "again.sql").write_text("\\run again")
    assert "more than 16 files in each other" in session("\\run again")[1]


def test_output_to_a_file(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    file.write_text("old")
    out, err = session(f"\\format csv\n\\o '{file}'\n{small.PUBLIC};{small.PUBLIC};")
    assert out == "" and f"answers go to {file}\n" in err
    assert file.read_text() == "last\n2\nlast\n2\n"
    # What cannot be opened leaves it as it is.
    session(f"\\o {tmp_path / 'no' / 'where'}\n")
    assert session(f"{small.PUBLIC};")[0] == ""
    out, err = session(f"\\o\n{small.PUBLIC};")
    assert out == "last\n2\n" and "answers go to stdout\n" in err
    assert file.read_text() == "last\n2\n" * 3


def test_a_file_that_is_full(session: Session) -> None:
    _, err = session(f"\\o /dev/full\n{small.PUBLIC};")
    assert "cannot write /dev/full: No space left on device; answers go to stdout again\n" in err
    assert session(f"{small.PUBLIC};")[0] != ""


def test_files_in_files(session: Session, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.sql").write_text("\\format csv\n\\i sub/b.sql\nSELECT 'a' AS x;\n")
    (tmp_path / "sub" / "b.sql").write_text("SELECT 'b' AS x;\n\\i c.sql\n\\q\nSELECT 'no' AS x;")
    (tmp_path / "sub" / "c.sql").write_text("SELECT 'c' AS x;")
    assert session(f"\\i {tmp_path}/a.sql")[0].split() == ["x", "b", "x", "c", "x", "a"]
    # The error says where it is, and what comes after it is not run.
    (tmp_path / "sub" / "c.sql").write_text("SELECT 1 AS one;\n\nSELECT\nwrong FROM people;")
    out, err = session(f"\\i {tmp_path}/a.sql")
    assert out.split() == ["x", "b", "one", "1"]
    place = tmp_path / "sub" / "c.sql"
    assert f"{place}:3: DP202: no column wrong\n  line 4, column 1\n" in err
    (tmp_path / "loop.sql").write_text("\\i loop.sql")
    assert "more than 16 files in each other" in session(f"\\i {tmp_path}/loop.sql")[1]
    (tmp_path / "latin.sql").write_bytes(b"SELECT '\xff'")
    assert "latin.sql: no UTF-8 text" in session(f"\\i {tmp_path}/latin.sql")[1]


def test_edit(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor.py"
    editor.write_text(
        "import sys\nplace = sys.argv[1]\ntext = open(place).read()\n"
        "open(place, 'w').write(text.replace('1', '2') or 'SELECT 3;\\n')\n"
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} {editor}")
    assert session("\\e") == ("", "")
    assert session.shell.prefill == "SELECT 3;"
    assert session("SELECT 1 \\e") == ("", "")
    assert session.shell.prefill == "SELECT 2;"
    session.shell.prefill = None
    for broken in ("false", "/no/such/editor", "'"):
        monkeypatch.setenv("VISUAL", broken)
        assert session("\\e")[1] != ""
        assert session.shell.prefill is None
    session.shell.interactive = False
    assert session("\\e")[1] == "\\e needs a terminal\n"


# --- the database --------------------------------------------------------------------------------


def test_a_database_that_cannot_be_opened(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> dpsql.Database:
        raise PolicyError("the policy is wrong", file="shop.yaml")

    for in_background in (True, False):
        shell = Shell(Opening(fails), interactive=True)
        if in_background:
            shell.opening.begin()
            shell.opening.join()
        # Not before it is needed, whatever else goes wrong.
        assert shell.execute_text("\\eps 0.1") and shell.execute_text("\\eps much")
        capsys.readouterr()
        assert not shell.execute_text(f"{small.COUNT};")
        assert capsys.readouterr().err == "shop.yaml: the policy is wrong\n"
        assert isinstance(shell.failure, PolicyError)
        shell.close()


def test_nothing_is_opened_before_it_is_needed() -> None:
    def never() -> dpsql.Database:
        raise AssertionError

    shell = Shell(Opening(never))
    shell.execute_text("\\eps 0.1\n\\help\n\\timing\n\\nothing\nSELECT 1 \\save x/y")
    shell.close()
    assert shell.opening.ready is None and shell.opening.failure is None


def test_an_unexpected_error_shows_nothing(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the value was 4711")

    monkeypatch.setattr(dpsql.Database, "run", fails)
    _, err = session(f"{small.COUNT};")
    said, note = err.splitlines()
    assert said.startswith("dpsql itself failed; ") and "4711" not in said
    assert note == "nothing was charged"


def test_calibrate_by_the_last_answer(session: Session) -> None:
    """Its sizes are the numbers of the answer, and all of them are as accurate as was asked for:
    the smallest decides. Of another query there are none.
    """
    session(f"\\eps 8\n{small.TEAMS};")
    answer = session.shell.answer
    assert answer is not None
    sizes = dict(answer.rows)
    assert sizes["red"] < sizes["blue"]
    out, err = session("\\calibrate 1%")
    eps = session.shell.database.calibrate(small.TEAMS, 0.01, size=sizes["red"])
    assert err == "sizes: the numbers of the last answer\n"
    needed = re.search(r"needs ε ([\d.]+)$", out, re.MULTILINE)
    assert needed is not None and eps <= float(needed[1]) <= eps * 1.001
    assert "\nn of red decides\n" in out
    told = re.findall(r"^n of (\w+) +([\d,]+) +± ([\d.]+) +([\d.]+) %$", out, re.MULTILINE)
    assert [row[0] for row in told] == ["red", "blue"]
    width = session.shell.database.explain(small.TEAMS, Decimal(needed[1])).releases[0].interval()
    for team, size, half, part in told:
        assert int(size.replace(",", "")) == sizes[team] and float(half) == width
        assert float(part) == pytest.approx(width / sizes[team] * 100, rel=0.05)
        assert width / sizes[team] <= 0.01
    _, err = session(f"\\calibrate 1% {small.COUNT}")
    assert "a percentage needs a public guess of the size that it is of" in err
