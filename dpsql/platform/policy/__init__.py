"""What the owner declares: the policy, its loading, and its merging with catalog and record."""

from dpsql.core.schema import Column, Reference, Schema
from dpsql.core.sqltypes import parse_type
from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from dpsql.platform.policy.draft import draft
from dpsql.platform.policy.json_schema import SCHEMA_FILE, json_schema
from dpsql.platform.policy.model import Policy
from dpsql.platform.policy.resolve import KeyCheck, RowCheck, key_checks, resolve, row_checks
from dpsql.platform.policy.verification import (
    Verification,
    claims_digest,
    cuts,
    key_claims,
    key_name,
    length_claims,
    null_claims,
    valid,
)

__all__ = [
    "SCHEMA_FILE",
    "Catalog",
    "CatalogColumn",
    "CatalogTable",
    "Column",
    "ForeignKey",
    "KeyCheck",
    "Policy",
    "Reference",
    "RowCheck",
    "Schema",
    "Verification",
    "claims_digest",
    "cuts",
    "draft",
    "json_schema",
    "key_checks",
    "key_claims",
    "key_name",
    "length_claims",
    "null_claims",
    "parse_type",
    "resolve",
    "row_checks",
    "valid",
]
