"""The example of a container keeps what must not be lost: each on a volume that it can write."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from dpsql.serve.config import ServerConfig

HERE = Path(__file__).parents[2] / "examples" / "server"


def mounts(service: dict[str, Any]) -> dict[PurePosixPath, str]:
    """What is mounted where, of what can be written."""
    parts = (text.split(":") for text in service["volumes"])
    return {PurePosixPath(at): name for name, at, *how in parts if "ro" not in how}


def test_what_is_written_outlives_the_container() -> None:
    whole = yaml.safe_load((HERE / "compose.yaml").read_text())
    service = whole["services"]["dpsql"]
    config = ServerConfig.load(HERE / "server.yaml")
    base = PurePosixPath("/srv/dpsql")

    def inside(path: str) -> PurePosixPath:
        return base / Path(path).relative_to(HERE.resolve()).as_posix()

    ledger = inside(config.data["shop"].data)  # beside which the ledger is, as it names none
    written = [ledger, inside(config.state), PurePosixPath(service["environment"]["DPSQL_STATE"])]
    assert config.data["shop"].ledger is None
    found = mounts(service)
    on = [next(name for at, name in found.items() if at in (p, *p.parents)) for p in written]
    assert len(set(on)) == 3  # a copy of the ledger does not take its second place along
    assert all(name.startswith("./") or name in whole["volumes"] for name in on)
    assert not any(PurePosixPath(at) in (p, *p.parents) for p in written for at in service["tmpfs"])


def test_a_new_volume_is_the_servers() -> None:
    """Docker gives it the owner of the folder in the image; one that is not there is root's."""
    service = yaml.safe_load((HERE / "compose.yaml").read_text())["services"]["dpsql"]
    lines = (HERE / "Dockerfile").read_text().splitlines()
    [made] = [line.split() for line in lines if line.startswith("RUN install -d")]
    assert made[made.index("-o") + 1] == "dpsql" and made[made.index("-m") + 1] == "0700"
    assert {str(at) for at in mounts(service)} <= set(made)
    assert lines.index(" ".join(made)) < lines.index("USER dpsql")
