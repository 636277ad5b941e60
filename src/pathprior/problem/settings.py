"""`ProblemSettings`: the options that say what is to be learned, whatever the method."""

from dataclasses import dataclass
from typing import Any

from pathprior.counting.expected_parents import AUTO, ExpectedParents
from pathprior.data.gaps import REFUSE
from pathprior.data.interventions import HARD
from pathprior.problem.forms import Choice, Form, Most, Parents, ScoreName, Target, Weight, Whole
from pathprior.problem.listed_forms import Edges, KindsOfColumns, Listed, Reliabilities, Tiers
from pathprior.problem.options import Group, Options, option
from pathprior.score.named import AUTO as AUTO_SCORE
from pathprior.score.named import PENALISED, SCORE_NAMES
from pathprior.score.sample_size import DEFAULT_SAMPLE_SIZE

ISOLATE, KEEP = "isolate", "keep"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSettings(Options):
    """What was asked of data, beliefs, rules and score.

    Attributes
    ----------
    columns
        The columns that are used; None for all.
    kinds
        The columns that were declared, by name, with their kinds.
    interventions
        The column that says what was set; None without one, or where it was said otherwise.
    reliability
        The sources whose reliability was given, with a and b of Beta(a, b).
    score
        The name of the score, or the representation of a score object.
    """

    columns: tuple[str, ...] | None = option(
        None,
        Listed(is_optional=True, none="all"),
        Group.DATA,
        "Columns to use and no others, as 'age,pay'; repeatable.",
    )
    kinds: tuple[tuple[str, str], ...] = option(
        (),
        KindsOfColumns(),
        Group.DATA,
        flags={
            "real": "Whole numbers that are measured, as 'age,pay'; repeatable.",
            "discrete": "Fractions that are states, as 'dose,share'; repeatable.",
        },
    )
    interventions: str | None = option(
        None,
        Target(is_optional=True),
        Group.DATA,
        "Column that names what was set in a row: nothing, 'A' or 'A;B'.",
    )
    interventions_kind: str = option(
        HARD, Form(), Group.DATA, "hard: values were set; soft: how they come about was changed."
    )
    missing: str = option(
        REFUSE,
        Form(),
        Group.DATA,
        "Missing values: refuse, em (draw them), state or drop (their rows).",
    )
    constant_columns: str = option(
        ISOLATE,
        Choice(names=(ISOLATE, KEEP)),
        Group.DATA,
        "Columns with one value: isolate (no edges there) or keep.",
    )
    reliability: tuple[tuple[str, tuple[float, float]], ...] = option(
        (),
        Reliabilities(),
        Group.BELIEFS,
        "Of a source of statements, Beta(a, b), as 'survey=8,2'; repeatable.",
    )
    expected_parents: ExpectedParents = option(
        AUTO,
        Parents(is_optional=True),
        Group.BELIEFS,
        "Parents of a variable on average before anything is believed: a number, auto (1), or "
        "none (all DAGs alike).",
    )
    repair: str = option(
        "soft",
        Form(),
        Group.BELIEFS,
        "For beliefs that cannot hold together: soft, gema or error.",
    )
    pool: str = option(
        "sources",
        Form(),
        Group.BELIEFS,
        "Beliefs of different sources: sources, independent evidence, or joint, one mind.",
    )
    max_parents: int | None = option(
        None, Most(is_optional=True, none="no limit"), Group.RULES, "Most parents of a variable."
    )
    required: tuple[tuple[str, str], ...] = option(
        (), Edges(), Group.RULES, "Edges that must be there, as 'A->B,C->D'; repeatable."
    )
    forbidden: tuple[tuple[str, str], ...] = option(
        (), Edges(), Group.RULES, "Edges that may not be there, as 'A->B,C->D'; repeatable."
    )
    tiers: tuple[tuple[str, ...], ...] = option(
        (),
        Tiers(),
        Group.RULES,
        flags={
            "tier": "Variables 'A,B,…' of one tier; repeat, earliest tier first. Rules out edges "
            "back; paths back too where every variable is in a tier."
        },
    )
    score: str = option(
        AUTO_SCORE,
        ScoreName(penalised=PENALISED),
        Group.SCORE,
        flags={
            "score": f"One of {', '.join(SCORE_NAMES)}; or {AUTO_SCORE}, by the columns. loglik "
            "needs --max-parents.",
            "penalty": "Factor of the penalty of gaussian-bic; 1 by default.",
        },
    )
    equivalent_sample_size: float = option(
        DEFAULT_SAMPLE_SIZE, Weight(), Group.SCORE, "Weight of the BDeu prior, in rows."
    )
    seed: int = option(0, Whole(), Group.OUTPUT, "Seed of everything random.")

    @property
    def reading(self) -> dict[str, Any]:
        """How the data are read: arguments of `read_dataset`."""
        return {
            "columns": self.columns,
            "kinds": dict(self.kinds),
            "interventions": self.interventions,
            "interventions_kind": self.interventions_kind,
            "missing": self.missing,
        }
