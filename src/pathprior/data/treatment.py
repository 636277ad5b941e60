"""Plans carried out, and the same as lines of pandas."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pathprior.data.actions import AsStates, Bin, Drop, Keep, OnlyUsed, listed, quoted
from pathprior.data.formats import is_excel, is_text
from pathprior.data.plan import ColumnPlan
from pathprior.data.readers import excel_options, text_options

if TYPE_CHECKING:
    import pandas as pd


def treat(frame: "pd.DataFrame", plans: Sequence[ColumnPlan]) -> "pd.DataFrame":
    """Return the treated table; the columns of ``frame`` are named as in the plans."""
    frame = frame.drop(columns=[plan.name for plan in plans if plan.is_dropped])
    kept = [plan for plan in plans if not plan.is_dropped]
    for plan in kept:
        if plan.has_infinite:
            frame[plan.name] = without_infinite(frame[plan.name])
    frame = frame.dropna(subset=[plan.name for plan in kept if plan.missing == "drop"]).copy()
    for plan in kept:
        if not isinstance(plan.action, Drop) and not _leaves_alone(plan):
            column = plan.action.apply(frame[plan.name])
            frame[plan.name] = _filled(column, plan) if plan.missing == "state" else column
    return frame


def without_infinite(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Make infinite numbers missing."""
    import pandas as pd

    return pd.to_numeric(column).where(lambda numbers: numbers.abs() < float("inf"))


def treatment_code(plans: Sequence[ColumnPlan], source: Path | None, *, is_renamed: bool) -> str:
    """Return the lines that make the table of states from the raw one, both named ``df``."""
    lines = ["import pandas as pd", ""]
    if source is not None:
        lines.append(_reading_code(source))
    if is_renamed:
        lines.append(f'df = df.set_axis({listed(p.name for p in plans)}, axis="columns")')
    dropped = [plan.name for plan in plans if plan.is_dropped]
    lines.append(f"df = df.drop(columns={listed(dropped)})" if dropped else "df = df.copy()")
    kept = [plan for plan in plans if not plan.is_dropped]
    for plan in kept:
        if plan.has_infinite:
            finite = 'where(lambda numbers: numbers.abs() < float("inf"))'
            lines.append(f"{_place(plan)} = pd.to_numeric({_place(plan)}).{finite}")
    incomplete = [plan.name for plan in kept if plan.missing == "drop"]
    if incomplete:
        lines.append(f"df = df.dropna(subset={listed(incomplete)}).copy()")
    for plan in kept:
        if not isinstance(plan.action, Drop) and not _leaves_alone(plan):
            code = plan.action.code(_place(plan))
            lines.append(f"{_place(plan)} = {code}{_filling_code(plan)}")
    return "\n".join(lines) + "\n"


def _leaves_alone(plan: ColumnPlan) -> bool:
    return isinstance(plan.action, Keep) and plan.missing != "state"


def _filled(column: "pd.Series[Any]", plan: ColumnPlan) -> "pd.Series[Any]":
    if _makes_categories(plan):
        column = column.cat.add_categories([plan.missing_label])
    return column.fillna(plan.missing_label)


def _filling_code(plan: ColumnPlan) -> str:
    if plan.missing != "state":
        return ""
    label = quoted(plan.missing_label)
    added = f".cat.add_categories([{label}])" if _makes_categories(plan) else ""
    return f"{added}.fillna({label})"


def _makes_categories(plan: ColumnPlan) -> bool:
    return isinstance(plan.action, Bin | AsStates | OnlyUsed | Keep)


def _place(plan: ColumnPlan) -> str:
    return f"df[{quoted(plan.name)}]"


def _reading_code(path: Path) -> str:
    if is_text(path):
        function, options = "read_csv", text_options(path)
    elif is_excel(path):
        function, options = "read_excel", excel_options(path)
    else:
        function, options = "read_parquet", {}
    arguments = "".join(f",\n    {name}={_literal(value)}" for name, value in options.items())
    return f"df = pd.{function}(\n    {quoted(str(path))}{arguments},\n)"


def _literal(value: object) -> str:
    if isinstance(value, list):
        return listed(value)
    return quoted(value) if isinstance(value, str) else repr(value)
