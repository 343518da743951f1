"""A server that many tests ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.serving import Served, config, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(config(tmp_path_factory.mktemp("served"))) as found:
        yield found
