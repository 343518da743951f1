"""The HTTP interface: JSON, Arrow, and the form in which this library's own values are told."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib.metadata import version
from typing import Annotated, Any, Literal, TypeVar

from anyio.to_thread import run_sync
from fastapi import Depends, FastAPI, Header, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, Strict, model_validator
from starlette.exceptions import HTTPException

from dpsql.core.account.amount import parse_delta, parse_eps, read
from dpsql.core.calibrate.options import Amount, Clipping, Noise, Question, Wishes
from dpsql.errors import AccessDenied, DpsqlError, InvalidArgument, InvalidBudget
from dpsql.execution import boundary
from dpsql.report.budget.line import LedgerLine
from dpsql.report.result import Answer, Batch
from dpsql.report.result.formats import FORMATS
from dpsql.serve import errors, off_by
from dpsql.serve.asked import Asked, How
from dpsql.serve.console.mount import mount
from dpsql.serve.giving import LARGE, Given
from dpsql.serve.health import PATIENCE, Health
from dpsql.serve.login import Login, bearer
from dpsql.serve.metrics import Metrics
from dpsql.serve.principals import Principal
from dpsql.serve.request_limits import Guard
from dpsql.serve.service import Service
from dpsql.session.remote.client import MEDIA
from dpsql.session.remote.codec import encoded

T = TypeVar("T")

ARROW = "application/vnd.apache.arrow.stream"
LONGEST_WAIT = 30.0
WAYS, LATER = 8, 32
"""In which it may go on after a query, and queries in each."""

Said = Annotated[float, Strict()] | str | None
"""An amount: a number, and `true` is none; or an exact one as a text, "0.1" or "1/3"."""

DataName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]
QueryId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$", description="Of your choice, in hex.")]
Sql = Annotated[str, Field(max_length=1_000_000, description="One SELECT.")]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _written(cls, data: object) -> object:
        """JSON can name characters that are none, such as half a pair, which nothing can write."""
        if isinstance(data, dict):  # or bytes, which are no body
            json.dumps(data, ensure_ascii=False).encode()
        return data


class Ask(_Body):
    """A query; see `Database.explain`."""

    sql: Sql
    eps: Said = Field(
        default=None,
        description='ε, such as 0.5, or exactly: "1/3"; by default the principal\'s own. To look '
        "it may be left out in any case.",
    )
    delta: Said = Field(default=None, description="δ; the policy's share if not given.")
    noise: Noise = "auto"
    clipping: Clipping = "auto"
    weights: dict[str, float] | None = None
    dialect: str = Field(default="duckdb", max_length=40)

    @property
    def question(self) -> Question:
        """What is asked."""
        wishes = Wishes(noise=self.noise, clipping=self.clipping, dialect=self.dialect)
        if self.weights is not None:
            wishes["weights"] = self.weights
        eps: Amount = self.eps
        delta: Amount = self.delta
        if isinstance(eps, str):
            eps = parse_eps(read(eps, "ε"))
        if isinstance(delta, str):
            delta = parse_delta(read(delta, "δ"))
        return Question(self.sql, eps, delta, wishes)


class Priced(Ask):
    """A query that may follow, at an ε that is said."""

    eps: Said = Field(description='ε, such as 0.5, or exactly: "1/3".')


class Charged(Ask):
    """What is charged."""

    id: QueryId | None = None
    fresh: bool = False
    free: bool = False
    idempotency_key: str | None = Field(default=None, max_length=200)
    timeout: float | None = None
    wait: float = Field(
        default=LONGEST_WAIT,
        ge=0,
        le=LONGEST_WAIT,
        description="Seconds to hold the request; then it is 202, and the answer is fetched.",
    )

    def how(self, name: str) -> How:
        """How it is run."""
        return How(name, self.fresh, self.free, self.idempotency_key, self.timeout)


class Run(Charged):
    """A query that is charged; see `Database.run`."""

    then: list[Annotated[list[Priced], Field(max_length=LATER)]] = Field(
        default=[],
        max_length=WAYS,
        description="How it may go on: lists of queries that could be charged after it, or it is "
        "not charged.",
    )

    def how(self, name: str) -> How:
        """How it is run."""
        ways = tuple(tuple(one.question for one in way) for way in self.then)
        return replace(super().how(name), then=ways)


class RunBatch(Charged):
    """Queries that are declared together; see `Database.run_batch`."""

    sql: Literal[""] = ""
    queries: str | list[str] | dict[str, str] = Field(description="SQL, with ; between queries.")


class Key(_Body):
    """A request's key."""

    idempotency_key: str = Field(min_length=1, max_length=200)


def _who(request: Request, authorization: Annotated[str | None, Header()] = None) -> Principal:
    state = request.app.state
    service: Service = state.service
    once = len(request.headers.getlist("authorization")) < 2  # or a proxy may have read the other
    try:
        found: Principal = state.login.principal(authorization if once else None)
    except AccessDenied:
        if authorization is not None:  # who shows nothing tries nothing
            service.refused_logins.note("http", token=bearer(authorization))
        raise
    service.pacer.take(found.name)
    return found


Who = Annotated[Principal, Depends(_who)]

NO_EPS = 'the query has no ε: give "eps", such as 0.2; nothing was charged'


def api(service: Service, login: Login) -> Guard:
    """The application."""
    app = FastAPI(
        title="dpsql",
        version=version("dpsql"),
        description="Plain SQL in, differentially private answers out.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    metrics, alive = Metrics(service), Health(service.data.values())

    app.state.service, app.state.login = service, login

    async def looked(found: Principal, work: Callable[[], T]) -> T:
        """What takes long and costs nothing, each principal in turn."""
        return await asyncio.wrap_future(service.looks.ask(found.name, work))

    def priced(found: Principal, asked: Ask, otherwise: Fraction | None = None) -> Question:
        """What is asked, at the principal's own ε where it says none."""
        made = asked.question
        if made.eps is not None:
            return made
        return replace(made, eps=service.usual_eps(found, otherwise))

    def looked_at(found: Principal, asked: Ask) -> Question:
        """The same of what is free."""
        return priced(found, asked, max(Fraction(1), found.min_eps))

    @app.get("/health")
    async def health(response: Response) -> dict[str, str]:
        """Whether it is there, and can read its ledgers; else 503."""
        found = alive.good()
        if await _within(found, PATIENCE) and found.result():
            return {"status": "ok"}
        response.status_code = 503
        return {"status": "unavailable"}

    @app.get("/metrics")
    def measured(found: Who) -> Response:
        """Counts, for Prometheus; for services and owners."""
        return Response(metrics.text(found), media_type="text/plain; version=0.0.4")

    @app.get("/v1/about")
    def about(request: Request, found: Who, data: str = "") -> Response:
        """Who you are, and which data sets there are for you."""
        name, schema, verified = service.about(found, data)
        seen = [n for n in service.data if found.may_see(n)]
        told: dict[str, object] = {
            "version": app.version,
            "analyst": found.name,
            "role": found.role,
        }
        told |= {"data": name, "schema": schema, "verified": verified, "all": seen}
        told["keeps"] = service.data[name].db.keeps_answers
        return _told(request, told, lambda: told)

    @app.get("/v1/data/{data}/schema/{digest}")
    def schema(data: DataName, digest: str, request: Request, found: Who) -> Response:
        """A schema that was told by its digest; for this library alone."""
        made = service.schema(found, data, digest)
        return _told(request, made, lambda: {"digest": digest})

    @app.get("/v1/data/{data}/tables")
    def tables(data: DataName, found: Who) -> dict[str, Any]:
        """The tables, their columns, and who is protected."""
        service.about(found, data)
        made = service.data[data].db.schema
        return {
            "unit": made.unit,
            "neighbours": made.neighbours,
            "tables": {
                t.name: {
                    "private": t.private,
                    "columns": {c.name: str(c.type) for c in t.columns},
                }
                for t in made.tables.values()
            },
        }

    @app.post("/v1/data/{data}/explain")
    async def explain(data: DataName, asked: Ask, request: Request, found: Who) -> Response:
        """What a query would release and cost: free, and without reading a row."""
        question = looked_at(found, asked)
        told, made = await looked(found, lambda: service.explain(found, data, question))

        def plainly() -> dict[str, object]:
            columns = off_by.columns(made, asked.sql) or ()
            return made.to_dict() | {"columns": [column.to_dict() for column in columns]}

        return await run_sync(lambda: _told(request, told, plainly))

    @app.post("/v1/data/{data}/stored")
    async def stored(data: DataName, asked: Ask, request: Request, found: Who) -> Response:
        """Whether a stored answer will do, for free."""
        question = looked_at(found, asked)
        is_free = await looked(found, lambda: service.stored(found, data, question))
        return _told(request, is_free, lambda: {"stored": is_free})

    @app.post("/v1/data/{data}/run")
    async def run(data: DataName, asked: Run, request: Request, found: Who) -> Response:
        """Answer a query with noise, and charge the budget."""
        question, how = priced(found, asked), asked.how(asked.id or _new_id())
        if question.eps is None:
            raise InvalidBudget(NO_EPS)
        made = await run_sync(lambda: service.run(found, data, question, how))
        return await _ended(made, asked.wait, request)

    @app.post("/v1/data/{data}/batch")
    async def batch(data: DataName, asked: RunBatch, request: Request, found: Who) -> Response:
        """Answer queries that are declared together, for one charge."""
        question, how = priced(found, asked), asked.how(asked.id or _new_id())
        # Taking the text apart takes long, too.
        made = await looked(found, lambda: service.batch(found, data, asked.queries, question, how))
        return await _ended(made, asked.wait, request)

    @app.get("/v1/data/{data}/queries")
    def queries(data: DataName, found: Who) -> list[dict[str, str]]:
        """What you asked, and what became of it: "earlier" is of before the server was started."""
        every = service.recent(found, data)
        return [{"id": asked.id, "state": asked.state} for asked in every]

    @app.get("/v1/data/{data}/queries/{name}")
    async def query(
        data: DataName,
        name: str,
        request: Request,
        found: Who,
        wait: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = 0,
    ) -> Response:
        """The answer to what was asked under an id."""
        made = await run_sync(lambda: service.found(found, data, name))
        return await _ended(made, wait, request)

    @app.delete("/v1/data/{data}/queries/{name}")
    def stop(data: DataName, name: str, request: Request, found: Who) -> Response:
        """Stop a query; what was charged stays charged."""
        service.stop(found, data, name)
        return _told(request, None, lambda: {"id": name, "state": "stopping"})

    @app.get("/v1/data/{data}/budget")
    async def budget(data: DataName, request: Request, found: Who) -> Response:
        """What may be spent, what was, and what is left."""

        def work() -> Response:  # all lines of the ledger are read for it
            made, told = service.budget(found, data)
            return _told(request, told, made.to_dict)

        return await looked(found, work)

    @app.get("/v1/data/{data}/history")
    async def history(data: DataName, request: Request, found: Who) -> Response:
        """Your lines of the ledger; an owner's are everybody's."""

        def work() -> Response:
            told = service.history(found, data)
            return _told(request, told, lambda: [LedgerLine(x).to_dict() for x in told.lines])

        return await looked(found, work)

    @app.post("/v1/data/{data}/charged")
    def charged(data: DataName, asked: Key, request: Request, found: Who) -> Response:
        """The line of the ledger of a request's key."""
        line = service.charged(found, data, asked.idempotency_key)
        return _told(request, line, lambda: None if line is None else LedgerLine(line).to_dict())

    @app.get("/v1/audit")
    def audit(found: Who, last: Annotated[int, Field(ge=1, le=10_000)] = 100) -> list[Any]:
        """Who asked what; for owners."""
        return list(service.audited(found, last))

    @app.exception_handler(DpsqlError)
    async def failed(request: Request, error: DpsqlError) -> Response:
        return _failed(request, error)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part != "body")
        return _failed(request, InvalidArgument(f"{place or 'the request'}: {first['msg']}"))

    @app.exception_handler(HTTPException)
    async def nothing(request: Request, error: HTTPException) -> Response:
        told = {"error": {"type": "Refused", "text": str(error.detail)}}
        return Response(
            json.dumps(told), error.status_code, error.headers, media_type="application/json"
        )

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        return _failed(request, boundary.internal(error))

    mount(app, service, login)
    limits = service.config.limits
    return Guard(app, body=limits.body, seconds=limits.seconds, count=metrics.request)


async def _ended(asked: Asked, wait: float, request: Request) -> Response:
    """The answer, if it is there in time."""
    if not await _within(asked.future, wait):
        told = {"id": asked.id, "state": asked.state}
        return _told(request, told, lambda: told, status=202)
    if asked.future.cancelled():
        raise InvalidArgument("the query was stopped before it began; nothing was charged")
    whole, told = asked.future.result()
    made = partial(_answer, request, asked, whole, told)
    if asked.size < LARGE:
        return await run_sync(made)
    service: Service = request.app.state.service
    service.giving.begin(asked.analyst)
    try:
        found: Response = await asyncio.wrap_future(service.looks.ask(asked.analyst, made))
    except BaseException:
        service.giving.end(asked.analyst)
        raise
    return Given(found, partial(service.giving.end, asked.analyst))


async def _within(future: Future[Any], seconds: float) -> bool:
    if not future.done() and seconds:
        ended = asyncio.wrap_future(future)
        # It is asked of `future`; what nobody asks of a task, asyncio writes into the log.
        ended.add_done_callback(lambda one: one.cancelled() or one.exception())
        await asyncio.wait([ended], timeout=seconds)
    return future.done()


def _answer(request: Request, asked: Asked, whole: Answer | Batch, told: object) -> Response:
    accept = request.headers.get("accept", "")
    if ARROW in accept and isinstance(whole, Answer):
        import pyarrow.ipc

        table, sink = whole.to_arrow(intervals=True), io.BytesIO()
        with pyarrow.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        return Response(sink.getvalue(), media_type=ARROW, headers={"x-dpsql-id": asked.id})
    if MEDIA in accept:
        made = {"id": asked.id, "state": "done", "answer": told}
        return _told(request, made, dict)
    if isinstance(whole, Answer):
        answer = "".join(FORMATS["json"](whole, True))
    else:
        answer = "[" + ",".join("".join(FORMATS["json"](part, True)) for part in whole) + "]"
    text = f'{{"id":"{asked.id}","state":"done","answer":{answer}}}'
    return Response(text, media_type="application/json")


def _told(
    request: Request, own: object, plain: Callable[[], object], *, status: int = 200
) -> Response:
    """A value, as this library or as anybody reads it."""
    if MEDIA in request.headers.get("accept", ""):
        return Response(json.dumps(encoded(own)), status, media_type=MEDIA)
    text = json.dumps(plain(), ensure_ascii=False, default=str)
    return Response(text, status, media_type="application/json")


def _failed(request: Request, error: DpsqlError) -> Response:
    raised = MEDIA in request.headers.get("accept", "")
    text = json.dumps(errors.body(error, raised=raised), ensure_ascii=False)
    status, headers = errors.status(error), {}
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if status == 429:
        headers["retry-after"] = str(max(1, round(getattr(error, "seconds", 1))))
    return Response(text, status, headers=headers, media_type="application/json")


def _new_id() -> str:
    from secrets import token_hex

    return token_hex(16)
