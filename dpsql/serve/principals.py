"""Who may ask, and by which token: kept in a file of the state's folder.

Of a token only hashes are kept. It has 256 random bits, so nobody finds it from a hash, however
fast that is computed; it is shown once, when it is made.

There are two: SHA-256 of its secret, and SHA-1 of SHA-1 of all of it, the verifier of
mysql_native_password, by which a client of MySQL proves that it knows the token without sending it.
Claim: who reads this file can log in by neither. Why: both logins need a preimage of what is kept,
of the token's 256 random bits or of the 160 bits of SHA1(token); that collisions of SHA-1 are known
helps with neither. Who reads this file *and* the bytes of such a login has SHA1(token), and can log
in over MySQL's protocol until the token ends: so it is taken over TLS and on loopback alone.
Source: MySQL, "Native Authentication": the client sends SHA1(token) XOR SHA1(nonce, verifier).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, cast, get_args

from dpsql.core.account.account import Cap
from dpsql.core.account.amount import Cost
from dpsql.errors import EngineError, InvalidArgument

Role = Literal["analyst", "service", "owner"]

FILE = "principals.sqlite"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}\Z")
_BEGIN = re.compile(r"dpsql_([0-9a-f]{16})")
_TOKEN = re.compile(r"dpsql_([0-9a-f]{16})_([A-Za-z0-9_-]{43})\Z")

_TABLES = """
CREATE TABLE IF NOT EXISTS principal (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    data TEXT NOT NULL,      -- JSON: the names of data sets; null for all
    min_eps TEXT NOT NULL,   -- a fraction
    caps TEXT NOT NULL,      -- JSON: by data set ("*" for each) [eps, delta or null], fractions
    paused INTEGER NOT NULL DEFAULT 0,
    default_eps TEXT         -- a fraction; null for none
) STRICT;
CREATE TABLE IF NOT EXISTS token (
    id TEXT PRIMARY KEY,
    principal TEXT NOT NULL REFERENCES principal,
    hash TEXT NOT NULL,
    made TEXT NOT NULL,
    expires TEXT,
    revoked TEXT,
    verifier TEXT            -- null in a file from before there was one
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who may ask.

    Attributes:
        name: the analyst's, in caps and ledgers.
        role: an owner sees what all do.
        data: the data sets that may be asked; None for all.
        min_eps: the least ε of a query; 0 for the account's own.
        default_eps: the ε of a query that names none; None where it must.
        token: which one was shown, for the audit log.
        paused: may look, and not ask.
        until: when what was shown ends, of a token whose end is known from itself alone.
    """

    name: str
    role: Role = "analyst"
    data: frozenset[str] | None = None
    min_eps: Fraction = Fraction(0)
    token: str = ""
    paused: bool = False
    until: datetime | None = None
    default_eps: Fraction | None = None

    def may_see(self, data: str) -> bool:
        """Whether a data set is there for this principal."""
        return self.data is None or data in self.data


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token, without itself."""

    id: str
    principal: str
    made: datetime
    expires: datetime | None
    revoked: datetime | None


def named(which: str) -> str:
    """What a log may say of a text that should be a name, or a token's id: the id of what begins as
    a token does, whose secret follows; "" of what is neither.
    """
    if which.startswith("dpsql_"):
        found = _BEGIN.match(which)
        return found.group(1) if found else ""
    return which if NAME.match(which) else ""


class Principals:
    """The principals of a server. Safe for threads, and for several processes.

    Args:
        folder: of the state; the file in it is readable by its owner alone.

    Raises:
        EngineError: it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._here = threading.local()
        problem = ""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file.touch(mode=0o600)
            with self._writing() as connection:
                connection.executescript(_TABLES)
                _migrate(connection)
            return
        except OSError as error:
            problem = error.strerror or "no file"
        if problem:
            raise EngineError(f"the state's folder cannot be used: {problem}")

    def add(
        self,
        name: str,
        *,
        role: str | None = None,
        data: frozenset[str] | None = None,
        min_eps: Fraction | None = None,
        default_eps: Fraction | None = None,
        caps: Mapping[str, tuple[Fraction, Fraction | None] | None] | None = None,
    ) -> None:
        """Make a principal, or change what is given of one; caps of other data sets stay, and None
        takes one away, as 0 does the default ε.

        Raises:
            InvalidArgument: a name or a role that is none.
            InvalidBudget: a cap that is negative.
        """
        if not NAME.match(name):
            raise InvalidArgument("a principal's name has letters, digits and . _ - @, up to 64")
        if role is not None and role not in get_args(Role):
            raise InvalidArgument(f"a role is one of {', '.join(get_args(Role))}")
        said = {name: None if cap is None else _cap(*cap) for name, cap in (caps or {}).items()}
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO principal (name, role, data, min_eps, caps) "
                "VALUES (?, 'analyst', 'null', '0', '{}') "
                "ON CONFLICT DO NOTHING",
                (name,),
            )
            row = connection.execute(
                "SELECT caps FROM principal WHERE name = ?", (name,)
            ).fetchone()
            for column, value in (
                ("role", role),
                ("data", None if data is None else json.dumps(sorted(data))),
                ("min_eps", None if min_eps is None else str(min_eps)),
                ("default_eps", None if default_eps is None else str(default_eps)),
                ("caps", json.dumps(_changed(json.loads(row[0]), said))),
            ):
                if value is not None:
                    connection.execute(
                        f"UPDATE principal SET {column} = ? WHERE name = ?", (value, name)
                    )

    def pause(self, name: str, paused: bool) -> None:
        """Let a principal ask no more, or again.

        Raises:
            InvalidArgument: there is none of that name.
        """
        with self._writing() as connection:
            done = connection.execute(
                "UPDATE principal SET paused = ? WHERE name = ?", (int(paused), name)
            )
            if not done.rowcount:
                raise InvalidArgument("there is no principal of that name")

    def new_token(self, name: str, expires: datetime | None = None) -> str:
        """A token of a principal that is there; it is told here and nowhere else.

        Raises:
            InvalidArgument: there is no such principal.
        """
        number, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        token = f"dpsql_{number}_{secret}"
        with self._writing() as connection:
            if not connection.execute("SELECT 1 FROM principal WHERE name = ?", (name,)).fetchone():
                raise InvalidArgument("there is no principal of that name")
            connection.execute(
                "INSERT INTO token (id, principal, hash, made, expires, verifier) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    *(number, name, _hash(secret), _text(datetime.now(UTC))),
                    *(expires and _text(expires), _verifier(token)),
                ),
            )
        return token

    def revoke(self, which: str) -> None:
        """End a token, by its id or itself; or all tokens of a principal, by the name.

        Raises:
            InvalidArgument: there is none.
        """
        shown = _TOKEN.match(which)
        with self._writing() as connection:
            done = connection.execute(
                "UPDATE token SET revoked = ? WHERE revoked IS NULL AND (id = ? OR principal = ?)",
                (_text(datetime.now(UTC)), shown.group(1) if shown else which, which),
            )
            if not done.rowcount:
                raise InvalidArgument("there is no token of that id, and no principal with one")

    def shown(self, token: str) -> tuple[str, str]:
        """The id of a token that was made here, and whose it was, for a log; of any other text
        nothing. Its secret is not looked at: it may be over, or wrong.
        """
        parts = _TOKEN.match(token)
        row = parts and self._reading(
            "SELECT id, principal FROM token WHERE id = ?", parts.group(1)
        )
        return (row[0], row[1]) if row else ("", "")

    def known(self, token: str) -> Principal | None:
        """Whose token it is; None where it is nobody's, has ended or was revoked."""
        parts = _TOKEN.match(token)
        if parts is None:
            return None
        row = self._reading("SELECT hash FROM token WHERE id = ?", parts.group(1))
        # Compared also where there is none, in the same time.
        same = hmac.compare_digest(_hash(parts.group(2)), row[0] if row else _hash(""))
        return self.holder(parts.group(1)) if row and same else None

    def proven(self, name: str, proof: Callable[[bytes], bool]) -> Principal | None:
        """The principal of a name, where somebody proves to know one of its tokens.

        Args:
            name: who it is said to be.
            proof: whether what was shown goes with a verifier, which has 20 bytes.
        """
        nobody = ("", "00" * 20)  # so that a name that is none takes its time too
        rows = self._all("SELECT id, verifier FROM token WHERE principal = ?", name) or [nobody]
        shown = [number for number, text in rows if text and proof(bytes.fromhex(text))]
        return next((who for n in shown if (who := self.holder(n)) is not None), None)

    def holder(self, token: str) -> Principal | None:
        """Whose the token of an id is; None where it has ended or was revoked."""
        row = self._reading("SELECT principal, expires, revoked FROM token WHERE id = ?", token)
        if not row or _over(row[1], row[2]):
            return None
        return self.named(row[0], token=token)

    def still(self, who: Principal) -> Principal | None:
        """Somebody who asked before, as he is now; None where his token is over by now."""
        row = self._reading("SELECT expires, revoked FROM token WHERE id = ?", who.token)
        over = who.until is not None and who.until <= datetime.now(UTC)
        if over or (row and _over(*row)):
            return None
        return self.named(who.name, token=who.token, until=who.until)

    def named(self, name: str, token: str = "", until: datetime | None = None) -> Principal | None:
        """The principal of a name; None where there is none."""
        row = self._reading(
            "SELECT role, data, min_eps, paused, default_eps FROM principal WHERE name = ?", name
        )
        if not row:
            return None
        data = json.loads(row[1])
        seen = None if data is None else frozenset(data)
        least, paused, usual = Fraction(row[2]), bool(row[3]), Fraction(row[4] or 0) or None
        return Principal(name, cast(Role, row[0]), seen, least, token, paused, until, usual)

    def caps(self, data: str, delta: Fraction) -> tuple[Cap, ...]:
        """What principals may spend on a data set.

        Args:
            data: its name.
            delta: of the whole account, where a cap names none.
        """
        found = []
        for name, text in self._all("SELECT name, caps FROM principal ORDER BY name"):
            caps = json.loads(text)
            cap = caps.get(data, caps.get("*"))
            if cap is not None:
                most = Cost(Fraction(cap[0]), delta if cap[1] is None else Fraction(cap[1]))
                found.append(Cap(name, most))
        return tuple(found)

    def given(self, name: str) -> dict[str, tuple[Fraction, Fraction | None]]:
        """The caps of a principal, as `add` takes them."""
        (caps,) = self._reading("SELECT caps FROM principal WHERE name = ?", name) or ("{}",)
        return {
            data: (Fraction(eps), None if delta is None else Fraction(delta))
            for data, (eps, delta) in json.loads(caps).items()
        }

    def all(self) -> tuple[Principal, ...]:
        """Every principal, by name."""
        names = [name for (name,) in self._all("SELECT name FROM principal ORDER BY name")]
        return tuple(p for name in names if (p := self.named(name)) is not None)

    def tokens(self) -> tuple[Token, ...]:
        """Every token, oldest first."""

        def moment(text: str | None) -> datetime | None:
            return None if text is None else datetime.fromisoformat(text)

        rows = self._all("SELECT id, principal, made, expires, revoked FROM token ORDER BY made")
        return tuple(
            Token(number, name, datetime.fromisoformat(made), moment(expires), moment(revoked))
            for number, name, made, expires, revoked in rows
        )

    def _reading(self, sql: str, *given: str) -> tuple[Any, ...] | None:
        return next(iter(self._all(sql, *given)), None)

    def _all(self, sql: str, *given: str) -> list[tuple[Any, ...]]:
        try:
            connection = getattr(self._here, "connection", None)
            if connection is None:
                connection = self._here.connection = sqlite3.connect(self._file, timeout=10)
            found: list[tuple[Any, ...]] = connection.execute(sql, given).fetchall()
            return found
        except sqlite3.Error:
            pass
        raise EngineError("the principals cannot be read")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._file, timeout=10)) as connection, connection:
                yield connection
                return
        except sqlite3.Error:
            pass
        raise EngineError("the file of principals cannot be written, or is none")


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring a file of an earlier version to this one; of its tokens no verifier is known."""
    connection.execute("BEGIN IMMEDIATE")  # another process may do the same
    for table, column in (("token", "verifier"), ("principal", "default_eps")):
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        if column not in columns:
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")


def _cap(eps: Fraction, delta: Fraction | None) -> list[str | None]:
    Cost(eps, delta or Fraction(0))  # one that is negative would stop everybody's queries
    return [str(eps), None if delta is None else str(delta)]


def _changed(caps: dict[str, object], said: dict[str, list[str | None] | None]) -> object:
    return {name: cap for name, cap in (caps | said).items() if cap is not None}


def _over(expires: str | None, revoked: str | None) -> bool:
    ended = expires is not None and datetime.fromisoformat(expires) <= datetime.now(UTC)
    return ended or revoked is not None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _verifier(token: str) -> str:
    return hashlib.sha1(hashlib.sha1(token.encode()).digest()).hexdigest()


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
