"""Shell completion: a script that completes commands, options, the choices of an option, and textbook names.

The script is made from the parser, so it knows all words of the commands. `reference-tree completion bash` prints it; a
line in the start-up file of the shell reads it: `source <(reference-tree completion bash)`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reference_tree.cli.output import deliver
from reference_tree.data.textbook import names


class CommandWords(NamedTuple):
    """The words that can stand after a command."""

    first: tuple[str, ...]
    """The choices and the data sets that it takes as arguments."""
    options: Mapping[str, tuple[str, ...]]
    """Its options, each with the choices of its value; without any where a file or a number is the value."""


def words_of(command: argparse.ArgumentParser) -> CommandWords:
    """The words that can stand after a command.

    Example:
        >>> command = argparse.ArgumentParser(add_help=False)
        >>> _ = command.add_argument("--order", choices=("bottom-up", "best-first"))
        >>> words_of(command)
        CommandWords(first=(), options={'--order': ('bottom-up', 'best-first')})
    """
    first: list[str] = []
    options: dict[str, tuple[str, ...]] = {}
    for action in command._actions:
        choices = tuple(map(str, action.choices or getattr(action, "words", None) or ()))
        if action.option_strings:
            options |= dict.fromkeys(action.option_strings, choices)
        else:
            first += choices or (names() if action.dest in ("data", "rows") else ())
    return CommandWords(tuple(first), options)


def script(shell: str, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    """The script for a shell.

    Args:
        shell: `bash`, `zsh` or `fish`.
        commands: the commands by name.
    """
    lines = _fish(commands) if shell == "fish" else _bash(commands)
    start = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return start + "".join(f"{line}\n" for line in lines)


SHELLS = ("bash", "zsh", "fish")
"""The shells that have a script."""


def _bash(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield "_reference_tree() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words'
    yield '    case "$COMP_CWORD ${COMP_WORDS[1]} $before" in'
    yield f'        "1 "*) words="{" ".join(commands)}" ;;'
    for name, command in commands.items():
        first, options = words_of(command)
        for option, choices in options.items():
            if choices:
                yield f'        *" {name} {option}") words="{" ".join(choices)}" ;;'
        yield f'        *" {name} "*) words="{" ".join((*first, *options))}" ;;'
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -o bashdefault -F _reference_tree reference-tree"


def _fish(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield f"complete -c reference-tree -n __fish_use_subcommand -a '{' '.join(commands)}'"
    for name, command in commands.items():
        first, options = words_of(command)
        after = f"complete -c reference-tree -n '__fish_seen_subcommand_from {name}'"
        if first:
            yield f"{after} -a '{' '.join(first)}'"
        for option, choices in options.items():
            kind = "-l" if option.startswith("--") else "-s"
            values = f" -x -a '{' '.join(choices)}'" if choices else ""
            yield f"{after} {kind} {option.lstrip('-')}{values}"


def add_completion(command: argparse.ArgumentParser, commands: Mapping[str, argparse.ArgumentParser]) -> None:
    """The arguments of `completion SHELL`."""
    command.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
    command.set_defaults(run=lambda options: deliver(script(options.shell, commands), None))
