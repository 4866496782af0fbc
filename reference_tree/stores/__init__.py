"""Stores: data that stay where they are, behind the same seven questions as a table in memory.

| module | holds |
| --- | --- |
| `sql` | a table, a view or a SELECT of SQLite, DuckDB or PostgreSQL |

A store counts; it never decides. Nothing is imported of a database: the caller hands over an open connection.
"""
