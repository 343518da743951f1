"""Trees of SQL -> text. It is sqlglot's printer of DuckDB's dialect, with what most nodes of our
statements are written out: the same text, in a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp, generator
from sqlglot.dialects.dialect import Dialect

_DUCKDB = Dialect.get_or_raise("duckdb")

_BINARY = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}


class _Printer(_DUCKDB.generator_class):  # type: ignore[misc, name-defined]
    """sqlglot's, with short ways."""

    def sql(
        self, expression: str | exp.Expr | None, key: str | None = None, comment: bool = True
    ) -> str:
        short = None if key is not None else _SHORT.get(expression.__class__)
        text = None if short is None else short(self, expression)
        if text is None:
            found: str = super().sql(expression, key, comment)
            return found
        return text


def _paren(printer: _Printer, node: exp.Paren) -> str | None:
    return None if printer.pretty else f"({printer.sql(node.args['this'])})"


def _column(printer: _Printer, node: exp.Column) -> str | None:
    args = node.args
    if args.get("db") is not None or args.get("join_mark"):
        return None
    if args.get("table") is None:
        return None if args.get("catalog") is not None else printer.sql(args["this"])
    return f"{printer.sql(args['table'])}.{printer.sql(args['this'])}"


def _identifier(printer: _Printer, node: exp.Identifier) -> str | None:
    text = node.args["this"]
    if not node.args.get("quoted"):
        if (known := _NAMES.get(text)) is None:
            known = _NAMES[text] = printer.identifier_sql(node)
        return known
    plain = text.isascii() and text.isprintable() and '"' not in text
    return f'"{text}"' if plain else None


_NAMES: dict[str, str] = {}
"""The names without quotes, which are all of our own texts, as they are printed."""


def _alias(printer: _Printer, node: exp.Alias) -> str | None:
    return None if _more(node) else f"{printer.sql(node.this)} AS {printer.sql(node.args['alias'])}"


def _table(printer: _Printer, node: exp.Table) -> str | None:
    alias = node.args.get("alias")
    if _more(node) or (alias is not None and _more(alias)):
        return None
    parts = (node.args.get(key) for key in ("catalog", "db", "this"))
    name = ".".join(printer.sql(part) for part in parts if part is not None)
    return name if alias is None else f"{name} AS {printer.sql(alias.args['this'])}"


_PARTS: dict[type, frozenset[str]] = {
    exp.Alias: frozenset({"this", "alias"}),
    exp.Cast: frozenset({"this", "to"}),
    exp.Table: frozenset({"this", "db", "catalog", "alias"}),
    exp.TableAlias: frozenset({"this"}),
}


def _more(node: exp.Expr) -> bool:
    """Whether there is more to a node than is written out here."""
    known = _PARTS[node.__class__]
    return any(part and key not in known for key, part in node.args.items())


def _literal(printer: _Printer, node: exp.Literal) -> str | None:
    text: str = node.args["this"]
    if not node.args["is_string"]:
        return text
    plain = text.isascii() and text.isprintable() and "'" not in text and "\\" not in text
    return f"'{text}'" if plain else None


def _binary(printer: _Printer, node: exp.Binary) -> str | None:
    args, kind = node.args, node.__class__
    if len(args) != 2 or args["this"].__class__ is kind or args["expression"].__class__ is kind:
        return None
    return f"{printer.sql(args['this'])} {_BINARY[kind]} {printer.sql(args['expression'])}"


def _cast(printer: _Printer, node: exp.Cast) -> str | None:
    if _more(node):
        return None
    return f"CAST({printer.sql(node.args['this'])} AS {printer.sql(node.args['to'])})"


_TYPES: dict[object, str] = {}
"""The texts of types without parts."""


def _type(printer: _Printer, node: exp.DataType) -> str | None:
    kind = node.args["this"]
    args = {key: part for key, part in node.args.items() if part}
    if len(args) == 1:
        known = _TYPES.get(kind)
        if known is None:
            known = _TYPES[kind] = printer.datatype_sql(node)
        return known
    sizes = args.get("expressions") if len(args) == 2 else None
    if kind != exp.DataType.Type.DECIMAL or not sizes:
        return None
    return f"DECIMAL({', '.join(printer.sql(size.args['this']) for size in sizes)})"


def _call(printer: _Printer, node: exp.Anonymous) -> str | None:
    name = node.args["this"]
    if printer.pretty or not isinstance(name, str) or isinstance(node.parent, exp.Dot):
        return None
    inner = ", ".join(printer.sql(argument) for argument in node.args.get("expressions") or ())
    return f"{printer.normalize_func(name)}({inner})"


def _case(printer: _Printer, node: exp.Case) -> str | None:
    args = node.args
    if printer.pretty or args.get("this") is not None:
        return None
    parts = ["CASE"]
    for branch in args["ifs"]:
        parts.append(f"WHEN {printer.sql(branch.args['this'])}")
        parts.append(f"THEN {printer.sql(branch.args['true'])}")
    if args.get("default") is not None:
        parts.append(f"ELSE {printer.sql(args['default'])}")
    return " ".join((*parts, "END"))


_SHORT: dict[type, Callable[..., str | None]] = {
    **dict.fromkeys(_BINARY, _binary),
    exp.Paren: _paren,
    exp.Alias: _alias,
    exp.Table: _table,
    exp.Column: _column,
    exp.Identifier: _identifier,
    exp.Literal: _literal,
    exp.Cast: _cast,
    exp.DataType: _type,
    exp.Anonymous: _call,
    exp.Case: _case,
}
"""How a node is printed; None where it is to be printed as sqlglot does."""


def printed(tree: exp.Expr, *, pretty: bool = False) -> str:
    """The text of a tree that is nobody else's.

    Args:
        tree: of a statement; its parts may stand at several places.
        pretty: for people, in several lines.
    """
    # A compiled sqlglot has no subclasses; it is as fast by itself.
    plain = str(generator.__file__).endswith(".py")
    printer = _Printer if plain else _DUCKDB.generator_class
    text: str = printer(dialect=_DUCKDB, pretty=pretty).generate(tree, copy=False)
    return text
