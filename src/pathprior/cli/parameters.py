"""What the command line reads of options, and what it makes of that."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from pathprior.problem.options import Group, Option

Command = TypeVar("Command", bound=Callable[..., None])

DataFile = Annotated[Path | None, typer.Argument(help="Data file: text, .parquet or Excel.")]
BeliefFile = Annotated[
    Path | None,
    typer.Option(help="Belief file, CSV or JSON.", rich_help_panel=str(Group.BELIEFS)),
]
OutFolder = Annotated[
    Path, typer.Option(help="Folder for the results.", rich_help_panel=str(Group.OUTPUT))
]
RepeatFile = Annotated[
    Path | None,
    typer.Option(
        "--from",
        help="Repeat the run of this summary.json, with its settings.",
        rich_help_panel=str(Group.OUTPUT),
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        help="Searches or chains at a time; -1 for all cores.", rich_help_panel=str(Group.OUTPUT)
    ),
]
Progress = Annotated[
    bool, typer.Option(help="Show a live progress line.", rich_help_panel=str(Group.OUTPUT))
]


def offering(options: Iterable[Option]) -> Callable[[Command], Command]:
    """Let a command read ``options`` besides what it names itself; it gets them by keyword."""

    def offer(command: Command) -> Command:
        own = inspect.signature(command, eval_str=True).parameters.values()
        named = [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for each in own
            if each.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        added = [parameter for each in options for parameter in _parameters(each)]
        ordered = sorted([*named, *added], key=_place)
        command.__signature__ = inspect.Signature(ordered)  # type: ignore[attr-defined]
        return command

    return offer


def read_options(options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """What the flags that were ``given`` say of each option."""
    return {
        each.name: each.form.parse(*(given[_word(flag)] for flag in each.flags)) for each in options
    }


def words_of(options: Iterable[Option]) -> set[str]:
    """By what names a command gets options."""
    return {_word(flag) for each in options for flag in each.flags}


def _parameters(option: Option) -> Iterable[inspect.Parameter]:
    """What is read for an option, one for each of its flags."""
    shown = zip(
        option.flags.items(), option.form.reads, option.form.show(option.default), strict=True
    )
    for (flag, text), kind, default in shown:
        declared = f"--{flag}/--no-{flag}" if kind is bool else f"--{flag}"
        said = typer.Option(declared, help=text, rich_help_panel=str(option.group))
        yield inspect.Parameter(
            _word(flag),
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind, said],
        )


def _place(parameter: inspect.Parameter) -> int:
    """Where the help lists a parameter: groups in their order, what is in none first."""
    said = getattr(parameter.annotation, "__metadata__", (None,))[0]
    panel = getattr(said, "rich_help_panel", None)
    return list(map(str, Group)).index(panel) if panel in list(map(str, Group)) else -1


def _word(flag: str) -> str:
    return flag.replace("-", "_")
