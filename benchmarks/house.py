"""How much house there is: classes that one `learn` needs, lines, long files, long functions.

.venv/bin/python benchmarks/house.py            # all of it
.venv/bin/python benchmarks/house.py --names    # and what they are
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pathprior as pp

SOURCE = Path(pp.__file__).parent
LONG_FILE, LONG_FUNCTION, MANY_ARGUMENTS = 300, 60, 9

Found = list[tuple[int, str]]


def classes_of_a_learn() -> set[str]:
    """The classes of ours that a warm `learn` with one belief makes an instance of."""
    data = pp.load_network("asia").sample(500, seed=0)

    def run() -> None:
        pp.learn(data, [pp.causes("smoke", "lung", 0.9)])

    run()  # what is made while modules are imported and kernels compiled is not asked for
    seen: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code, known = frame.f_code, frame.f_locals
        if code.co_name == "__init__":
            made = type(known.get("self"))
        elif code.co_name == "<lambda>" and "_cls" in known:  # a named tuple
            made = known["_cls"]
        else:
            return
        if str(made.__module__).startswith("pathprior"):
            seen.add(f"{made.__module__}.{made.__qualname__}")

    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(None)
    return seen


def read_sources() -> Iterator[tuple[str, str]]:
    """Path and text of every file of Python in the package."""
    for path in sorted(SOURCE.rglob("*.py")):
        yield str(path.relative_to(SOURCE)), path.read_text(encoding="utf-8")


def long_functions(name: str, text: str) -> Found:
    """Functions of more lines than are wanted; docstrings not counted."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first, *_ = node.body
        has_text = ast.get_docstring(node, clean=False) is not None
        said = (first.end_lineno or 0) - first.lineno + 1 if has_text else 0
        length = (node.end_lineno or 0) - node.lineno + 1 - said
        if length > LONG_FUNCTION:
            found.append((length, f"{name}:{node.name}"))
    return found


def class_names(text: str) -> Iterator[str]:
    """The classes that a file defines, their leading underscores aside."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            yield node.name.lstrip("_")


def files_of_a_tie() -> list[str]:
    """The files that the trial tie of docs/extend.md touches."""
    page = SOURCE.parents[1] / "docs" / "extend.md"
    changes = re.findall(r"^```diff\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    return [name for change in changes for name in re.findall(r"^\+\+\+ (.*)$", change, re.M)]


def many_arguments(name: str, text: str) -> Found:
    """Kernels of so many arguments."""
    kernels = ast.walk(ast.parse(text)) if name.startswith("kernels/") else ()
    return [
        (len(node.args.args), f"{name}:{node.name}")
        for node in kernels
        if isinstance(node, ast.FunctionDef) and len(node.args.args) >= MANY_ARGUMENTS
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", action="store_true", help="Say what they are, too.")
    options = parser.parse_args()
    sources = list(read_sources())
    lines = [(text.count("\n"), name) for name, text in sources]
    functions = [row for name, text in sources for row in long_functions(name, text)]
    wide = sorted(row for name, text in sources for row in many_arguments(name, text))
    tie = files_of_a_tie()
    named = Counter(name for _, text in sources for name in class_names(text))
    made = sorted(classes_of_a_learn())
    rows: list[tuple[str, int, list[str]]] = [
        ("classes that a warm learn with one belief makes", len(made), made),
        ("files", len(sources), []),
        ("lines", sum(length for length, _ in lines), []),
        *(
            (f"{what} of more than {most} lines", len(found), [f"{n} {name}" for n, name in found])
            for what, most, found in (
                ("files", LONG_FILE, sorted(row for row in lines if row[0] > LONG_FILE)),
                ("functions", LONG_FUNCTION, sorted(functions)),
            )
        ),
        (
            f"kernels of {MANY_ARGUMENTS} arguments or more",
            len(wide),
            [f"{n} {name}" for n, name in wide],
        ),
        ("files of a new tie", len(tie), tie),
        ("classes", named.total(), []),
        (
            "class names used twice or more",
            sum(count > 1 for count in named.values()),
            [f"{count} {name}" for name, count in named.items() if count > 1],
        ),
    ]
    for what, count, names in rows:
        print(f"{count:>7,}  {what}")
        if options.names:
            print("".join(f"           {name}\n" for name in names), end="")


if __name__ == "__main__":
    main()
