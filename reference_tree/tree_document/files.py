"""Files: written whole or not at all, so that a failure loses nothing; a tree or an ensemble as a file.

A file is written under a temporary name beside its place and moved there once it is whole. A device or a
pipe is written to and never replaced.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from reference_tree.data.errors import InputError, shown
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.tree import Tree
from reference_tree.tree_document.writing import to_json

ENDINGS = (".json", "")
"""The endings of the names of documents."""


def save(predictor: Tree | Ensemble, path: str | Path) -> None:
    """Write a tree or an ensemble to a file as its JSON document.

    Raises:
        InputError: the name ends like that of another form, or the file cannot be written; or as for `to_json`.
    """
    if not isinstance(path, str | Path):
        raise InputError(f"{shown(path)} is no path of a tree document")
    if (end := Path(path).suffix.lower()) not in ENDINGS:
        fault = f"a {predictor.called} is saved as a JSON document, not as {end}; end the name in .json"
        raise InputError(f"{fault} (to_text, to_svg and others give its other forms)", path=str(path))
    deliver_all({str(path): to_json(predictor)})


def deliver_all(texts: Mapping[str, str | bytes]) -> None:
    """Write files, all of them or none: they are moved into place once every one of them is whole.

    Args:
        texts: file → its text, or the bytes of a file that is no text.

    Raises:
        InputError: one cannot be written, or two names are of one file.
    """
    whole: dict[Path, str] = {}
    try:
        for output, text in texts.items():
            written = text.encode() if isinstance(text, str) else text
            with _writing(output):
                target = Path(output)
                _check_link(target)
                if target.exists() and not target.is_file():
                    target.write_bytes(written)
                    continue
                target = target.resolve()  # where a link leads to a file, that file
                if target in whole:
                    raise InputError("is named twice; each file needs a name of its own", path=output)
                handle, whole[target] = tempfile.mkstemp(dir=target.parent, prefix=".reference-tree-")
                with os.fdopen(handle, "wb") as file:
                    file.write(written)
                os.chmod(whole[target], stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask())
        for target in list(whole):
            with _writing(str(target)):
                os.replace(whole[target], target)
                del whole[target]
    finally:
        for temporary in whole.values():
            os.unlink(temporary)


def _check_link(path: Path) -> None:
    """Refuse a link that leads to itself: Python before 3.13 cannot resolve it, and a later one would replace it.

    Raises:
        OSError: it does.
    """
    with suppress(FileNotFoundError):
        path.stat()


@contextmanager
def _writing(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=output) from None


def _umask() -> int:
    mask = os.umask(0)  # it can only be read by setting another
    os.umask(mask)
    return mask
