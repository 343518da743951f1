"""The JSON Schema of policies, for editors."""

from __future__ import annotations

from typing import Any

from dpsql.platform.policy.model import Policy

SCHEMA_FILE = "dpsql.schema.json"
"""The name under which `dpsql init` puts it beside the policy."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the policy YAML. Editors complete and check with it.

    It knows the keys and their shapes; what needs the whole policy is for `Policy.parse` to tell.
    """
    schema = Policy.model_json_schema(mode="validation")
    one = [{"required": ["unit"]}, {"required": ["units"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "oneOf": one}
