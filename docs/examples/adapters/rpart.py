"""R's rpart as a program that answers prompts.

python rpart.py < prompts.jsonl > answers.jsonl

A prompt becomes a call of `rpart`. R writes the fit with every digit, and `reference_tree` reads it. One R answers all
prompts. The tree is full: nothing is taken back (`cp = -1`), and nothing is cross-validated. No bound on branches is
`minbucket = 1`, for 0 lets rpart try a branch without rows, whose mean is 0/0, and then it often splits nothing.
"""

import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import reference_tree as rt

SCRIPT = r"""
library(rpart)
part <- function(name, x) {
  n <- sapply(x, is.numeric); x[n] <- lapply(x[n], sprintf, fmt = "%.17g")
  cat("#", name, "\n"); write.csv(x, row.names = FALSE)
}
write_rpart <- function(fit, file) {
  classes <- attr(fit$terms, "dataClasses")
  levels <- c(setNames(list(attr(fit, "ylevels")), names(classes)[1]), attr(fit, "xlevels"))
  sink(file); on.exit(sink())
  part("program", data.frame(rpart = format(packageVersion("rpart")), fit$method, fit$control$usesurrogate))
  part("columns", data.frame(names(classes), classes))
  part("levels", data.frame(value = as.character(unlist(levels)), column = rep(names(levels), lengths(levels))))
  part("frame", data.frame(node = rownames(fit$frame), as.list(fit$frame)))
  if (length(fit$splits)) part("splits", data.frame(variable = rownames(fit$splits), fit$splits))
  if (length(fit$csplit)) part("csplit", as.data.frame(fit$csplit))
}
"""

FIT = """
d <- data.frame({columns}, check.names = FALSE)
write_rpart(rpart({target} ~ ., d, na.action = na.pass, method = "{method}", parms = list({parms}),
  control = rpart.control(cp = -1, xval = 0, maxcompete = 0, minsplit = {min_samples_split},
  minbucket = max(1, {min_samples_leaf}), maxdepth = {max_depth}, maxsurrogate = {max_surrogates})), "{file}")
"""


def column(column, cells):
    """A column in R: numbers with every digit, or a factor with its levels in the order of the prompt."""
    if column["kind"] == "continuous":
        numbers = (f"{Fraction(cell).numerator} / {Fraction(cell).denominator}" if cell else "NA" for cell in cells)
        return f"`{column['name']}` = c({', '.join(numbers)})"
    values = ", ".join(json.dumps(cell) if cell else "NA" for cell in cells)
    return f"`{column['name']}` = factor(c({values}), levels = c({', '.join(map(json.dumps, column['values']))}))"


def call(prompt, file):
    """The call in R."""
    data, options = prompt["data"], prompt["learner"]["options"]
    cells = zip(*data["rows"], strict=True)
    (target,) = (one for one in data["columns"] if one["name"] == data["target"])
    numeric = target["kind"] == "continuous"
    split = {"entropy": "information"}.get(options["criterion"], "gini")
    return FIT.format(
        columns=", ".join(map(column, data["columns"], cells)),
        target=f"`{data['target']}`",
        method="anova" if numeric else "class",
        parms="" if numeric else f'split = "{split}"',
        file=file,
        **{name: options[name] for name in ("min_samples_split", "min_samples_leaf", "max_depth", "max_surrogates")},
    )


def is_claimed(prompt):
    """Whether this program answers a prompt."""
    needs = {"cuts", "missing", "regression", "subsets", "surrogates", "dialect:rpart"}
    return prompt["kind"] == "tree" and "dialect:rpart" in prompt["needs"] and {*prompt["needs"]} <= needs


prompts = [prompt for prompt in map(json.loads, sys.stdin) if is_claimed(prompt)]
with tempfile.TemporaryDirectory() as folder:
    files = [Path(folder, f"{number}.rpart") for number in range(len(prompts))]
    script = SCRIPT + "".join(map(call, prompts, files))
    if prompts:
        subprocess.run(["Rscript", "--vanilla", "-"], input=script, stdout=sys.stderr, check=True, encoding="utf-8")
    for prompt, file in zip(prompts, files, strict=True):
        (document,) = rt.read_foreign(file)
        for node in document["nodes"]:
            if not node.get("surrogates") and node.get("missing", {}).get("rule") == "surrogates":
                # Where there is no surrogate, the larger branch is all that is left; of equal branches none.
                node["missing"]["rule"] = "branch" if "to" in node["missing"] else "stay"
        print(json.dumps({"id": prompt["id"], "answer": {"tree": document["nodes"]}}))
