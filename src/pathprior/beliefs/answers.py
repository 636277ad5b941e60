"""Answers to questions: read back from JSON Lines, and made into statements of their source."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from pathprior.beliefs.belief_file import read_text
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import Event
from pathprior.beliefs.questions import ANSWERS, UNKNOWN
from pathprior.beliefs.statement import Statement
from pathprior.errors import BeliefError

_REVERSED = {Event.CAUSES.value: Event.CAUSED_BY.value, Event.CAUSED_BY.value: Event.CAUSES.value}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: the pair, what was said of it (a word of `ANSWERS`), and where it stands."""

    x: str
    y: str
    word: str
    origin: str


def read_answers(path: str | PathLike[str], *, source: str) -> BeliefSet:
    """Read answers to questions as statements of one source.

    Each line is that of a question as `write_questions` wrote it, with an ``answer`` added: a
    letter, the word that it stands for, or a list of either where the question was asked
    repeatedly; lines may repeat a question too. A line without an answer is not counted.

    Every relation that was named of a pair becomes a statement. Its strength is the share of the
    pair's answers that name it, those who do not know among them: together they count as one
    statement at most, for who is asked twice has not learned anything in between.

    Parameters
    ----------
    path
        The file.
    source
        Who answered.

    Raises
    ------
    BeliefError
        If a line is no question, an answer none of its five, or no answer names a relation.
    """
    by_pair: dict[frozenset[str], list[Answer]] = {}
    for answer in _answers(Path(path)):
        by_pair.setdefault(frozenset((answer.x, answer.y)), []).append(answer)
    statements = []
    for answers in by_pair.values():
        first = answers[0]
        words = Counter(
            a.word if a.x == first.x else _REVERSED.get(a.word, a.word) for a in answers
        )
        statements += [
            Statement(
                first.x,
                word,
                first.y,
                strength=words[word] / len(answers),
                source=source,
                origin=first.origin,
            )
            for word in ANSWERS
            if words[word] and word != UNKNOWN
        ]
    if not statements:
        raise BeliefError(f"{path}: no answer says how two variables are related: ask others")
    return BeliefSet(statements)


def answered_pairs(path: str | PathLike[str]) -> set[frozenset[str]]:
    """The pairs that a file of answers is about."""
    return {frozenset((answer.x, answer.y)) for answer in _answers(Path(path))}


def _answers(file: Path) -> Iterator[Answer]:
    for number, line in enumerate(read_text(file).splitlines(), start=1):
        if not line.strip():
            continue
        origin = f"{file}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise BeliefError(f"{origin}: not JSON; each line is one question") from None
        if not isinstance(row, dict):
            raise BeliefError(f"{origin}: expected the line of a question, not {row!r}")
        x, y, letters = _question(row, origin)
        given = row.get("answer")
        for answer in given if isinstance(given, list) else [given]:
            if answer not in (None, ""):
                yield Answer(x, y, _word(answer, letters, origin), origin)


def _question(row: dict[str, Any], origin: str) -> tuple[str, str, dict[str, str]]:
    """The pair of a line, and what its letters stand for."""
    for name in ("x", "y", "options"):
        if name not in row:
            raise BeliefError(
                f"{origin}: {name!r} is missing; keep what the question has, and add an answer"
            )
    x, y, letters = row["x"], row["y"], row["options"]
    if not isinstance(x, str) or not isinstance(y, str) or x == y:
        raise BeliefError(f"{origin}: x and y must be two variables, not {x!r} and {y!r}")
    if not isinstance(letters, dict) or not all(word in list(ANSWERS) for word in letters.values()):
        raise BeliefError(f"{origin}: options must give each letter its word, not {letters!r}")
    return x, y, letters


def _word(answer: object, letters: dict[str, str], origin: str) -> str:
    """What was meant by a letter or a word."""
    text = str(answer).strip()
    by_letter = {letter.upper(): word for letter, word in letters.items()}
    if text.rstrip(".").upper() in by_letter:
        return by_letter[text.rstrip(".").upper()]
    if text.lower() in ANSWERS:
        return text.lower()
    raise BeliefError(
        f"{origin}: answer {answer!r} is none of {', '.join(letters)}; give a letter, or one of "
        f"{', '.join(ANSWERS)}"
    )
