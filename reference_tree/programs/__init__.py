"""Programs: what is known of each program that grows trees, a folder a program.

| folder | the program |
| --- | --- |
| `scikit_learn` | scikit-learn |
| `xgboost` | XGBoost |
| `lightgbm` | LightGBM |
| `rpart` | rpart, R's program for CART |
| `weka` | Weka |
| `c45` | C4.5, Quinlan's program |
| `spark` | Spark MLlib |
| `pmml` | PMML |

A folder says how the files, objects and prints of its program are read, by which rules it grows otherwise than the
books, and how it holds numbers. What the programs have in common stands beside the folders:

| module | holds |
| --- | --- |
| `reading` | the entry point: any output of a program, recognised by its content |
| `reader` | the record of a reader, and the field maps |
| `inventory` | the members of a format: used, without effect, refused |
| `unread` | formats that are not read, each with its way out |
| `releases` | the newest release of each program that was tried |
| `cart_profiles` | CART as rpart, scikit-learn, SimpleCart and Spark have it |
| `rounds` | which rounds of a boosted model answer |
| `boosted`, `documents`, `indented`, `printouts`, `printed_digits` | shared by several readers |

Nothing is imported of the programs, nothing unpickled, and no text is run. Each document says what its program does not
tell (`silent`), and how the program held numbers.
"""

from reference_tree.programs import cart_profiles
from reference_tree.programs.c45 import profiles
from reference_tree.programs.xgboost import bins

__all__ = ["bins", "cart_profiles", "profiles"]  # what adds options and profiles to the learners
