"""Ctrl-C at random moments: every run must end soon, by status 130 or with results, and plainly.

    python benchmarks/interrupts.py --times 64 --within 4 -- posterior data.csv --out out

Runs `pathprior` with what follows ``--`` so often, sends SIGINT after a random time, and says how
each run ended. With ``--cold`` kernels are compiled anew in each run.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

COMMAND = str(Path(sys.executable).with_name("pathprior"))
LONGEST = 300.0
"""Seconds after which a run that does not end is killed."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ended that was sent SIGINT after some seconds."""

    after: float
    status: int
    seconds: float
    error: str

    @property
    def is_plain(self) -> bool:
        """Whether it was interrupted, or had ended or gone on to its results, without a traceback.

        In the first hundredth of a second the signal ends Python itself.
        """
        return "Traceback" not in self.error and self.status in (0, 130, -signal.SIGINT)


def interrupt(arguments: Sequence[str], after: float, *, environment: dict[str, str]) -> Ending:
    """Run the command and send it SIGINT once."""
    # a signal that is ignored here would be ignored there
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run = subprocess.Popen(
        [COMMAND, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        start_new_session=True,
        encoding="utf-8",
    )
    sleep(after)
    sent = monotonic()
    run.send_signal(signal.SIGINT)
    try:
        error = run.communicate(timeout=LONGEST)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        error = run.communicate()[1]
    return Ending(after, run.returncode, monotonic() - sent, error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=64)
    parser.add_argument("--within", type=float, default=4.0, help="seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("arguments", nargs="+")
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    endings = []
    for _ in range(asked.times):
        with tempfile.TemporaryDirectory() as cache:
            environment = {"NUMBA_CACHE_DIR": cache} if asked.cold else {}
            after = draw.uniform(0, asked.within)
            ending = interrupt(asked.arguments, after, environment=environment)
        endings.append(ending)
        if not ending.is_plain:
            print(f"after {ending.after:.3f} s: status {ending.status}\n{ending.error}")
    print(Counter(ending.status for ending in endings))
    print(f"longest until the end {max(ending.seconds for ending in endings):.1f} s")
    print(f"not plain: {sum(not ending.is_plain for ending in endings)} of {len(endings)}")


if __name__ == "__main__":
    main()
