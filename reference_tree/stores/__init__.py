"""Stores: data that stay where they are, behind the six queries of a table in memory.

| module | holds |
| --- | --- |
| `sql` | a table, a view or a SELECT of SQLite, DuckDB, PostgreSQL or Spark |
| `columns` | the types of a column, and its values from its cells |
| `samples` | the queries as SQL, for all nodes of a level at once |
| `near_cuts` | the cuts that can be the best, estimated by the database |
| `binned_cuts` | the same by bins and a zoom, in Spark |
| `bounds` | how good a cut within a bin can be |
| `whole_numbers` | a numeric target that the database adds up without rounding |
| `growing` | a tree grown level by level |
| `engines` | the SQL of each engine |
| `sessions` | the settings of a session that could decide, and the guard of a store against them |

A store counts; it never decides. Nothing is imported of a database: the caller hands over an open connection.
"""

from reference_tree.stores import growing, near_cuts

__all__ = ["growing", "near_cuts"]
