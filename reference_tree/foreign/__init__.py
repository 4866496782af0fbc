"""Readers of foreign trees: they turn the output of other programs into tree documents.

| module | reads |
| --- | --- |
| `reading` | any of these: the entry point |
| `scikit_learn` | fitted trees and forests, from the arrays of their objects |
| `scikit_learn_members`, `scikit_learn_values` | (the classes, the members and the values that are known of them) |
| `export_text` | what scikit-learn's function of this name prints |
| `xgboost` | models and dumps in JSON |
| `lightgbm` | models as text, and dumps in JSON |
| `rpart` | the tables of a fitted object, as some lines of R write them |
| `rpart_print` | what rpart prints |
| `weka` | what J48, REPTree, SimpleCart and Id3 print |
| `c45` | what C4.5 prints |
| `pmml` | `TreeModel` |
| `spark` | the nodes of a saved model, as a line of Spark writes them |
| `inventory` | (the members of a format: used, without effect, refused) |
| `xgboost_members`, `lightgbm_members` | (those of two programs) |
| `xgboost_objectives` | (what is made of the sums of a model) |
| `ubjson` | (the binary form of JSON that XGBoost writes) |
| `rounds` | (which rounds of a boosted model answer) |
| `unread` | (formats that are not read, each with its way out) |
| `programs` | the record of a reader, and the field maps |
| `boosted`, `indented`, `documents` | (shared by several readers) |

Nothing is imported of the programs, nothing unpickled, and no text is run. Each document says what its program does not
tell (`silent`), and how the program held numbers.
"""

from reference_tree.foreign.reading import names_tree, predictor_of_file, read_foreign

__all__ = ["names_tree", "predictor_of_file", "read_foreign"]
