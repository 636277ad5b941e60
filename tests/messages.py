"""The messages of our errors and warnings, as patterns read from the source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from pathprior import errors

SOURCE = Path(errors.__file__).parent
FEWEST_LETTERS = 8
"""A pattern with fewer fixed letters only passes another message on."""


def message_patterns() -> Iterator[tuple[str, str]]:
    """Place and pattern of each text that is raised, made into an error of ours, or warned of."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        raised = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise)}
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and (id(call) in raised or _is_report(call.func)):
                for argument in call.args:
                    pattern = _pattern(argument)
                    if len(re.sub(r"\W", "", pattern)) >= FEWEST_LETTERS:
                        yield f"{path.relative_to(SOURCE)}:{call.lineno}", pattern


def _is_report(function: ast.expr) -> bool:
    """Whether a call makes or announces an error: a class of ours, a flaw of data, or warn."""
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("warn", "fail", "Flaw", "Look") or (
        name != "OSError" and name.lower().endswith(("error", "warning"))
    )


def _pattern(text: ast.expr) -> str:
    """A regular expression for the values of a string expression."""
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        return re.escape(text.value)
    if isinstance(text, ast.JoinedStr):
        return "".join(map(_pattern, text.values))
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add):
        return _pattern(text.left) + _pattern(text.right)
    return ".*"
