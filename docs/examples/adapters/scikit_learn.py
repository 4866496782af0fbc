"""scikit-learn as a program that answers prompts.

python scikit_learn.py < prompts.jsonl > answers.jsonl

A prompt becomes a call of `DecisionTreeClassifier`, and the fitted tree the nodes of an answer. The check decides again
at each node, so ties and the places of thresholds within their gaps are free.
"""

import json
import sys
from fractions import Fraction

from sklearn.tree import DecisionTreeClassifier

import reference_tree as rt


def fitted(prompt):
    """The nodes of the tree that scikit-learn grows."""
    data, options = prompt["data"], prompt["learner"]["options"]
    names = [column["name"] for column in data["columns"]]
    target = names.index(data["target"])
    x = [[float(Fraction(cell)) for place, cell in enumerate(row) if place != target] for row in data["rows"]]
    y = [row[target] for row in data["rows"]]
    model = DecisionTreeClassifier(
        criterion={"auto": "gini"}.get(options["criterion"], options["criterion"]),
        max_depth=options["max_depth"],
        min_samples_split=max(2, int(options["min_samples_split"])),
        min_samples_leaf=max(1, int(options["min_samples_leaf"])),
        random_state=0,
    ).fit(x, y)
    attributes = [name for name in names if name != data["target"]]
    (document,) = rt.read_foreign(model, target=data["target"], attributes=attributes)
    # where no row has a gap, the branch for gaps is left to the program
    return [{name: value for name, value in node.items() if name != "missing"} for node in document["nodes"]]


def is_claimed(prompt):
    """Whether this program answers a prompt."""
    if prompt["kind"] != "tree" or not {*prompt["needs"]} <= {"cuts", "dialect:scikit-learn"}:
        return False
    learner, data = prompt["learner"], prompt["data"]
    kinds = {column["kind"] for column in data["columns"] if column["name"] != data["target"]}
    return (
        learner["name"] == "cart"
        and learner["options"]["criterion"] in ("auto", "gini", "entropy")
        and kinds == {"continuous"}
    )


for line in sys.stdin:
    prompt = json.loads(line)
    if is_claimed(prompt):
        print(json.dumps({"id": prompt["id"], "answer": {"tree": fitted(prompt)}}))
