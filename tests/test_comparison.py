"""The comparison with other systems: the page is what was recorded, and dpsql's column holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from benchmarks.comparison import data, probes, tpch
from benchmarks.comparison.__main__ import PAGE, RECORD
from benchmarks.comparison.charges import epsilon
from benchmarks.comparison.peers import DPSQL, SYSTEMS
from benchmarks.comparison.probes import PROBES, WORDS, Probe
from benchmarks.comparison.render import cell, page
from benchmarks.comparison.times import TIMED
from benchmarks.comparison.workers import common, ours
from tests.tpch.data import query

RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
MEASURED = [s.name for s in SYSTEMS if not RECORDED["systems"][s.name]["absent"]]
CHEAP = [probe for probe in PROBES if probe.n <= 50]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the worker is told of the probes' tables."""
    path = tmp_path_factory.mktemp("comparison") / "probes"
    with duckdb.connect(str(path)) as connection:
        data.statements(connection, data.PROBES)
    return {"duckdb": str(path), "policy": str(data.POLICIES / "probes.yaml")}


def test_the_page_is_what_was_recorded() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(RECORDED)


def test_everything_is_recorded() -> None:
    names = {
        "probes": [probe.name for probe in PROBES],
        "tpch": [str(number) for number in tpch.NUMBERS],
        "times": [timed.name for timed in TIMED],
    }
    for part, wanted in names.items():
        assert list(RECORDED[part]) == wanted
        for found in RECORDED[part].values():
            assert list(found) == MEASURED
            assert all("private" in one or one["word"] in WORDS for one in found.values())


@pytest.mark.parametrize("probe", CHEAP, ids=lambda probe: probe.name)
def test_dpsql_is_as_recorded(probe: Probe, people: dict[str, Any]) -> None:
    got = common.outcome(ours.Ours, {**people, **probe.request()})
    word = probes.verdict(probe, got).word
    assert word == RECORDED["probes"][probe.name][DPSQL.name]["word"]
    assert word in ("right", "rejected")


def test_the_verdicts_of_dpsql_on_tpch() -> None:
    """Without running them: tests/tpch compares the answers."""
    found = {int(n): one[DPSQL.name]["word"] for n, one in RECORDED["tpch"].items()}
    assert {n for n, word in found.items() if word == "rejected"} == {3, 10, 18}
    assert set(found.values()) == {"right", "rejected"}


def test_one_query_of_tpch_is_judged_by_its_rows() -> None:
    truth = [("A", 1000.0, None), ("B", 10.0, 5)]
    answered = {"status": "answered"}

    def word(*rows: list[Any]) -> str:
        return tpch.verdict({**answered, "draws": [list(rows)]}, truth).word

    good, other = ["A", 1004.0, 3.5], ["B", 12, 5]
    assert word(good, other) == word(other, ["C", 0.1, 0], good) == "right"
    assert word(good) == word(good, good) == word() == "wrong"
    assert word(["A", 1020.0, 3.5], other) == word(["X", 1000.0, 0], other) == "wrong"
    assert word(["A", 1000.0], ["B", 10.0]) == "wrong"
    assert tpch.request(6)["sql"] == query(6).strip().rstrip(";")


def draws(*values: float) -> dict[str, Any]:
    return {"status": "answered", "draws": [[[value]] for value in values]}


def judged(name: str, outcome: dict[str, Any]) -> str:
    probe = next(probe for probe in PROBES if probe.name == name)
    return probes.verdict(probe, {"text": "", "message": "", **outcome}).word


def test_the_judges() -> None:
    assert judged("COUNT without bias", draws(9_999.0, 10_001.0, 9_998.0, 10_002.5)) == "right"
    assert judged("COUNT without bias", draws(9_999.4, 9_999.5, 9_999.4, 9_999.5)) == "wrong"
    assert judged("ε of a COUNT", {"status": "answered", "cost": 1.0}) == "right"
    assert judged("ε of a COUNT", {"status": "answered", "cost": 2.0}) == "over"
    rows = [["r0", 3], ["r1", 4]]
    assert judged("ORDER BY 2", {"status": "answered", "draws": [rows]}) == "right"
    assert judged("ORDER BY 2", {"status": "answered", "draws": [rows, rows[::-1]]}) == "wrong"
    assert judged("comma join", draws(40_100)) == "right"
    assert judged("comma join", draws(10_000)) == "wrong"
    assert judged("one NaN", draws(float("nan"))) == judged("one NaN", draws(1e7)) == "leak"
    assert judged("one NaN", draws(4_994_000)) == "right"
    assert judged("rows of nobody", draws(10_050)) == "right"
    assert judged("rows of nobody", draws(15_000)) == "leak"
    assert judged("values outside of the bounds", draws(float("inf"))) == "leak"
    alone = {"status": "answered", "draws": [[["alone", 1]], [["r1", 2]]]}
    assert judged("a group of one", alone) == "leak"
    truth = 4.995e12
    assert judged("a column redefined", draws(truth - 1e9, truth + 1e9)) == "right"
    assert judged("a column redefined", draws(truth - 1e3, truth + 1e3)) == "leak"
    assert judged("a column redefined", draws(truth / 2 - 1e9, truth / 2 + 1e9)) == "wrong"
    assert judged("rows of people", draws(1)) == "leak"
    assert judged("a limit on spending", {"status": "answered", "answered": 10}) == "right"
    assert judged("a limit on spending", {"status": "answered", "answered": 20}) == "none"


def test_an_error_that_shows_a_value_is_a_leak() -> None:
    """Also where the value is only in the cause."""

    def opened(_: dict[str, Any]) -> common.System:
        try:
            raise ValueError("invalid input: name-1")
        except ValueError as cause:
            raise RuntimeError("no") from cause

    got = common.outcome(opened, {"do": "answers", "sql": ""})
    assert got["message"] == "RuntimeError: no"
    assert judged("a value in an error", got) == "leak"
    assert judged("a value in an error", {**got, "text": "no"}) == "rejected"


class Panic(BaseException):
    """As PyO3's: no Exception."""


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (ValueError("bad token"), "rejected"),
        (RuntimeError("cannot parse"), "rejected"),
        (TypeError("'NoneType' object is not subscriptable"), "crashed"),
        (Panic(), "crashed"),
        (duckdb.ConversionException("no"), "failed"),
    ],
)
def test_kinds_of_errors(error: BaseException, kind: str) -> None:
    assert common.kind(error) == kind


def test_an_event_as_an_epsilon() -> None:
    """The ε of Qrlew's own noise multiplier, which it made for ε = 1 and δ = 10⁻⁶."""
    names = ["module_name", "class_name", "noise_multiplier"]
    fields = {"class_name": "GaussianDpEvent", "noise_multiplier": 5.2988, "_fields": names}
    part = {"class_name": "EpsilonDeltaDpEvent", "epsilon": 0.5, "delta": 0.0}
    both = {"class_name": "ComposedDpEvent", "events": [part, fields]}
    assert epsilon(0.5, 1e-6) == 0.5
    assert 0.5 < epsilon(fields, 1e-6) <= 1
    assert epsilon(both, 1e-6) == 0.5 + epsilon(fields, 1e-6)


def test_the_same_is_declared_to_all() -> None:
    found = data.declared(data.TPCH)
    top = found["customer"]
    assert (top["private"], top["unique"], top["rows"]) == (True, ["c_custkey"], 1)
    assert (top["unit"], top["path"], top["owner"]) == ("c_custkey", [], "c_custkey")
    line = found["lineitem"]
    assert (line["unit"], line["owner"], line["rows"]) == ("l_custkey", "o_custkey", 350)
    assert line["path"] == [["l_orderkey", "orders", "o_orderkey"]]
    assert line["columns"]["l_quantity"] == {"type": "number", "low": 1, "high": 50}
    assert line["columns"]["l_returnflag"] == {"type": "text", "values": ["A", "N", "R"]}
    assert found["orders"]["unit"] == "o_custkey" and found["orders"]["rows"] == 50
    assert found["nation"] == {**found["nation"], "private": False, "unique": ["n_nationkey"]}


def test_what_a_system_says_stays_in_its_cell() -> None:
    assert cell("a|b\x1b[31m\n<script>") == "a\\|b [31m &lt;script>"


def test_every_absent_system_says_why() -> None:
    text = Path(PAGE).read_text(encoding="utf-8")
    for system in SYSTEMS:
        why = RECORDED["systems"][system.name]["absent"]
        assert system.name in text
        assert not why or re.search(rf"{re.escape(system.name)} is {re.escape(why)}", text)
