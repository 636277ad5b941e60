"""`Checkpoint`: a file from which a run that was cut off goes on, to the same bits."""

import hashlib
import json
import warnings
from os import PathLike
from pathlib import Path
from time import monotonic

import numpy as np

from pathprior.data.dataset import Dataset
from pathprior.errors import PathPriorWarning, PosteriorError, ResumedWarning
from pathprior.posterior.array_file import load_arrays, save_arrays
from pathprior.posterior.array_records import Arrays
from pathprior.posterior.chains import Sampler
from pathprior.posterior.kept import KeptDraws
from pathprior.versions import versions

FORMAT = "pathprior.chains"
VERSION = 1
INTERVAL = 20.0
"""Seconds between two writings."""


class Checkpoint:
    """Where chains are and what they have drawn, in a file, for runs with one fingerprint."""

    def __init__(self, path: str | PathLike[str], fingerprint: str) -> None:
        self._path = Path(path)
        self._fingerprint = fingerprint
        self._written = monotonic()

    def restore(self, kept: KeptDraws) -> None:
        """Go on from the file if there is one of this run; a warning says what was done."""
        if not self._path.exists():
            return
        found = load_arrays(self._path, FORMAT)
        if found is None:
            # it may be anything: nothing is written over it
            raise PosteriorError(
                f"{self._path}: no checkpoint, or damaged; remove it, or name another file"
            )
        about, state = found
        if about.get("version") != VERSION or about.get("fingerprint") != self._fingerprint:
            warnings.warn(
                f"{self._path} is of a run with other data, beliefs, options or versions: it is "
                "not used, and will be replaced",
                PathPriorWarning,
                stacklevel=6,
            )
            return
        if (name := kept.misfit(state)) is not None:
            raise PosteriorError(
                f"{self._path}: damaged: its array {name} is not of the shape and kind that these "
                "chains have; remove the file, or name another"
            )
        kept.restore(state)
        where = f"after {kept.num_drawn} draws of each chain" if kept.num_drawn else "in burning in"
        warnings.warn(f"going on from {self._path}, {where}", ResumedWarning, stacklevel=6)

    def save(self, kept: KeptDraws) -> None:
        """Write where the run is."""
        about = {"format": FORMAT, "version": VERSION, "fingerprint": self._fingerprint}
        save_arrays(self._path, about, kept.state(), is_compressed=False)
        self._written = monotonic()

    def save_sometimes(self, kept: KeptDraws) -> None:
        """Write where the run is, unless that was done of late."""
        if monotonic() - self._written >= INTERVAL:
            self.save(kept)


def fingerprint(data: Dataset, sampler: Sampler) -> str:
    """SHA-256 of all that the draws of a sampler at its start depend on, and of the versions.

    The scores on the lists and of the starts stand for the score, weights and limits of the target
    for beliefs and rules, the random states for the seed.
    """
    given: Arrays = {"codes": data.coded.codes}
    for name in ("observed", "intervened", "imputed"):
        mask = getattr(data, name)
        if mask is not None:
            given[name] = mask
    digest = hashlib.sha256(json.dumps([data.variables, versions()]).encode())
    for block in data.reals.blocks():
        digest.update(np.ascontiguousarray(block).tobytes())
    for name, array in sorted((given | sampler.fixed() | sampler.state()).items()):
        digest.update(f"{name} {array.dtype} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
