"""`Preparation`: what is proposed for each column, to be looked at, changed and applied."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pathprior.data.actions import Action, AsReal, Drop
from pathprior.data.kinds import REAL
from pathprior.data.likeness import atom_notes, find_likenesses
from pathprior.data.observed import Observed
from pathprior.data.plan import (
    ColumnPlan,
    Missing,
    bin_by_cuts,
    bin_by_quantiles,
    check_missing,
    keep_as_it_is,
    keep_real,
    keep_top,
    propose,
    with_missing,
)
from pathprior.data.treatment import treat, treatment_code, without_infinite
from pathprior.errors import DataError
from pathprior.nearest import suggestion

if TYPE_CHECKING:
    import pandas as pd

# Of the printed table.
WIDTH = 80
NAME_WIDTH = 20


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """What `prepare` proposes for each column of a table.

    ``print`` shows it as a table; `change` returns another one, `table` applies it, and `code`
    shows what it does as lines of pandas. The raw table is never changed.

    Attributes
    ----------
    columns
        A plan for each column: its name, the kind seen, and what is done to it.
    source
        The file that was read, if one was.
    """

    columns: tuple[ColumnPlan, ...]
    source: Path | None
    _frame: "pd.DataFrame" = field(repr=False)
    _is_renamed: bool = field(default=False, repr=False)

    def __getitem__(self, column: str) -> ColumnPlan:
        self.require([column])
        return next(plan for plan in self.columns if plan.name == column)

    def require(self, columns: Iterable[str]) -> None:
        """Raise one error for all that are no columns here."""
        known = [plan.name for plan in self.columns]
        unknown = [name for name in columns if name not in known]
        if unknown:
            raise DataError(
                f"there is no column {' or '.join(map(repr, unknown))}; "
                f"{suggestion('column', unknown, known)}"
            )

    def change(
        self,
        column: str,
        *,
        keep: bool = False,
        real: bool = False,
        drop: bool = False,
        bins: int | None = None,
        cuts: Sequence[float] | None = None,
        top: int | None = None,
        missing: Missing | None = None,
    ) -> "Preparation":
        """Return a preparation that treats one column in another way, and the others as before.

        Parameters
        ----------
        column
            Its name.
        keep
            Its values are states, whatever they look like.
        real
            Its numbers are measured, and stay.
        drop
            Leave it out.
        bins
            Cut its numbers into so many bins with about as many rows each.
        cuts
            Cut its numbers here: a value that equals a cut goes to the bin above. Cuts outside the
            data make no bin.
        top
            Keep its so many most frequent states and merge the others into "other".
        missing
            "drop" leaves out the rows in which it has no value, "state" makes that a state, "em"
            leaves the gaps for ``learn(missing="em")`` to draw.

        Raises
        ------
        DataError
            If there is no such column, if it cannot be treated so, or if several ways are given.
        """
        plan = self[column]
        ways = [keep, real, drop, bins is not None, cuts is not None, top is not None]
        if sum(ways) > 1 or not (any(ways) or missing):
            raise DataError(
                f"column {column!r} needs one of keep, real, drop, bins, cuts and top, or missing: "
                f"{sum(ways)} were given"
            )
        check_missing(missing)
        seen = self._observe(plan, self._stays())
        action: Action | Drop = plan.action
        if keep:
            action = keep_as_it_is(seen)
        elif real:
            action = keep_real(seen)
        elif drop:
            action = Drop()
        elif bins is not None:
            action = bin_by_quantiles(seen, bins)
        elif cuts is not None:
            action = bin_by_cuts(seen, cuts)
        elif top is not None:
            action = keep_top(seen, top)
        if plan.num_missing == 0:
            missing = None
        elif missing is None:
            missing = plan.missing or "drop"
            if real and missing == "state":
                missing = "drop"
        new = with_missing(replace(plan, action=action), seen, missing)
        columns = tuple(new if other is plan else other for other in self.columns)
        return replace(self, columns=columns)

    @property
    def kinds(self) -> dict[str, str]:
        """The real columns that `learn` would take for states unless told."""
        stays = self._stays()
        return {
            plan.name: REAL
            for plan in self.columns
            if isinstance(plan.action, AsReal)
            and not Observed.of(
                plan.name, plan.action.apply(self._observe(plan, stays).series)
            ).look.is_real
        }

    @property
    def has_gaps(self) -> bool:
        """Whether missing values are left, for ``learn(missing="em")``."""
        return any(plan.missing == "em" and not plan.is_dropped for plan in self.columns)

    def table(self) -> "pd.DataFrame":
        """Apply it: a DataFrame of states and real numbers, which `learn` takes with `kinds`."""
        return treat(self._frame, self.columns)

    def code(self) -> str:
        """Return it as lines of pandas.

        They make the table from the raw DataFrame, both under the name ``df``; if a file was
        prepared, they begin with reading it, and if there are `kinds`, they end with them.
        """
        code = treatment_code(self.columns, self.source, is_renamed=self._is_renamed)
        kinds = self.kinds
        return f"{code}kinds = {kinds}\n" if kinds else code

    def __str__(self) -> str:
        width = max([6, *(len(plan.name) for plan in self.columns)])
        width = min(width, NAME_WIDTH)
        lines = [f"{'column':<{width}}  {'kind':<11}  {'values':>6}  {'missing':>7}  proposed"]
        indent = len(lines[0]) - len("proposed")
        for plan in self.columns:
            name = plan.name if len(plan.name) <= width else plan.name[: width - 1] + "…"
            seen = (
                f"{name!s:<{width}}  {plan.kind.value:<11}  {plan.num_values:>6}  "
                f"{plan.num_missing:>7}  "
            )
            first, *rest = wrap(plan.summary, WIDTH - indent) or [""]
            lines += [seen + first, *(" " * indent + line for line in rest)]
        notes = [line for note in self.notes for line in wrap(note, WIDTH)]
        return "\n".join([*lines, self.totals, *notes])

    def _repr_html_(self) -> str:
        import pandas as pd

        rows = [
            (plan.name, plan.kind.value, plan.num_values, plan.num_missing, plan.summary)
            for plan in self.columns
        ]
        frame = pd.DataFrame(rows, columns=["column", "kind", "values", "missing", "proposed"])
        totals = self.totals.replace("\n", "<br>")
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return f"{frame.to_html(index=False, border=0)}<p>{totals}</p>{notes}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which columns that stay say the same, and what may be done; nothing is, by itself.

        Columns that are missing in the same rows, share a code, are copies or sums of others; and
        real ones of which one value fills more than a twentieth.
        """
        kept = [plan for plan in self.columns if not plan.is_dropped]
        frame = self._frame.assign(
            **{plan.name: self._values(plan) for plan in kept if plan.has_infinite}
        )
        found = find_likenesses(frame, [plan.name for plan in kept])
        real = [plan.name for plan in kept if isinstance(plan.action, AsReal)]
        return (*found, *atom_notes(frame, real))

    @property
    def totals(self) -> str:
        """How many rows and columns stay, and what becomes of gaps."""
        kept = [plan for plan in self.columns if not plan.is_dropped]
        totals = (
            f"{len(self._frame)} rows, {len(self.columns)} columns become "
            f"{int(self._stays().sum())} rows, {len(kept)} columns."
        )
        if self.has_gaps:
            return f"{totals}\nGaps are left: learn with missing='em'."
        if any(plan.missing for plan in kept):
            return f"{totals}\nmissing='em' would leave the gaps for learn to draw."
        return totals

    def _proposed(self, num_bins: int | None) -> "Preparation":
        """Propose for the rows that stay; columns that go, go."""
        stays = self._stays()
        columns = []
        for plan in self.columns:
            if not plan.is_dropped:
                seen = self._observe(plan, stays)
                action = propose(seen, num_bins, has_missing=plan.missing == "state")
                if isinstance(action, Drop) and seen.look.kind is not plan.kind:
                    action = Drop(f"{action.reason} in the rows that stay")
                plan = with_missing(replace(plan, action=action), seen, plan.missing)
            columns.append(plan)
        return replace(self, columns=tuple(columns))

    def _stays(self) -> "pd.Series[bool]":
        """Which rows stay."""
        import pandas as pd

        stays = pd.Series(True, index=self._frame.index)
        for plan in self.columns:
            if plan.missing == "drop" and not plan.is_dropped:
                stays &= self._values(plan).notna()
        return stays

    def _observe(self, plan: ColumnPlan, stays: "pd.Series[bool]") -> Observed:
        """Look at a column in the rows that stay."""
        return Observed.of(plan.name, self._values(plan)[stays.to_numpy()])

    def _values(self, plan: ColumnPlan) -> "pd.Series[Any]":
        column = self._frame[plan.name]
        return without_infinite(column) if plan.has_infinite else column
