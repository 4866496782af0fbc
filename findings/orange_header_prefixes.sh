#!/usr/bin/env bash
# Orange 3.40.0: the header that its own docstring gives as an example is read otherwise than it says.
#
# A header of one line has names with prefixes, as `cC#IQ`. The docstring has `d#sex,c#age,cC#IQ`, but a kind is a capital
# letter: `d#` stays in the name, and `c#` makes a class of the column. A value that is not in the list of its column is
# read as a missing one, and a misspelled kind turns the second and the third line of a header into rows of data. Nothing
# is said of any of these.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet "orange3==3.40.0"
"$folder/venv/bin/python" - "$folder" <<'PYTHON'
import pathlib
import sys
import warnings

import Orange
from Orange.data import Table
from Orange.data.io_base import _TableHeader

folder, said = pathlib.Path(sys.argv[1]), []


def read(text):
    file = folder / "table.tab"
    file.write_text(text, encoding="utf-8")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        table = Table.from_file(str(file))
    said.extend(str(one.message) for one in found if "table.tab" in str(one.message))
    return table


print("Orange", Orange.__version__)
example = "d#sex,c#age,cC#IQ"
print("the docstring of the header of one line has the example:", example, example in (_TableHeader._header1.__doc__ or ""))
domain = read("d#sex\tc#age\tcC#IQ\nm\t3\t100\nf\t4\t110\nm\t5\t120\n").domain
attributes, classes = [one.name for one in domain.attributes], [one.name for one in domain.class_vars]
print("  attributes:", attributes, "classes:", classes)
listed = read("a\ty\nd\ta b\n\tclass\nu\ta\nv\tc\n")
print("a class c where the list is `a b`:", [str(row.get_class()) for row in listed])
misspelled = read("x\ty\ncont\td\n\tclass\n1\tp\n2\tq\n")
print("kinds `cont`, `d` above two rows:", len(misspelled), "rows, classes:", list(misspelled.domain.class_vars))
print("warnings:", said)
seen = (
    example in (_TableHeader._header1.__doc__ or ""),
    attributes == ["d#sex"],
    classes == ["age", "IQ"],
    [str(row.get_class()) for row in listed] == ["a", "?"],
    len(misspelled) == 4,
    not misspelled.domain.class_vars,
    not said,
)
sys.exit(0 if all(seen) else f"the behaviour changed: {seen}")
PYTHON
