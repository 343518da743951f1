"""A page that says what the HTTP interface takes, as the running server describes itself (OpenAPI):
for anybody, without a script, and without a word from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from dpsql.serve.console.html import Html, tag
from dpsql.serve.console.layout import open_page, table

Part = Mapping[str, Any]
"""A part of an OpenAPI description."""


def api_page(told: Part) -> Html:
    """The page.

    Args:
        told: an OpenAPI 3.1 description.
    """
    schemas: Part = told.get("components", {}).get("schemas", {})
    parts = [
        _operation(method, path, how, schemas)
        for path, methods in told["paths"].items()
        for method, how in methods.items()
    ]
    top = tag("h1", f"{told['info']['title']} {told['info']['version']}")
    token = tag("code", "Authorization: Bearer …")
    link = tag("a", "/openapi.json", href="/openapi.json")
    said = tag(
        "p", "Each request says who asks, by ", token, "; for tools it is told by ", link, "."
    )
    return open_page("HTTP interface", tag("main", top, said, *parts))


def _operation(method: str, path: str, how: Part, schemas: Part) -> Html:
    name = f"{method.upper()} {path}"
    rows = [
        [tag("code", each["name"]), each["in"], _kind(each["schema"]), each.get("description", "")]
        for each in how.get("parameters", [])
        if each["name"] != "authorization"
    ]
    body = how.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    rows += [] if body is None else list(_fields(_followed(body, schemas)))
    heads = ("name", "where", "type", "what")
    listed = table(f"What {name} takes", heads, rows) if rows else ""
    return tag(
        "section", tag("h2", tag("code", name)), tag("p", how.get("description", "")), listed
    )


def _fields(schema: Part) -> Iterator[list[object]]:
    """The fields of a body."""
    for name, field in schema.get("properties", {}).items():
        said = field.get("description", "")
        if name in schema.get("required", ()):
            said = f"{said} Needed.".strip()
        elif field.get("default") is not None:
            said = f"{said} By default {json.dumps(field['default'])}.".strip()
        yield [tag("code", name), "body", _kind(field), said]


def _followed(schema: Part, schemas: Part) -> Part:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    found: Part = schemas.get(name, schema)
    return found


def _kind(schema: Part) -> str:
    """A type in a few words."""
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    kind = str(schema.get("type", "any"))
    return f"list of {_kind(schema['items'])}" if "items" in schema else kind
