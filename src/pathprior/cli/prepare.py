"""`pathprior prepare`: from a raw data file to one that `learn` takes, proposed and written out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pathprior.cli.console import console
from pathprior.cli.parameters import offering, read_options
from pathprior.problem.listed_forms import split_list
from pathprior.problem.settings import ProblemSettings

if TYPE_CHECKING:
    from pathprior.data.preparation import Preparation


COLUMNS = ProblemSettings.named("columns")


@offering(COLUMNS)
def prepare(
    data: Annotated[Path, typer.Argument(help="Data file: text, .parquet or Excel.")],
    out: Annotated[
        Path | None, typer.Option(help="Write the table here: .csv or .parquet.")
    ] = None,
    write_code: Annotated[
        Path | None, typer.Option(help="Write a Python script that does the same.")
    ] = None,
    bins: Annotated[
        list[str] | None,
        typer.Option(help="Number of bins, as '4' for all or as 'age=4,pay=3'; repeatable."),
    ] = None,
    cuts: Annotated[
        list[str] | None, typer.Option(help="Where to cut, as 'age=30,50'; repeatable.")
    ] = None,
    top: Annotated[
        list[str] | None,
        typer.Option(help="Most frequent states to keep, as 'city=5,job=9'; repeatable."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Columns whose values are states, as 'week,code'; repeatable."),
    ] = None,
    real: Annotated[
        list[str] | None,
        typer.Option(help="Columns whose numbers are measured, as 'age,pay'; repeatable."),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(help="Columns to leave out, as 'age,pay'; repeatable.")
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(help="drop (rows), state or em (gaps), or as 'age=em,pay=drop'; repeatable."),
    ] = None,
    **given: Any,
) -> None:
    """Show what each column holds and what is proposed so that it can be learned from; apply it.

    A .parquet file keeps the order of the states, a .csv file has them sorted by label.

    Example: pathprior prepare cohort.csv --drop age --out clean.csv --write-code clean.py
    """
    from pathprior.data.prepare import prepare as propose

    left_out = split_list(drop)
    columns = read_options(COLUMNS, given)["columns"]
    if columns is not None:
        left_out += [name for name in _others(data, columns) if name not in left_out]
    bins_for_all, bins_of = _settings("bins", split_list(bins), _whole)
    missing_for_all, missing_of = _settings("missing", split_list(missing), str)
    preparation = propose(
        data,
        bins=bins_for_all,
        cuts=_by_column("cuts", cuts, _numbers),
        top=_by_column("top", split_list(top), _whole),
        keep=split_list(keep),
        real=split_list(real),
        drop=left_out,
        missing=missing_of if missing_for_all is None else missing_for_all,
    )
    for column, number in bins_of.items():
        preparation = preparation.change(column, bins=number)
    for column, choice in missing_of.items() if missing_for_all is not None else ():
        preparation = preparation.change(column, missing=choice)
    _write(preparation, out, write_code)


def _write(preparation: "Preparation", out: Path | None, write_code: Path | None) -> None:
    """Show what is proposed, and write what was asked for."""
    _say(str(preparation))
    if out is not None:
        _write_table(preparation, out)
        _say(f"The table is in {out}.")
        if kinds := preparation.kinds:
            _say(f"Learn from it with --real {','.join(kinds)}")
    if write_code is not None:
        _write_code(preparation, write_code, out)
        _say(f"The code is in {write_code}.")
    if out is None and write_code is None:
        _say("Nothing written yet: add --out clean.csv, or change a column first.")


def _others(data: Path, columns: tuple[str, ...]) -> list[str]:
    """The columns of a file that are not named."""
    from pathprior.data.coding import kept_columns
    from pathprior.data.readers import column_names

    names = column_names(data)
    kept = kept_columns(names, columns)
    return [name for name in names if name not in kept]


def _say(text: str) -> None:
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def _write_table(preparation: "Preparation", out: Path) -> None:
    """Write the table if it can be read again as data."""
    from pathprior.data.door import read_dataset
    from pathprior.errors import DataError
    from pathprior.files import saving

    table = preparation.table()
    with saving(out, DataError) as temporary:
        match out.suffix:
            case ".csv":
                table.to_csv(temporary, index=False)
            case ".parquet":
                table.to_parquet(temporary, index=False)
            case _:
                raise DataError(f"the table is written as .csv or .parquet, not to {out}")
        missing = "em" if preparation.has_gaps else "refuse"
        read_dataset(temporary, kinds=preparation.kinds, missing=missing)


def _write_code(preparation: "Preparation", path: Path, out: Path | None) -> None:
    from pathprior.data.actions import quoted
    from pathprior.errors import DataError
    from pathprior.files import saving

    code = preparation.code()
    if out is not None:
        function = "to_csv" if out.suffix == ".csv" else "to_parquet"
        code += f"df.{function}({quoted(str(out))}, index=False)\n"
    with saving(path, DataError) as temporary:
        temporary.write_text(code, encoding="utf-8")


def _settings(option: str, texts: list[str], read: Any) -> tuple[Any, dict[str, Any]]:
    """The value for all columns, if one is given, and those by column."""
    for_all = [text for text in texts if "=" not in text]
    by_column = _by_column(option, [text for text in texts if "=" in text], read)
    return (_read(option, for_all[-1], read) if for_all else None), by_column


def _by_column(option: str, texts: list[str] | None, read: Any) -> dict[str, Any]:
    from pathprior.errors import DataError

    values = {}
    for text in texts or []:
        column, is_given, value = text.rpartition("=")
        if not is_given:
            raise DataError(f"--{option} is written 'column=value', not {text!r}")
        values[column.strip()] = _read(option, value, read)
    return values


def _read(option: str, text: str, read: Any) -> Any:
    from pathprior.errors import DataError

    try:
        return read(text.strip())
    except ValueError as error:
        raise DataError(f"--{option} takes numbers, not {text!r}") from error


def _whole(text: str) -> int:
    return int(text)


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]
