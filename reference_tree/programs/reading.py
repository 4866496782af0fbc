"""The entry point: the output of any other program, recognised by its content.

1. `read_foreign` gives the documents of a file, of its text, of a value of JSON, or of a fitted object.
2. `predictor_of_file` gives the tree or the ensemble of a file.

Readers are imported when a file or an object is read. A file of more than `LARGEST` bytes is refused before it is
read, unless `largest` allows more.

A format that is not read is recognised and named, and has a way out: `is a pickle`, and not `is not UTF-8`. The line of
its program that writes what is read stands beside it (`Unread`).
"""

from __future__ import annotations

import gc
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from reference_tree.data.errors import InputError, InputWarning, listed, no_such, wording
from reference_tree.data.schema import Attribute
from reference_tree.ensembles.ensemble import Ensemble
from reference_tree.programs.boosted import Iterations, SumRule
from reference_tree.programs.documents import NOTES, reading
from reference_tree.programs.inventory import Ignored, UnreadError
from reference_tree.programs.reader import GivenNames, binary_of, readers
from reference_tree.programs.scikit_learn.members import class_texts
from reference_tree.tree import Tree
from reference_tree.tree_document.form import ENSEMBLE_FORMAT, FORMAT, LARGEST
from reference_tree.tree_document.reading import bytes_of, decoded, predictor_of, read_predictor
from reference_tree.tree_document.strict import parsed


class Unread(NamedTuple):
    """A format that is not read."""

    what: str
    """The name of the format, with its article."""
    way: str
    """The line that writes a file that is read, or the advice in its place."""
    is_table: bool = False
    """Whether a file that begins so may be a table, too."""

    def __str__(self) -> str:
        """The refusal, without the name of the file.

        Example:
            >>> print(Unread("a pickle", "load it where it was written"))
            is a pickle, which is not read; load it where it was written
        """
        return f"is {self.what}, which is not read; {self.way}"


_XGBOOST = 'booster.save_model("model.json") writes a model that is read'
_LIGHTGBM = 'booster.save_model("model.txt")'
_CATBOOST = 'model.save_model("model.json", format="json") writes a model that is read'
_YDF = "no form that YDF writes is read"
_SPARK = "lines of Spark write its nodes as JSON (the page of foreign trees); or read_foreign(model) reads the object"
_R = "the lines of R on the page of foreign trees write what is read of an rpart"

# The first bytes tell a binary format; of a text, a pattern near its beginning. The first that matches names it.
_BYTES: tuple[tuple[bytes, Unread], ...] = (
    (
        rb"(binf|bs64)",
        Unread("a binary model of XGBoost before 2.1", f"load it with XGBoost 3.0 or older, and {_XGBOOST}"),
    ),
    # A text dump rounds its numbers to a few digits, so that its tree is another one than the model's.
    (rb"(booster\[0\]|0):\s?\[?[^\n]*\b(yes|leaf)=", Unread("a text dump of XGBoost", _XGBOOST)),
    (
        rb"\s*digraph\b",
        Unread("a drawing of a tree in DOT", "the page of foreign trees has what its program writes besides"),
    ),
    (
        # C5.0 is another program than C4.5, and prints another text.
        rb"\s*(C5\.0|See5) \[Release|\s*Call:\s+C5\.0\b",
        Unread("a tree of C5.0", "grow it with C4.5 or J48, which are read"),
    ),
    (
        rb"node\), split, n, deviance, yval, \(yprob\)|\s*Conditional inference tree with\b"
        rb"|\s*Model (formula|party):[\s\S]{0,4096}\n(Fitted party|\[1\] root)",
        Unread("a tree of R that rpart has not grown", f"grow it with rpart; {_R}"),
    ),
    (
        rb"(DecisionTree|RandomForest|GBT)(Classification|Regression)Model[: (]",
        Unread("what toDebugString of Spark shows", "a line of Spark writes the nodes of the model as JSON"),
    ),
    (
        rb"\s*(JRIP rules|PART decision list)",
        Unread("a list of rules of Weka", "grow a tree with J48, REPTree, SimpleCart or Id3, which are read"),
    ),
    (
        # A pickle begins with its protocol: 2 to 5. To load one is to run it, so none is.
        rb"\x80[\x02-\x05]",
        Unread(
            "a pickle, as joblib and skops write it",
            f"nothing is unpickled here: load it, and read_foreign(model) reads the object; of LightGBM {_LIGHTGBM}, "
            'of XGBoost model.save_model("model.json") writes a model that is read',
        ),
    ),
    (
        # The two bytes at the head of a zlib stream, one pair for each level of compression.
        rb"\x78[\x01\x5e\x9c\xda]",
        Unread("a packed pickle of joblib", "nothing is unpickled here: load it, and read_foreign(model) reads it"),
    ),
    (rb"BS[\x01\x02]\0", Unread("the nodes of a model of YDF", _YDF)),
    (rb"CBM1", Unread("a binary model of CatBoost", _CATBOOST)),
    (rb"\x89HDF\r\n\x1a\n", Unread("a file of HDF5, as keras writes it", "a neural network has no trees")),
    # save() of R begins with RDA2, RDX2 or 3; serialize() with the letter of its format.
    (rb"(RD[AX][23]\n|[XA]\n\x00\x00\x00[\x02\x03]|A\n[23]\n)", Unread("an object of R", _R)),
    # A packed table is a table, too: the caller decides which of the two it is.
    (rb"\x1f\x8b", Unread("packed by gzip, as saveRDS does", f"unpack it; {_R}", is_table=True)),
    (
        rb"PK\x03\x04",
        Unread("a zip archive, as H2O and keras save models", "unpack it, and read the tree in it", is_table=True),
    ),
    (
        rb"PAR1",
        Unread("a file of Parquet, as Spark saves a model", "a line of Spark writes its nodes as JSON", is_table=True),
    ),
    (
        rb"[\s\S]{0,4096}\bextends\s+(hex\.genmodel\.)?GenModel\b",
        Unread("a model of H2O in Java", "no form that H2O writes is read"),
    ),
)  # fmt: skip

# Values of JSON are told apart by their members, never by the name of a file.
_JSON: tuple[tuple[Callable[[Mapping[str, Any]], bool], Unread], ...] = (
    (
        lambda value: {"input", "output", "action"} <= value.keys(),
        Unread("a model in PFA", "read the model that it was made of"),
    ),
    (
        # save_config writes the same outermost member as save_model, but no trees.
        lambda value: isinstance(value.get("learner"), dict) and "learner_train_param" in value["learner"],
        Unread("a configuration of XGBoost, which holds no trees", f"{_XGBOOST}, and audit takes this as --config"),
    ),
)

# A folder is known by the names in it.
_FOLDERS: tuple[tuple[Collection[str], Unread], ...] = (
    (("data_spec.pb", "header.pb"), Unread("a model of YDF, a folder", _YDF)),
    (("saved_model.pb",), Unread("a model of TensorFlow, a folder", "no form that TensorFlow writes is read")),
    (("metadata", "data"), Unread("a model that Spark saved, a folder", _SPARK)),
    (("metadata", "stages"), Unread("a pipeline that Spark saved, a folder", f"{_SPARK}: that of its last stage")),
    (("MLmodel",), Unread("a model of MLflow, a folder", "name the file of the model in it")),
    (("model.ini", "trees"), Unread("an unpacked model of H2O, a folder", "no form that H2O writes is read")),
)


def unread_folder(path: str | Path) -> Unread | None:
    """The format of a folder, by the names in it; None if it is no folder, or of no format that is known.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = (Path(folder) / "MLmodel").write_text("flavors: {}")
        ...     print(unread_folder(folder))
        is a model of MLflow, a folder, which is not read; name the file of the model in it
    """
    # What cannot be listed is no folder; whoever opens it says why.
    with suppress(OSError, ValueError):
        names = {each.name for each in Path(path).iterdir()}
        return next((unread for needed, unread in _FOLDERS if names.issuperset(needed)), None)
    return None


def unread_bytes(content: bytes) -> Unread | None:
    r"""The format that bytes begin like, if it is known and not read.

    Example:
        >>> print(unread_bytes(b"BS\x01\x00..."))
        is the nodes of a model of YDF, which is not read; no form that YDF writes is read
    """
    return next((unread for head, unread in _BYTES if re.match(head, content)), None)


def unread_value(value: object) -> Unread | None:
    """The format of a value of JSON, if it is known and not read."""
    if not isinstance(value, dict):
        return None
    return next((unread for holds, unread in _JSON if holds(value)), None)


SIMPLIFIED = "simplified"
"""The option `tree` in the document of the pruned tree of C4.5."""

_HEAD = 1 << 16
"""The number of bytes at the beginning of a file by which it is recognised."""


@contextmanager
def collected_later() -> Iterator[None]:
    """Lets Python look for cycles of objects later: what is read has none, and to look costs a third of the time."""
    # Whoever has turned it off keeps it off.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@collected_later()
def read_foreign(
    source: Any,
    *,
    program: str | None = None,
    target: str | None = None,
    attributes: Sequence[str | Attribute] = (),
    classes: Sequence[str] = (),
    ignore_members: Sequence[str] = (),
    iterations: Iterations = None,
    largest: int = LARGEST,
) -> list[dict[str, Any]]:
    """The tree documents of the output or the fitted object of another program.

    Args:
        source: the path of a file, its text, its value in JSON, or a fitted object.
        program: the name of one of the `readers`; by default it is recognised.
        target: the name of the target, where the program does not state it.
        attributes: the names of the attributes, likewise; of a printed tree also attributes with all of their values.
        classes: the names of the classes, likewise.
        ignore_members: members that are refused because they are not known here, and are to be passed over.
        iterations: the rounds of a boosted model that answer: a number of them, `all` or `best`; by default those with
            which the class predicts that the file names.
        largest: the most bytes of a file that are read.

    Returns:
        One document a tree; or one of an ensemble, where it is known how the trees answer together; or one of an
        ensemble for each output, where the model has several.

    Raises:
        InputError: it cannot be read, no reader knows it, or it is not what its reader takes it for.

    Example:
        >>> (document,) = read_foreign('[{"nodeid": 0, "leaf": 0.5}]')
        >>> document["program"]["name"], document["nodes"]
        ('XGBoost', [{'id': 0, 'value': '1/2', 'stop': 'unknown'}])
    """
    # What the caller says once is handed to the reader whole.
    names = GivenNames(target or "", attributes, classes, ignored=Ignored(ignore_members), iterations=iterations)
    # A text of several lines, or one that begins like JSON or XML, is the content and no path.
    is_name = isinstance(source, str) and "\n" not in source and source.lstrip()[:1] not in ("{", "[", "<")
    if isinstance(source, Path) or is_name:
        try:
            return _documents(_content(source, largest), program, names, largest, source)
        except InputError as error:
            raise InputError(error.message, path=str(source), line=error.line, column=error.column) from None
    return _documents(source, program, names, largest)


@collected_later()
def predictor_of_file(
    path: str | Path,
    target: str | None = None,
    attributes: Sequence[str | Attribute] = (),
    classes: Sequence[str] = (),
    rule: SumRule | None = None,
    *,
    ignore_members: Sequence[str] = (),
    iterations: Iterations = None,
    output: str | None = None,
    largest: int = LARGEST,
) -> Tree | Ensemble:
    """The tree or the ensemble of a file, which holds a tree document or the output of another program.

    Args:
        path: the path of the file.
        target: the name of the target, where the program does not state it.
        attributes: as for `read_foreign`.
        classes: as for `read_foreign`.
        rule: the rule for the sums of trees in a dump of XGBoost, which does not state it.
        ignore_members: as for `read_foreign`.
        iterations: as for `read_foreign`.
        output: the name of the output that is predicted, of a model with several.
        largest: as for `read_foreign`.

    Raises:
        InputError: it cannot be read, is neither, or holds several trees without the rule that combines them.
    """
    # A document of this package states all that it needs, so options of foreign models are refused for it.
    if not _begins_as_foreign(path):
        for flag, value in (("iterations", iterations), ("output", output)):
            if value is not None:
                flag = wording(flag, FLAGS[flag])
                raise InputError(f"{flag} is for the model of another program; leave it out", path=str(path))
        return _own(path, largest)
    try:
        names = GivenNames(target or "", attributes, classes, rule, Ignored(ignore_members), iterations)
        # A file that holds several trees has one answer only if it is known how they answer together.
        found = _one_of(_documents(_content(path, largest), None, names, largest, path), target, output)
        return predictor_of(found)
    except InputError as error:
        raise InputError(error.message, path=str(path), line=error.line, column=error.column) from None


FLAGS = {"iterations": "--iterations", "output": "--model-output"}
"""The names of arguments → the options of the commands."""


def _one_of(found: list[dict[str, Any]], target: str | None, output: str | None) -> dict[str, Any]:
    """The document that answers: the last tree of C4.5, or the output that is named, under the name of the target.

    Raises:
        InputError: there are several, or there is no such output.
    """
    # Several ensembles are the outputs of one model: quantiles, or several targets.
    several = len(found) > 1 and found[0].get("format") == ENSEMBLE_FORMAT
    if output is not None and not several:
        raise InputError(f"{wording('output', FLAGS['output'])} is for a model with several outputs; leave it out")
    # C4.5 prints the tree as grown and then the simplified one, with which it answers.
    if len(found) == 1 or found[-1].get("learner", {}).get("options", {}).get("tree") == SIMPLIFIED:
        return found[-1]
    if not several:
        raise InputError(f"holds {len(found)} trees, and not how they are combined; read_foreign reads them one by one")
    called = f"{target or 'target'} "
    # An output is named by the target and its own name; the user says the latter.
    outputs = {each["target"]["name"].removeprefix(called): each for each in found}
    if output not in outputs:
        to_name = wording("output='NAME'", f"{FLAGS['output']} NAME")
        raise InputError(
            f"has {len(found)} outputs, {listed(list(outputs))}, and one is predicted; name it by {to_name}"
        )
    chosen = outputs[output]
    # The rows that are asked about have the target's own column, not that of the output.
    return {**chosen, "target": {**chosen["target"], "name": target or "target"}}


def names_tree(path: str) -> bool:
    """Whether a file is a tree, by its name or by the beginning of its content.

    Example:
        >>> names_tree("tree.json"), names_tree("model.pmml"), names_tree("weather.csv")
        (True, True, False)
    """
    return path.endswith((".json", ".pmml")) or _begins_as_foreign(path, only_trees=True)


# Recognition.


def _own(path: str | Path, largest: int) -> Tree | Ensemble:
    """The tree or the ensemble in a document of this package.

    Raises:
        InputError: the file holds neither; if it holds what is known and not read, it is named.
    """
    # A file that is neither may be of a format that is known and not read: then its name helps more than the first
    # error.
    try:
        return read_predictor(path, largest=largest)
    except InputError as error:
        told = None
        with suppress(InputError):
            told = unread_value(parsed(str(_content(path, largest)), largest=largest, constant=float))
        raise error if told is None else UnreadError(str(told), path=str(path)) from None


def _content(path: str | Path, largest: int) -> Any:
    """The text of a file, or the value of a binary form of JSON.

    Raises:
        InputError: the file cannot be read, is too large, or has a form that is known and not read.
    """
    # A folder cannot be opened as a file; it is named before anything is read.
    if (folder := unread_folder(path)) is not None:
        raise UnreadError(str(folder))
    held = bytes_of(path, largest)
    # Binary forms that a reader has are read; others are named and refused.
    if (binary := binary_of(held[:_HEAD])) is not None:
        return binary.decoded(held, largest)
    if (unread := unread_bytes(held[:_HEAD])) is not None:
        raise UnreadError(str(unread))
    return decoded(held)


def _begins_as_foreign(path: str | Path, *, only_trees: bool = False) -> bool:
    """Whether a file begins like the output of another program; tree documents do not.

    Args:
        path: of the file.
        only_trees: whether what may be a table does not count.
    """
    if unread_folder(path) is not None:
        return True
    with suppress(OSError, ValueError), open(path, "rb") as file:
        content = file.read(_HEAD)
        if binary_of(content) is not None:
            return True
        if (unread := unread_bytes(content)) is not None:
            return not (unread.is_table and only_trees)
        head = content.decode("utf-8-sig", "ignore")
        # A tree document names its own format near its beginning.
        if f'"{FORMAT}"' not in head and f'"{ENSEMBLE_FORMAT}"' not in head:
            return any(reader.begins(head) for reader in readers().values())
    return False


def _documents(
    source: Any, program: str | None, names: GivenNames, largest: int, path: str | Path | None = None
) -> list[dict[str, Any]]:
    known = readers()
    if program is not None and program not in known:
        raise InputError(no_such("reader", program, known))
    # The wrapper knows the labels of its classes, and its booster only numbers them.
    if hasattr(source, "booster_") or hasattr(source, "get_booster"):
        names = _of_estimator(source, names)
    value = _value(source, largest)
    if isinstance(value, dict) and value.get("format") in (FORMAT, ENSEMBLE_FORMAT):
        return [value]
    # A program that the caller names is taken at its word, and its reader says what is wrong.
    if program is None and (unread := unread_value(value)) is not None:
        raise UnreadError(str(unread))
    # The first reader, in the order of their names, that recognises it.
    reader = known[program] if program else next((each for each in known.values() if each.recognises(value)), None)
    if reader is None:
        called = f"{type(source).__name__} is not fitted, or " if hasattr(source, "fit") else ""
        raise InputError(f"{called}is no tree of a program that is read here: {', '.join(known)}; say program if it is")
    if names.iterations is not None and not reader.has_rounds:
        flag = wording("iterations", "--iterations")
        raise InputError(f"{flag} is for models with rounds, and this is {reader.what}; leave it out")
    # Whatever the reader trips over becomes one line that names the format.
    with reading(reader.what):
        found = reader.documents(value, names._replace(target=names.target or reader.target))
        if not found:
            raise InputError("it holds no tree")
    # Only now is it known which members were passed over; a name that was not needed is a mistake.
    names.ignored.check()
    _tell(found, names.ignored, path)
    return found


def _of_estimator(model: Any, names: GivenNames) -> GivenNames:
    """The names with the classes of a fitted object of XGBoost or LightGBM in the shape of scikit-learn's.

    Raises:
        UnreadError: its class is derived from one of the program, and may predict otherwise.
    """
    # The nearest class of the program itself in the line of descent.
    kind, base = (
        type(model),
        next(
            (one for one in type(model).__mro__ if one.__module__.partition(".")[0] in ("xgboost", "lightgbm")),
            type(model),
        ),
    )
    # A subclass may override predict, and then its booster is not what answers.
    if kind is not base and not names.ignored.takes(kind.__name__):
        flag = wording(f"ignore_members=[{kind.__name__!r}]", f"--ignore-member {kind.__name__}")
        raise UnreadError(
            f"{kind.__name__} of {kind.__module__} is a class of its own, derived from {base.__name__}, and may"
            f" predict otherwise; if it does not, {flag} reads it as {base.__name__}"
        )
    return names._replace(own_classes=class_texts(model) or ())


def _tell(found: Sequence[dict[str, Any]], ignored: Ignored, path: str | Path | None) -> None:
    """Warn with the remarks that belong to every answer; ignored members are one of them, in each document."""
    # What was ignored stands in the document, too, so that it is not forgotten with the warning.
    for document in found if ignored.remark else ():
        options = document["learner"]["options"]
        options[NOTES] = [*options.get(NOTES, []), ignored.remark]
    # One remark for the model, not one for each of its trees.
    remarks = dict.fromkeys(
        text for each in found for text in each.get("learner", {}).get("options", {}).get(NOTES, ())
    )
    for text in remarks:
        warnings.warn(InputWarning(text if path is None else f"{path}: {text}"), stacklevel=5)


def _value(source: Any, largest: int) -> Any:
    """The value of a text that is JSON, or of a booster, which writes itself as such; anything else as it is."""
    # Of XGBoost, in the shape of scikit-learn's; one that is not fitted has no booster yet.
    estimator = hasattr(source, "get_booster") and getattr(source, "__sklearn_is_fitted__", lambda: True)()
    if estimator:
        source = source.get_booster()
    elif hasattr(source, "booster_"):  # of LightGBM, likewise
        source = source.booster_
    # A fitted object is read as the file that it would write: one reader serves both.
    if hasattr(source, "save_raw"):
        model: Any = parsed(decoded(bytes(source.save_raw("json"))), largest=largest, constant=float)
        # The wrapper stops at the best round; a Booster does not. The attribute says whose model it is.
        if estimator:
            model["learner"]["attributes"].setdefault("scikit_learn", '{"_estimator_type": ""}')
        return {**model, "config": parsed(source.save_config())}  # the model lacks some parameters of training
    if hasattr(source, "model_to_string"):
        return source.model_to_string()  # of LightGBM; with the parameters of training, which its JSON lacks
    # Bytes are of a binary form by the first of them, or else a text.
    if isinstance(source, bytes):
        source = decoded(source) if (binary := binary_of(source[:_HEAD])) is None else binary.decoded(source, largest)
    if isinstance(source, str) and not source.strip():
        raise InputError("is empty")
    # Everything that begins with a bracket is parsed once, here; a reader sees values.
    if isinstance(source, str) and source.lstrip()[0] in "{[":
        try:
            return parsed(
                source, largest=largest, constant=float
            )  # XGBoost writes NaN where a node asks for categories
        except InputError as error:
            # Spark's nodes are an object a line, which is no JSON as a whole.
            if error.message.startswith("is not JSON: Extra data"):
                return source  # a value a line
            raise
    return source
