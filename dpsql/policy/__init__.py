"""What the owner declares: the policy, its loading, and its merging with catalog and record."""

from dpsql.policy.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from dpsql.policy.draft import draft
from dpsql.policy.json_schema import SCHEMA_FILE, json_schema
from dpsql.policy.model import Budget, ColumnPolicy, Policy, TablePolicy
from dpsql.policy.opening import (
    KeyCheck,
    RowCheck,
    key_checks,
    length_claims,
    null_claims,
    row_checks,
)
from dpsql.policy.resolve import resolve
from dpsql.policy.schema import Column, Neighbours, Reference, Schema, Table
from dpsql.policy.sqltypes import parse_type
from dpsql.policy.verification import Verification, claims_digest, valid

__all__ = [
    "SCHEMA_FILE",
    "Budget",
    "Catalog",
    "CatalogColumn",
    "CatalogTable",
    "Column",
    "ColumnPolicy",
    "ForeignKey",
    "KeyCheck",
    "Neighbours",
    "Policy",
    "Reference",
    "RowCheck",
    "Schema",
    "Table",
    "TablePolicy",
    "Verification",
    "claims_digest",
    "draft",
    "json_schema",
    "key_checks",
    "length_claims",
    "null_claims",
    "parse_type",
    "resolve",
    "row_checks",
    "valid",
]
