"""The command `fuzz`, which draws cases for a program of its user's and judges its answers."""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reference_tree.checking.fuzzing import Broken, Fuzzing, ShrunkFinding
from reference_tree.cli.options import seconds
from reference_tree.cli.output import deliver, ending_after, make_folder, show_step, wipe
from reference_tree.conformance.archive import line
from reference_tree.conformance.claims import read_claims
from reference_tree.conformance.goldens import document, golden_text
from reference_tree.data.errors import InputError, number_of
from reference_tree.exact.rationals import shortened
from reference_tree.tree_document.files import deliver_all
from reference_tree.tree_document.strict import closed, parsed

_CASES = 1000
_SECONDS = 60
_LONGEST = 200


def add_fuzzing(command: argparse.ArgumentParser) -> None:
    """The options of `fuzz`."""
    add = command.add_argument
    what = "reads prompts on standard input, a JSON object on each line, and writes answers; put -- before it"
    add("program", metavar="PROGRAM", nargs="+", help=what)
    add("--claims", metavar="FILE", required=True, help="what the program claims, as TOML")
    add("--seed", metavar="N", type=int, default=0, help="the seed of the random draws (default: 0)")
    add("--cases", metavar="N", type=int, default=_CASES, help=f"the number of cases (default: {_CASES})")
    add("--seconds", metavar="S", type=seconds, help="draw no more cases after this time (default: no limit)")
    what = f"a run of the program that takes longer is stopped (default: {_SECONDS})"
    add("--timeout", metavar="S", type=seconds, default=_SECONDS, help=what)
    add("--to", metavar="FOLDER", help="write a golden for each finding here")


def run_fuzz(options: argparse.Namespace) -> int:
    """`fuzz --claims FILE -- PROGRAM`: draw cases, and report the program's faults; any fault makes the status 1."""
    if options.cases < 1:
        raise InputError(f"--cases {options.cases}: it is a whole number from 1")
    program = Implementation(options.program, options.timeout)
    program.check()
    fuzzing = Fuzzing(program, read_claims(options.claims), options.seed)
    said: list[str] = []
    try:
        with ending_after(options.seconds) as is_over:
            for found in fuzzing.findings(options.cases, is_over):
                said.append(_told(found, options.to))
                show_step(fuzzing.drawn, options.cases, "case")
    finally:
        wipe()
    if not fuzzing.drawn:
        raise InputError("no case was drawn that the program claims: nothing is judged")
    drawn, number = number_of(fuzzing.drawn, "case"), number_of(len(said), "finding")
    said.append(f"{drawn} drawn with seed {options.seed}, {number}\n")
    deliver("".join(said), options.output)
    return 1 if len(said) > 1 else 0


def _told(found: ShrunkFinding, folder: str | None) -> str:
    """A finding as text; its golden is written, if there is a folder for it."""
    learner = {**(found.case.learner or {})}
    named = ", ".join([str(learner.pop("name", "")), *(f"{name} = {value}" for name, value in learner.items())])
    rows = number_of(len(found.case.table()), "row")
    lines = [f"{found.case.id} {found.judged.told} ({found.case.kind} of {rows}; {named})"]
    lines += [f"  {one}" for one in found.judged.lines]
    if folder is not None:
        file = Path(folder, f"{found.case.id.replace('/', '-')}.json")
        make_folder(file.parent)
        deliver_all({str(file): golden_text(document(found.case))})
        lines.append(f"  written to {file}")
    return "".join(f"{one}\n" for one in lines)


class Implementation:
    """A program that reads prompts and writes answers, a JSON object on each line.

    Args:
        command: the program and its arguments.
        timeout: seconds after which a run is stopped.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.command, self.timeout = list(command), timeout

    def check(self) -> None:
        """Refuse a program that cannot be started.

        Raises:
            InputError: it cannot.
        """
        self._run("")

    def __call__(self, prompts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The answers by the ids of their cases. If a run breaks, each prompt is handed over by itself."""
        answers, broken = self._answers(prompts)
        if broken is None:
            return answers
        if len(prompts) == 1:
            return {prompts[0]["id"]: broken}
        found: dict[str, Any] = {}
        for one in prompts:
            answers, broken = self._answers([one])
            found |= answers if broken is None else {one["id"]: broken}
        return found

    def _answers(self, prompts: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], Broken | None]:
        output = self._run("".join(map(line, prompts)))
        if isinstance(output, Broken):
            return {}, output
        answers: dict[str, Any] = {}
        for number, written in enumerate(output.splitlines(), start=1):
            if not written.strip():
                continue
            try:
                fields = closed(parsed(written, "an answer", constant=float), ["id", "answer"])
            except InputError as error:
                return answers, Broken(f"line {number} of its output {error.message}")
            except ValueError as error:
                return answers, Broken(f"line {number} of its output: {error}")
            answers[str(fields["id"])] = fields["answer"]
        return answers, None

    def _run(self, prompts: str) -> str | Broken:
        try:
            run = subprocess.run(self.command, input=prompts.encode(), capture_output=True, timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return Broken(f"it did not end in {self.timeout:g} s")
        except OSError as error:
            raise InputError(f"{shortened(self.command[0])} cannot be started: {error.strerror}") from None
        if run.returncode != 0:
            last = (run.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
            return Broken(f"exit status {run.returncode}: {last[:_LONGEST]}")
        try:
            return run.stdout.decode()
        except UnicodeDecodeError:
            return Broken("its output is not UTF-8")


__all__ = ["Implementation", "add_fuzzing", "run_fuzz"]
