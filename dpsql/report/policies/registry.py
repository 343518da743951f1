"""What a policy says of a deployment, for a registry of deployments of differential privacy.

The fields and their order are those of the registry that OpenDP keeps
(https://registry.opendp.org/); what a policy does not know is left to be filled in.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import yaml

from dpsql.core.schema import Schema
from dpsql.platform.policy import Policy
from dpsql.report.policies.policy_words import unit

TODO = "TODO"
_COMPOSITION = {
    "approx": "Basic composition: the ε and the δ of all answers add up.",
    "pure": "Basic composition: the ε of all answers adds up.",
    "zcdp": "Zero-concentrated DP: the ρ of all answers adds up, and is converted to (ε, δ).",
    "rdp": "Rényi DP: divergences add up at each order, and are converted to (ε, δ).",
    "pld": "Batches of queries that are fixed beforehand, each by its privacy loss distribution; "
    "batches add up.",
}


def record(policy: Policy, schema: Schema) -> str:
    """A record of a policy as YAML: who is protected, by how much, and how it adds up.

    Args:
        policy: the owner's.
        schema: the same as the analysis has it.
    """
    budget = policy.budget
    accountant = budget.accountant or "approx"
    replaced = schema.neighbours == "replace"
    described = f"Data sets are neighbours that differ by all rows of one of {unit(schema)}"
    described += ": one has other rows, or is another." if replaced else ": it is there, or is not."
    parameters = {"epsilon": _number(schema.eps)}
    if schema.delta:
        parameters["delta"] = _number(schema.delta)
    composition = _COMPOSITION[accountant]
    if budget.renews is not None:
        composition += f" The budget is there again every {budget.renews.days} days"
        composition += ", so that the guarantee is for each such time alone."
    for cap in budget.caps:
        composition += f" {'Each other analyst' if cap == '*' else cap} has a cap below the total."
    content: dict[str, Any] = {
        "status": "Draft",
        "tier": 2,
        "deployment": {
            "product": {
                "name": TODO,
                "data_curators": [TODO],
                "intended_use": TODO,
                "data_product_type": "Answers to SQL queries",
                "description": TODO,
                "publication_date": TODO,
            },
            "dp_flavor": {
                "name": "Approximate DP" if schema.delta else "Pure DP",
                "input_metric": "Bounded (replace one)"
                if replaced
                else "Unbounded (add or remove)",
                "unprotected_quantities": _unprotected(schema),
            },
            "privacy_loss": {
                "privacy_unit": unit(schema),
                "privacy_unit_description": described,
                "privacy_parameters": parameters,
                "privacy_parameters_description": "Of all answers together, to all analysts.",
            },
            "model": {
                "model_name": "Central",
                "release_type": "Many releases",
                "access_type": "Interactive",
            },
            "accounting": {
                "post_processing": "Whatever is computed from noisy answers costs nothing.",
                "composition": composition,
            },
            "implementation": {
                "mechanisms": "dpsql: discrete Laplace and Gaussian noise, the exponential "
                "mechanism and noisy max, on whole numbers.",
            },
        },
    }
    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    return text


def _unprotected(schema: Schema) -> str:
    public = [table.name for table in schema.tables.values() if not table.private]
    parts = ["The policy, with its bounds and lists of values, and which of its claims are proven."]
    if public:
        parts.append(f"All rows of {', '.join(public)}.")
    if schema.neighbours == "replace":
        parts.append("The number of units.")
    return " ".join(parts)


def _number(value: Fraction) -> float | str:
    """As YAML has it; a text where no float reads as the number."""
    near = float(value)
    return near if Fraction(repr(near)) == value else str(value)
