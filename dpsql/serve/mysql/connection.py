"""One connection: who it is from, and then one command after another."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import islice
from typing import TypeVar

from mysql_mimic import packets
from mysql_mimic.charset import CharacterSet
from mysql_mimic.types import Capabilities, Commands, uint_2, uint_4

from dpsql.errors import DpsqlError, InvalidArgument, Rejected
from dpsql.execution import boundary
from dpsql.serve.login import Login
from dpsql.serve.mysql import entrance, errors
from dpsql.serve.mysql.catalog import Catalogs
from dpsql.serve.mysql.command_text import Value, places
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.handshake import (
    CHARSETS,
    STATUS,
    Hello,
    greeting,
    hello,
    other_user,
    wants_tls,
)
from dpsql.serve.mysql.packets import Frames, HungUp
from dpsql.serve.mysql.prepared import Prepared, PreparedStatements, values
from dpsql.serve.mysql.sent_columns import Encoder, Rows
from dpsql.serve.mysql.session import Kill, Running, Session
from dpsql.serve.mysql.strict_bytes import Reader, text
from dpsql.serve.principals import Principal
from dpsql.serve.service import Service

T = TypeVar("T")

IDLE = 8 * 3600.0
"""Seconds that a connection may say nothing."""

LOOK = 0.25
"""Seconds between two looks whether the client is still there."""

AT_ONCE = 500
"""Rows that are written before others are served."""

NOT_BEGUN = "the query was stopped before it began; nothing was charged"
NEEDS_TLS = "a token is read by others on its way: connect with TLS"


class Connection:
    """A connection, from its greeting to its end.

    Args:
        frames: its packets.
        service: the one path to the data.
        login: who is let in.
        number: its own.
        tls: the server's certificate; None for none.
        here: whether the client is on this machine.
        kill: ends a query of a connection, or all of it.
        catalogs: of what there is.
        known: is told whose it is from now on.
    """

    def __init__(
        self,
        frames: Frames,
        service: Service,
        login: Login,
        number: int,
        *,
        tls: ssl.SSLContext | None,
        here: bool,
        kill: Callable[[Principal, Kill], Awaitable[bool]],
        catalogs: Catalogs,
        known: Callable[[Principal], None],
    ) -> None:
        self._frames, self._service, self.number = frames, service, number
        self._login = login
        self._tls, self._here, self._kill, self._catalogs = tls, here, kill, catalogs
        self._now_of = known
        self._seconds = service.config.limits.seconds
        self._able, self._nonce = Capabilities(0), entrance.nonce()
        self._session: Session | None = None
        self._running: Running | None = None
        self._prepared = PreparedStatements(8 * service.config.limits.body)

    @property
    def who(self) -> Principal | None:
        """Whose it is; None before that is known."""
        return None if self._session is None else self._session.who

    async def serve(self) -> None:
        """All of it; never raises."""
        try:
            await self._enter()
            while True:
                self._frames.again()
                await self._command(await self._frames.read(IDLE))
        except HungUp:
            pass
        except Refused as refused:
            await self._last(refused)
        except DpsqlError as error:
            await self._last(error)
        except Exception as error:
            await self._last(boundary.internal(error))
        finally:
            if self._running is not None:  # the server is closed
                self._running.asked.stop.set()
                self._running.asked.future.cancel()
            await self._frames.close()

    async def end(self, *, whole: bool) -> None:
        """Stop what runs; the connection too, if it is to."""
        await self._stop()
        if whole:
            self._frames.hang_up()

    async def _stop(self) -> None:
        running, who = self._running, self.who
        if running is not None and who is not None and not running.asked.future.done():
            with suppress(DpsqlError):  # it has ended meanwhile
                await self._apart(lambda: self._service.stop(who, running.data, running.asked.id))

    async def _last(self, error: DpsqlError | Refused) -> None:
        try:
            self._tell(error)
            await self._frames.flush()
        except HungUp:
            pass

    # --- who it is ---

    async def _enter(self) -> None:
        frames, plugin = self._frames, entrance.usual(tls=self._tls is not None)
        frames.put(greeting(self.number, self._nonce, plugin, tls=self._tls is not None))
        await frames.flush()
        data = await frames.read(self._seconds)
        if self._tls is not None and wants_tls(data):
            await frames.encrypt(self._tls)
            data = await frames.read(self._seconds)
        if not (frames.secret or self._here):
            raise Refused(3159, "HY000", NEEDS_TLS, ends=True)
        said = hello(data)
        self._able = said.able
        await self._admit(said, plugin)

    async def _admit(self, said: Hello, greeted: str) -> None:
        """Let somebody in, or raise what they are told."""
        name, _, place = said.user.partition("/")
        plugin, proof = await entrance.shown(
            self._frames, said, greeted, self._nonce, self._seconds
        )
        found = await self._apart(
            lambda: entrance.known(self._login, name, plugin, proof, self._nonce)
        )
        if found is None:
            await self._refused(name, entrance.token(plugin, proof))
            raise entrance.denied()
        self._now_of(found)
        session = Session(self._service, found, self.number, self._catalogs, said.charset)
        await self._apart(lambda: session.use(said.data or place))
        self._session, self._frames.most = session, self._service.config.limits.body
        self._prepared.clear()
        self._ok()
        await self._frames.flush()

    async def _other_user(self, reader: Reader) -> None:
        """Another user, or the end: nobody goes on as who they were."""
        session, self._session = self._known, None
        charset = str(session.variables.system["character_set_client"])
        said = other_user(reader.rest(), self._able, charset)
        # The proof that came along is of the first nonce, or of none: it is asked for again.
        self._nonce = entrance.nonce()
        await self._admit(said, "")

    # --- commands ---

    async def _command(self, data: bytes) -> None:
        if not data:
            raise errors.malformed()
        reader = Reader(data)
        kind = reader.number(1)
        if kind == Commands.COM_QUIT:
            raise HungUp
        if kind == Commands.COM_CHANGE_USER:
            await self._other_user(reader)
            return
        problem: DpsqlError | Refused | None = None
        try:
            await self._do(kind, reader)
        except (DpsqlError, Refused) as error:
            problem = error
        except HungUp:
            raise
        except Exception as error:
            problem = boundary.internal(error)
        if problem is not None:
            if isinstance(problem, Refused) and problem.ends:
                raise problem
            self._tell(problem)
        await self._frames.flush()

    async def _do(self, kind: int, reader: Reader) -> None:
        session = self._known
        if kind == Commands.COM_STMT_CLOSE:
            self._prepared.drop(reader.number(4))
        elif kind == Commands.COM_STMT_SEND_LONG_DATA:
            self._prepared.append(reader)
        elif kind == Commands.COM_PING:
            self._ok()
        elif kind == Commands.COM_RESET_CONNECTION:
            session.reset()
            self._prepared.clear()
            self._ok()
        elif kind == Commands.COM_SET_OPTION:
            if reader.number(2) == 0:
                raise Refused(1235, "42000", "there is one statement at a time")
            self._end()
        elif kind == Commands.COM_STMT_RESET:
            self._prepared.find(reader.number(4)).long.clear()
            self._ok()
        else:
            await self._still_known()
            await self._ask(kind, reader)

    async def _ask(self, kind: int, reader: Reader) -> None:
        """A command that is answered by the service."""
        session = self._known
        codec = session.variables.client_codec
        if kind == Commands.COM_INIT_DB:
            name = text(reader.rest(), codec)
            await self._looked(lambda: session.use(name))
            self._ok()
        elif kind == Commands.COM_QUERY:
            await self._answer(text(reader.rest(), codec), (), binary=False)
        elif kind == Commands.COM_STMT_PREPARE:
            sql = text(reader.rest(), codec)
            await self._prepare(sql)
        elif kind == Commands.COM_STMT_EXECUTE:
            made = self._prepared.find(reader.number(4))
            if reader.number(1):
                raise Refused(1235, "42000", "there are no cursors: ask for all rows at once")
            reader.number(4)
            await self._answer(made.sql, tuple(values(made, reader, codec)), binary=True)
        elif kind == Commands.COM_PROCESS_KILL:
            await self._kill_one(Kill(reader.number(4), whole=True))
        elif kind == Commands.COM_FIELD_LIST:
            name = text(reader.ended(), codec)
            found = await self._looked(lambda: session.fields(name))
            for part in Encoder(found, session.variables.results).definitions(listed=True):
                self._frames.put(part)
            self._end()
        elif kind == Commands.COM_STATISTICS:
            self._frames.put(b"dpsql")
        else:
            raise Refused(1047, "08S01", "there is no such command")

    async def _prepare(self, sql: str) -> None:
        count = await self._looked(lambda: places(sql))
        if count > 0xFFFF:
            raise Refused(1390, "HY000", "the statement has too many parameters")
        number = self._prepared.add(Prepared(sql, count))
        # How many columns there will be is told with the rows: here it may be 0.
        self._frames.put(b"\0" + uint_4(number) + uint_2(0) + uint_2(count) + b"\0" + uint_2(0))
        for _ in range(count):
            self._frames.put(
                packets.make_column_definition_41(server_charset=CharacterSet.utf8mb4, name="?")
            )
        if count and Capabilities.CLIENT_DEPRECATE_EOF not in self._able:
            self._end()

    async def _answer(self, sql: str, given: tuple[Value, ...], *, binary: bool) -> None:
        session = self._known
        begun = await self._looked(lambda: session.begin(sql, given))
        if isinstance(begun, Kill):
            await self._kill_one(begun)
            return
        if begun is None:
            self._ok()
            return
        rows = await self._ended(begun) if isinstance(begun, Running) else begun
        await self._write(rows, session.variables.results, binary=binary)

    async def _ended(self, running: Running) -> Rows:
        """What a query gives; it is stopped where the client hangs up."""
        self._running = running
        future = asyncio.wrap_future(running.asked.future)
        future.add_done_callback(_heard)
        while not (await asyncio.wait([future], timeout=LOOK))[0]:
            if await self._frames.gone():
                await self._stop()
                raise HungUp
        self._running = None
        if future.cancelled():
            raise InvalidArgument(NOT_BEGUN)
        problem = future.exception()
        if isinstance(problem, Rejected):
            raise await self._apart(lambda: running.placed(problem))
        found = future.result()
        return await self._apart(lambda: running.rows(found))

    async def _write(self, rows: Rows, charset: str, *, binary: bool) -> None:
        frames, encoder = self._frames, Encoder(rows, charset)
        definitions = await self._apart(encoder.definitions)
        frames.put(packets.make_column_count(self._able, len(definitions)))
        for part in definitions:
            frames.put(part)
        if Capabilities.CLIENT_DEPRECATE_EOF not in self._able:
            self._end()
        written = encoder.packets(binary=binary)
        while some := await self._apart(lambda: list(islice(written, AT_ONCE))):
            for packet in some:
                frames.put(packet)
            await frames.pour()
        self._end()

    # --- what else ---

    @property
    def _known(self) -> Session:
        if self._session is None:
            raise entrance.denied()
        return self._session

    async def _still_known(self) -> None:
        """Look the token up again: it may have been revoked since.

        Raises:
            Refused: nobody has it any more.
            RateExceeded: it comes too often.
        """
        session = self._known
        found = await self._apart(lambda: self._login.principals.still(session.who))
        if found is None:
            await self._refused(session.who.name, "")
            raise entrance.denied()
        session.who = found
        self._service.pacer.take(found.name)

    async def _refused(self, name: str, token: str) -> None:
        noted = self._service.refused_logins.note
        await self._apart(lambda: noted("mysql", name=name, token=token))

    async def _apart(self, work: Callable[[], T]) -> T:
        """What waits for a file, while others are served."""
        return await asyncio.to_thread(work)

    async def _looked(self, work: Callable[[], T]) -> T:
        """What takes long and costs nothing, each principal in turn."""
        future = self._service.looks.ask(self._known.who.name, work)
        found: T = await asyncio.wrap_future(future)
        return found

    async def _kill_one(self, kill: Kill) -> None:
        if not await self._kill(self._known.who, kill):
            raise Refused(1094, "HY000", "there is no such connection of yours")
        self._ok()

    def _ok(self) -> None:
        self._frames.put(packets.make_ok(capabilities=self._able, status_flags=STATUS))

    def _end(self) -> None:
        """The packet behind the last column or row."""
        if Capabilities.CLIENT_DEPRECATE_EOF in self._able:
            self._frames.put(
                packets.make_ok(capabilities=self._able, status_flags=STATUS, eof=True)
            )
        else:
            self._frames.put(packets.make_eof(capabilities=self._able, status_flags=STATUS))

    def _tell(self, error: DpsqlError | Refused) -> None:
        session = self._session
        charset = "utf8mb4" if session is None else session.variables.results
        self._frames.put(errors.told(error).packet(CHARSETS[charset].codec))


def _heard(future: asyncio.Future[object]) -> None:
    """An error that nobody waits for any more is no news for a log."""
    if not future.cancelled():
        future.exception()
