"""Runs the tasks of an experiment in parallel, keeps every finished one, resumes where it stopped.

``journal.jsonl`` in the output folder gets one line per finished task, in the order they finish. A
killed run, or a worker that dies, loses at most the tasks under way: a last line cut short is
dropped. When all tasks are done the rows are written, in task order, to ``runs.csv``; running
times, which differ from run to run, go to ``times.csv``. So the same seed gives the same
``runs.csv``, serial, parallel, on a cluster or resumed.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pathprior.errors import ExperimentError
from pathprior.experiments.experiment import Cell, Experiment, Row, Scale, Task
from pathprior.files import replacing

if TYPE_CHECKING:
    import pandas as pd


DASK_PATIENCE = 10
"""Seconds in which a Dask scheduler has to answer."""


@dataclass(frozen=True, slots=True)
class Finished:
    """One finished task: its position in the task list, its rows and its seconds."""

    position: int
    rows: list[Row]
    seconds: float


def run_experiment(
    experiment: Experiment,
    folder: Path,
    *,
    scale: Scale = Scale.DEFAULT,
    seed: int = 0,
    only: Mapping[str, Cell] | None = None,
    num_jobs: int = 1,
    dask: str | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> "pd.DataFrame":
    """Run what is not yet in ``folder`` and return the rows of all tasks.

    Parameters
    ----------
    only
        Keep only the tasks with these settings.
    num_jobs
        Processes on this machine, no more than it has cores; −1 for all.
    dask
        Address of a Dask scheduler, or "local" for a cluster on this machine; None for none.
    on_progress
        Called with (tasks done, tasks in all) at the start and after every task.

    Raises
    ------
    ExperimentError
        If ``num_jobs`` is neither positive nor −1, ``folder`` holds a run with other settings, no
        task has the settings ``only`` asks for, no Dask scheduler answers, or a worker process
        died; run it again to go on.
    """
    import pandas as pd

    if num_jobs < -1 or num_jobs == 0:
        raise ExperimentError(
            f"{num_jobs} jobs do nothing; give a number of processes, or -1 for all cores"
        )
    tasks = _choose(experiment, experiment.tasks(scale, seed), only or {})
    folder.mkdir(parents=True, exist_ok=True)
    settings: dict[str, Any] = {
        "experiment": experiment.name,
        "scale": scale.value,
        "seed": seed,
        "only": dict(only or {}),
        "num_tasks": len(tasks),
    }
    _check_settings(folder, settings)
    journal = folder / "journal.jsonl"
    done = {finished.position: finished for finished in _read_journal(journal)}
    report = on_progress or (lambda done, total: None)
    report(len(done), len(tasks))

    todo = [position for position in range(len(tasks)) if position not in done]
    # one unbuffered write per line: two runs started in one folder by mistake cannot mix theirs
    with journal.open("ab", buffering=0) as lines:
        for finished in _run_tasks(experiment, tasks, todo, num_jobs, dask):
            lines.write(_to_line(finished).encode())
            done[finished.position] = finished
            report(len(done), len(tasks))

    in_order = [done[position] for position in range(len(tasks))]
    rows = pd.DataFrame([row for finished in in_order for row in finished.rows])
    if "seconds" in rows:
        times = rows[[*experiment.timed_by, "seconds"]]
        rows = rows.drop(columns="seconds")
    else:
        times = pd.DataFrame(
            {**tasks[finished.position], "seconds": finished.seconds} for finished in in_order
        )
    for name, frame in (("runs.csv", rows), ("times.csv", times)):
        with replacing(folder / name) as temporary:
            frame.to_csv(temporary, index=False)
    return rows


def _run_tasks(
    experiment: Experiment,
    tasks: Sequence[Task],
    todo: Sequence[int],
    num_jobs: int,
    dask: str | None,
) -> Iterator[Finished]:
    """Finished tasks as they come, from this process, joblib's processes or a Dask cluster."""
    if not todo:
        return
    if num_jobs == 1 and dask is None:
        for position in todo:
            yield _run_task(experiment.run, position, tasks[position])
        return
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    # more processes than cores only use memory; a cluster knows how many it has
    num_processes = min(num_jobs, joblib.cpu_count()) if dask is None else num_jobs
    with _backend(dask):
        parallel = joblib.Parallel(n_jobs=num_processes, return_as="generator_unordered")
        try:
            yield from parallel(
                joblib.delayed(_run_task)(experiment.run, position, tasks[position])
                for position in todo
            )
        except TerminatedWorkerError:
            raise ExperimentError(
                "a worker process died, perhaps for want of memory; finished tasks are kept: "
                "run the same command again, with fewer jobs"
            ) from None


def _choose(
    experiment: Experiment, tasks: Sequence[Task], only: Mapping[str, Cell]
) -> Sequence[Task]:
    """The tasks that have the settings ``only``."""
    chosen = [task for task in tasks if all(task.get(key) == only[key] for key in only)]
    if not chosen:
        wanted = ", ".join(f"{key}={value}" for key, value in only.items())
        raise ExperimentError(f"{experiment.name} has no task with {wanted}; leave it out")
    return chosen


def _run_task(run: Callable[[Task], list[Row]], position: int, task: Task) -> Finished:
    start = perf_counter()
    return Finished(position, run(task), perf_counter() - start)


@contextmanager
def _backend(dask: str | None) -> Iterator[None]:
    """Send joblib's work to a Dask cluster for the duration, if one is asked for."""
    if dask is None:
        yield
        return
    try:
        import distributed
    except ImportError:
        raise ExperimentError(
            "running on Dask needs the extra: pip install 'pathprior[dask]'"
        ) from None
    import joblib

    make_client: Any = distributed.Client
    try:
        client = make_client() if dask == "local" else make_client(dask, timeout=DASK_PATIENCE)
    except (OSError, ValueError) as error:  # nobody answers; no address
        raise ExperimentError(
            f"no Dask scheduler at {dask!r} ({error}); give the address that 'dask scheduler' "
            'printed, or "local"'
        ) from None
    with client, joblib.parallel_config(backend="dask", wait_for_workers_timeout=60):
        yield


def _check_settings(folder: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to mix two different runs in one folder."""
    path = folder / "settings.json"
    if path.exists():
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ExperimentError(f"{path} cannot be read; remove {folder} to start anew") from None
        if held != settings:
            raise ExperimentError(
                f"{folder} holds a run with other settings ({held}); "
                "choose another folder or remove it"
            )
        return
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(settings, indent=2), encoding="utf-8")


def _to_line(finished: Finished) -> str:
    # names once, values row by row: a figure has hundreds of thousands of rows
    entry = {
        "task": finished.position,
        "seconds": finished.seconds,
        "columns": list(finished.rows[0]),
        "rows": [list(row.values()) for row in finished.rows],
    }
    return json.dumps(entry) + "\n"


def _read_journal(path: Path) -> Iterator[Finished]:
    """Finished tasks of an earlier run; a last line cut short is removed from the file."""
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with path.open("r+b") as file:
            file.truncate(len(whole))
    for number, line in enumerate(whole.decode("utf-8", errors="replace").splitlines(), start=1):
        try:
            entry = json.loads(line)
            rows = [dict(zip(entry["columns"], row, strict=True)) for row in entry["rows"]]
            yield Finished(entry["task"], rows, entry["seconds"])
        except (ValueError, TypeError, KeyError):
            raise ExperimentError(
                f"{path}, line {number} is damaged; remove that line to repeat its task"
            ) from None
