#!/usr/bin/env bash
# DuckDB 2.0.1: a running sum whose ORDER BY does not say ASC follows the setting `default_order`, so that the same
# window gives other numbers in another session; and a macro named `sum` takes the place of the aggregate, in silence.
#
# It makes a temporary folder, installs one pinned package, and ends with another status than 0 if that has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet 'duckdb==2.0.1'
"$folder/venv/bin/python" - <<'PYTHON'
import sys

import duckdb

QUERY = "SELECT x, SUM(x) OVER (ORDER BY x) FROM (VALUES (1), (2), (3)) AS t(x) ORDER BY x ASC"
print("DuckDB", duckdb.__version__)
session = duckdb.connect()
plain = session.execute(QUERY).fetchall()
session.execute("SET default_order = 'desc'")
turned = session.execute(QUERY).fetchall()
spelled = session.execute(QUERY.replace("(ORDER BY x)", "(ORDER BY x ASC)")).fetchall()
print("SUM(x) OVER (ORDER BY x)                            ", plain)
print("the same after SET default_order = 'desc'           ", turned)
print("SUM(x) OVER (ORDER BY x ASC) after it               ", spelled)
session.execute("CREATE MACRO sum(x) AS 7")
macro = session.execute("SELECT sum(x) FROM (VALUES (1), (2), (3)) AS t(x)").fetchall()
print("SELECT sum(x) after CREATE MACRO sum(x) AS 7        ", macro)
seen = (
    plain == spelled == [(1, 1), (2, 3), (3, 6)]
    and turned == [(1, 6), (2, 5), (3, 3)]
    and {row for row in macro} == {(7,)}
)
print("as seen before" if seen else "CHANGED")
sys.exit(not seen)
PYTHON
