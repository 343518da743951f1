"""Changes of a text, made at random: of its characters, its words, and what stands in brackets."""

from __future__ import annotations

import random

from tests.fuzzing import corpus

LITERALS = (
    *("0", "-1", "1", "7", "0.5", "1e308", "-1e308", "1e-320", "9223372036854775807", "NULL"),
    *("170141183460469231731687303715884105727", "99999999999999999999999999999999999999999"),
    *("'nan'::DOUBLE", "'-inf'::DOUBLE", "-0.0", "''", "'x'", "TRUE", "DATE '9999-12-31'"),
    *("DATE '0001-01-01'", "TIMESTAMP '2020-02-29 23:59:59.999999'", "INTERVAL 1 MONTH", "?"),
    *("INTERVAL '9999999' YEAR", "[1, NULL]", "{'a': 1}", "$1", "(SELECT 1)", "*", "'%_\\'"),
    *(
        "CAST(NULL AS INTEGER)",
        "(NULL)",
        "'1' COLLATE NOCASE",
        "0x1F",
        "1_000",
        "'a'::BLOB",
        "E'\\n'",
    ),
)
FUNCTIONS = (
    *("sum", "avg", "count", "min", "max", "median", "mode", "stddev", "corr", "quantile_cont"),
    *("quantile_disc", "var_pop", "bool_or", "any_value", "first", "list", "string_agg", "arg_max"),
    *("histogram", "covar_pop", "regr_slope", "approx_count_distinct", "kurtosis", "product"),
    *("round", "ln", "exp", "sqrt", "pow", "log", "factorial", "gcd", "ceil", "trunc", "even"),
    *("length", "upper", "substring", "repeat", "lpad", "replace", "regexp_matches", "concat"),
    *("like_escape", "strpos", "split_part", "chr", "ascii", "left", "reverse", "translate"),
    *("date_trunc", "year", "age", "date_diff", "make_date", "strftime", "last_day", "epoch"),
    *("coalesce", "nullif", "greatest", "least", "if", "ifnull", "try_cast", "typeof", "hash"),
    *("row_number", "rank", "ntile", "lag", "first_value", "generate_series", "unnest", "range"),
    *("list_sum", "list_contains", "struct_pack", "now", "random", "error", "grouping", "bit_xor"),
)
TYPES = (
    *("TINYINT", "INTEGER", "BIGINT", "HUGEINT", "UBIGINT", "DOUBLE", "FLOAT", "DECIMAL(38,38)"),
    *(
        "DECIMAL(4,1)",
        "VARCHAR",
        "DATE",
        "TIMESTAMP",
        "BOOLEAN",
        "BLOB",
        "INTERVAL",
        "TIME",
        "UUID",
    ),
    *("INTEGER[]", "ENUM('a')", "STRUCT(a INT)", "DECIMAL", "BIT", "TIMESTAMPTZ", "NOTYPE"),
)
WRAPS = (
    "SELECT COUNT(*) FROM ({0}) t",
    "SELECT * FROM ({0}) t",
    "WITH c AS ({0}) SELECT * FROM c",
    "WITH c AS ({0}) SELECT COUNT(*) FROM c a, c b",
    "({0}) UNION ALL ({0})",
    "({0}) EXCEPT ({0})",
    "SELECT ({0}) AS s",
    "SELECT COUNT(*) FROM customer WHERE c_custkey IN ({0})",
    "{0} ORDER BY 1 DESC LIMIT 3",
    "{0} ORDER BY ALL",
    "SELECT * FROM ({0}) t ORDER BY 1 NULLS FIRST OFFSET 1",
    "SELECT MAX(COLUMNS(*)) FROM ({0}) t",
    "SELECT *, ROW_NUMBER() OVER () FROM ({0}) t",
)
CHARACTERS = "'\"()[]{},;.*+-/%<>=!~^&|@#$?:\\ \t\n\r\0\x1b_aZ09éİ\u200b\u202e\ud800😀\ufeff"

EXPRESSIONS = (
    "CASE WHEN {0} IS NULL THEN {1} ELSE {0} END",
    "COALESCE({0}, {1})",
    "NULLIF({0}, {1})",
    "GREATEST({0}, {1})",
    "CAST({0} AS {2})",
    "TRY_CAST({0} AS {2})",
    "({0} + {1})",
    "({0} - {1})",
    "({0} * {1})",
    "({0} / {1})",
    "({0} // {1})",
    "({0} % {1})",
    "({0} << {1})",
    "({0} || {1})",
    "({0} = {1})",
    "({0} < {1})",
    "({0} IN ({1}, {0}))",
    "({0} LIKE {1})",
    "(NOT {0})",
    "(-{0})",
    "{3}({0})",
    "{3}({0}, {1})",
    "{3}({0}) OVER (PARTITION BY {1})",
    "(SELECT {3}({0}))",
)


def _blind(words: list[str]) -> list[int]:
    return [i for i, word in enumerate(words) if word.strip()]


def text(rng: random.Random, begun: str, others: tuple[str, ...]) -> str:
    """A text after one to four changes; `others` are of the same kind."""
    for _ in range(rng.choice((1, 1, 1, 1, 2, 2, 4))):
        begun = rng.choice(_CHANGES)(rng, begun, others)[:20_000]
    return begun


def _character(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    place = rng.randint(0, len(begun))
    cut = place + rng.choice((0, 0, 1, 1, 5))
    return begun[:place] + rng.choice(CHARACTERS) * rng.choice((1, 1, 1, 2, 40)) + begun[cut:]


def _word(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    """One word becomes another one, or goes, or stands twice."""
    words = corpus.tokens(begun)
    places = _blind(words)
    if not places:
        return begun
    place = rng.choice(places)
    pool = rng.choice(
        (corpus.words(), LITERALS, FUNCTIONS, TYPES, ("",), (f"{words[place]} " * 2,))
    )
    chosen = rng.choice(pool)
    words[place] = (
        f"{chosen} {chosen}" if pool is not corpus.words() and chosen == words[place] else chosen
    )
    return "".join(words)


def _number(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    words = corpus.tokens(begun)
    places = [i for i, word in enumerate(words) if word[0].isdigit() or word[0] == "'"]
    if not places:
        return begun
    words[rng.choice(places)] = rng.choice(LITERALS)
    return "".join(words)


def _swap(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    words = corpus.tokens(begun)
    places = _blind(words)
    if len(places) < 2:
        return begun
    one, other = rng.sample(places, 2)
    words[one], words[other] = words[other], words[one]
    return "".join(words)


def _expression(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    """A name or a number inside of an expression that is made of it."""
    words = corpus.tokens(begun)
    places = [i for i in _blind(words) if words[i][0].isalnum() or words[i][0] == "'"]
    if not places:
        return begun
    place, other = rng.choice(places), rng.choice(places)
    second = rng.choice((rng.choice(LITERALS), words[other]))
    form = rng.choice(EXPRESSIONS)
    words[place] = form.format(words[place], second, rng.choice(TYPES), rng.choice(FUNCTIONS))
    return "".join(words)


def _bracket(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    """What stands in brackets is replaced by what does elsewhere."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for place, character in enumerate(begun):
        if character == "(":
            opened.append(place)
        elif character == ")" and opened:
            spans.append((opened.pop(), place + 1))
    if not spans:
        return begun
    start, end = rng.choice(spans)
    return begun[:start] + rng.choice(corpus.parts()) + begun[end:]


def _splice(rng: random.Random, begun: str, others: tuple[str, ...]) -> str:
    """The beginning of one and the end of another."""
    first, second = corpus.tokens(begun), corpus.tokens(rng.choice(others))
    return "".join(first[: rng.randint(0, len(first))] + second[rng.randint(0, len(second)) :])


def _wrap(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    return rng.choice(WRAPS).replace("{0}", begun)


def _repeat(rng: random.Random, begun: str, _: tuple[str, ...]) -> str:
    """A few words many times."""
    words = corpus.tokens(begun)
    start = rng.randrange(len(words) or 1)
    end = start + rng.randint(1, 6)
    return "".join(words[:start] + words[start:end] * rng.choice((2, 3, 10, 60)) + words[end:])


_CHANGES = (
    *(_character, _word, _word, _word, _number, _number, _swap, _expression, _expression),
    *(_expression, _bracket, _bracket, _splice, _wrap, _repeat),
)
