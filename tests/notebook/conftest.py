from __future__ import annotations

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import dpsql
from dpsql import demo


@pytest.fixture(scope="package")
def shop() -> Iterator[dpsql.Database]:
    with demo.database() as opened:
        yield opened


@pytest.fixture(scope="package")
def ipython(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    """IPython without a terminal."""
    folder = str(tmp_path_factory.mktemp("ipython"))
    settings = Config(HistoryManager={"enabled": False}, InteractiveShell={"colors": "nocolor"})
    with patch.dict(os.environ, {"IPYTHONDIR": folder}):
        yield InteractiveShell.instance(config=settings)
    InteractiveShell.clear_instance()


@pytest.fixture
def shell(ipython: InteractiveShell, shop: dpsql.Database) -> Iterator[InteractiveShell]:
    """It with the extension just loaded, and the demo as the default."""
    dpsql.use(shop)
    ipython.run_line_magic("load_ext", "dpsql")
    ipython.run_line_magic("xmode", "Context")
    yield ipython
    ipython.run_line_magic("unload_ext", "dpsql")
    dpsql.use(None)
