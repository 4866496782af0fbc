"""Programs: what is known of each program that grows trees, a folder a program.

| folder | the program |
| --- | --- |
| `scikit_learn` | scikit-learn |
| `xgboost` | XGBoost |
| `lightgbm` | LightGBM |
| `rpart` | rpart, R's program for CART |
| `r_forests` | ranger, randomForest and gbm, packages of R |
| `weka` | Weka |
| `c45` | C4.5, Quinlan's program |
| `spark` | Spark MLlib |
| `pmml` | PMML |
| `catboost` | CatBoost |
| `treelite` | treelite, which takes over models of other programs |
| `onnx` | ONNX, into which converters bring models of other programs |

A folder says how the files, objects and prints of its program are read, by which rules it grows otherwise than the
books (`profile`), and how it holds numbers. What the programs have in common stands beside the folders:

| module | holds |
| --- | --- |
| `reading` | the entry point: any output of a program, recognised by its content, and the formats that are not read |
| `reader` | the record of a reader, and the field maps |
| `inventory` | the members of a format: used, without effect, refused |
| `releases` | the newest release of each program that was tried |
| `cart_options`, `c45_options` | CART and C4.5 with an option for each difference |
| `boosted`, `documents`, `indented`, `printouts` | shared by several readers |

Nothing is imported of the programs, nothing unpickled, and no text is run. Each document says what its program does not
tell (`silent`), and how the program held numbers.
"""

# Each adds its profile to a learner, whose profiles are listed in this order.
from reference_tree.programs.c45 import profile as c45_profile
from reference_tree.programs.rpart import profile as rpart_profile
from reference_tree.programs.scikit_learn import profile as scikit_learn_profile
from reference_tree.programs.spark import profile as spark_profile
from reference_tree.programs.weka import profile as weka_profile
from reference_tree.programs.xgboost import bins as xgboost_profile

PROFILES = (c45_profile, rpart_profile, scikit_learn_profile, spark_profile, weka_profile, xgboost_profile)
"""The modules with the profiles of the programs."""

__all__ = ["PROFILES"]
