"""Reading DAGitty code, as dagitty.net and its R package write it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pathprior.errors import GraphError
from pathprior.graph.dag import check_nodes

MOST_NESTED = 20
"""Groups in groups; nobody draws so."""

KINDS = ("dag", "digraph", "graph", "pdag", "mag", "pag")

_TOKEN = re.compile(
    r"""(?P<blank> [\s;]+ | //[^\n]* | \#[^\n]* | /\*.*?\*/ )
      | (?P<name> "(?:[^"\\]|\\.)*" | -?[\w.]+ )
      | (?P<mark> @->|<-@|<->|->|<-|@-@|--@|@--|-- )
      | (?P<sign> [][{}=,+] )""",
    re.VERBOSE | re.DOTALL,
)
_BACKWARDS = {"<-": "->", "<-@": "@->"}


@dataclass(frozen=True, slots=True)
class DagittyGraph:
    """What DAGitty code says.

    Attributes
    ----------
    nodes
        Names, in order of first appearance.
    latent
        Those that are not observed.
    edges
        The arrows x → y, each once.
    others
        What is drawn between two nodes and is no arrow: x, mark, y.
    """

    nodes: tuple[str, ...]
    latent: frozenset[str]
    edges: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str, str], ...]


def read_dagitty(text: str) -> DagittyGraph:
    """Read DAGitty code: ``dag { smoking -> cough; age -> { smoking cough } }``.

    A pair of nodes between braces stands for both; ``a -> b <- c`` are two edges. Of attributes
    only ``latent`` counts. Positions, exposures, outcomes and coefficients say nothing about which
    graph it is.

    Raises
    ------
    GraphError
        If it is no DAGitty code; the message names the line.
    """
    reader = _Reader(list(_tokens(text)))
    reader.read_graph()
    return DagittyGraph(
        check_nodes(reader.nodes),
        frozenset(reader.latent),
        tuple(dict.fromkeys((x, y) for x, mark, y in reader.drawn if mark == "->")),
        tuple(dict.fromkeys(edge for edge in reader.drawn if edge[1] != "->")),
    )


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    line: int


def _tokens(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise GraphError(f"DAGitty code, line {line}: {text[at]!r} makes no sense here")
        kind, said = str(found.lastgroup), found[0]
        if kind == "name" and said.startswith('"'):
            # a backslash before a quote escapes it, and stands for itself otherwise
            yield _Token("name", said[1:-1].replace('\\"', '"'), line)
        elif kind != "blank":
            yield _Token(kind, said, line)
        line += said.count("\n")
        at = found.end()
    yield _Token("end", "the end", line)


class _Reader:
    """Walks through the tokens once, and notes what is drawn."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.nodes: dict[str, None] = {}
        self.latent: set[str] = set()
        self.drawn: list[tuple[str, str, str]] = []

    def read_graph(self) -> None:
        words = []
        while self._now.kind == "name":
            words.append(self._take("name").text)
        kinds = [word.lower() for word in words if word.lower() != "strict"]
        if kinds[:1] not in [[kind] for kind in KINDS] or not self._is_sign("{"):
            raise GraphError(
                "DAGitty code begins with its kind and a brace, as in 'dag { a -> b }', not with "
                f"{(words or [self._now.text])[0]!r}"
            )
        self._read_group(0)
        self._take("end")

    def _read_group(self, depth: int) -> list[str]:
        """Statements between braces; return the nodes that are named in them."""
        self._sign("{")
        if depth > MOST_NESTED:
            raise self._error("braces are nested too deeply")
        named: dict[str, None] = {}
        while not self._is_sign("}"):
            named |= dict.fromkeys(self._read_statement(depth))
        self._sign("}")
        return list(named)

    def _read_statement(self, depth: int) -> list[str]:
        if self._now.kind == "name" and self._is_sign("=", ahead=1):
            for _ in range(2):  # an option of the drawing, such as bb="0,0,1,1"
                self._at += 1
            self._take("name")
            return []
        ends, marks = [self._read_end(depth)], []
        while self._now.kind == "mark":
            marks.append(self._take("mark").text)
            ends.append(self._read_end(depth))
        is_node = not marks and not self._was_group
        said = self._read_attributes()
        if is_node:
            self.latent |= set(ends[0]) if said & {"latent", "l", "unobserved", "u"} else set()
        for (before, after), mark in zip(pairwise(ends), marks, strict=True):
            for x in before:
                for y in after:
                    self._draw(x, mark, y)
        return [name for end in ends for name in end]

    def _read_end(self, depth: int) -> list[str]:
        """A node, or a group of them."""
        self._was_group = self._is_sign("{")
        if self._was_group:
            return self._read_group(depth + 1)
        name = self._take("name").text
        self.nodes.setdefault(name)
        return [name]

    def _read_attributes(self) -> set[str]:
        """The attributes that are said, without their values."""
        said = set()
        while self._is_sign("["):
            self._sign("[")
            while not self._is_sign("]"):
                said.add(self._take("name").text.lower())
                if self._is_sign("="):
                    self._sign("=")
                    self._take("name")
                if self._is_sign(","):
                    self._sign(",")
            self._sign("]")
        return said

    def _draw(self, x: str, mark: str, y: str) -> None:
        if x == y:
            raise self._error(f"{x!r} has an edge to itself")
        if mark in _BACKWARDS:
            x, mark, y = y, _BACKWARDS[mark], x
        self.drawn.append((x, mark, y))

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _is_sign(self, sign: str, ahead: int = 0) -> bool:
        at = min(self._at + ahead, len(self._tokens) - 1)
        return self._tokens[at].kind == "sign" and self._tokens[at].text == sign

    def _sign(self, sign: str) -> None:
        if not self._is_sign(sign):
            raise self._error(f"expected {sign!r}, not {self._now.text!r}")
        self._at += 1

    def _take(self, kind: str) -> _Token:
        token = self._now
        if token.kind != kind:
            wanted = {"name": "a name", "end": "the end"}.get(kind, kind)
            raise self._error(f"expected {wanted}, not {token.text!r}")
        self._at += kind != "end"
        return token

    def _error(self, message: str) -> GraphError:
        return GraphError(f"DAGitty code, line {self._now.line}: {message}")
