"""Weka's J48 as a program that answers prompts.

WEKA_JAR=weka.jar python j48.py < prompts.jsonl > answers.jsonl

A prompt becomes a file of rows and a call of `J48 -U`, and the nodes of J48's objects the nodes of an answer. One Java
answers all prompts; `J48Nodes.java` is compiled as it starts.
"""

import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
NODES = Path(__file__).with_name("J48Nodes.java")


def arff(data):
    """The rows in Weka's form, the target last; names are numbers, and so are values."""
    columns, rows = (
        data["columns"],
        data["rows"],
    )  # Weka wants an attribute and two classes: one more of each is harmless
    order = sorted(range(len(columns)), key=lambda place: columns[place]["name"] == data["target"])
    lines = ["@relation prompt", *["@attribute none numeric"] * (len(order) == 1)]
    for place in order:
        values = columns[place].get("values")
        count = max(len(values or ()), 2 * (columns[place]["name"] == data["target"]))
        kind = "numeric" if values is None else "{" + ",".join(f"v{number}" for number in range(count)) + "}"
        lines.append(f"@attribute a{place} {kind}")
    lines.append("@data")
    first = ["0"] * (len(order) == 1)
    lines += [",".join([*first, *(cell(columns[place], row[place]) for place in order)]) for row in rows]
    return "\n".join(lines) + "\n", order


def cell(column, value):
    """A cell as Weka reads it."""
    if value == "":
        return "?"
    return repr(float(Fraction(value))) if column["kind"] == "continuous" else f"v{column['values'].index(value)}"


def node(number, found, prompt, order):
    """A node of an answer."""
    columns, target = prompt["data"]["columns"], prompt["data"]["target"]
    classes = next(column["values"] for column in columns if column["name"] == target)
    made = {"id": number, "counts": dict(zip(classes, found["counts"], strict=False)), "label": classes[found["label"]]}
    if "attribute" not in found:
        return {**made, "stop": "unknown"}
    column = columns[order[found["attribute"]]]
    if column["kind"] == "continuous":
        test = {"kind": "threshold", "attribute": column["name"], "threshold": found["point"]}
        whens = [{"le": found["point"]}, {"gt": found["point"]}]
    else:
        test = {"kind": "multiway", "attribute": column["name"]}
        whens = [{"is": value} for value in column["values"]]
    branches = [{"when": when, "to": to} for when, to in zip(whens, found["sons"], strict=True)]
    gaps = any("" in row for row in prompt["data"]["rows"])
    if gaps:
        branches = [{**one, "share": share} for one, share in zip(branches, found["shares"], strict=True)]
    return {**made, "test": test, "branches": branches, **({"missing": {"rule": "fractions"}} if gaps else {})}


def is_claimed(prompt):
    """Whether this program answers a prompt."""
    needs = {"cuts", "missing", "dialect:weka-j48"}
    return prompt["kind"] == "tree" and "dialect:weka-j48" in prompt["needs"] and {*prompt["needs"]} <= needs


prompts = [prompt for prompt in map(json.loads, sys.stdin) if is_claimed(prompt)]
with tempfile.TemporaryDirectory() as folder:
    jobs, orders = "", []
    for number, prompt in enumerate(prompts):
        text, order = arff(prompt["data"])
        Path(folder, f"{number}.arff").write_text(text, encoding="utf-8")
        orders.append(order)
        jobs += f"{folder}/{number}.arff\t{prompt['learner']['options']['min_samples_leaf']}\n"
    command = ["java", "-cp", JAR, str(NODES)]
    run = subprocess.run(command, input=jobs, stdout=subprocess.PIPE, check=True, encoding="utf-8")
    for prompt, order, line in zip(prompts, orders, run.stdout.splitlines(), strict=True):
        tree = [node(number, found, prompt, order) for number, found in enumerate(json.loads(line))]
        print(json.dumps({"id": prompt["id"], "answer": {"tree": tree}}))
