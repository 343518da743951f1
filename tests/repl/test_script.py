"""`dpsql repl` without a person: what goes where, in which order, with which exit code."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import dpsql
from dpsql.cli import exits, main
from tests.repl import small

DATA = ("small.duckdb", "--policy", "small.yaml")


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    small.files(folder)
    return folder


@pytest.fixture
def run(
    saved: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    for file in saved.glob("small.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("DPSQL_DATABASE", "DPSQL_POLICY"):
        monkeypatch.delenv(name, raising=False)

    def call(*words: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        try:
            code = main(("repl", *words))
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capsys.readouterr()
        assert "Traceback" not in err and "\x1b" not in out + err
        return Ran(code, out, err)

    return call


def test_in_the_order_of_the_words(run: Run) -> None:
    Path("b.sql").write_text("SELECT 'b' AS x;\n\\q\nSELECT 'never' AS x;\n")
    ran = run(*DATA, "-c", "\\format csv", "-c", "SELECT 'a' AS x", "-f", "b.sql")
    assert (ran.code, ran.out) == (0, "x\na\nx\nb\n")
    ran = run(*DATA, "-f", "b.sql", "-f", "-", "--format", "csv", stdin="SELECT 'c' AS x")
    assert (ran.code, ran.out) == (0, "x\nb\nx\nc\n")


def test_stdin(run: Run) -> None:
    ran = run(*DATA, "--eps", "1/4", "--format", "json", stdin=f"{small.COUNT};\n\\budget\n")
    assert ran.code == 0
    document = json.loads(ran.out[: ran.out.index("\n}\n") + 3])
    assert document["columns"] == ["n"] and document["cost"]["eps"] == 0.25
    assert ran.err == "cost ε = 0.25; ε = 9.75, δ = 1e-6 left of ε = 10, δ = 1e-6\n"
    assert run(*DATA, stdin="").code == 0


def test_arguments_are_settings(run: Run) -> None:
    words = ("--eps", "0.125", "--delta", "1e-9", "--noise", "gaussian", "--clipping", "adaptive")
    ran = run(
        *DATA, *words, "-c", "\\eps\n\\delta\n\\noise\n\\clipping\n\\intervals", "--intervals"
    )
    assert ran.err.splitlines() == [
        "ε = 0.125 for each query",
        "δ = 1E-9 for each query that needs one",
        "noise: gaussian",
        "clipping: adaptive",
        "intervals in csv and markdown: off",
    ]
    ran = run(*DATA, "--dialect", "bigquery", "-c", "SELECT `day` FROM days -- ;\n# ;\nLIMIT 1")
    assert (ran.code, ran.out.split()[0]) == (0, "day")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("SELECT id FROM people", exits.REJECTED, "stdin:2: DP"),
        ("\\eps 0", exits.BUDGET, "stdin:2: ε must be positive"),
        ("-- eps: 10.5\nSELECT COUNT(*) FROM people", exits.BUDGET, "stdin:3: "),
        ("-- eps: x\nSELECT COUNT(*) FROM people", exits.BUDGET, "stdin:3:1: 'x' is no ε"),
        ("\\nothing", exits.USAGE, "stdin:2: no command \\nothing"),
        ("\\i nowhere.sql", exits.USAGE, "stdin:2: cannot read nowhere.sql"),
        ("\\o no/where", exits.USAGE, "stdin:2: cannot write no/where"),
        ("\\e", exits.USAGE, "stdin:2: \\e needs a terminal"),
    ],
)
@pytest.mark.one_in(2)
def test_the_first_error_ends_it(run: Run, text: str, code: int, said: str) -> None:
    ran = run(*DATA, "--format", "csv", stdin=f"SELECT 1 AS one;\n{text};\n{small.COUNT};")
    assert (ran.code, ran.out) == (code, "one\n1\n")
    assert f"\ndpsql: {said}" in ran.err
    with dpsql.connect("small.duckdb", "small.yaml") as db:
        assert db.budget.history == ()


def test_where_the_error_is(run: Run) -> None:
    Path("a.sql").write_text("SELECT 1 AS one;\n\n\\i b.sql\n")
    Path("b.sql").write_text("\\timing off\n\nSELECT\n  wrong\nFROM people;\n")
    ran = run(*DATA, "-f", "a.sql", "-c", small.COUNT)
    assert ran.code == exits.REJECTED
    assert ran.err.splitlines()[2:] == [
        "dpsql: b.sql:3: DP202: no column wrong",
        "  line 4, column 3",
        "  |   wrong",
        "  |   ^^^^^",
    ]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("nowhere.duckdb", "--policy", "small.yaml"), exits.POLICY, "no such file or folder"),
        (("small.duckdb", "--policy", "nowhere.yaml"), exits.POLICY, "nowhere.yaml: "),
        (("small.duckdb",), exits.USAGE, "--policy FILE; dpsql init small.duckdb drafts"),
        (("--policy", "small.yaml"), exits.USAGE, "--policy needs DATA"),
        (("--analyst", "ada"), exits.USAGE, "no database is named"),
        ((*DATA, "--eps", "much"), exits.USAGE, "'much' is no number"),
        ((*DATA, "--format", "xml"), exits.USAGE, "invalid choice"),
        ((*DATA, "-f", "nowhere.sql"), exits.USAGE, "cannot read nowhere.sql: No such file"),
    ],
)
def test_a_wrong_start(run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    ran = run(*words, "-c", small.COUNT)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_the_ledger_and_the_analyst(run: Run) -> None:
    words = (*DATA, "--ledger", "own.ledger", "--analyst", "ada")
    assert run(*words, "-c", small.COUNT).code == 0
    with dpsql.connect("small.duckdb", "small.yaml", ledger="own.ledger") as db:
        (line,) = db.budget.history
    assert line.analyst == "ada"
    assert line.charge.entry.request.startswith("repl-")


def test_the_file_of_settings(run: Run) -> None:
    file = Path("config/dpsql/config.toml")
    file.parent.mkdir(parents=True)
    file.write_text('format = "csv"\neps = 0.25\n')
    assert run(*DATA, "-c", "SELECT 1 AS one; \\eps").out == "one\n1\n"
    assert run(*DATA, "-c", "\\eps").err == "ε = 0.25 for each query\n"
    assert run(*DATA, "--eps", "1", "-c", "\\eps").err == "ε = 1 for each query\n"
    assert run(*DATA, "--no-config", "-c", "\\eps").err == "ε = 0.5 for each query\n"
    # One that is wrong ends a script before it begins.
    file.write_text('frmat = "csv"\n')
    ran = run(*DATA, "-c", small.COUNT)
    assert (ran.code, ran.out) == (exits.USAGE, "")
    assert ran.err.endswith("config.toml: no setting 'frmat'; did you mean format?\n")
    assert run(*DATA, "--no-config", "-c", "SELECT 1 AS one").code == 0


def test_many_statements(run: Run) -> None:
    many = "SELECT 'x' AS x;\n\\timing off\n-- a comment; with 'quotes\n" * 50
    ran = run(*DATA, "--format", "csv", stdin=many)
    assert (ran.code, ran.out) == (0, "x\nx\n" * 50)


@pytest.mark.parametrize("kind", ["table", "csv", "json", "markdown", "vertical"])
@pytest.mark.one_in(2)
def test_long_and_wide_answers(run: Run, kind: str) -> None:
    long = "SELECT body AS long FROM texts WHERE name = 'long'"
    wide = f"SELECT {', '.join(f'{n} AS c{n}' for n in range(200))}"
    ran = run(*DATA, "--format", kind, stdin=f"{long};\n{wide};")
    assert ran.code == 0
    assert (small.LONG in ran.out) is (kind != "table")  # a table's cells are cut
    ending = ran.out[-200_000:]  # without the long one
    assert all(f"c{n}" in ending for n in range(200))
    if kind == "csv":
        csv.field_size_limit(3_000_000)
        rows = list(csv.reader(io.StringIO(ran.out)))
        assert rows[3] == [str(n) for n in range(200)]


BARE = """\
import sys
for name in ("prompt_toolkit", "pygments", "rich", "IPython", "matplotlib"):
    sys.modules[name] = None  # as in an install without extras
from dpsql.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_the_core_install_will_do(run: Run) -> None:
    words = ("-c", f"{small.TEAMS}; \\help\n\\d people\n{small.TEAMS} \\explain")
    ran = subprocess.run(
        [sys.executable, "-c", BARE, "repl", *DATA, *words],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "NO_COLOR": "1", "TERM": "xterm-256color"},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split()[0] == "team"
    assert "\x1b" not in ran.stdout + ran.stderr


def test_a_reader_that_has_gone(run: Run) -> None:
    text = "SELECT body FROM texts;" * 3
    with subprocess.Popen(
        [sys.executable, "-m", "dpsql", "repl", *DATA, "--format", "csv", "-c", text],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        err = process.stderr.read().decode()
    assert process.returncode == exits.BROKEN_PIPE
    assert "Traceback" not in err and "Broken" not in err
