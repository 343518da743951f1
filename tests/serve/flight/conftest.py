"""A Flight SQL server that many tests ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.flight_server import Served, served


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("flight")) as made:
        yield made
