"""Belief files: CSV with the header ``x,relation,y,probability``, or the same rows as JSON.

Optional columns are ``strength`` and ``source``. The probability of the relation ``vector`` is four
numbers, separated by spaces in CSV and an array in JSON. A row with a source and without a
probability (empty in CSV, null in JSON) is a statement.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from pathprior.beliefs.belief import DEFAULT_STRENGTH, RELATION_WORDS, VECTOR, Belief
from pathprior.beliefs.belief_set import BeliefSet
from pathprior.beliefs.event import unknown_word
from pathprior.beliefs.nearly_certain import json_number, refuse_nearly_certain
from pathprior.beliefs.statement import DEFAULT_WEIGHT, Statement
from pathprior.errors import BeliefError
from pathprior.files import reason, saving
from pathprior.nearest import unknown_message

REQUIRED_COLUMNS = ("x", "relation", "y", "probability")
COLUMNS = (*REQUIRED_COLUMNS, "strength", "source")


def read_beliefs(path: str | PathLike[str]) -> BeliefSet:
    """Read a belief file; a name that ends in ``.json`` is JSON, anything else CSV.

    The text is UTF-8, or UTF-16 with a byte-order mark. CSV columns may be separated by commas,
    semicolons or tabs; blank lines are skipped, spaces around a value are not part of it.

    Raises
    ------
    BeliefError
        If the file cannot be read; the message names file, line and value.
    """
    file = Path(path)
    return parse_beliefs(read_text(file), file)


def parse_beliefs(text: str, file: Path) -> BeliefSet:
    """The beliefs in the text of a belief file; its name says the format, and where errors are."""
    rows = _json_rows(file, text) if file.suffix.lower() == ".json" else _csv_rows(file, text)
    beliefs = [_belief(row, origin) for origin, row in rows]
    if not beliefs:
        raise BeliefError(f"{file}: no beliefs; write one per line under {_header()}")
    return BeliefSet(beliefs)


def write_csv(beliefs: Iterable[Belief], path: str | PathLike[str]) -> None:
    """Write ``beliefs`` as CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for b in beliefs:
        probability = " ".join(map(repr, b.stated))
        writer.writerow([b.x, b.relation, b.y, probability, repr(b.strength), b.source])
    with saving(path, BeliefError) as temporary:
        temporary.write_text(buffer.getvalue(), encoding="utf-8", newline="")


def write_json(beliefs: Iterable[Belief], path: str | PathLike[str]) -> None:
    """Write ``beliefs`` as a JSON array."""
    rows = [belief_row(belief) for belief in beliefs]
    with saving(path, BeliefError) as temporary:
        temporary.write_text(
            json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )


def belief_row(belief: Belief) -> dict[str, object]:
    """Return one belief as an object of a JSON belief file."""
    return {
        "x": belief.x,
        "relation": belief.relation,
        "y": belief.y,
        "probability": _probability(belief),
        "strength": belief.strength,
        "source": belief.source,
    }


def _probability(belief: Belief) -> float | list[float] | None:
    if isinstance(belief, Statement):
        return None
    return list(belief.stated) if belief.relation == VECTOR else belief.stated[0]


def belief_from_row(row: object, origin: str) -> Belief:
    """Read one belief from an object of a JSON belief file."""
    if not isinstance(row, dict):
        raise BeliefError(f"{origin}: expected an object with {_header()}, not {row!r}")
    _check_columns(row, origin)
    return _belief(row, origin)


def read_text(file: Path) -> str:
    """The text of a file that a person or a program wrote, whichever encoding it declares."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BeliefError(f"{file}: cannot be read: {reason(error, file)}") from None
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BeliefError(
            f"{file}, line {line}: byte {data[error.start]:#04x} is not "
            f"{encoding.removesuffix('-sig').upper()}; "
            "save the file as UTF-8"
        ) from None
    if "\0" in text:
        raise BeliefError(f"{file}: not a text file; save it as UTF-8")
    return text


def _csv_rows(file: Path, text: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield (origin, row); origin is where the row starts."""
    header_line = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=header_line.count)
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    header: list[str] = []
    start = 1
    while True:
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            raise BeliefError(f"{file}, line {start}: bad quoting: {error}") from None
        origin, start = f"{file}, line {start}", reader.line_num + 1
        if not any(cells):
            continue
        if not header:
            header = [cell.lower() for cell in cells]
            _check_columns(header, origin)
            continue
        if len(cells) != len(header):
            raise BeliefError(
                f"{origin}: {len(cells)} values for {len(header)} columns "
                f"({', '.join(header)}): {cells!r}"
            )
        yield origin, dict(zip(header, cells, strict=True))


def _json_rows(file: Path, text: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    def distinct(members: list[tuple[str, object]]) -> dict[str, object]:
        row: dict[str, object] = {}
        for name, value in members:
            if name in row:
                raise BeliefError(f"{file}: {name!r} appears twice in one object; keep one")
            row[name] = value
        return row

    try:
        rows = json.loads(text, object_pairs_hook=distinct, parse_float=json_number)
    except BeliefError:
        raise
    except json.JSONDecodeError as error:
        raise BeliefError(f"{file}, line {error.lineno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise BeliefError(f"{file}: not a belief file: nested too deeply") from None
    except ValueError:  # the one other thing json refuses: Python's limit on digits
        raise BeliefError(f"{file}: a whole number has thousands of digits; shorten it") from None
    if not isinstance(rows, list):
        raise BeliefError(f"{file}: expected an array of objects, not {type(rows).__name__}")
    for number, row in enumerate(rows, start=1):
        origin = f"{file}, entry {number}"
        if not isinstance(row, dict):
            raise BeliefError(f"{origin}: expected an object with {_header()}, not {row!r}")
        _check_columns(row, origin)
        yield origin, row


def _check_columns(names: Iterable[str], origin: str) -> None:
    names = list(names)
    unknown = [name for name in names if name not in COLUMNS]
    if unknown:
        raise BeliefError(f"{origin}: {unknown_message('column', unknown, COLUMNS)}")
    for name in names:
        if names.count(name) > 1:
            raise BeliefError(f"{origin}: column {name!r} appears twice")
    for name in REQUIRED_COLUMNS:
        if name not in names:
            raise BeliefError(f"{origin}: column {name!r} is missing; it needs {_header()}")


def _belief(row: Mapping[str, object], origin: str) -> Belief:
    word = row["relation"]
    relation = word.lower() if isinstance(word, str) else word
    if not isinstance(relation, str) or relation not in RELATION_WORDS:
        raise BeliefError(f"{origin}: {unknown_word(word, RELATION_WORDS)}")
    given = row.get("strength")
    is_statement = row["probability"] in (None, "")
    usual = DEFAULT_WEIGHT if is_statement else DEFAULT_STRENGTH
    strength = (usual,) if given in (None, "") else _numbers(given, "strength", origin)
    if len(strength) != 1:
        raise BeliefError(f"{origin}: strength {given!r} must be one number")
    source = row.get("source")
    about: dict[str, Any] = {  # the types are checked by Belief
        "x": row["x"],
        "relation": relation,
        "y": row["y"],
        "strength": strength[0],
        "source": "" if source is None else source,
        "origin": origin,
    }
    if is_statement:
        return Statement(**about)
    return Belief(**about, stated=_numbers(row["probability"], "probability", origin))


def _numbers(value: object, column: str, origin: str) -> tuple[float, ...]:
    """Numbers from JSON, or from text that separates them by spaces."""
    parts: list[object] = list(value) if isinstance(value, list) else [value]
    if isinstance(value, str):
        parts = list(value.split())
    try:
        if not parts or any(isinstance(part, bool) for part in parts):
            raise ValueError
        numbers = tuple(float(part) for part in parts)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        hint = ""
        if isinstance(value, str) and "," in value:
            hint = " (write decimals with a point)"
        elif isinstance(value, str) and "%" in value:
            hint = " (write 80% as 0.8)"
        raise BeliefError(f"{origin}: {column} {value!r} is not a number{hint}") from None
    if column == "probability":
        for part in parts:
            _require_told_apart(part, origin)
    return numbers


def _require_told_apart(part: object, origin: str) -> None:
    try:
        refuse_nearly_certain(part)
    except BeliefError as error:
        raise BeliefError(f"{origin}: {error}") from None


def _header() -> str:
    return ",".join(REQUIRED_COLUMNS)
