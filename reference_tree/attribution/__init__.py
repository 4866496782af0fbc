"""Attribution: the part of each attribute in an answer, by exact Shapley values.

| module | idea |
|:--|:--|
| `summands` | the answer that is explained, as a weighted sum of trees |
| `covers` | the weight of each node: the shares of the branches where an attribute is unknown |
| `value_functions` | the answer that is expected if only some attributes are known: three definitions |
| `shapley` | Shapley values and interaction values by definition, over all subsets |
| `leaf_polynomials` | the same leaf by leaf, without subsets |
| `attributions` | `rt.shapley_values` and `rt.shapley_interaction_values`, for the rows of a table |
| `importances` | the definitions of importance, named and cited, in one table |
"""
