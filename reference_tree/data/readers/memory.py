"""Memory: a file whose table would not fit is refused before it is read.

While a file becomes a table, it takes between 14 and 40 times its size. The least of these decides: a refused file
would not fit, and another one may still be too large.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from reference_tree.data.errors import InputError

try:
    import resource
except ImportError:  # a system without such limits
    resource = None  # type: ignore[assignment]

TIMES_ITS_SIZE = 14
"""The least memory that a table takes while it is read, in sizes of its file."""

_SYSTEM, _PROCESS = Path("/proc/meminfo"), Path("/proc/self/statm")


def available() -> int | None:
    """The bytes of memory that this process can still have; None if the system does not say."""
    return min((size for size in (_of_system(), _of_limit()) if size is not None), default=None)


def _of_system() -> int | None:
    """The bytes that the system has left, on Linux those it can free as well."""
    try:
        if found := re.search(r"MemAvailable:\s*(\d+) kB", _SYSTEM.read_text(encoding="ascii")):
            return int(found[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _of_limit() -> int | None:
    """The bytes up to the limit on the addresses of this process; None if there is no limit."""
    if resource is None or (most := resource.getrlimit(resource.RLIMIT_AS)[0]) == resource.RLIM_INFINITY:
        return None
    try:
        used = int(_PROCESS.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        used = 0
    return max(0, most - used)


def refuse_beyond_memory(size: int, path: str) -> None:
    """Refuse a file whose table would not fit into memory.

    Args:
        size: the bytes of the file, unpacked.
        path: its name.

    Raises:
        InputError: the table would need more than is available.

    Example:
        >>> refuse_beyond_memory(1000, "weather.csv")
        >>> refuse_beyond_memory(10**18, "weather.csv")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        reference_tree.data.errors.InputError: weather.csv: would need at least 14000000000.0 GB of memory...
    """
    needed, left = size * TIMES_ITS_SIZE, available()
    if left is not None and needed > left:
        raise InputError(
            f"would need at least {_gigabytes(needed)} of memory, and {_gigabytes(left)} are available; put the table "
            "into a database, where rt.sql grows a tree without reading it (docs/stores.md), or save fewer columns",
            path=path,
        )


def _gigabytes(size: int) -> str:
    tenths = -(-size // 10**8)
    return f"{tenths // 10}.{tenths % 10} GB"
