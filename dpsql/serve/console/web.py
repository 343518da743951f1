"""What is true of every request of the console, whatever page it asks for.

Claim: a page of another site can neither do nor read anything here. Why: the cookie is
SameSite=Strict; each POST is refused that does not come from this origin, by what the browser
itself says, or that lacks the proof of its session; nothing is framed; and no script or style runs
that is no file of `static/`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request, Response

from dpsql.errors import AccessDenied, DpsqlError
from dpsql.serve import errors
from dpsql.serve.console import layout
from dpsql.serve.console.html import Html
from dpsql.serve.console.sessions import ID, Sessions, new_id
from dpsql.serve.principals import Principal
from dpsql.serve.service import Service

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; trusted-types dpsql; "
    "require-trusted-types-for 'script'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # With "no-referrer", browsers say `Origin: null` of this site's own forms.
    "referrer-policy": "same-origin",
}

ELSEWHERE = "this did not come from a page of this console; load the page again"
ENDED = "you are not logged in, or no more"
LOST = "the form was filled in wrongly"
FIELDS = 50
"""Of a form, at most."""

How = Literal["plain", "looked", "waits"]
"""How a page is made: at once; in the fair row of explanations; by a coroutine."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of somebody who is logged in.

    Attributes:
        service: what is asked.
        who: the principal.
        proof: that its forms must hold.
        data: the data set of the address; "" where it names none.
        form: what was filled in.
        query: of the address.
    """

    service: Service
    who: Principal
    proof: str = field(repr=False)
    data: str = ""
    form: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict)

    def page(self, title: str, *inner: object, script: str = "", status: int = 200) -> Response:
        """A page with all that is around it."""
        shown = [name for name in self.service.data if self.who.may_see(name)]
        at = self.data if self.data in shown else next(iter(shown), "")
        around = layout.Around(self.who, self.proof, at, shown)
        return html(layout.page(title, *inner, around=around, script=script), status)


class Web:
    """The console's side of an application.

    Args:
        app: pages are added to it.
        service: what is asked.
        sessions: who is logged in.
        secure: whether browsers reach it by TLS.
    """

    def __init__(self, app: FastAPI, service: Service, sessions: Sessions, secure: bool) -> None:
        self._app, self.service, self.sessions, self.secure = app, service, sessions, secure
        self.cookie = "__Host-dpsql" if secure else "dpsql"

    def add(
        self,
        method: Literal["GET", "POST"],
        path: str,
        work: Callable[[Visit], Any],
        *,
        how: How = "plain",
        plain: bool = False,
    ) -> None:
        """A page for who is logged in.

        Args:
            method, path: its address; `{data}` in it is a data set.
            work: makes it.
            how: see `How`.
            plain: whether it answers programs: JSON, errors too.
        """
        self.route(method, path, self.answer(work, how, plain))

    def answer(
        self, work: Callable[[Visit], Any], how: How = "plain", plain: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """The same without an address."""

        async def answer(request: Request) -> Response:
            visit: Visit | None = None
            try:
                visit = await self._visit(request)
                if how == "looked":
                    ready: Awaitable[Any] = asyncio.wrap_future(
                        self.service.looks.ask(visit.who.name, lambda: work(visit))
                    )
                else:
                    ready = work(visit) if how == "waits" else run_sync(work, visit)
                made = await ready
            except DpsqlError as error:
                return self._failed(error, visit, plain)
            return made if isinstance(made, Response) else told(made)

        return answer

    def route(
        self, method: str, path: str, answer: Callable[[Request], Awaitable[Response]]
    ) -> None:
        """A page for anybody."""
        self._app.add_api_route(
            path, answer, methods=[method], include_in_schema=False, response_model=None
        )

    def own(self, request: Request) -> str:
        """The id of the browser's cookie; "" without one."""
        return request.cookies.get(self.cookie, "")

    def known(self, response: Response, name: str) -> Response:
        """The same, giving the browser its id."""
        response.set_cookie(
            self.cookie, name, path="/", secure=self.secure, httponly=True, samesite="strict"
        )
        return response

    def forgotten(self, response: Response) -> Response:
        """The same, taking it away."""
        response.delete_cookie(
            self.cookie, path="/", secure=self.secure, httponly=True, samesite="strict"
        )
        return response

    def entrance(self, request: Request, problem: str = "", status: int = 200) -> Response:
        """The page to log in; its form is bound to the id that the browser has from now on."""
        name = self.own(request)
        name = name if ID.match(name) else new_id()
        made = html(layout.entrance(self.sessions.proof(name), problem), status)
        return self.known(made, name)

    async def filled(self, request: Request) -> dict[str, str]:
        """The fields of a form from a page of ours.

        Raises:
            AccessDenied: it is from elsewhere, or of another session.
        """
        form = _fields(await request.body())
        said = request.headers.get("x-dpsql-proof") or form.pop("proof", "")
        if not (self._same_origin(request) and self.sessions.proven(self.own(request), said)):
            raise AccessDenied(ELSEWHERE)
        return form

    async def _visit(self, request: Request) -> Visit:
        name = self.own(request)
        who = await run_sync(self.sessions.principal, name)
        if who is None:
            raise AccessDenied(ENDED)
        self.service.pacer.take(who.name)
        form = await self.filled(request) if request.method == "POST" else {}
        data, proof = request.path_params.get("data", ""), self.sessions.proof(name)
        return Visit(self.service, who, proof, data, form, dict(request.query_params))

    def _same_origin(self, request: Request) -> bool:
        """By what browsers say and no script can; one that says nothing is none."""
        site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
        if origin is not None:
            scheme, _, place = origin.partition("://")
            if place != request.headers.get("host") or (self.secure and scheme != "https"):
                return False
        return site == "same-origin" if site is not None else origin is not None

    def _failed(self, error: DpsqlError, visit: Visit | None, plain: bool) -> Response:
        ended = str(error) == ENDED
        status = 401 if ended else errors.status(error)
        if plain:
            return told(errors.body(error, raised=False), status)
        if visit is None:
            return redirected("/") if ended else html(layout.refused(str(error)), status)
        return visit.page("Not done", layout.problem(str(error)), status=status)


def html(text: Html, status: int = 200) -> Response:
    """A page."""
    return Response(text, status, HEADERS, media_type="text/html")


def told(value: object, status: int = 200) -> Response:
    """What a script reads."""
    text = json.dumps(value, ensure_ascii=False)
    return Response(text, status, HEADERS, media_type="application/json")


def redirected(path: str) -> Response:
    """Go and see there."""
    return Response("", 303, {**HEADERS, "location": path})


def _fields(body: bytes) -> dict[str, str]:
    """What a form holds; of fields of one name the last."""
    try:
        text = body.decode()
        found = parse_qs(text, keep_blank_values=True, max_num_fields=FIELDS, errors="strict")
    except ValueError:
        found = None
    if found is None:
        raise AccessDenied(LOST)
    return {name: values[-1] for name, values in found.items()}
