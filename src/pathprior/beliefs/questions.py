"""Questions about pairs of variables for people or programs, one a line of a JSON Lines file.

They suggest no answer: which variable comes first and the order of the answers are drawn, and every
question has the same five answers.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from os import PathLike
from string import ascii_uppercase

import numpy as np

from pathprior.beliefs.event import Event
from pathprior.beliefs.variables import Variable, check_variables
from pathprior.errors import BeliefError
from pathprior.files import saving

UNKNOWN = "unknown"
"""The answer of who does not know."""

ANSWERS = {
    Event.CAUSES.value: "{x} causes {y}, directly or through other variables.",
    Event.CAUSED_BY.value: "{y} causes {x}, directly or through other variables.",
    Event.CONFOUNDED.value: "Neither causes the other, but something causes both.",
    Event.NOT_ASSOCIATED.value: "They are unrelated: neither causes the other, nothing both.",
    UNKNOWN: "I don't know.",
}
"""The five answers, by the word under which they are kept."""


@dataclass(frozen=True, slots=True)
class Question:
    """How two variables are related, with five answers to choose from.

    Attributes
    ----------
    id
        Names the question within its file.
    x, y
        The two variables, in the order in which they are presented.
    text
        The whole question with its answers, ready to be shown or sent.
    options
        What each letter stands for: a word of a statement, or ``"unknown"``.
    """

    id: str
    x: str
    y: str
    text: str
    options: dict[str, str]


def make_questions(
    variables: "Iterable[Variable | str]",
    pairs: "Iterable[tuple[str, str]] | None" = None,
    *,
    seed: int = 0,
) -> tuple[Question, ...]:
    """Ask how variables are related, one neutral question per pair.

    Parameters
    ----------
    variables
        All variables, see `read_variables`; mere names will do.
    pairs
        The pairs to ask about, in this order, such as `Fit.proposed_pairs`; all if none are named.
    seed
        For the order of the two variables and of the answers.

    Raises
    ------
    BeliefError
        If a pair has a variable that is not among ``variables``, or is there twice.

    Examples
    --------
    >>> print(make_questions(["rain", "wet grass"])[0].text)
    How are these two variables related?
    1. wet grass
    2. rain
    <BLANKLINE>
    A. Neither causes the other, but something causes both.
    B. I don't know.
    C. They are unrelated: neither causes the other, nothing both.
    D. wet grass causes rain, directly or through other variables.
    E. rain causes wet grass, directly or through other variables.
    <BLANKLINE>
    Answer with one letter.
    """
    known = {variable.name: variable for variable in check_variables(variables)}
    asked = list(combinations(known, 2)) if pairs is None else [(x, y) for x, y in pairs]
    seen: set[frozenset[str]] = set()
    for x, y in asked:
        for name in (x, y):
            if name not in known:
                raise BeliefError(
                    f"no variable {name!r} is described: add it to the file of variables"
                )
        if x == y or frozenset((x, y)) in seen:
            raise BeliefError(f"the pair of {x!r} and {y!r} cannot be asked about: drop it")
        seen.add(frozenset((x, y)))
    generator = np.random.default_rng(seed)
    return tuple(
        _ask(f"q{number}", known[x], known[y], generator)
        for number, (x, y) in enumerate(asked, start=1)
    )


def write_questions(questions: Iterable[Question], path: str | PathLike[str]) -> None:
    """Write one JSON object a line: id, x, y, question and options, for `read_answers`."""
    rows = [
        {"id": q.id, "x": q.x, "y": q.y, "question": q.text, "options": q.options}
        for q in questions
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with saving(path, BeliefError) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")


def _ask(name: str, x: Variable, y: Variable, generator: np.random.Generator) -> Question:
    if generator.integers(2):
        x, y = y, x
    words = generator.permutation(list(ANSWERS)).tolist()
    letters = dict(zip(ascii_uppercase, words, strict=False))
    lines = ["How are these two variables related?", f"1. {x}", f"2. {y}", ""]
    lines += [f"{key}. {ANSWERS[word].format(x=x.name, y=y.name)}" for key, word in letters.items()]
    lines += ["", "Answer with one letter."]
    return Question(name, x.name, y.name, "\n".join(lines), letters)
