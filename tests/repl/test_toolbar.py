"""Before you spend: verdicts, their line below the prompt, and the thread that finds them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import cast

import pytest
from prompt_toolkit.document import Document
from prompt_toolkit.utils import get_cwidth

import dpsql
from dpsql import demo
from dpsql.errors import PolicyError
from dpsql.repl.pending import Opening
from dpsql.repl.settings import ShellSettings
from dpsql.repl.shell import Shell
from dpsql.repl.toolbar import Asked, Below, Phrase, at_cursor, cut, fitting, phrases
from dpsql.repl.verdict import MAX_CHARACTERS, UNFINISHED, Verdict, together, verdict
from dpsql.repl.watcher import Watcher
from tests.repl import small

SETTINGS = ShellSettings()
COUNT = small.COUNT


@pytest.fixture(scope="module")
def database() -> Iterator[dpsql.Database]:
    with small.database() as made:
        yield made


def typed(database: dpsql.Database, marked: str, **changes: object) -> Verdict:
    """The verdict where the cursor is at the mark; of a finished query without one."""
    before, mark, after = marked.partition("|")
    settings = replace(SETTINGS, **changes)  # type: ignore[arg-type]
    return verdict(database, before + after, settings, len(before) if mark else None)


# --- verdicts ---


def test_an_accepted_query_has_cost_width_and_what_remains(database: dpsql.Database) -> None:
    found = typed(database, small.COUNT)
    release = database.explain(small.COUNT, 0.5).releases[0]
    assert found.kind == "accepted"
    assert found.cost == "ε = 0.5"
    assert found.width == f"n ± {release.interval():.0f} at 95 %"
    assert found.left == "ε = 9.5, δ = 1e-6 left then"
    assert found.more == "19 more such"


def test_it_is_at_the_current_settings(database: dpsql.Database) -> None:
    found = typed(database, small.COUNT, eps=Decimal("0.1"))
    assert (found.cost, found.more) == ("ε = 0.1", "99 more such")
    assert found.width == "n ± 30 at 95 %"
    gaussian = typed(database, small.COUNT, noise="gaussian", delta=Decimal("1e-7"))
    assert gaussian.cost == "ε = 0.5, δ = 1e-7"


def test_the_comment_above_is_the_eps_that_will_be_charged(database: dpsql.Database) -> None:
    found = typed(database, f"-- eps: 2\n{small.COUNT}|")
    assert found == typed(database, f"{small.COUNT}|", eps=2)
    assert (found.cost, found.left) == ("ε = 2", "ε = 8, δ = 1e-6 left then")
    wrong = typed(database, f"-- eps: much\n{small.COUNT}")
    assert (wrong.kind, wrong.message) == (
        "unknown",
        "2:1: 'much' is no ε; write a number such as 0.5 or 1/3",
    )


def test_a_rejected_query_has_code_message_and_help(database: dpsql.Database) -> None:
    found = typed(database, "SELECT team FROM people")
    assert found.kind == "rejected"
    assert found.code == "DP401"
    assert found.message == "the query returns rows of individuals"
    assert found.help.startswith("aggregate: ")
    joined = typed(database, "SELECT COUNT(*) FROM people a JOIN people b ON a.team = b.team")
    assert joined.code == "DP402"


def test_a_public_query_is_free(database: dpsql.Database) -> None:
    assert typed(database, small.PUBLIC) == Verdict("public")


def test_a_stored_answer_is_free() -> None:
    """Known without reading a row, and as long as the ledger has it: at this ε or less."""
    with small.database() as db:
        assert typed(db, small.COUNT).kind == "accepted" and not db.stored(small.COUNT, 0.5)
        paid = db.run(small.COUNT, 0.5)
        for eps in (Decimal("0.5"), Decimal("0.1")):
            assert typed(db, f"{small.COUNT}|", eps=eps) == Verdict("stored")
            assert db.stored(small.COUNT, eps)
        again = db.run(small.COUNT, 0.5)
        assert again.reused is not None and again.rows == paid.rows
        assert typed(db, small.COUNT, eps=Decimal("0.6")).kind == "accepted"
        assert not db.run(small.COUNT, 0.6).reused
        assert typed(db, small.PUBLIC) == Verdict("public") and not db.stored(small.PUBLIC, 1)
        both = together(db, f"{small.COUNT}; {small.TEAMS}; SELECT team FROM people", SETTINGS)
        assert both == "3 queries: ε = 0.5, 1 stored, then DP401"
        assert next(p.text for p in phrases(Verdict("stored"), "1")) == "✓ stored, free"


def test_whether_it_is_stored_is_asked_of_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups that a public table lists are read by a run alone: until then it is not said."""
    text = "SELECT d.day, COUNT(*) AS n FROM days d JOIN people p ON p.id % 3 = d.day GROUP BY 1"
    with small.database() as db:
        for query in (small.TEAMS, text):
            db.run(query, 0.5)
        for name in ("snapshot", "version"):
            monkeypatch.setattr(db._engine, name, None)
        assert db.stored(small.TEAMS, 0.5) and not db.stored(text, 0.5)
        monkeypatch.undo()
        assert db.run(text, 0.5).reused


def test_nothing_typed_says_what_is_left(database: dpsql.Database) -> None:
    assert typed(database, "  |") == Verdict("idle", left=str(database.budget))


def test_too_little_is_left(database: dpsql.Database) -> None:
    found = typed(database, small.COUNT, eps=Decimal(11))
    assert (found.kind, found.cost) == ("too little", "ε = 11")
    assert found.left == "ε = 10, δ = 1e-6 is left"


@pytest.mark.parametrize(
    "marked",
    [
        "SEL|",
        "SELECT |",
        "SELECT tea|",
        "SELECT COUNT(*) |",  # complete, and about nothing yet
        "SELECT COUNT(*) FROM |",
        "SELECT COUNT(*) FROM peo|",
        "SELECT COUNT(*) FROM people WHERE |",
        "SELECT COUNT(*) FROM people WHERE te|",
        "SELECT COUNT(*) FROM people WHERE team = 're|",
        "SELECT COUNT(*) FROM people WHERE team = |",
        "SELECT COUNT(*), te| FROM people",
        "SELECT COUNT(*) FROM people GRO|",
    ],
)
def test_what_is_only_unfinished_is_not_called_wrong(database: dpsql.Database, marked: str) -> None:
    found = typed(database, marked)
    assert found == UNFINISHED or (marked.endswith("GRO|") and found.kind == "accepted")


@pytest.mark.parametrize(
    ("marked", "code"),
    [
        ("SELECT COUNT(*) FROM peo |", "DP201"),
        ("SELECT COUNT(*) FROM people WHERE tea = 'red'|", "DP202"),
        ("SELECT COUNT(* FROM people WHERE id = 1 |", "DP101"),
        ("DROP TABLE people |", "DP102"),
        ("SELECT COUNT(*) FROM people WHERE", "DP101"),  # with its semicolon
        ("SELECT tea FROM people", "DP202"),
        ("SELECT tea FROM people WHERE id|", "DP202"),
    ],
)
def test_what_is_wrong_is_called_so(database: dpsql.Database, marked: str, code: str) -> None:
    if marked.endswith("id|"):
        assert typed(database, marked) == UNFINISHED  # still in a word
        assert typed(database, marked.replace("|", " |")).code == code
    else:
        assert typed(database, marked).code == code


def test_the_width_is_of_the_first_aggregate(database: dpsql.Database) -> None:
    both = typed(
        database, "SELECT team, COUNT(*) AS a, COUNT(DISTINCT id) AS b FROM people GROUP BY 1"
    )
    assert both.width.startswith("a ± ")
    sql = "SELECT AVG(shipping) AS s, COUNT(*) AS n FROM orders"
    with demo.database() as shop:
        found = typed(shop, sql)
        (mean, count) = shop.explain(sql, 0.5).computed
        median = typed(shop, "SELECT MEDIAN(birth_year) AS m FROM customers")
        other = typed(shop, "SELECT COUNT(*) AS n, AVG(shipping) AS s FROM orders")
    assert found.width == f"s = (sum ± {mean.interval():,.0f}) / rows at 95 %"
    assert other.width == f"n ± {count.interval():,.0f} at 95 %"
    assert median.width == "m within 6 rows at 95 %"


def test_it_never_raises_and_shows_no_unexpected_text(database: dpsql.Database) -> None:
    class Broken:
        @property
        def budget(self) -> object:
            raise RuntimeError("a secret")

        def explain(self, *args: object, **more: object) -> object:
            raise ValueError("a secret")

    for text in ("", "SELECT 1"):
        found = verdict(Broken(), text, SETTINGS)  # type: ignore[arg-type]
        assert found.kind == "unknown" and "secret" not in found.message
    long = "SELECT " + "1 + " * MAX_CHARACTERS
    assert typed(database, long).message == "too long to look at while it is typed"
    assert typed(database, small.COUNT, dialect="klingon").kind == "unknown"


def test_texts_are_one_line_and_harmless(database: dpsql.Database) -> None:
    found = typed(database, 'SELECT "x\x9b31m" FROM people')
    assert found.code == "DP202" and found.message.isprintable()
    named = typed(database, 'SELECT COUNT(*) AS "n\x9b31m" FROM people')
    assert named.width.isprintable() and named.width.startswith("n\\x9b31m ± ")


# --- the line ---


def line(verdict: Verdict, width: int = 200) -> str:
    return "".join(text for _, text in fitting(phrases(verdict, "0.5"), width))


ACCEPTED = Verdict("accepted", cost="ε = 0.5", width="n ± 6", left="ε = 9 left", more="9 more")
REJECTED = Verdict("rejected", "DP401", "rows of individuals", "aggregate them")


def test_the_line_of_each_verdict() -> None:
    assert line(ACCEPTED) == " ✓ ε = 0.5  │  n ± 6  │  ε = 9 left  │  9 more"
    assert line(REJECTED) == " ✗ DP401  │  rows of individuals  │  aggregate them"
    assert line(UNFINISHED) == " …"
    assert line(Verdict("public")) == " ✓ public  │  exact and free"
    assert (
        line(Verdict("idle", left="ε = 10 left")) == " ε = 10 left  │  ε = 0.5 a query  │  \\help"
    )
    little = Verdict("too little", cost="ε = 2", left="ε = 1 is left")
    assert line(little) == " ✗ costs ε = 2  │  only ε = 1 is left"


def test_a_narrow_terminal_keeps_what_matters_most() -> None:
    assert line(ACCEPTED, 40) == " ✓ ε = 0.5  │  n ± 6  │  ε = 9 left"
    assert line(ACCEPTED, 25) == " ✓ ε = 0.5  │  n ± 6"
    assert line(ACCEPTED, 12) == " ✓ ε = 0.5"
    assert line(REJECTED, 30) == " ✗ DP401  │  rows of individ…"
    assert line(REJECTED, 12) == " ✗ DP401"


@pytest.mark.parametrize("found", [ACCEPTED, REJECTED, Verdict("unknown", message="日本語" * 9)])
def test_the_line_is_never_wider_than_the_terminal(found: Verdict) -> None:
    for width in range(2, 90):
        assert get_cwidth(line(found, width)) <= width


def test_a_text_is_cut_by_its_cells() -> None:
    assert cut("日本語", 6) == "日本語"
    assert cut("日本語", 5) == "日本…"
    assert cut("abc", 2) == "a…"
    assert cut("abc", 0) == ""


# --- what it is about ---


def question(marked: str) -> Asked:
    before, _, after = marked.partition("|")
    found = at_cursor(before + after, len(before), SETTINGS)
    assert isinstance(found, Asked)
    return found


def test_the_query_at_the_cursor() -> None:
    three, two = "SELECT 1; SELECT 2; SELECT 3", "SELECT 1; SELECT 2"
    assert question("SELECT 1; SELECT 2|; SELECT 3") == Asked(
        "SELECT 2", None, SETTINGS, three, SETTINGS
    )
    assert question("SELECT 1; SELECT 2|") == Asked("SELECT 2", 8, SETTINGS, two, SETTINGS)
    assert question("SELECT 1; SELECT 2 |").cursor == 9
    assert question("SELECT 1;|") == Asked("SELECT 1", None, SETTINGS)
    assert question("SELECT 1;\n  |") == Asked("SELECT 1", None, SETTINGS)
    assert question("SELECT ';|'").text == "SELECT ';'"
    assert question("|") == Asked("", 0, SETTINGS)
    assert question("\\cost SELECT 1|") == Asked("SELECT 1", 8, SETTINGS)


def test_a_command_shows_how_it_is_written() -> None:
    found = at_cursor("\\eps 0.", 7, SETTINGS)
    assert found == [
        Phrase("", "\\eps [E]", 2),
        Phrase("dim", "the ε of each query", 1, True),
    ]
    assert at_cursor("\\nothing", 8, SETTINGS) == [Phrase("dim", "…", 1)]


def test_what_is_pasted_is_told_as_a_whole(database: dpsql.Database) -> None:
    """Its last query may be free, while others cost."""
    text = f"-- eps: 0.25\n{small.COUNT}; {small.COUNT}; SELECT 1;"
    asked = question(f"{text}|")
    assert asked.text == "SELECT 1" and asked.every == text
    below = Below.__new__(Below)
    below._shell = cast(Shell, SimpleNamespace(opening=SimpleNamespace(wait=lambda: database)))
    found = below._judge(asked)
    assert (found.kind, found.together) == ("public", "3 queries: at most ε = 0.75")
    assert [piece.text for piece in phrases(found, "0.5")] == [
        "3 queries: at most ε = 0.75",
        "✓ public",
        "exact and free",
    ]


def test_together_says_what_is_wrong(database: dpsql.Database) -> None:
    text = f"{small.COUNT}; SELECT nothing FROM nowhere; {small.TEAMS}"  # which is not reached
    assert together(database, text, SETTINGS) == "3 queries: ε = 0.5, then DP201"
    dear = replace(SETTINGS, eps=Decimal(6))
    assert together(database, f"{small.COUNT}; {small.TEAMS}", dear) == (
        "2 queries: at most ε = 12, more than is left"
    )
    assert together(database, "SELECT 1;" * MAX_CHARACTERS, SETTINGS) == ""


@pytest.mark.parametrize(
    ("text", "said", "spent"),
    [
        (f"{COUNT}; {COUNT}; {small.PUBLIC};", "3 queries: ε = 0.5, 1 stored", "0.5"),
        (f"{small.TEAMS}; {small.PUBLIC};", "2 queries: free, 1 stored", "0"),
        (f"\\eps 2\n{small.TEAMS}; {small.PUBLIC};", "2 queries: ε = 2", "2"),
        (f"{COUNT};\n\\eps 2\n{COUNT}; {COUNT};", "3 queries: at most ε = 2.5, 1 stored", "2.5"),
        (f"{COUNT}; \\eps 1/4\n{small.TEAMS};", "2 queries: ε = 0.5, 1 stored", "0.5"),
        (f"{COUNT}; \\noise gaussian\n{COUNT};", "2 queries: at most ε = 1, δ = 5e-8", "0.5"),
        (f"{COUNT}; \\d\n{COUNT};", "", "0.5"),
    ],
)
@pytest.mark.one_in(2)
def test_together_is_what_a_run_charges(text: str, said: str, spent: str) -> None:
    with small.database() as db:
        shell = Shell(Opening(lambda: db, "small"))
        shell.play(f"{small.TEAMS};")  # at ε = 0.5
        before = Fraction(db.budget.spent.exact.eps)
        assert together(db, text, SETTINGS) == said
        shell.play(text)
        assert db.budget.spent.exact.eps - before == Fraction(spent)


def test_data_that_can_change_pay_each_time() -> None:
    with dpsql.connect(small.connection(), small.policy()) as db:
        assert not db.keeps_answers
        assert together(db, f"{COUNT}; {COUNT}", SETTINGS) == "2 queries: ε = 1"


def test_a_command_above_holds_for_the_query_at_the_cursor() -> None:
    """Stored at another ε, it is not free."""
    with small.database() as db:
        db.run(COUNT, 0.5)
        for command, kind in [("\\eps 2", "accepted"), ("\\eps 0.1", "stored"), ("\\d", "stored")]:
            asked = question(f"{command}\n{COUNT};|")
            assert verdict(db, asked.text, asked.settings, asked.cursor).kind == kind
        assert question(f"{COUNT};|\n\\eps 2").settings == SETTINGS


@pytest.mark.parametrize("text", ["SELECT 1;", "SELECT 1; \\d", "\\eps 1", "-- eps: x\nSELECT 1;;"])
def test_a_single_query_is_not_several(text: str) -> None:
    found = at_cursor(text, len(text), SETTINGS)
    assert isinstance(found, list) or not found.every


# --- beside the typing ---


class Judge:
    """Answers when it is told to, and says when it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.ready = threading.Semaphore(0)

    def __call__(self, question: str) -> str:
        self.asked.append(question)
        self.begun.release()
        self.go.acquire()
        return question.upper()


@pytest.fixture
def judged() -> Iterator[tuple[Judge, Watcher[str, str]]]:
    judge = Judge()
    watcher = Watcher(judge, judge.ready.release, pause=0.0)
    yield judge, watcher
    for _ in range(10):
        judge.go.release()
    watcher.close()


def test_the_latest_question_wins(judged: tuple[Judge, Watcher[str, str]]) -> None:
    judge, watcher = judged
    assert watcher.ask("a") is None
    judge.begun.acquire()
    for text in ("ab", "abc", "abcd"):  # while it is busy; asking never waits
        assert watcher.ask(text) is None
    judge.go.release()
    judge.ready.acquire()
    judge.begun.acquire()
    judge.go.release()
    judge.ready.acquire()
    assert judge.asked == ["a", "abcd"]
    assert watcher.ask("abcd") == "ABCD"
    assert watcher.ask("a") == "A"  # remembered
    assert judge.asked == ["a", "abcd"]


def test_what_is_forgotten_is_asked_again(judged: tuple[Judge, Watcher[str, str]]) -> None:
    judge, watcher = judged
    watcher.ask("a")
    judge.begun.acquire()
    watcher.forget()  # while it is being answered: that answer is old already
    judge.go.release()
    judge.ready.acquire()
    assert watcher.ask("a") is None
    judge.begun.acquire()
    judge.go.release()
    judge.ready.acquire()
    assert watcher.ask("a") == "A"
    assert judge.asked == ["a", "a"]


def test_a_closed_watcher_asks_nothing(judged: tuple[Judge, Watcher[str, str]]) -> None:
    judge, watcher = judged
    watcher.close()
    assert watcher.ask("a") is None
    assert judge.asked == []


def test_the_toolbar_says_that_the_database_is_opening() -> None:
    go, drawn = threading.Event(), threading.Semaphore(0)

    def make() -> dpsql.Database:
        go.wait()
        return small.database()

    shell = Shell(Opening(make, "small.duckdb"), interactive=True)
    shell.opening.begin()
    below = Below(shell, drawn.release)
    try:
        query = Document(small.COUNT, len(small.COUNT))
        assert shown(below, query) == " opening small.duckdb …  │  emacs (F4)"
        go.set()
        drawn.acquire()
        assert shown(below, query).startswith(" ✓ ε = 0.5  │  n ± 6 at 95 %")
        shell.run(small.COUNT)
        below.forget()
        shown(below, query)
        drawn.acquire()
        assert shown(below, query).startswith(" ✓ stored, free")
    finally:
        go.set()
        below.close()
        shell.close()


def shown(below: Below, document: Document) -> str:
    return "".join(text for _, text in below.parts(document, 200))


def test_the_toolbar_says_that_the_database_cannot_be_opened() -> None:
    drawn = threading.Event()

    def make() -> dpsql.Database:
        raise PolicyError("no such file", file="x.yaml")

    shell = Shell(Opening(make, "x"), interactive=True)
    shell.opening.begin()
    below = Below(shell, drawn.set)
    try:
        below.parts(Document(""), 80)
        drawn.wait()
        assert shown(below, Document("SELECT 1")).startswith(" x.yaml: no such file")
    finally:
        below.close()
