"""What a shell completes of the command `dpsql`."""

from __future__ import annotations

import shutil
import subprocess
from importlib.machinery import ModuleSpec

import pytest

from dpsql.cli import commands, exits, main


def completed(script: str, *words: str) -> list[str]:
    """What bash offers for the last word."""
    typed = " ".join(f"'{word}'" for word in words)
    asked = (
        f"{script}\nCOMP_WORDS=(dpsql {typed}); COMP_CWORD={len(words)}\n"
        '_shtab_dpsql; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    made = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
    return made.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_commands_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == exits.OK
    script = capsys.readouterr().out
    assert completed(script, "expl") == ["explain"]
    assert completed(script, "explain", "--cert") == ["--certificate"]
    assert "snowflake" in completed(script, "run", "--dialect", "s")


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh", "powershell"])
def test_of_other_shells(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == exits.OK
    assert "estimate" in capsys.readouterr().out


def test_without_the_library(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(name: str) -> ModuleSpec | None:
        assert name == "shtab"

    monkeypatch.setattr(commands, "find_spec", absent)
    assert main(["completion", "bash"]) == exits.USAGE
    assert 'pip install "dpsql[repl]"' in capsys.readouterr().err
