"""What a session or a column can set, store by store, and what becomes of it: the record behind a table of the page.

Each setting says how a store answers it:

- *spelled*: it would change a tree, if statements did not spell what it decides;
- *refused*: no statement can spell it, so the store is refused in one line when it is opened;
- *no effect*: statements do not ask what it decides.

`test_settings.py` takes each in turn, and grows and audits trees of a random table under it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple

STORES = {"sqlite": "SQLite", "duckdb": "DuckDB", "postgresql": "PostgreSQL", "spark": "Spark"}
How = Literal["spelled", "refused", "no effect"]


class Setting(NamedTuple):
    """A setting of a session, or a declaration of a column."""

    store: str
    what: str
    """Its words in the table of the page."""
    how: How
    why: str
    """What the store does, or why nothing is decided by it."""
    make: Sequence[str | Callable[[Any], object]] = ()
    """Statements, or functions of a connection, that set it, after the table is there."""
    types: Mapping[str, str] = {}
    """Other types of columns."""
    before: Sequence[str] = ()
    """Statements before the table is made."""
    says: str = ""
    """The line of a refusal."""
    columns: Sequence[str] = ()
    """Other names of the columns `size` and `colour`."""

    @property
    def name(self) -> str:
        """Its name in a test."""
        return f"{self.store}: {self.what}"


def _with(name: str, value: object) -> Callable[[Any], object]:
    return lambda connection: setattr(connection, name, value)


def _without_case(one: str, other: str) -> int:
    """The order of two texts, where `A` and `a` are equal."""
    return (one.lower() > other.lower()) - (one.lower() < other.lower())


def _as_dictionary(cursor: Any, row: Any) -> dict[str, Any]:
    return {column[0]: cell for column, cell in zip(cursor.description, row, strict=True)}


def _taken(name: str, module: str, of: str) -> Callable[[Any], object]:
    """A factory of psycopg, of rows or of cursors."""
    return lambda connection: setattr(connection, name, getattr(import_module(module), of))


def _floats(connection: Any) -> None:
    """Decimals that come as floats, as the pages of psycopg show."""
    connection.adapters.register_loader("numeric", import_module("psycopg.types.numeric").FloatLoader)


def _rounded_floats(connection: Any) -> None:
    """Floats that are sent with six digits."""
    dumper = import_module("psycopg.types.numeric").FloatDumper
    shorter = type("Shorter", (dumper,), {"dump": lambda self, number: f"{number:.6g}".encode()})
    connection.adapters.register_dumper(float, shorter)


class _Last:
    """A sum that forgets."""

    def __init__(self) -> None:
        self.last: Any = None

    def step(self, number: Any) -> None:
        """Keep a number."""
        self.last = number

    def finalize(self) -> Any:
        """The last number."""
        return self.last


_REGEX = "spark.sql.parser.quotedRegexColumnNames"
SETTINGS: Sequence[Setting] = (
    Setting("duckdb", "`default_order`", "spelled", "`ASC` or `DESC`", ["SET default_order = 'desc'"]),
    Setting("duckdb", "`default_null_order`", "spelled", "`NULLS LAST`", ["SET default_null_order = 'nulls_first'"]),
    Setting("duckdb", "`default_collation`", "spelled", '`COLLATE "C"`', ["SET default_collation = 'nocase'"]),
    Setting(
        "duckdb",
        "`default_collation`, accents",
        "spelled",
        '`COLLATE "C"`',
        ["SET default_collation = 'nocase.noaccent'"],
    ),
    Setting(
        "duckdb",
        "`COLLATE NOCASE` of a column",
        "spelled",
        '`COLLATE "C"`',
        types={"colour": "VARCHAR COLLATE NOCASE", "kind": "VARCHAR COLLATE NOCASE"},
    ),
    Setting(
        "duckdb",
        "`ENUM` as the type of a column",
        "spelled",
        "as texts",
        types={"kind": "ENUM('yes', 'No', 'no')", "colour": "ENUM('b', 'é', 'A', 'B', 'a ', 'É', 'a')"},
    ),
    Setting(
        "duckdb",
        "`integer_division`",
        "no effect",
        "numbers that are divided are doubles",
        ["SET integer_division = true"],
    ),
    Setting(
        "duckdb",
        "`ieee_floating_point_ops`",
        "no effect",
        "nothing is divided by 0",
        ["SET ieee_floating_point_ops = false"],
    ),
    Setting(
        "duckdb",
        "`preserve_insertion_order`",
        "no effect",
        "no order of rows is asked",
        ["SET preserve_insertion_order = false"],
    ),
    Setting(
        "duckdb",
        "`preserve_identifier_case`",
        "no effect",
        "names of columns are quoted",
        ["SET preserve_identifier_case = 'uppercase'"],
    ),
    Setting(
        "duckdb",
        "`dialect_compatibility_mode`",
        "no effect",
        "what is asked is the same in both",
        ["SET dialect_compatibility_mode = 'spark'"],
    ),
    Setting(
        "duckdb",
        "`old_implicit_casting`",
        "no effect",
        "types are compared with their own",
        ["SET old_implicit_casting = true"],
    ),
    Setting(
        "duckdb",
        "`threads`, `TimeZone`",
        "no effect",
        "sums are whole numbers; dates are refused",
        ["SET threads = 1", "SET TimeZone = 'Asia/Kathmandu'"],
    ),
    Setting(
        "duckdb",
        "a macro named as a function",
        "refused",
        "its functions are tried when it is opened",
        ["CREATE MACRO ln(x) AS 7"],
        says=r"LN\(1e0\) is 7 in this session, where the engine itself says 0",
    ),
    Setting(
        "duckdb",
        "`VARIANT`, `JSON`, dates, lists",
        "refused",
        "by the name of the type",
        ["ALTER TABLE orders ALTER age TYPE VARIANT"],
        says="orders, column age: VARIANT is neither a number nor a category; cast it in a SELECT",
    ),
    Setting(
        "sqlite",
        "`COLLATE NOCASE`, `RTRIM` of a column",
        "spelled",
        "`COLLATE BINARY`",
        types={"colour": "TEXT COLLATE NOCASE", "kind": "TEXT COLLATE NOCASE"},
    ),
    Setting(
        "sqlite",
        "`COLLATE RTRIM` of a column",
        "spelled",
        "`COLLATE BINARY`",
        types={"colour": "TEXT COLLATE RTRIM", "kind": "TEXT COLLATE RTRIM"},
    ),
    Setting(
        "sqlite",
        "`row_factory`: dictionaries",
        "spelled",
        "a cursor of its own",
        [_with("row_factory", _as_dictionary)],
    ),
    Setting(
        "sqlite",
        "`row_factory`: one cell",
        "spelled",
        "a cursor of its own",
        [_with("row_factory", lambda cursor, row: row[0])],
    ),
    Setting(
        "sqlite",
        "`text_factory`",
        "refused",
        "a text is tried when it is opened",
        [_with("text_factory", bytes)],
        says="'aA ' is b'aA ' in this session, where the engine itself says 'aA '; hand over a connection without",
    ),
    Setting(
        "sqlite",
        "collations of Python",
        "refused",
        "`BINARY` is tried when it is opened",
        [lambda connection: connection.create_collation("binary", _without_case)],
        says="'aB' = 'Ab' COLLATE BINARY is 1 in this session",
    ),
    Setting(
        "sqlite",
        "functions of Python",
        "refused",
        "its functions are tried when it is opened",
        [lambda connection: connection.create_function("round", 1, lambda number: number)],
        says=r"ROUND\(2.4e0\) is 2.4 in this session",
    ),
    Setting(
        "sqlite",
        "sums of Python",
        "refused",
        "its functions are tried when it is opened",
        [lambda connection: connection.create_aggregate("sum", 1, _Last)],
        says=r"SUM\(n\) is 5 in this session",
    ),
    Setting(
        "sqlite",
        "`PRAGMA short_column_names`",
        "refused",
        "asked when it is opened",
        ["PRAGMA short_column_names = OFF"],
        says="short_column_names changes what the name of a column means; PRAGMA",
    ),
    Setting(
        "sqlite",
        "`PRAGMA full_column_names`",
        "no effect",
        "while `short_column_names` is on",
        ["PRAGMA full_column_names = ON"],
    ),
    Setting(
        "sqlite",
        "`PRAGMA reverse_unordered_selects`",
        "no effect",
        "no order of rows is asked",
        ["PRAGMA reverse_unordered_selects = ON"],
    ),
    Setting(
        "sqlite",
        "`PRAGMA case_sensitive_like`",
        "no effect",
        "nothing is asked by `LIKE`",
        ["PRAGMA case_sensitive_like = ON"],
    ),
    Setting(
        "sqlite", "texts between double quotes", "spelled", "names stand between backticks", columns=["orders", "nope"]
    ),
    Setting(
        "postgresql", "`extra_float_digits`", "spelled", "doubles are sent as bytes", ["SET extra_float_digits = 0"]
    ),
    Setting(
        "postgresql",
        "nondeterministic collations",
        "spelled",
        '`COLLATE pg_catalog."C"`',
        types={"colour": "TEXT COLLATE folded", "kind": "TEXT COLLATE folded"},
        before=[
            "CREATE COLLATION IF NOT EXISTS folded (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
        ],
    ),
    Setting(
        "postgresql",
        '`search_path` with another `"C"`',
        "spelled",
        '`COLLATE pg_catalog."C"`',
        [
            "CREATE SCHEMA IF NOT EXISTS collations",
            'CREATE COLLATION IF NOT EXISTS collations."C" '
            "(provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
            "SET search_path = collations, pg_catalog, public",
        ],
    ),
    Setting(
        "postgresql",
        "`citext`",
        "spelled",
        "as texts",
        types={"colour": "CITEXT", "kind": "CITEXT"},
        before=["CREATE EXTENSION IF NOT EXISTS citext"],
    ),
    Setting(
        "postgresql",
        "a domain of `citext`",
        "spelled",
        "as texts",
        types={"colour": "word", "kind": "word"},
        before=[
            "CREATE EXTENSION IF NOT EXISTS citext",
            "DROP DOMAIN IF EXISTS word CASCADE",
            "CREATE DOMAIN word AS citext",
        ],
    ),
    Setting(
        "postgresql",
        "`ENUM` as the type of a column",
        "spelled",
        "as texts",
        types={"kind": "answer"},
        before=["DROP TYPE IF EXISTS answer CASCADE", "CREATE TYPE answer AS ENUM ('yes', 'No', 'no')"],
    ),
    Setting(
        "postgresql",
        "`row_factory`: dictionaries",
        "spelled",
        "a cursor of its own",
        [_taken("row_factory", "psycopg.rows", "dict_row")],
    ),
    Setting(
        "postgresql",
        "`row_factory`: named tuples",
        "spelled",
        "a cursor of its own",
        [_taken("row_factory", "psycopg.rows", "namedtuple_row")],
    ),
    Setting(
        "postgresql",
        "`row_factory`: one cell",
        "spelled",
        "a cursor of its own",
        [_taken("row_factory", "psycopg.rows", "scalar_row")],
    ),
    Setting(
        "postgresql",
        "`cursor_factory`: other marks",
        "spelled",
        "a cursor of its own",
        [_taken("cursor_factory", "psycopg", "RawCursor")],
    ),
    Setting(
        "postgresql",
        "`cursor_factory`: by the client",
        "spelled",
        "a cursor of its own",
        [_taken("cursor_factory", "psycopg", "ClientCursor")],
    ),
    Setting("postgresql", "decimals read as floats", "spelled", "they are sent as bytes", [_floats]),
    Setting(
        "postgresql",
        "adapters that round",
        "refused",
        "a double is tried when it is opened",
        [_rounded_floats],
        says=r"CAST\(%s AS DOUBLE PRECISION\) is 0.3 in this session, where the engine itself says 0.30000000000000004",
    ),
    Setting(
        "postgresql",
        "`client_encoding = SQL_ASCII`",
        "refused",
        "a text is tried when it is opened",
        ["SET client_encoding = 'SQL_ASCII'"],
        says=r"CAST\('aA ' AS TEXT\) is b'aA ' in this session",
    ),
    Setting(
        "postgresql",
        "`search_path` with other functions",
        "refused",
        "its functions are tried when it is opened",
        [
            "CREATE SCHEMA IF NOT EXISTS own",
            "CREATE OR REPLACE FUNCTION own.round(FLOAT8) RETURNS FLOAT8 LANGUAGE SQL AS 'SELECT 7e0::FLOAT8'",
            "SET search_path = own, pg_catalog, public",
        ],
        says="is 7.0 in this session, where the engine itself says 2",
    ),
    Setting(
        "postgresql",
        "`money`, `xml`, dates, arrays",
        "refused",
        "by the name of the type",
        ["ALTER TABLE orders ALTER age TYPE MONEY"],
        says="orders, column age: money is neither a number nor a category; cast it in a SELECT",
    ),
    Setting(
        "postgresql",
        "`DateStyle`, `IntervalStyle`, `TimeZone`",
        "no effect",
        "dates are refused",
        ["SET DateStyle = 'German'", "SET IntervalStyle = 'iso_8601'", "SET TimeZone = 'Asia/Kathmandu'"],
    ),
    Setting(
        "postgresql",
        "`lc_numeric`, `lc_monetary`",
        "no effect",
        "no number is written with a locale; `money` is refused",
        ["SET lc_numeric = 'C.UTF-8'", "SET lc_monetary = 'C.UTF-8'"],
    ),
    Setting(
        "postgresql",
        "`bytea_output`, `xmlbinary`",
        "no effect",
        "blobs are refused",
        ["SET bytea_output = 'escape'", "SET xmlbinary = 'hex'"],
    ),
    Setting(
        "postgresql",
        "`quote_all_identifiers`",
        "spelled",
        "names of types are read without their quotes",
        ["SET quote_all_identifiers = on"],
    ),
    Setting(
        "postgresql",
        "`standard_conforming_strings`",
        "no effect",
        "texts are parameters",
        ["SET standard_conforming_strings = off", "SET escape_string_warning = off"],
    ),
    Setting(
        "postgresql",
        "`transform_null_equals`",
        "no effect",
        "nothing is asked by `= NULL`",
        ["SET transform_null_equals = on"],
    ),
    Setting(
        "postgresql",
        "`enable_...` of the planner",
        "no effect",
        "sums are whole numbers",
        ["SET enable_hashagg = off", "SET enable_sort = off", "SET enable_hashjoin = off", "SET jit = off"],
    ),
    Setting(
        "spark",
        "`COLLATE UTF8_LCASE` of a column",
        "spelled",
        "`COLLATE UTF8_BINARY`",
        types={"colour": "string collate UTF8_LCASE", "kind": "string collate UNICODE_CI"},
    ),
    Setting("spark", "`spark.sql.groupByOrdinal`", "spelled", "groups are named", ["spark.sql.groupByOrdinal=false"]),
    Setting(
        "spark",
        "`spark.sql.legacy.exponentLiteralAsDecimal.enabled`",
        "spelled",
        "doubles end in `D`",
        ["spark.sql.legacy.exponentLiteralAsDecimal.enabled=true"],
    ),
    Setting(
        "spark",
        f"`{_REGEX}`",
        "refused",
        "asked when it is opened",
        [f"{_REGEX}=true"],
        says=f"{_REGEX} changes what the name of a column means; SET {_REGEX}=false",
    ),
    Setting(
        "spark",
        "`spark.sql.variable.substitute`",
        "refused",
        "where a name of a column has `${`",
        columns=["si${ze}", "colour"],
        says=r"column si\$\{ze\}: its name has \$\{, which a session replaces; rename it in a SELECT",
    ),
    Setting(
        "spark",
        "two names that differ in case",
        "refused",
        "unless `spark.sql.caseSensitive` is on",
        columns=["Colour", "colour"],
        says="occurs twice but for the case of its letters; rename one in a SELECT",
    ),
    Setting(
        "spark",
        "`spark.sql.caseSensitive`",
        "no effect",
        "two names that differ in case are then two",
        ["spark.sql.caseSensitive=true"],
        columns=["Colour", "colour"],
    ),
    Setting(
        "spark",
        "functions of the session",
        "refused",
        "its functions are tried when it is opened",
        [
            "CREATE TEMPORARY FUNCTION ln(x DOUBLE) RETURNS DOUBLE RETURN 7D",
            "spark.sql.functionResolution.sessionOrder=first",
        ],
        says=r"LN\(1e0\) is 7.0 in this session",
    ),
    Setting(
        "spark",
        "`VARIANT`, dates, arrays, maps",
        "refused",
        "by the name of the type",
        types={"age": "date"},
        says="orders, column age: date is neither a number nor a category; cast it in a SELECT",
    ),
    Setting(
        "spark",
        "`spark.sql.ansi.enabled`",
        "no effect",
        "nothing overflows, nothing is divided by 0",
        ["spark.sql.ansi.enabled=false"],
    ),
    Setting(
        "spark",
        "`spark.sql.ansi.enforceReservedKeywords`, `doubleQuotedIdentifiers`",
        "no effect",
        "no reserved word is a name",
        ["spark.sql.ansi.enforceReservedKeywords=true", "spark.sql.ansi.doubleQuotedIdentifiers=true"],
    ),
    Setting(
        "spark",
        "`spark.sql.decimalOperations.allowPrecisionLoss`",
        "no effect",
        "sums have 38 digits, and are cast to them",
        ["spark.sql.decimalOperations.allowPrecisionLoss=false", "spark.sql.legacy.literal.pickMinimumPrecision=false"],
    ),
    Setting(
        "spark",
        "`spark.sql.orderByOrdinal`, `groupByAliases`",
        "no effect",
        "columns are named in subqueries",
        ["spark.sql.orderByOrdinal=false", "spark.sql.groupByAliases=false"],
    ),
    Setting(
        "spark",
        "`spark.sql.parser.escapedStringLiterals`, `spark.sql.session.timeZone`",
        "no effect",
        "texts are parameters; dates are refused",
        ["spark.sql.parser.escapedStringLiterals=true", "spark.sql.session.timeZone=Asia/Kathmandu"],
    ),
)
"""What was found in the references of the engines. The names that the tables give are those of SQLite 3.40, DuckDB 2.0,
PostgreSQL 15 and Spark 4.3."""


def table() -> str:
    """The record as the table of the page."""
    lines = ["| store | setting, or declaration | result | how, or why |", "|:--|:--|:--|:--|"]
    lines += [f"| {STORES[one.store]} | {one.what} | *{one.how}* | {one.why} |" for one in SETTINGS]
    return "\n".join(lines)
