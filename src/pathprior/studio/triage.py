"""What the columns of a data file hold, and what can be done with each in one click."""

import re
from pathlib import Path
from typing import Any

from pathprior.data.actions import AsReal, AsStates, Drop, Keep, quoted
from pathprior.data.kinds import Kind
from pathprior.data.plan import ColumnPlan
from pathprior.data.preparation import Preparation
from pathprior.data.prepare import prepare
from pathprior.errors import DataError
from pathprior.studio.document import Remedy

NUM_BINS = 3
NUM_TOP = 5

_BY_KIND: dict[Kind, tuple[Remedy, ...]] = {
    Kind.BINARY: (("keep", True), ("drop", True)),
    Kind.CATEGORICAL: (("keep", True), ("top", NUM_TOP), ("drop", True)),
    Kind.COUNT: (("bins", NUM_BINS), ("real", True), ("keep", True), ("drop", True)),
    Kind.CONTINUOUS: (("real", True), ("bins", NUM_BINS), ("drop", True)),
    Kind.DATE: (("drop", True), ("keep", True)),
    Kind.ID: (("drop", True), ("keep", True)),
    Kind.CONSTANT: (("drop", True), ("keep", True)),
    Kind.MISSING: (("drop", True),),
    Kind.UNREADABLE: (("drop", True),),
}
_GAPS: tuple[Remedy, ...] = (("missing", "drop"), ("missing", "state"), ("missing", "em"))

_WORDS = {Keep: "keep", AsStates: "keep", AsReal: "real", Drop: "drop"}
"""The option that does what is done already."""

_LABELS = {
    ("keep", True): "keep as states",
    ("real", True): "keep as real numbers",
    ("drop", True): "leave out",
    ("bins", NUM_BINS): f"cut into {NUM_BINS} bins",
    ("top", NUM_TOP): f"keep the {NUM_TOP} most frequent",
    ("missing", "drop"): "gaps: drop rows",
    ("missing", "state"): "gaps: a state",
    ("missing", "em"): "gaps: draw them",
}


def triage(path: Path, remedies: tuple[tuple[str, Remedy], ...]) -> Preparation:
    """The proposal of `prepare` for a file, changed column by column."""
    preparation = prepare(path)
    for column, (option, value) in remedies:
        try:
            preparation = preparation.change(column, **{option: value})  # type: ignore[arg-type]
        except DataError as error:
            raise DataError(_for_clicks(str(error))) from None
    return preparation


def _for_clicks(message: str) -> str:
    """A message with the names of buttons in place of options."""
    return re.sub(r"missing='(\w+)'", lambda found: _button("missing", found[1]), message)


def _button(option: str, value: str) -> str:
    return f"“{_LABELS[option, value]}”"


def describe_columns(
    preparation: Preparation, remedies: tuple[tuple[str, Remedy], ...]
) -> list[dict[str, Any]]:
    """Each column with what was seen, what is done, and what else could be, as JSON values."""
    return [
        {
            "name": plan.name,
            "kind": plan.kind.value,
            "values": plan.num_values,
            "missing": plan.num_missing,
            "summary": plan.summary,
            "isDropped": plan.is_dropped,
            "isChanged": any(name == plan.name for name, _ in remedies),
            "remedies": [
                {
                    "option": option,
                    "value": value,
                    "label": _LABELS[option, value],
                    "line": remedy_line(plan.name, (option, value)),
                    "isChosen": (plan.name, (option, value)) in remedies,
                }
                for option, value in _offered(
                    plan, [r for name, r in remedies if name == plan.name]
                )
            ],
        }
        for plan in preparation.columns
    ]


def totals_of(preparation: Preparation) -> str:
    """How many rows and columns stay, and what becomes of gaps, for those who click."""
    totals = preparation.totals.splitlines()[0]
    if preparation.has_gaps:
        return f"{totals} Gaps are left: the run draws them."
    if any(plan.missing and not plan.is_dropped for plan in preparation.columns):
        return f"{totals} {_button('missing', 'em')} would leave them to the run."
    return totals


def remedy_line(column: str, remedy: Remedy) -> str:
    """The line of Python that does the same."""
    option, value = remedy
    shown = quoted(value) if isinstance(value, str) else repr(value)
    return f"prep = prep.change({quoted(column)}, {option}={shown})"


def variables_of(preparation: Preparation) -> tuple[str, ...]:
    """The columns that stay."""
    return tuple(plan.name for plan in preparation.columns if not plan.is_dropped)


def _offered(plan: ColumnPlan, chosen: list[Remedy]) -> tuple[Remedy, ...]:
    """What else can be done with a column, and what was chosen before."""
    has_gaps = plan.num_missing > 0 and not plan.is_dropped
    ways = (*_BY_KIND[plan.kind], *(_GAPS if has_gaps else ()))
    done = _WORDS.get(type(plan.action))
    return tuple(way for way in ways if way in chosen or way not in ((done, True), _gaps_of(plan)))


def _gaps_of(plan: ColumnPlan) -> Remedy | None:
    return None if plan.missing is None else ("missing", plan.missing)
