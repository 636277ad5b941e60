"""Options, each said in one place: a field of the settings, with all that is to be known of it.

Signatures, command lines, their help, records of runs, repetition and reports read them here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, Self, TypeVar

from pathprior.errors import PathPriorError, SearchError
from pathprior.problem.forms import Form

SomeOptions = TypeVar("SomeOptions", bound="Options")


class Group(StrEnum):
    """Under what the help lists an option."""

    DATA = "Data"
    BELIEFS = "Beliefs"
    RULES = "Rules"
    SCORE = "Score"
    SEARCH = "Search"
    SAMPLING = "Sampling"
    OUTPUT = "Output"


@dataclass(frozen=True, slots=True)
class Option:
    """What is known of an option.

    Attributes
    ----------
    name
        Of the argument, and of the entry in a record.
    default
        Its value where nobody says.
    form
        What its value may be.
    group
        Where the help lists it.
    flags
        How the command line calls it, and what its help says; most options have one flag.
    """

    name: str
    default: Any
    form: Form
    group: Group
    flags: Mapping[str, str]


def option(
    default: Any,
    form: Form,
    group: Group,
    text: str = "",
    *,
    flags: Mapping[str, str] | None = None,
) -> Any:
    """Declare an option: a field of `Options`.

    ``text`` is the line of the help, where the flag is called as the field; ``flags`` says both
    where it is called otherwise, or there are several.
    """
    return field(default=default, metadata={"form": form, "group": group, "text": flags or text})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Settings all of whose fields are options."""

    error: ClassVar[type[PathPriorError]] = SearchError
    """What is raised for a value that no option can have."""

    @classmethod
    def declared(cls) -> Iterator[Option]:
        """The options."""
        for each in fields(cls):
            said = each.metadata
            text = said["text"]
            flags = {each.name.replace("_", "-"): text} if isinstance(text, str) else text
            yield Option(each.name, each.default, said["form"], said["group"], flags)

    @classmethod
    def named(cls, *names: str) -> tuple[Option, ...]:
        """Some of the options."""
        found = {each.name: each for each in cls.declared()}
        return tuple(found[name] for name in names)

    @classmethod
    def take(cls, given: Mapping[str, Any]) -> Self:
        """The settings that a call was given, checked; what is no option of these is left out."""
        named = [each for each in cls.declared() if each.name in given]
        return cls.of_values({each.name: each.form.take(given[each.name]) for each in named})

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> Self:
        """The settings with these values, checked, and the rest as it is by default."""
        for each in cls.declared():
            if each.name in values:
                each.form.check(each.name, values[each.name], cls.error)
        return cls(**values)

    @classmethod
    def restore(cls, content: Mapping[str, Any]) -> Self:
        """The settings that were kept as JSON; KeyError or ValueError if something is amiss."""
        found = {}
        for each in cls.declared():
            try:
                found[each.name] = each.form.restore(content[each.name])
            except ValueError:
                raise ValueError(
                    f"setting {each.name!r} cannot be {content[each.name]!r}"
                ) from None
        return cls.of_values(found)

    def shared_with(self, kind: type[SomeOptions], **others: Any) -> SomeOptions:
        """Settings of another kind, with those options that both have, and some ``others``."""
        mine = {each.name for each in self.declared()}
        both = [each.name for each in kind.declared() if each.name in mine]
        return kind(**{name: getattr(self, name) for name in both} | others)
