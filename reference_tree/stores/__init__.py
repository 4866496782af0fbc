"""Stores: data that stay where they are, behind the six queries of a table in memory.

| module | holds |
| --- | --- |
| `sql` | a table, a view or a SELECT of SQLite, DuckDB, PostgreSQL or Spark |
| `columns` | what a column holds, and how its cells become values |
| `samples` | the queries as SQL, for all nodes of a level at once |
| `near_cuts` | the cuts that can be the best, estimated by the database |
| `whole_numbers` | a numeric target that the database adds up without rounding |
| `growing` | a tree grown level by level |
| `engines` | what each engine writes in its own way |
| `sessions` | what a session could decide, and how a store is kept from that |

A store counts; it never decides. Nothing is imported of a database: the caller hands over an open connection.
"""

from reference_tree.stores import growing, near_cuts

__all__ = ["growing", "near_cuts"]
