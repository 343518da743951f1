"""A console that many tests browse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.console import Served, served


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("console")) as made:
        yield made
