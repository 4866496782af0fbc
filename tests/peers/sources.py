"""Where the rows come from: the files of `tests/recorded/data`, made anew from the packages that carry the data.

`python -m tests.peers.sources` writes the files; `pytest -m oracles tests/peers` shows that they are what the
packages have.

Numbers keep the decimals of the package's file. A table from R is written with 15 digits, which is what it holds.
What was decided by hand stands here: names of columns that a file lacks, and which column is the target.
"""

from __future__ import annotations

import gzip
import importlib.util
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from reference_tree.data.schema import Attribute
from tests.peers.data_sets import FOLDER, Cells, read

WEKA_EXAMPLES = Path("/usr/share/doc/weka/examples")

CANCER = [
    f"{statistic} {measure}"
    for statistic in ("mean", "error", "worst")
    for measure in (
        "radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave points",
        "symmetry", "fractal dimension",
    )
]  # fmt: skip
WINE = [
    "alcohol", "malic acid", "ash", "alcalinity of ash", "magnesium", "total phenols", "flavanoids",
    "nonflavanoid phenols", "proanthocyanins", "color intensity", "hue", "OD280/OD315", "proline",
]  # fmt: skip
IRIS = ["sepal length", "sepal width", "petal length", "petal width"]
DIABETES = ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]


class AbsentError(Exception):
    """The package that carries the data is not installed."""


def arff(name: str, columns: Sequence[Attribute], rows: Sequence[Cells]) -> str:
    """The text of an ARFF file."""
    kinds = ["numeric" if c.values is None else "{" + ",".join(map(quoted, c.values)) + "}" for c in columns]
    head = [f"@attribute {quoted(column.name)} {kind}" for column, kind in zip(columns, kinds, strict=True)]
    body = [",".join("?" if cell is None else quoted(cell) for cell in row) for row in rows]
    return "\n".join([f"@relation {name}", *head, "@data", *body, ""])


def quoted(text: str) -> str:
    """A name or a value, in quotes where the format needs them."""
    plain = all(character.isalnum() or character in "-+._/&<>=" for character in text)
    return text if plain and text not in ("", "?") else f"'{text}'"


def from_weka(name: str, file: str) -> str:
    """The rows of one of Weka's examples, without its comments."""
    path = WEKA_EXAMPLES / file
    if not path.exists():
        raise AbsentError("Debian's package weka")
    data = read(path)
    return arff(name, (*data.attributes, data.target), data.rows)


def from_scikit_learn(name: str, file: str, names: Sequence[str], target: str, classes: Sequence[str]) -> str:
    """The rows of one of scikit-learn's files, whose last column is the number of the class."""
    _, *lines = _scikit_learn(file).read_text(encoding="utf-8").split()
    rows = [line.split(",") for line in lines]
    columns = [*map(Attribute, names), Attribute(target, tuple(classes))]
    return arff(name, columns, [(*numbers, classes[int(place)]) for *numbers, place in rows])


def diabetes(name: str) -> str:
    """The rows of Efron and others: ten measurements, and a measure of the disease one year later."""
    measured, after = map(_scikit_learn, ("diabetes_data_raw.csv.gz", "diabetes_target.csv.gz"))
    lines = gzip.decompress(measured.read_bytes()).decode().splitlines()
    targets = gzip.decompress(after.read_bytes()).decode().split()
    rows = [(*line.split(), f"{float(y):g}") for line, y in zip(lines, targets, strict=True)]
    return arff(name, [*map(Attribute, DIABETES), Attribute("progression")], rows)


def _scikit_learn(file: str) -> Path:
    found = importlib.util.find_spec("sklearn")
    if found is None or found.origin is None:
        raise AbsentError("scikit-learn")
    return Path(found.origin).parent / "datasets" / "data" / file


def cars(name: str) -> str:
    """The prices of rpart's `cu.summary`. Reliability is ordered, which rpart takes for a number from 1 to 5."""
    code = """
        frame <- rpart::cu.summary[, c("Country", "Reliability", "Mileage", "Type", "Price")]
        for (name in names(frame)) if (!is.factor(frame[[name]])) frame[[name]] <- sprintf("%.15g", frame[[name]])
        frame$Reliability <- as.integer(frame$Reliability)
        cat(levels(frame$Country), sep = ","); cat("\n"); cat(levels(frame$Type), sep = ","); cat("\n")
        write.table(frame, sep = ",", quote = FALSE, na = "?", row.names = FALSE, col.names = FALSE)
    """
    countries, types, *lines = _r(code).splitlines()
    rows = [tuple(None if cell in ("?", "NA") else cell for cell in line.split(",")) for line in lines]
    columns = [
        Attribute("Country", tuple(countries.split(","))),
        Attribute("Reliability"),
        Attribute("Mileage"),
        Attribute("Type", tuple(types.split(","))),
        Attribute("Price"),
    ]
    return arff(name, columns, rows)


def _r(code: str) -> str:
    try:
        run = subprocess.run(["Rscript", "-e", code], capture_output=True, check=True, encoding="utf-8")
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise AbsentError("Debian's packages r-base-core and r-cran-rpart") from None
    return run.stdout


SOURCES: Mapping[str, Callable[[str], str]] = {
    "iris": lambda name: from_scikit_learn(name, "iris.csv", IRIS, "species", ["setosa", "versicolor", "virginica"]),
    "wine": lambda name: from_scikit_learn(name, "wine_data.csv", WINE, "cultivar", ["1", "2", "3"]),
    "breast-cancer-wisconsin": lambda name: from_scikit_learn(
        name, "breast_cancer.csv", CANCER, "diagnosis", ["malignant", "benign"]
    ),
    "pima": lambda name: from_weka(name, "diabetes.arff"),
    "glass": lambda name: from_weka(name, "glass.arff"),
    "vote": lambda name: from_weka(name, "vote.arff"),
    "labor": lambda name: from_weka(name, "labor.arff"),
    "soybean": lambda name: from_weka(name, "soybean.arff"),
    "credit-g": lambda name: from_weka(name, "credit-g.arff"),
    "contact-lenses": lambda name: from_weka(name, "contact-lenses.arff"),
    "weather-nominal": lambda name: from_weka(name, "weather.nominal.arff"),
    "weather-numeric": lambda name: from_weka(name, "weather.numeric.arff"),
    "diabetes": diabetes,
    "cpu": lambda name: from_weka(name, "cpu.with.vendor.arff"),
    "cars": cars,
}
"""How each file is made."""


if __name__ == "__main__":
    for data, text in SOURCES.items():
        (FOLDER / f"{data}.arff").write_text(text(data), encoding="utf-8")
