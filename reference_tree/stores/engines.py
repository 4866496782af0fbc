"""Engines: what each database writes in its own way, and how it is asked.

An `Engine` is data: how it quotes a name, marks a parameter, compares text as bytes and adds up whole numbers. A
`Database` is an open connection to one. It runs queries, counts them, and makes one line of what the engine refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from reference_tree.data.errors import InputError, listed, shown

Found = TypeVar("Found")

Rows = list[tuple[Any, ...]]
"""The rows of a query."""

ABREAST = 16
"""The most columns that are asked about in one query."""


class Engine(NamedTuple):
    """What an engine writes in its own way."""

    mark: str = "?"
    """The place of a parameter."""
    quote: str = '"'
    """What stands around a name."""
    text: str = "{}"
    """A column of text that is compared as bytes."""
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
    has_nan: bool = True
    """Whether a column can hold NaN, which is a missing value here."""
    scale: str = ""
    """The number of decimals of a cell, where it may differ from row to row."""
    is_json: str = ""
    """Whether a cell that comes as text is JSON."""
    kept: str = "MATERIALIZED "
    """Before a subquery that is read twice, and is not to be computed twice."""
    packed: str = ""
    """All columns of a query as one, where a query is dear by itself, so that several are asked together."""
    digits: str = ""
    """A double as text: the shortest decimal that names it, as Python reads it; none where the engine rounds it."""
    points: str = "(VALUES {})"
    """A list of points to be looked up in."""


ENGINES: Mapping[str, Engine] = {
    "sqlite3": Engine(column="{} COLLATE BINARY", double="REAL", has_nan=False),
    "duckdb": Engine(
        single="FLOAT",
        whole="HUGEINT",
        bits=126,
        is_json="TYPEOF({}) = 'JSON'",
        digits="CAST(CAST({} AS DOUBLE) AS VARCHAR)",
    ),
    "psycopg": Engine(
        mark="%s",
        text='{} COLLATE "C"',
        single="REAL",
        whole="NUMERIC",
        bits=4096,
        scale="SCALE({})",
        digits="CAST({} AS TEXT)",
    ),
    "pyspark": Engine(
        quote="`",
        double="DOUBLE",
        single="FLOAT",
        whole="DECIMAL(38, 0)",
        bits=126,
        kept="",
        packed="STRUCT(*)",
        points="({})",
    ),
}
"""Each engine, by the module of its connections."""


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
        module = type(connection).__module__.partition(".")[0].removeprefix("_")
        if module not in ENGINES:
            raise InputError(f"{shown(connection)} is no connection of {listed(ENGINES)}")
        self.connection, self.name, self._module, self.engine = connection, name, module, ENGINES[module]
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
            InputError: the engine refuses the query; the first line of what it says.
        """
        rows = self._run(query, lambda found: found.collect() if self._module == "pyspark" else found.fetchall())
        self.queries += 1
        self.fetched += len(rows)
        return list(map(tuple, rows))

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

    def keep(self, name: str, query: Asked) -> None:
        """Make a temporary table of what a query returns.

        Raises:
            InputError: the engine refuses it, as where there is no right to make temporary tables.
        """
        if self._module == "pyspark":
            # The rows alone are kept, and not how they came about, which grows from table to table.
            self._run(query, lambda found: found.localCheckpoint().createOrReplaceTempView(name))
        else:
            self._run(f"CREATE TEMPORARY TABLE {name} AS " + query, lambda found: found)

    def forget(self, name: str) -> None:
        """Remove a temporary table."""
        if self._module == "pyspark":
            self.connection.catalog.dropTempView(name)
        else:
            self._run(Asked(f"DROP TABLE IF EXISTS {name}"), lambda found: found)

    def names(self, source: str) -> list[str]:
        """The names of the columns of a source.

        Raises:
            InputError: there is no such source; or two columns have one name.
        """
        query = Asked(f"SELECT * FROM {source} LIMIT 0")
        columns = self._run(query, lambda found: getattr(found, "columns", None) or [c[0] for c in found.description])
        names = [str(name) for name in columns]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise self.error("occurs twice; give each column a name of its own", column=twice)
        return names

    def _run(self, query: Asked, read: Any) -> Any:
        sql, parameters = query
        try:
            if self._module == "pyspark":
                return interruptible(
                    lambda: read(self.connection.sql(sql, args=list(parameters))),
                    lambda: self.connection.sparkContext.cancelAllJobs(),
                )
            return read(self.connection.execute(sql, parameters))
        except Exception as error:
            if str(error).lower() in ("interrupted", "query interrupted"):  # what SQLite and DuckDB make of Ctrl-C
                raise KeyboardInterrupt from None
            if getattr(getattr(self.connection, "_sc", None), "_jsc", self) is None:
                raise self.error("the session of Spark was stopped") from None
            if type(error).__module__.partition(".")[0].removeprefix("_") not in (self._module, "py4j"):
                raise
            raise self.error(f"{self._module} says: {str(error).strip().splitlines()[0]}") from None


def interruptible(work: Callable[[], Found], cancel: Callable[[], object]) -> Found:
    """What a function returns that hears no Ctrl-C itself, as it waits for another program: it runs in a thread.

    Args:
        work: the function.
        cancel: ends what it waits for, if that has begun.

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


__all__ = ["ENGINES", "Asked", "Database", "Engine", "Rows", "abreast", "interruptible", "joined"]
