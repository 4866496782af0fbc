"""Functions: a model as a whole, and what is true of all rows, seen or not.

| module | idea |
|:--|:--|
| `cells` | the finitely many kinds of value that tests can tell apart |
| `boxes` | a model as a sum over the leaves of its trees |
| `answers` | what a model says of one row, by its own trees alone |
| `steps` | the sum as a polynomial in steps, which decides whether two models are the same function |
| `fingerprints` | the polynomial at one point, and `rt.fingerprint` |
| `searches` | the largest value, and rows of different classes, by branch and bound |
| `causes` | the change that makes two models the same |
| `equivalence` | `rt.equivalent` |
| `questions` | what a model depends on, whether it is monotonic, its range |
| `counterfactuals` | the nearest row with another prediction |
"""
