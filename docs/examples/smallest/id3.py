"""ID3, as small as a whole program can be: prompts in, answers out.

python id3.py < prompts.jsonl > answers.jsonl
"""

import json
import math
import sys
from collections import Counter

USUAL = {"epsilon": "0", "max_depth": None, "min_samples_split": "0", "min_samples_leaf": "0"}


def entropy(labels):
    """The entropy of some labels, in bits."""
    n = len(labels)
    return -sum(c / n * math.log2(c / n) for c in Counter(labels).values() if c < n)


def gain(rows, place, target):
    """The information gain of an attribute; -1 if all rows have the same value."""
    parts = {}
    for row in rows:
        parts.setdefault(row[place], []).append(row[target])
    within = sum(len(part) / len(rows) * entropy(part) for part in parts.values())
    return entropy([row[target] for row in rows]) - within if len(parts) > 1 else -1


def grow(data):
    """The decision at each node, in preorder."""
    names = [column["name"] for column in data["columns"]]
    target = names.index(data["target"])
    everything = frozenset(range(len(names))) - {target}
    pending = [([], data["rows"], everything, None)]
    while pending:
        at, rows, left, above = pending.pop()
        counts = Counter(row[target] for row in rows)
        # of classes that are equally frequent, the first by name; an empty branch predicts what its parent does
        label = min(counts, key=lambda y: (-counts[y], y)) if rows else above
        scores = {place: gain(rows, place, target) for place in sorted(left)} if rows else {}
        best = max(scores.values(), default=-1)
        if not rows or len(counts) == 1 or best == -1:
            stop = "empty" if not rows else "pure" if len(counts) == 1 else "no-candidates" if left else "no-attributes"
            yield {"at": at, "stop": stop, "answer": {"label": label}}
            continue
        chosen = next(place for place in sorted(left) if scores[place] >= best - 1e-12)  # equal: the first
        yield {"at": at, "chosen": {"kind": "multiway", "attribute": names[chosen]}, "answer": {"label": label}}
        below = [
            ([*at, branch], [row for row in rows if row[chosen] == value], left - {chosen}, label)
            for branch, value in enumerate(data["columns"][chosen]["values"])
        ]
        pending += reversed(below)


def is_claimed(prompt):
    """Whether this program answers a prompt."""
    if prompt["kind"] != "tree" or prompt["needs"] or prompt["learner"]["name"] != "id3":
        return False
    options = {"chi_squared": "0", **prompt["learner"]["options"]}
    return all(options[name] == value for name, value in {**USUAL, "chi_squared": "0"}.items())


for line in sys.stdin:
    prompt = json.loads(line)
    if is_claimed(prompt):
        print(json.dumps({"id": prompt["id"], "answer": {"decisions": list(grow(prompt["data"]))}}))
