"""Engines: the SQL of each database, and how it is queried.

An `Engine` is data: how it quotes a name, marks a parameter, compares text as bytes and adds up whole numbers. Nothing
that a session could set is left out of a statement: its orders are `ASCENDING` or `DESCENDING`, and a column of texts
has its collation. A `Database` is an open connection to an engine. It runs queries, counts them, and makes one line of
what the engine refuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any, NamedTuple, TypeVar

from reference_tree.data.errors import InputError
from reference_tree.stores.sessions import answered, module_of, refuse_decided, setting_of

Found = TypeVar("Found")

_NUMBERS = count(1)

Rows = list[tuple[Any, ...]]
"""The rows of a query."""

ABREAST = 16
"""The most columns that are asked about in one query."""

ASCENDING, DESCENDING = "ASC NULLS LAST", "DESC NULLS LAST"
"""An order as statements spell it, since a session may set another one."""


class CellSyntax(NamedTuple):
    """How the cells of a column are asked for."""

    sql: str = "{}"
    """The column in a query; of texts with a collation that compares bytes."""
    nan: str = ""
    """The type of its NaN, which is a missing value here; none if it can hold none."""


class Engine(NamedTuple):
    """The SQL of an engine."""

    mark: str = "?"
    """The place of a parameter."""
    quote: str = '"'
    """The quotation mark around a name."""
    types: Mapping[str, CellSyntax] = {}
    """The columns that can be read, by a pattern of the names of their types; none if each row has its own type."""
    column: str = "{}"
    """A column of any type, so that DISTINCT keeps texts apart whose bytes differ."""
    double: str = "DOUBLE PRECISION"
    """The type of doubles."""
    single: str = ""
    """The type of numbers of single precision."""
    whole: str = "INTEGER"
    """A type of whole numbers."""
    bits: int = 63
    """Sums of this type are exact below 2 to this power."""
    scale: str = ""
    """The number of decimals of a cell, where it may differ from row to row."""
    kept: str = "MATERIALIZED "
    """Before a subquery that is read twice, and is not to be computed twice."""
    packed: str = ""
    """All columns of a query as one, where a query is dear by itself, so that several are asked together."""
    stacked: str = ""
    """A number of expressions as so many rows, where cuts are found by bins, and the bins of many rows are kept."""
    digits: str = ""
    """A double as text: the shortest decimal that names it, as Python reads it; none where the engine rounds it."""
    points: str = "(VALUES {})"
    """A list of points to be looked up in."""
    number: str = "{}"
    """A double that is written with an exponent."""
    folds: bool = False
    """Whether names that differ in case alone are one name, unless a setting says otherwise."""

    def double_of(self, number: float) -> str:
        """A double in a query, of whatever type the session takes digits for.

        Example:
            >>> Engine().double_of(0.5), Engine(number="{}D").double_of(1e300)
            ('0.5e0', '1e+300D')
        """
        return self.number.format(f"{number!r}" if "e" in repr(number) else f"{number!r}e0")


_PLAIN = CellSyntax()

ENGINES: Mapping[str, Engine] = {
    # SQLite takes a name between double quotes for a text where there is no such column.
    "sqlite3": Engine(quote="`", column="{} COLLATE BINARY", double="REAL"),
    "duckdb": Engine(
        types={
            r'U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|DECIMAL\(\d+, ?\d+\)|BOOLEAN|"NULL"': _PLAIN,
            "FLOAT|DOUBLE": CellSyntax(nan="DOUBLE"),
            "VARCHAR": CellSyntax('{} COLLATE "C"'),
            r"ENUM\(.*\)": CellSyntax('CAST({} AS VARCHAR) COLLATE "C"'),
        },
        single="FLOAT",
        whole="HUGEINT",
        bits=126,
        digits="CAST(CAST({} AS DOUBLE) AS VARCHAR)",
    ),
    "psycopg": Engine(
        mark="%s",
        types={
            "smallint|integer|bigint|oid|boolean": _PLAIN,
            "numeric": CellSyntax(nan="NUMERIC"),
            "real|double precision": CellSyntax(nan="DOUBLE PRECISION"),
            "text|character varying|character|name": CellSyntax('{} COLLATE pg_catalog."C"'),
            "(text|enumeration) .*|char": CellSyntax('CAST({} AS TEXT) COLLATE pg_catalog."C"'),
        },
        single="REAL",
        whole="NUMERIC",
        bits=4096,
        scale="SCALE({})",
        digits="CAST({} AS TEXT)",
        number="CAST('{}' AS DOUBLE PRECISION)",
    ),
    "pyspark": Engine(
        quote="`",
        types={
            r"tinyint|smallint|int|bigint|decimal\(.*\)|boolean|void": _PLAIN,
            "float|double": CellSyntax(nan="DOUBLE"),
            r"string|(var)?char\(\d+\)": _PLAIN,
            "string collate .*": CellSyntax("{} COLLATE UTF8_BINARY"),
        },
        double="DOUBLE",
        single="FLOAT",
        whole="DECIMAL(38, 0)",
        bits=126,
        kept="",
        packed="STRUCT(*)",
        stacked="STACK({}, {})",
        points="({})",
        number="{}D",
        folds=True,
    ),
}
"""Each engine, by the module of its connections."""


CASE = "spark.sql.caseSensitive"
"""The setting by which an engine that takes names for one tells them apart."""

TYPE_OF = (
    "SELECT oid, CASE WHEN typcategory = 'E' THEN 'enumeration ' WHEN typcategory = 'S' AND oid >= 16384 THEN 'text ' "
    "ELSE '' END || REPLACE(pg_catalog.format_type(oid, NULL), '\"', '') FROM pg_catalog.pg_type WHERE oid IN ({})"
)
"""The types of PostgreSQL by their numbers; those of extensions and of users are numbered from 16384 on. The setting
`quote_all_identifiers` quotes some."""


class Asked(NamedTuple):
    """A piece of SQL with its parameters."""

    sql: str
    parameters: tuple[Any, ...] = ()

    def __add__(self, other: Any) -> Asked:
        """Two pieces, one after the other."""
        sql, parameters = (other, ()) if isinstance(other, str) else other
        return Asked(self.sql + sql, self.parameters + parameters)

    def __radd__(self, other: Any) -> Asked:
        """A text before a piece."""
        return Asked(other + self.sql, self.parameters)


def abreast(columns: Sequence[str], engine: Engine) -> list[Sequence[str]]:
    """The columns that are asked about in one query: each alone, but where a query is dear by itself.

    Example:
        >>> abreast(["a", "b"], ENGINES["sqlite3"]), abreast(["a", "b"], ENGINES["pyspark"])
        ([['a'], ['b']], [['a', 'b']])
    """
    many = ABREAST if engine.packed else 1
    return [columns[start : start + many] for start in range(0, len(columns), many)]


def joined(separator: str, pieces: Sequence[Asked]) -> Asked:
    """Pieces of SQL with a text between each two.

    Example:
        >>> joined(" AND ", [Asked("a = ?", (1,)), Asked("b = ?", (2,))])
        Asked(sql='a = ? AND b = ?', parameters=(1, 2))
    """
    return Asked(separator.join(sql for sql, _ in pieces), tuple(one for _, some in pieces for one in some))


class Database:
    """An open connection, with the engine behind it.

    Args:
        connection: of one of `ENGINES`; it stays the caller's.
        name: the name of the source in messages.
    """

    def __init__(self, connection: Any, name: str) -> None:
        module = module_of(connection)
        self.connection, self.name, self._module, self.engine = connection, name, module, ENGINES[module]
        self._types = dict[str, dict[str, str]]()
        self.queries = 0
        """The number of queries so far."""
        self.fetched = 0
        """The number of rows that they returned."""

    def error(self, message: str, column: str | None = None) -> InputError:
        """An error that names the source."""
        return InputError(message, path=self.name, column=column)

    def quoted(self, name: str) -> str:
        """A name in a query."""
        quote = self.engine.quote
        return quote + name.replace(quote, quote * 2).replace("%", "%%" if self.engine.mark == "%s" else "%") + quote

    def asked(self, query: Asked) -> Rows:
        """The rows of a query.

        Raises:
            InputError: the engine refuses the query; the first line of its message.
        """
        rows = self._run(query, lambda found: found.collect() if self._module == "pyspark" else found.fetchall())
        self.queries += 1
        self.fetched += len(rows)
        return list(map(tuple, rows))

    @contextmanager
    def kept(self, query: Asked) -> Iterator[str]:
        """The rows of a query, kept as a view of a session of Spark that is cached."""
        name = f"reference_tree_{next(_NUMBERS)}"
        rows = self._run(query, lambda found: found.cache())
        try:
            rows.createOrReplaceTempView(name)
            yield self.quoted(name)
        finally:
            self.connection.catalog.dropTempView(name)
            rows.unpersist()

    def together(self, queries: Mapping[str, Asked]) -> dict[str, Rows]:
        """The rows of queries about some columns, by column, asked in one.

        Raises:
            InputError: the engine refuses one, with the name of the column.
        """
        if len(queries) > 1:
            nulls, pieces = ["NULL"] * len(queries), list[Asked]()
            for place, query in enumerate(queries.values()):
                wanted = ", ".join([*nulls[:place], self.engine.packed, *nulls[place + 1 :]])
                pieces.append(f"SELECT {place}, {wanted} FROM (" + query + ")")
            with suppress(InputError):  # which one is refused is found below
                of_each = list[Rows]([] for _ in queries)
                for place, *cells in self.asked(joined(" UNION ALL ", pieces)):
                    of_each[place].append(tuple(cells[place]))
                return dict(zip(queries, of_each, strict=True))
        found = dict[str, Rows]()
        for name, query in queries.items():
            with self.naming(name):
                found[name] = self.asked(query)
        return found

    @contextmanager
    def naming(self, column: str) -> Iterator[None]:
        """An error in here names the column, if it names none."""
        try:
            yield
        except InputError as error:
            raise error if error.column else self.error(error.message, column=column) from None

    def checked(self) -> Database:
        """This database, whose session decides nothing.

        Raises:
            InputError: the session changes what would be read, and no statement can spell that.
        """
        try:
            self._caught(lambda: refuse_decided(self.connection, self._module))
        except InputError as error:
            raise self.error(error.message) from None
        return self

    def names(self, source: str) -> list[str]:
        """The names of the columns of a source.

        Raises:
            InputError: there is no such source; or two columns have one name, or names that the engine takes for one.
        """
        names = list(self.types(source))
        if self.engine.folds:
            for name in names:
                if "${" in name:
                    raise self.error("its name has ${, which a session replaces; rename it in a SELECT", column=name)
            folded = [name.casefold() for name in names]
            if len({*folded}) < len(names) and setting_of(self.connection, self._module, CASE) != "true":
                twice = next(name for name, one in zip(names, folded, strict=True) if folded.count(one) > 1)
                raise self.error("occurs twice but for the case of its letters; rename one in a SELECT", column=twice)
        return names

    def types(self, source: str) -> Mapping[str, str]:
        """The names of the columns of a source, each with that of its type; nothing where each row has its own type."""
        if source not in self._types:
            pairs = self._described(source)
            names = [name for name, _ in pairs]
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise self.error("occurs twice; give each column a name of its own", column=twice)
            self._types[source] = dict(pairs)
        return self._types[source]

    def cells(self, source: str, name: str) -> CellSyntax:
        """How the cells of a column are asked for, with the column in it.

        Raises:
            InputError: its type is none that is read here.
        """
        quoted, of = self.quoted(name), self.types(source).get(name, "")
        if not self.engine.types:
            return CellSyntax(self.engine.column.format(quoted))
        for pattern, cells in self.engine.types.items():
            if re.fullmatch(pattern, of, re.DOTALL):
                return cells._replace(sql=cells.sql.format(quoted))
        raise self.error(f"{of} is neither a number nor a category; cast it in a SELECT", column=name)

    def _described(self, source: str) -> list[tuple[str, str]]:
        """The names of the columns of a source with their types."""
        query = Asked(f"SELECT * FROM {source} LIMIT 0")
        if self._module == "pyspark":
            return self._run(query, lambda found: [(str(name), kind) for name, kind in found.dtypes])  # type: ignore[no-any-return]
        if self._module == "duckdb":
            return [(name, kind) for name, kind, *_ in self._run("DESCRIBE " + query, lambda found: found.fetchall())]
        columns = self._run(query, lambda found: [(str(one[0]), one[1]) for one in found.description])
        if self._module == "sqlite3":
            return [(name, "") for name, _ in columns]
        numbers = ", ".join({str(int(number)) for _, number in columns}) or "NULL"
        kinds = dict(self._run(Asked(TYPE_OF.format(numbers)), lambda found: found.fetchall()))
        return [(name, kinds.get(number, "an unknown type")) for name, number in columns]

    def _run(self, query: Asked, read: Any) -> Any:
        def work() -> Any:
            return read(answered(self.connection, self._module, *query))

        if self._module != "pyspark":
            return self._caught(work)
        return self._caught(lambda: interruptible(work, lambda: self.connection.sparkContext.cancelAllJobs()))

    def _caught(self, work: Callable[[], Found]) -> Found:
        """The result of a function; an error of the engine is one line."""
        try:
            return work()
        except Exception as error:
            if str(error).lower() in ("interrupted", "query interrupted"):  # what SQLite and DuckDB make of Ctrl-C
                raise KeyboardInterrupt from None
            if getattr(getattr(self.connection, "_sc", None), "_jsc", self) is None:
                raise self.error("the session of Spark was stopped") from None
            if type(error).__module__.partition(".")[0].removeprefix("_") not in (self._module, "py4j"):
                raise
            raise self.error(f"{self._module} says: {str(error).strip().splitlines()[0]}") from None


def interruptible(work: Callable[[], Found], cancel: Callable[[], object]) -> Found:
    """The result of a function that hears no Ctrl-C itself, as it waits for another program: it runs in a thread.

    Args:
        work: the function.
        cancel: ends the program, if it has begun.

    Example:
        >>> interruptible(lambda: 7, lambda: None)
        7
    """
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(work)
        try:
            return running.result()
        except KeyboardInterrupt:
            while not wait([running], timeout=0.1).done:
                cancel()
            raise


__all__ = [
    "ASCENDING",
    "DESCENDING",
    "ENGINES",
    "Asked",
    "CellSyntax",
    "Database",
    "Engine",
    "Rows",
    "abreast",
    "interruptible",
    "joined",
]
