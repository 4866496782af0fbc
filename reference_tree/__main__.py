"""`python3 -m reference_tree`: the command line, with nothing installed."""

import sys

from reference_tree.cli import main

sys.exit(main())
