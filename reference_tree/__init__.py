"""The executable specification of decision trees.

Every formula of the textbooks is here as readable, cited, running code; every split is decided exactly, so that no
rounding ever chooses; and the same code emits the test vectors that other implementations are checked against.

Example:
    >>> import reference_tree as rt
    >>> table = rt.textbook("play-tennis")
    >>> tree = rt.ID3(epsilon=0).grow(table)
    >>> tree.predict({"outlook": "sunny", "humidity": "normal"})
    'yes'
"""

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if sys.version_info < (3, 11):  # noqa: UP036  (an older one gets this message)
    NEEDED = "reference_tree needs Python 3.11 or newer"
    raise SystemExit(NEEDED) if sys.argv[:1] == ["-m"] else ImportError(NEEDED)


# A command that is interrupted while it imports ends like one that is interrupted while it works: without a message.
if sys.argv[:1] == ["-m"] or os.path.basename("".join(sys.argv[:1])) == "reference-tree":
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from reference_tree import programs, twins  # noqa: F401  (programs add their profiles to the learners)
from reference_tree.learners import extended_id3  # noqa: F401  (it adds its profile to ID3)

__version__ = "1.0.0"

# The engine makes the package fast and changes nothing else; the package also runs without it
# (REFERENCE_TREE_ENGINE=off).
if twins.ENGINE_IS_ON and find_spec("reference_tree.engine"):
    import_module("reference_tree.engine")

# The package's names are imported when one of them is first used: a command, and a page that runs the package, need
# only a part of it.
if TYPE_CHECKING:
    from reference_tree._offered import *  # noqa: F403
else:

    def __getattr__(name: str) -> Any:
        """A name of `reference_tree._offered`."""
        if not name.startswith("_") or name == "__all__":
            offered = import_module("reference_tree._offered")
            globals().update({one: getattr(offered, one) for one in (*offered.__all__, "__all__")})
            if name in offered.RENAMED:
                now, gone = offered.RENAMED[name]
                import_module("reference_tree.data.errors").deprecated(f"rt.{name}", f"rt.{now}", gone)
                return globals()[now]
        if name not in globals():
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals()[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
