"""Policies, records and ledgers as somebody may have left them."""

from __future__ import annotations

import contextlib
import os
import random
from fractions import Fraction
from functools import cache

import duckdb

import dpsql
from dpsql.platform.policy import Policy, Verification
from dpsql.session import costs as without_data
from tests.fuzzing import corpus, mutate
from tests.fuzzing.tries import FOLDER, Try


def policied(rng: random.Random) -> Try:
    """A policy, and a query over it."""
    begun = rng.choice(corpus.policies())
    lines = begun.splitlines(keepends=True)
    for _ in range(rng.choice((0, 0, 1, 2))):
        place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        change = rng.randint(0, 3)
        if change == 0:
            del lines[place]
        elif change == 1:
            lines.insert(place, lines[other])
        elif change == 2:
            lines[place] = lines[place].replace(":", rng.choice((": ", ":", ": [", ": {", ": &a ")))
        else:
            lines[place], lines[other] = lines[other], lines[place]
        if not lines:
            lines = ["\n"]
    text = "".join(lines)
    if rng.random() < 0.8:
        text = mutate.text(rng, text, corpus.policies())
    sql = rng.choice(rng.choice(tuple(corpus.queries().values())))

    def work() -> bool:
        made = Policy.parse(text + "\n")
        with contextlib.suppress(dpsql.Rejected):
            without_data.explain(sql, 1, made)
        return True

    return Try(f"{text}\n-- {sql}", work)


def damaged(rng: random.Random, whole: bytes) -> bytes:
    """A file after a few changes of its bytes."""
    data = bytearray(whole)
    for _ in range(rng.choice((1, 1, 2, 8))):
        place = rng.randrange(len(data) or 1)
        change = rng.randint(0, 4)
        if change == 0:
            data[place : place + 1] = bytes([rng.randrange(256)])
        elif change == 1:
            del data[place : place + rng.choice((1, 7, 512, 4096))]
        elif change == 2:
            data[place:place] = data[place : place + rng.choice((1, 7, 512))]
        elif change == 3:
            data[place:place] = rng.choice(
                (b"\0", b'"', b"[" * 5000, b"\xff\xfe", b"9" * 5000, b"-1")
            )
        else:
            data = data[:place]
    return bytes(data)


@cache
def _record() -> bytes:
    file = FOLDER / "whole.json"
    Verification("v", "d", frozenset({"a.b"}), frozenset({"a.c"})).save(file)
    return file.read_bytes()


def record(rng: random.Random) -> Try:
    """A verification record."""
    data = damaged(rng, _record())

    def work() -> bool:
        file = FOLDER / "record.json"
        file.write_bytes(data)
        return Verification.load(file) is not None

    return Try(repr(data), work)


@cache
def _ledger() -> tuple[bytes, dict[str, bytes]]:
    """A ledger with two charges, and its witness."""
    folder = FOLDER / "ledger"
    folder.mkdir(exist_ok=True)
    held = duckdb.connect(":memory:")
    held.execute("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    text = "unit: t.id\nbudget: {eps: 10}\ntables: {t: {access: private, key: [id]}}\n"
    os.environ["DPSQL_STATE"] = str(folder / "state")
    db = dpsql.connect(held, text, ledger=folder / "ledger", version="1")
    db.run("SELECT COUNT(*) FROM t", 1)
    db.run("SELECT COUNT(*) + 1 FROM t", 1)
    db.close()
    kept = {p.name: p.read_bytes() for p in (folder / "state" / "witness").glob("*.json")}
    return (folder / "ledger").read_bytes(), kept


def ledger(rng: random.Random) -> Try:
    """A ledger's file, or its witness."""
    whole, kept = _ledger()
    changed = rng.random() < 0.6
    data = damaged(rng, whole) if changed else whole
    files = dict(kept)
    if not changed:
        name = rng.choice(sorted(files))
        files[name] = damaged(rng, files[name])

    def work() -> bool:
        folder = FOLDER / "ledger"
        (folder / "ledger").write_bytes(data)
        for file in folder.glob("ledger-*"):
            file.unlink()
        for name, content in files.items():
            (folder / "state" / "witness" / name).write_bytes(content)
        held = duckdb.connect(":memory:")
        held.execute("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
        text = "unit: t.id\nbudget: {eps: 10}\ntables: {t: {access: private, key: [id]}}\n"
        os.environ["DPSQL_STATE"] = str(folder / "state")
        with held, dpsql.connect(held, text, ledger=folder / "ledger", version="1") as db:
            list(db.budget.history)
            db.run("SELECT COUNT(*) FROM t", Fraction(1, 2))
        return True

    return Try(f"{'ledger' if changed else 'witness'} {len(data)} bytes", work)
