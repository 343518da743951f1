"""The console's pages, added to the server's application."""

from __future__ import annotations

import hashlib
from functools import partial
from importlib.resources import files

from anyio.to_thread import run_sync
from fastapi import FastAPI, Request, Response

from dpsql.errors import AccessDenied, DpsqlError
from dpsql.report.page import STYLE
from dpsql.serve import errors
from dpsql.serve.console import account_pages, owning, query_page
from dpsql.serve.console.api_page import api_page
from dpsql.serve.console.sessions import Sessions
from dpsql.serve.console.web import HEADERS, Visit, Web, html, redirected
from dpsql.serve.login import Login
from dpsql.serve.service import Service

MEDIA = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml", "txt": "text/plain"}


def mount(app: FastAPI, service: Service, login: Login) -> None:
    """Add all pages."""
    http = service.config.http
    web = Web(app, service, Sessions(login), http.tls is not None or http.behind_proxy)
    _static(web)
    _doors(web)
    _interface(web, app)
    for part in (query_page, account_pages, owning):
        part.add(web)


def _static(web: Web) -> None:
    """Scripts and styles, for anybody: read once, and found by their names alone."""
    folder = files("dpsql.serve.console") / "static"
    found = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    found["report.css"] = STYLE.encode()
    marks = {name: f'"{hashlib.sha256(text).hexdigest()[:32]}"' for name, text in found.items()}

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in found:
            return Response("", 404, HEADERS)
        headers = {**HEADERS, "cache-control": "no-cache", "etag": marks[name]}
        if request.headers.get("if-none-match") == marks[name]:
            return Response("", 304, headers)
        return Response(found[name], 200, headers, media_type=MEDIA[name.rpartition(".")[2]])

    web.route("GET", "/static/{name}", static)


def _interface(web: Web, app: FastAPI) -> None:
    """What programs may ask, for people; of the server as it is."""

    async def interface(_: Request) -> Response:
        return html(api_page(app.openapi()))

    web.route("GET", "/docs", interface)


def _doors(web: Web) -> None:
    """In and out."""
    sessions, service = web.sessions, web.service

    async def front(request: Request) -> Response:
        who = await run_sync(sessions.principal, web.own(request))
        if who is None:
            return web.entrance(request)
        seen = next((name for name in service.data if who.may_see(name)), None)
        first = f"/ask/{seen}" if seen else "/principals"
        return redirected(first)

    async def login(request: Request) -> Response:
        try:
            form = await web.filled(request)
            token = form.get("token", "").strip()
            try:
                name, who = await run_sync(sessions.begin, token)
            except AccessDenied:
                noted = partial(service.refused_logins.note, "console", token=token)
                await run_sync(noted)
                raise
            await run_sync(service.entered, who, "login")
        except DpsqlError as error:
            return web.entrance(request, str(error), errors.status(error))
        sessions.end(web.own(request))
        return web.known(redirected("/"), name)

    def logout(visit: Visit) -> Response:
        service.entered(visit.who, "logout")
        return redirected("/")

    async def out(request: Request) -> Response:
        made = await leave(request)
        if made.status_code == 303:
            sessions.end(web.own(request))
            web.forgotten(made)
            made.headers["clear-site-data"] = '"cache", "storage"'  # drafts of queries
        return made

    leave = web.answer(logout)
    web.route("GET", "/", front)
    web.route("POST", "/login", login)
    web.route("POST", "/logout", out)
