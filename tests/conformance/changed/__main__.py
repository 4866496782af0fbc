"""Ask all cases about all faults by rule, and write the record; or search for cases that tell what none notices."""

from __future__ import annotations

import argparse
import os

from reference_tree.conformance.cases import Case
from tests.conformance.changed import searching
from tests.conformance.changed.matching import all_first
from tests.conformance.changed.planting import Key, catalogue
from tests.conformance.changed.record import ERROR, NOTICED, Told, noticed, reviewed, written
from tests.conformance.option_pairs import toml


def match(jobs: int) -> None:
    """Write the record."""
    found, unnoticed = list[tuple[Key, Told]](), list[Key]()
    for key, one in all_first(list(catalogue()), jobs):
        if one is None:
            unnoticed.append(key)
        else:
            found.append((key, Told(catalogue()[key].operator, one.case or ERROR)))
    NOTICED.write_text(written(found), encoding="utf-8")
    open_ones = [key for key in unnoticed if key not in reviewed()]
    print(f"{len(found)} of {len(catalogue())}; {len(unnoticed)} unnoticed, of which {len(open_ones)} have no reason")
    for key in open_ones:
        print(f"{key.module}: {key.change}")


def search(seed: int, draws: int) -> None:
    """Print a case for each fault that no case notices and that has no reason."""
    known = {*noticed(), *reviewed()}
    for key, case in searching.found([key for key in catalogue() if key not in known], seed, draws):
        print(f"# {key.module}: {key.change}")
        print("# none of the draws tells it" if case is None else told(case), end="\n\n")


def told(case: Case) -> str:
    """A case as a file of cases has it."""
    fields = {name: value for name, value in vars(case).items() if value and name not in ("id", "title")}
    return "\n".join(f"{name} = {toml(value)}" for name, value in fields.items())


def main() -> None:
    """What the command line asks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many run at once")
    parser.add_argument("--search", action="store_true", help="draw tables for what no case notices")
    parser.add_argument("--seed", type=int, default=0, help="of the draws (0)")
    parser.add_argument("--draws", type=int, default=200, help="for each kind of case (200)")
    given = parser.parse_args()
    if given.search:
        search(given.seed, given.draws)
    else:
        match(given.jobs)


if __name__ == "__main__":
    main()
