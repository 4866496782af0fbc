"""Which copy of the package is looked at: `--package PATH` puts that one first.

To compare two versions, a command that measures imports this module before any of the package.
"""

import sys

if "--package" in sys.argv[1:-1]:
    sys.path.insert(0, sys.argv[sys.argv.index("--package") + 1])
