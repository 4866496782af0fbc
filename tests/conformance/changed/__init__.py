"""Faults by rule: each small thing of the plain learner is another, one at a time, and a case tells it.

1. `operators` are the rules over the syntax tree, in the words of the field, and `planting` puts a change into the
   learner.
2. `matching` asks the cases, the smallest first; `record` keeps which case notices which fault.
3. `searching` draws tables, and shrinks the first that tells a fault from the right program.
4. `reviewed.toml` has the faults that no table tells, each with the reason.

`python -m tests.conformance.changed` asks all cases about all faults, and writes the record.
"""
