"""The page of the HTTP interface says all that the running server takes, to anybody."""

from __future__ import annotations

import html
import re

from dpsql.serve.console.api_page import api_page
from tests.serve.console.browsing import Browser
from tests.support.console import Served


def test_it_says_what_the_server_takes(there: Served) -> None:
    nobody = Browser(there).client
    found = nobody.get("/docs")
    assert found.status_code == 200 and "<script" not in found.text
    said = html.unescape(re.sub(r"<[^>]+>", " ", found.text))
    told = nobody.get("/openapi.json").json()
    for path, methods in told["paths"].items():
        for method, how in methods.items():
            assert f"{method.upper()} {path}" in said and how["description"] in said
    for name, field in told["components"]["schemas"]["Run"]["properties"].items():
        assert f" {name} " in said and field.get("description", "") in said
    assert 'href="/docs"' in nobody.get("/").text


def test_words_of_a_description_are_no_markup() -> None:
    how = {"description": "<script>", "parameters": []}
    told = {"info": {"title": "a<b", "version": "1"}, "paths": {"/<p>": {"get": how}}}
    text = api_page(told)
    assert "<script>" not in text and "/<p>" not in text and "a&lt;b" in text
