"""Columns that say the same are named, and nothing is done to them."""

import numpy as np
import pandas as pd
import pytest

import pathprior as pp


def survey(num_rows: int = 300) -> pd.DataFrame:
    draw = np.random.default_rng(4)
    return pd.DataFrame(
        {
            "age": draw.normal(50, 10, num_rows),
            "dose": draw.gamma(2.0, 2.0, num_rows),
            "eats": draw.integers(1, 5, num_rows),
            "sleeps": draw.integers(1, 5, num_rows),
            "sex": draw.choice(["m", "f"], num_rows),
        }
    )


def notes(frame: pd.DataFrame) -> tuple[str, ...]:
    return pp.prepare(frame, missing="em").notes


def test_plain_columns_need_no_note() -> None:
    assert notes(survey()) == ()


def test_gaps_in_the_same_rows() -> None:
    frame = survey()
    frame.loc[frame.index[:40], ["dose", "age"]] = np.nan
    (note,) = notes(frame)
    assert note.startswith("'age' and 'dose' are missing in the same 40 rows: ")
    frame.loc[frame.index[:40], "age"] = 1.5
    frame.loc[frame.index[100:140], "age"] = np.nan
    assert not any("missing in the same" in note for note in notes(frame))


def test_a_code_that_columns_share() -> None:
    frame = survey()
    frame.loc[frame.index[:90], ["eats", "sleeps"]] = 9
    (note,) = notes(frame)
    assert note.startswith("'eats' and 'sleeps' hold '9' in the same 90 rows: if it means")


def test_copies_of_states_and_of_measurements() -> None:
    frame = survey().assign(
        gender=lambda frame: frame["sex"].map({"m": 1, "f": 2}),
        months=lambda frame: 12 * frame["age"] + np.arange(300) % 2,
    )
    copy, same = notes(frame)
    assert copy.startswith("'age' and 'months' are nearly the same measurement")
    assert same == "'sex' and 'gender' hold the same under other names: keep one."


def test_rare_states_are_no_copies() -> None:
    frame = survey().assign(rare=0, other=0)
    frame.loc[0, "rare"] = 1
    frame.loc[1, "other"] = 1
    assert notes(frame) == ()


def test_sums_of_two_columns() -> None:
    frame = survey().assign(total=lambda frame: frame["age"] + frame["dose"])
    (note,) = [note for note in notes(frame) if "plus" in note]
    assert note.startswith("'total' is 'age' plus 'dose': leave one of the three out")


def test_a_measurement_with_an_atom() -> None:
    frame = survey().assign(cost=lambda frame: (frame["dose"] - 3).clip(lower=0))
    (note,) = [note for note in notes(frame) if "ranks" in note]
    assert note.startswith("'cost' is 0.0 in ")
    assert "score='ranks' suits such a column" in note


@pytest.mark.parametrize("shown", [str, lambda found: found._repr_html_()])
def test_notes_are_shown_with_the_proposal(shown) -> None:
    frame = survey().assign(gender=lambda frame: frame["sex"].map({"m": 1, "f": 2}))
    assert "hold the same under other names" in shown(pp.prepare(frame))
