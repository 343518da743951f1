"""The file of settings: read exactly, or refused with what is allowed."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from dpsql.repl import settings as config
from dpsql.repl import settings as places
from dpsql.repl.settings import ConfigError, ShellSettings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file(file: Path) -> None:
    assert config.load(file) == ShellSettings()


def test_every_setting(file: Path) -> None:
    file.write_text(
        'eps = 0.1\ndelta = "1/3"\nclipping = "adaptive"\nnoise = "laplace"\ndialect = "postgres"\n'
        'format = "vertical"\nintervals = true\ntiming = true\nconfirm = true\nediting = "vi"\n'
        "pager = false\ntoolbar = false\ncolor = false\nhistory = false\n"
    )
    found = config.load(file)
    assert found == ShellSettings(
        eps=Decimal("0.1"),
        delta=Fraction(1, 3),
        clipping="adaptive",
        noise="laplace",
        dialect="postgres",
        format="vertical",
        intervals=True,
        timing=True,
        confirm=True,
        editing="vi",
        pager=False,
        toolbar=False,
        color=False,
        history=False,
    )
    usual = ShellSettings()
    assert all(getattr(found, f.name) != getattr(usual, f.name) for f in fields(ShellSettings))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("esp = 1", ": no setting 'esp'; did you mean eps?"),
        ("zzz = 1", ": no setting 'zzz'; there are "),
        ("eps = 0", ": eps: ε must be positive, not 0"),
        ("eps = true", ': eps: must be a number, such as 0.5, or a text such as "1/3"'),
        ("eps = 'much'", ": eps: 'much' is no ε; write a number such as 0.5 or 1/3"),
        ("eps = nan", ": eps: ε must be finite"),
        ("delta = 1", ": delta: δ must be at least 0 and below 1"),
        ("format = 'xml'", ": format: must be one of table, csv, json, markdown, vertical"),
        ("format = ['csv']", ": format: must be one of table, csv, json, markdown, vertical"),
        ("editing = 'ed'", ": editing: must be one of emacs, vi"),
        ("timing = 'on'", ": timing: must be true or false"),
        ("timing = 1", ": timing: must be true or false"),
        ("eps =", " is no TOML: "),
        ("eps = 1\neps = 2", " is no TOML: "),
        ("[eps]\nof = 1", ": eps: must be a number"),
        (f"eps = '{'9' * 300}'", ": eps: ε has too many digits"),
    ],
)
def test_what_is_wrong_is_said(file: Path, text: str, said: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        config.load(file)
    assert str(caught.value).startswith(f"{file}{said}")
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory$"):
        config.load(tmp_path)
    (tmp_path / "latin").write_bytes(b"eps = '\xff'")
    with pytest.raises(ConfigError, match=r"latin cannot be read: no UTF-8 text$"):
        config.load(tmp_path / "latin")


def test_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    assert places.config_file() == Path("/home/ada/.config/dpsql/config.toml")
    assert places.query_folder() == Path("/home/ada/.local/share/dpsql/queries")
    assert places.history_file() == Path("/home/ada/.local/state/dpsql/history")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", "relative/ones/are/ignored")
    assert places.config_file() == tmp_path / "dpsql/config.toml"
    assert places.query_folder() == Path("/home/ada/.local/share/dpsql/queries")
