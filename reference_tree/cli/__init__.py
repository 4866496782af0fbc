"""The command line: grow, explain, predict, prune, select, plot, data, golden, check, audit.

Every command reads a file, or a textbook data set by name, does one thing, and prints it or writes it to `--output`.
Bad input gets one line on standard error and the exit status 2. A file is written under a temporary name and moved into
place, so that a failure loses nothing.

| module | holds |
| --- | --- |
| `arguments` | the commands and their options |
| `commands` | the work of each command |
| `pruning` | from options to a pruned tree and its decisions |
| `scoring` | the quality of predictions |
| `checking` | the check of a program's answers against the goldens |
| `selecting` | from options to a cross-validation of one of them |
| `plotting` | from options to a curve, or the regions of a tree |
| `auditing` | the audit of a tree against its data and a learner |
| `reporting` | the report of a command that goes wrong |
| `completion` | a script that completes words in a shell |
| `datasets` | tables listed, divided, in intervals, encoded, and written |
| `learning` | from options to a table and a tree |
| `tables` | tables that are read under the schema of a tree |
| `output` | printing and writing, and the progress of a command that takes long |
"""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Sequence

from reference_tree.cli.arguments import parser
from reference_tree.cli.output import (
    forget_output,
    forget_remarks,
    format_for,
    how_far,
    remark,
    running,
    say,
    say_what_is_new,
)
from reference_tree.data.errors import Deprecated, InputError, InputWarning, on_command_line
from reference_tree.exact.log_sums import UndecidedError
from reference_tree.learners.recorded import check_conflicts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the command line without the program's name; None for that of this process.

    Returns:
        The exit status: 0; 1 where a check or an audit found a fault; or 2 for bad input.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    status = 0
    try:
        if getattr(signal.getsignal(signal.SIGINT), "__module__", "") == "reference_tree":  # now it can be cleaned up
            signal.signal(signal.SIGINT, signal.default_int_handler)
        options = parser().parse_args(arguments)
        if "formats" in options:
            options.format = format_for(options.format, options.output, options.formats)
        with warnings.catch_warnings(), on_command_line():
            for kind in (InputWarning, Deprecated):
                warnings.simplefilter("always", kind)
            warnings.showwarning = lambda message, *_: remark(str(message))
            files = (
                getattr(options, name, None) for name in ("called", "tree", "data")
            )  # as in: audit tree.json iris.csv
            named = " ".join(word for word in files if isinstance(word, str))
            check_conflicts(vars(options).get("conflicts", ()), vars(options))
            options.main = main  # for a command about another one
            with running(named, after_reading=say_what_is_new):
                status = options.run(options) or 0
    except (InputError, UndecidedError) as error:
        say(str(error))
        return 2
    except ValueError as error:
        if "integer string conversion" not in str(error):  # Python's own limit on writing integers
            raise
        say("a number has more digits than can be written; choose a smaller --max-depth")
        return 2
    except MemoryError:
        say("the memory does not suffice; take fewer rows or columns, or choose a smaller --max-depth")
        return 2
    except BrokenPipeError:  # the reader of the output has closed it
        forget_output()
    except KeyboardInterrupt:
        if found := how_far():
            say(f"interrupted: {found}; nothing is written")
        return 130
    finally:
        forget_remarks()
    return status


__all__ = ["main", "parser"]
