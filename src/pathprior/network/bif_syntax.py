"""The syntax of BIF: text to tokens to blocks, in one pass and linear time.

Blocks keep the names and numbers as written, each with its line; what they mean together is
decided in `pathprior.network.bif`. As in the format's definition (Cozman, Interchange Format for
Bayesian Networks, 1998), commas and vertical bars separate like blanks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from pathprior.errors import NetworkError

# One branch matches at any position, and none can match the same text in two ways: no
# backtracking. A quoted name may hold anything; \" and \\ stand for a quote and a backslash.
_TOKEN = re.compile(
    r"""
      (?P<blank>[\s,|]+ | //[^\n]*)
    | (?P<comment>/\*)
    | (?P<mark>[{}()\[\];])
    | (?P<quote>")
    | (?P<word>(?:[^\s,|{}()\[\];"/]|/(?![/*]))+)
    """,
    re.VERBOSE,
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\]|\\(?!["\\]))*)"')
_PROPERTY = re.compile(r'(?:[^;"]|"[^"]*")*;')


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a quoted name or a punctuation mark. ``kind`` is "end" after the last one."""

    kind: str
    text: str
    line: int

    def is_mark(self, mark: str) -> bool:
        """Whether this is the punctuation ``mark`` (a quoted name never is)."""
        return self.kind == "mark" and self.text == mark

    def is_word(self, word: str) -> bool:
        """Whether this is the keyword ``word`` (a quoted name never is)."""
        return self.kind == "word" and self.text == word

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else repr(self.text)


@dataclass(frozen=True, slots=True)
class VariableBlock:
    """``variable NAME { type discrete [ n ] { STATES }; }``."""

    name: Token
    states: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Numbers of one ``table``, ``default`` or ``(values)`` statement."""

    line: int
    values: tuple[Token, ...]
    numbers: tuple[float, ...]


@dataclass(slots=True)
class ProbabilityBlock:
    """``probability ( CHILD | PARENTS ) { … }``."""

    child: Token
    parents: tuple[Token, ...]
    table: Row | None = None
    default: Row | None = None
    rows: list[Row] = field(default_factory=list)


def is_bare(name: str) -> bool:
    """Whether ``name`` reads back as one word without quotes."""
    match = _TOKEN.fullmatch(name)
    return match is not None and match.lastgroup == "word"


def quote(name: str) -> str:
    """Return ``name`` as it must be written in a BIF file."""
    if is_bare(name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse_blocks(text: str, source: str) -> Iterator[VariableBlock | ProbabilityBlock]:
    """Yield the blocks of a BIF text in order; ``source`` names it in errors."""
    return _Parser(text, source).blocks()


class _Parser:
    """Recursive descent with one token of lookahead; ``self.token`` is the next one."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.position = 0
        self.line = 1
        self.token = self._scan()

    def fail(self, message: str, line: int) -> NoReturn:
        raise NetworkError(f"{self.source}:{line}: {message}")

    # -- tokens ----------------------------------------------------------------------------------

    def _move_to(self, position: int) -> None:
        self.line += self.text.count("\n", self.position, position)
        self.position = position

    def _scan(self) -> Token:
        while match := _TOKEN.match(self.text, self.position):
            line, kind = self.line, str(match.lastgroup)
            if kind == "comment":
                end = self.text.find("*/", match.end())
                if end < 0:
                    self.fail("the comment opened here with '/*' is never closed", line)
                self._move_to(end + 2)
            elif kind == "quote":
                quoted = _QUOTED.match(self.text, self.position)
                if quoted is None:
                    self.fail("the quote opened here is never closed", line)
                self._move_to(quoted.end())
                return Token("name", re.sub(r'\\(["\\])', r"\1", quoted[1]), line)
            else:
                self._move_to(match.end())
                if kind != "blank":
                    return Token(kind, match[0], line)
        return Token("end", "", self.line)

    def take(self) -> Token:
        """Consume the next token."""
        token = self.token
        self.token = self._scan()
        return token

    def expect(self, mark: str) -> Token:
        """Consume the punctuation ``mark``."""
        if not self.token.is_mark(mark):
            self.fail(f"expected {mark!r}, found {self.token}", self.token.line)
        return self.take()

    def name(self, what: str) -> Token:
        """Consume a name, quoted or not."""
        if self.token.kind not in ("word", "name"):
            self.fail(f"expected {what}, found {self.token}", self.token.line)
        return self.take()

    def names_until(self, mark: str, what: str) -> tuple[Token, ...]:
        """Consume names and the closing ``mark``."""
        names = []
        while not self.token.is_mark(mark):
            names.append(self.name(f"{what} or {mark!r}"))
        self.take()
        return tuple(names)

    def skip_property(self) -> None:
        """Skip a property: free text, read by nobody, up to the next unquoted semicolon."""
        # The lookahead is the word itself, so the text from here on has not been scanned yet.
        match = _PROPERTY.match(self.text, self.position)
        if match is None:
            self.fail("the property that begins here never ends in ';'", self.token.line)
        self._move_to(match.end())
        self.token = self._scan()

    # -- blocks ----------------------------------------------------------------------------------

    def blocks(self) -> Iterator[VariableBlock | ProbabilityBlock]:
        while self.token.kind != "end":
            if self.token.is_word("network"):
                self.network()
            elif self.token.is_word("variable"):
                yield self.variable()
            elif self.token.is_word("probability"):
                yield self.probability()
            else:
                self.fail(
                    f"expected 'network', 'variable' or 'probability', found {self.token}",
                    self.token.line,
                )

    def network(self) -> None:
        self.take()
        while self.token.kind in ("word", "name"):
            self.take()
        self.expect("{")
        while not self.token.is_mark("}"):
            if not self.token.is_word("property"):
                self.fail(f"expected 'property' or '}}', found {self.token}", self.token.line)
            self.skip_property()
        self.take()

    def variable(self) -> VariableBlock:
        self.take()
        name = self.name("the name of a variable")
        self.expect("{")
        states: tuple[Token, ...] | None = None
        while not self.token.is_mark("}"):
            if self.token.is_word("property"):
                self.skip_property()
            elif self.token.is_word("type") and states is None:
                states = self.discrete_type()
            else:
                self.fail(
                    f"expected one 'type', properties and '}}' for variable {name}, "
                    f"found {self.token}",
                    self.token.line,
                )
        self.take()
        if states is None:
            self.fail(f"variable {name} has no 'type discrete'", name.line)
        return VariableBlock(name, states)

    def discrete_type(self) -> tuple[Token, ...]:
        self.take()
        kind = self.name("'discrete'")
        if kind.text != "discrete":
            self.fail(f"only 'type discrete' can be read, not {kind}", kind.line)
        self.expect("[")
        size = self.name("the number of states")
        self.expect("]")
        self.expect("{")
        states = self.names_until("}", "a state")
        if size.text != str(len(states)):
            self.fail(f"{size} states announced, {len(states)} listed", size.line)
        if not states:
            self.fail("a variable needs at least one state", size.line)
        seen: set[str] = set()
        for state in states:
            if state.text in seen:
                self.fail(f"the state {state} is listed twice", state.line)
            seen.add(state.text)
        self.expect(";")
        return states

    def probability(self) -> ProbabilityBlock:
        self.take()
        self.expect("(")
        child = self.name("the name of a variable")
        block = ProbabilityBlock(child, self.names_until(")", "a parent"))
        self.expect("{")
        while not self.token.is_mark("}"):
            if self.token.is_word("property"):
                self.skip_property()
            elif self.token.is_mark("("):
                line = self.take().line
                block.rows.append(self.row(line, self.names_until(")", "a parent's value")))
            elif self.token.is_word("table") and block.table is None:
                block.table = self.row(self.take().line)
            elif self.token.is_word("default") and block.default is None:
                block.default = self.row(self.take().line)
            else:
                self.fail(
                    f"expected '(values)', one 'table', one 'default' or '}}' "
                    f"for the probabilities of {child}, found {self.token}",
                    self.token.line,
                )
        self.take()
        return block

    def row(self, line: int, values: tuple[Token, ...] = ()) -> Row:
        numbers = []
        for token in self.names_until(";", "a number"):
            try:
                numbers.append(float(token.text))
            except ValueError:
                self.fail(f"expected a number, found {token}", token.line)
        return Row(line, values, tuple(numbers))
