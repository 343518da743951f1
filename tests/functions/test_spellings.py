"""Every spelling of numbers, casts and conditionals: what is printed is what DuckDB makes of the
text itself.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpsql.core.emit.plans import scalar
from dpsql.core.enforce.secure import total
from dpsql.core.plan.expr import Expr
from dpsql.errors import Rejected
from dpsql.front.bind_expr import ExpressionBinder
from dpsql.front.parse import parse
from dpsql.front.scope import Scope
from tests.functions.engine import CONNECTION


class Constants(ExpressionBinder):
    """Binds text in which no column is named."""

    def __init__(self) -> None:
        super().__init__(Scope())


def bound(text: str) -> Expr:
    """The expression that a text is, made total."""
    return total(Constants().bind(parse(f"SELECT {text}").expressions[0]), {})


def one(sql: str) -> Any:
    row = CONNECTION.execute(f"SELECT {sql}").fetchone()
    assert row is not None
    return row[0]


AS_IN_DUCKDB = [
    *("POWER(2, 3)", "POW(2, 0.5)", "2 ^ 3", "2 ** -1", "-2 ^ 2", "2 ^ 3 ^ 2", "2 * 3 ^ 2"),
    *("2 ^ - 3 ^ 1", "0 ^ 0", "(-8) ^ 3", "(-8) ^ 2"),
    *("LOG(1000)", "LOG2(8)", "LOG10(0.01)", "LOG(3, 9)", "LOG(0.5, 8)", "LOG(2, 8)", "LN(2)"),
    *("CBRT(-8)", "SQRT(2)", "EXP(1)", "PI()", "DEGREES(1)", "RADIANS(180)"),
    *("SIN(1)", "COS(1)", "TAN(1)", "COT(1)", "ASIN(0.5)", "ACOS(0.5)", "ATAN(-3)"),
    *("ATAN2(1, -1)", "SINH(1)", "COSH(1)", "TANH(1)", "ASINH(1)", "ACOSH(2)", "ATANH(0.5)"),
    *("SIGN(-2.5)", "SIGN(0)", "EVEN(2.1)", "EVEN(-3)", "ABS(-3) + 1", "@ -3", "@ -3 + 1"),
    *("TRUNC(2.7)", "TRUNC(-2.7)", "TRUNC(-1234, -2)", "TRUNC(2.789, 2)", "TRUNC(2.789, 9)"),
    *("ROUND(1250, -2)", "ROUND(-1250, -2)", "ROUND(99, -1)", "ROUND(99.5, -1)", "ROUND(2.5)"),
    *("ROUND(0::DECIMAL(1, 0), -1)", "ROUND(0::DECIMAL(1, 0), -2)", "ROUND(9::DECIMAL(1, 0), -2)"),
    *("CEILING(2.1)", "CEIL(-2.1)", "FLOOR(-2.1)", "ROUND(2.5e0)", "ROUND(1250e0, -2)"),
    *("MOD(7, 3)", "-7 % 3", "7 % -3", "5.5 % 2", "-5.5 % 2.25", "7 // 2", "-7 // 2", "7 // 2 * 2"),
    *("5 & 3", "5 | 3", "XOR(5, 3)", "~5", "(~5) + 1", "~(5 + 1)", "2 + (~5)", "~5 & 1", "~5 = -6"),
    *("1 << 4", "-8 >> 1", "8 >> 200", "1 | 2 & 3", "7 & 3 << 1", "1 + 2 & 3", "1 << 2 + 1"),
    *("bit_count(7)", "bit_count(-1)", "~5::UTINYINT", "~(5::UTINYINT & 3)", "6 & 3 = 2"),
    *("(-1)::TINYINT >> 7", "5::UTINYINT | 9::USMALLINT", "2 << 1 << 1"),
    *("ISNAN(1)", "ISINF(1.5)", "ISFINITE(2)", "ISFINITE(DATE '2020-01-01')"),
    *("FACTORIAL(5)", "FACTORIAL(33)", "GCD(12, 18)", "GCD(-4, 6)", "LCM(4, 6)", "LCM(0, 0)"),
    *("1 IN [1, 2]", "3 IN [1, 2]", "3 NOT IN [1, 2]", "3 = ANY([1, NULL])", "1 = ANY([1, NULL])"),
    *("3 <> ALL([1, 2])", "3 <> ALL([1, NULL])", "3 > ANY([1, 5])", "3 >= ALL([1, NULL])"),
    *("0 >= ALL([1, NULL])", "1 = SOME([1, 2])", "1 = ANY(ARRAY[1, 2])"),
    *("list_contains([1, NULL], 2)", "list_contains([1, 2], NULL)", "list_has([1, 2], 2)"),
    *("{'a': 1}.a", "{'a': 1}['a']", "{'a': 1, 'B': 2}.b", "struct_extract({'a': 1}, 'a')"),
    *("struct_pack(a := 1).a", "[10, 20, 30][1]", "[10, 20, 30][-1]", "[10, 20, 30][-3]"),
    *("[10, 20][0]", "[10, 20][3]", "[10, 20][-3]", "[1, 2.5][1]", "['a', 'b'][2]"),
    *("CAST(1 AS BOOLEAN)", "CAST(0.0 AS BOOLEAN)", "CAST(0.1e0 AS BOOLEAN)"),
    *("CAST(TRUE AS DOUBLE)", "CAST(TRUE AS DECIMAL(3, 1))", "CAST(TRUE AS TINYINT)"),
    *("CAST(0.1 AS FLOAT)", "'0.1'::REAL", "16777217::FLOAT", "TRY_CAST(1e39 AS FLOAT)"),
    *("2.5::INTEGER", "(-2.5)::INTEGER", "3.5::INTEGER", "2.5e0::INTEGER", "3.5e0::INTEGER"),
    *("TRY_CAST(300 AS UTINYINT)", "TRY_CAST(-1 AS UBIGINT)", "2.345::DECIMAL(3, 2)"),
    *("5::HUGEINT", "'2020-01-01'::DATE", "CAST(DATE '2020-01-01' AS TIMESTAMP)", "5::VARCHAR"),
    *("TRUE::VARCHAR", "TRY_CAST('x' AS INTEGER)", "INT '3'", "CAST('2.5' AS DECIMAL(5, 2))"),
    *("5 BETWEEN 1 AND 9", "5 NOT BETWEEN 1 AND 9", "NULL BETWEEN 1 AND 9", "5 & 3 IN (1)"),
    *("(1 = 1) IS TRUE", "(1 = NULL) IS NOT TRUE", "(1 = 1) IS FALSE", "(1 = NULL) IS UNKNOWN"),
    *("(1 = NULL) IS NOT UNKNOWN", "1 ISNULL", "1 NOTNULL", "NULL IS NULL", "1 = 2 IS FALSE"),
    *("1 IS DISTINCT FROM NULL", "NULL IS NOT DISTINCT FROM NULL", "1 IS NOT DISTINCT FROM 2"),
    *("IF(1 = 1, 2, 3)", "IFNULL(NULL, 1)", "COALESCE(NULL, NULL, 2)"),
    *("NULLIF(1, 1)", "GREATEST(1, 2, NULL)", "LEAST(1, NULL)", "+5", "- -5", "-(-5)"),
    *("CASE 1 WHEN 1 THEN 2 ELSE 3 END", "CASE NULL WHEN NULL THEN 1 ELSE 2 END"),
    "CASE WHEN 1 > 2 THEN 1 WHEN 2 > 1 THEN 2.5 END",
]


@pytest.mark.parametrize("text", AS_IN_DUCKDB)
def test_printed_sql_is_the_text(text: str) -> None:
    expr = bound(text)
    sql = scalar(expr, {}).sql(dialect="duckdb")
    expected, found = one(text), one(sql)
    assert found == expected or (
        isinstance(expected, float) and math.isclose(found, expected, rel_tol=2**-48)
    )
    assert expr.type.name == "NULL" or one(f"typeof({sql})") == str(expr.type)


NULL_INSTEAD = [
    *("POW(-8, 1.0 / 3)", "POWER(0, -1)", "LN(0)", "LOG(-1)", "LOG(3, 0)", "SQRT(-1)"),
    *("COT(0)", "ASIN(2)", "ACOS(-1.01)", "ACOSH(0)", "ATANH(1)", "SIN(TRY_CAST('inf' AS DOUBLE))"),
    *("MOD(5.5, 0)", "5 % 0", "5 // 0", "-1 << 2", "1 << -1", "1 << 127"),
]


@pytest.mark.parametrize("text", NULL_INSTEAD)
def test_no_value_is_null(text: str) -> None:
    assert one(scalar(bound(text), {}).sql(dialect="duckdb")) is None


# Spellings of other dialects.
OTHERS = {
    "IF(1 = 2, 2)": None,
    "IIF(1 = 1, 2, 3)": 2,
    "NVL(NULL, 1)": 1,
    "7 DIV 2": 3,
    "1 << 40": 1 << 40,
}


@pytest.mark.parametrize(("text", "value"), OTHERS.items())
def test_spelling_of_another_dialect(text: str, value: object) -> None:
    assert one(scalar(bound(text), {}).sql(dialect="duckdb")) == value


REFUSED = {
    "DP101": ["1 <=> ", "5 !"],
    "DP104": [
        *("~5 + 1", "2 * ~ 5", "- ~5", "3 & ~5 + 1", "5 BETWEEN SYMMETRIC 9 AND 1"),
        *("3 IN [1, NULL]", "3 NOT IN [NULL]", "[1, 2]", "{'a': 1}", "len([1, 2])", "[1, 2][1:2]"),
        *("1 = ANY([])", "1 IN []", "list_contains([NULL], 1)", "TRY(1)"),
        *("DATE '2020-01-01'::TIMESTAMP", "TIMESTAMP '2020-01-01'::DATE", "INT '3'::VARCHAR"),
        *("1 IS 2", "FLOOR(2.5, 1)", "{'a': 1, 'A': 2}.a", "1 = ANY(2)"),
    ],
    "DP202": ["{'a': 1}.b"],
    "DP204": ["WIDTH_BUCKET(1, 0, 10, 5)", "RANDOM()", "GAMMA(2)", "HASH(1)", "ERROR('x')"],
    "DP205": [
        *("5.5 // 2", "5.5e0 % 2", "5 & 3.5", "5 & TRUE", "~2.5", "1.5 << 1", "GCD(1.5, 2)"),
        *("LOG(1, 5)", "LOG(0, 5)", "LOG(-2, 5)", "POWER('a', 2)", "PI() & 1"),
        *("ROUND(5, 16)", "ROUND(5, 1.5)", "TRUNC(5, -16)", "bit_count(1.5)", "SIGN(TRUE)"),
        *("5::UHUGEINT", "5::DECIMAL(50, 2)", "5::TIME", "5::BLOB", "5::INTEGER[]", "5::DATE"),
        *(
            "CAST(TRUE AS DECIMAL(1, 1))",
            "CAST('2020-01-01' AS TIMESTAMP_S)",
            "1e0::FLOAT::VARCHAR",
        ),
        *(
            "CAST(5 AS ENUM('a'))",
            "CAST(DATE '2020-01-01' AS INTEGER)",
            "[1, 'a'][1]",
        ),
        *("1 IS TRUE", "TRUNC(DATE '2020-01-01')", "ISNAN('a')", "1 BETWEEN 'a' AND 2"),
    ],
    "DP306": [
        *("300::UTINYINT", "(-1)::UBIGINT", "'x'::INTEGER", "1e39::FLOAT", "1e10::INTEGER"),
        *("FACTORIAL(34)", "FACTORIAL(-1)", "GCD(5000000000, 2)", "LCM(5000000000, 2)"),
        *("99.5::DECIMAL(2, 0)", "2147483647.5::INTEGER"),
    ],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in REFUSED.items() for text in texts]
)
def test_refused(code: str, text: str) -> None:
    with pytest.raises(Rejected, match=code):
        bound(text)
