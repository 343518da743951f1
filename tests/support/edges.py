"""Values at which engines may differ, of each type, as DuckDB writes them."""

from __future__ import annotations

_INTEGERS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64}


def _words(text: str) -> list[str]:
    return text.split()


def _whole(bits: int) -> list[str]:
    top = 1 << (bits - 1)
    ends = [-top, 1 - top, top - 2, top - 1]
    near = [2**53 - 1, 2**53, 2**53 + 1, 10**18, -(10**18) - 1] if bits == 64 else []
    return [str(n) for n in (*ends, *near, -100, -7, -3, -2, -1, 0, 1, 2, 3, 5, 7, 100)]


def _decimals(precision: int, scale: int) -> list[str]:
    most = 10**precision - 1
    half = 10**scale // 2
    units = {most, most - 1, most // 2, half, half - 1, half + 1, 3 * half, 5 * half, 1, 0}
    units |= {2**53 + 1} if precision > 16 else set()
    units |= {7 * 10**scale, 3} if precision > scale else {3}
    signed = sorted({s * u for s in (1, -1) for u in units if u <= most})
    return [
        f"{'-' * (u < 0)}{abs(u) // 10**scale}.{abs(u) % 10**scale:0{scale or 1}d}" for u in signed
    ]


_DOUBLES = _words("""
        NaN Infinity -Infinity 0.0 -0.0 1 -1 2 3 -3 7 0.1 0.2 0.3 -0.3 0.5 -0.5 0.7 1.5 -1.5
    2.5 -2.5 3.5     0.49999999999999994 -0.49999999999999994 0.9999999999999999 1e-3 1e-320
    5e-324 -5e-324     2.2250738585072014e-308 1.7976931348623157e308 -1.7976931348623157e308
    9007199254740991     9007199254740992 9007199254740994 -9007199254740993
    4503599627370496.5 4503599627370497.5     2251799813685248.25 2251799813685249.5
    -2251799813685249.5 2147483647.4 2147483647.5 -2147483648.5     32767.4 127.4 -128.5
    9223372036854774784 -9223372036854775808 9223372036854775808 1e15 1e22 1e23 1e37
    18446744073709551616 1234567.891 1e300 1e-300
""")

_TEXTS = [
    *[
        "",
        " ",
        "a",
        "A",
        "b",
        "ab",
        "ba",
        "aab",
        "abc",
        "abcabc",
        " a ",
        "a  ",
        "  a",
        "a b",
        "a'b",
        'a"b',
    ],
    *[
        "a\\b",
        "\\",
        "\\\\",
        "a%b",
        "a_b",
        "%",
        "_",
        "10%",
        "100",
        "a\nb",
        "\n",
        "a\tb",
        "\ta\t",
        "a\r\nb",
    ],
    *[
        "ä",
        "a\u0308",
        "ab\u0308c",
        "é",
        "ß",
        "İ",
        "ı",
        "Σ",
        "ς",
        "日本",
        "日本語",
        "\u00a0a\u00a0",
        "\u3000a\u3000",
    ],
    *[
        "😀",
        "a😀b",
        "😀😀",
        "\ufffd",
        "\uffff",
        "\ue000",
        "𐀀",
        "👩‍👩‍👧",
        "\u200ba",
        "\u2003a",
        "-0",
        "a" * 300,
    ],
    *[
        "a\x00b",
        "\x00",
        "%a",
        "_a",
        "!a",
        "a!",
        "a!b",
        "a/b",
        "true",
        "1.0",
        "\x7f",
        "\x85a",
        "\u2028a",
    ],
]

_DATES = _words("""
        0001-01-01 0001-01-02 0001-01-07 0001-12-31 0004-02-29 0100-03-01 1000-06-15
    1582-10-04 1582-10-05     1582-10-15 1899-12-31 1900-01-01 1900-02-28 1900-03-01
    1969-12-31 1970-01-01 1970-01-04 1970-01-05     1999-12-31 2000-01-01 2000-01-02
    2000-02-28 2000-02-29 2000-03-01 2000-12-31 2004-12-26 2005-01-01     2019-12-29
    2019-12-30 2020-01-31 2020-02-29 2020-12-31 2021-01-03 2021-01-04 2021-03-31 2023-04-30
    2024-02-29 2024-03-10 2024-03-31 2024-05-31 2024-08-31 2024-10-27 2024-12-30 2026-01-01
    2027-01-03     9998-12-31 9999-01-01 9999-12-31
""")

_MOMENTS = _words("""
        0001-01-01T00:00:00 0001-01-01T00:00:00.000001 0004-02-29T12:00:00
    1582-10-10T10:10:10.5     1883-11-18T12:00:00 1899-12-31T23:59:59.999999
    1900-02-28T23:59:59 1969-12-31T23:59:59.999999     1970-01-01T00:00:00
    1970-01-01T00:00:00.000001 1999-12-31T23:59:59.999999 2000-02-29T00:00:00
    2000-02-29T23:59:59.999999 2019-12-30T01:02:03.000004 2020-12-31T23:00:00
    2021-01-03T23:59:59.999999     2021-01-04T00:00:00 2021-01-31T08:00:00
    2024-02-29T12:34:56.789012 2024-03-10T02:30:00     2024-03-31T02:30:00.5
    2024-10-27T02:30:00 2024-12-31T23:59:59 9999-12-31T00:00:00     9999-12-31T23:59:59.999999
""")

KINDS = {
    "BOOLEAN": ["true", "false"],
    **{name: _whole(bits) for name, bits in _INTEGERS.items()},
    "HUGEINT": [str(s * n) for n in (10**38 - 1, 2**64, 2**63, 10**18, 7, 2, 1) for s in (1, -1)]
    + ["0"],
    "UBIGINT": [str(n) for n in (0, 1, 2, 7, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)],
    "DOUBLE": _DOUBLES,
    "DECIMAL(4,1)": _decimals(4, 1),
    "DECIMAL(9,2)": _decimals(9, 2),
    "DECIMAL(5,5)": _decimals(5, 5),
    "DECIMAL(15,2)": _decimals(15, 2),
    "DECIMAL(18,3)": _decimals(18, 3),
    "DECIMAL(19,6)": _decimals(19, 6),
    "DECIMAL(38,0)": _decimals(38, 0),
    "DECIMAL(38,10)": _decimals(38, 10),
    "VARCHAR": _TEXTS,
    "DATE": _DATES,
    "TIMESTAMP": _MOMENTS,
}
"""The values of each type; NULL is one of each, besides."""


def rows(kind: str) -> str:
    """A table `t(x)` of them, with NULL."""
    texts = ", ".join(f"({_text(v)})" for v in KINDS[kind])
    return f"(SELECT CAST(v AS {kind}) FROM (VALUES {texts}, (NULL)) AS v(v)) AS t(x)"


def _text(value: str) -> str:
    inner = value.replace("'", "''")
    return "'" + inner.replace("\x00", "' || chr(0) || '") + "'"
