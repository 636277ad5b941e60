"""`Method`: what finds something for a problem, and says in its own words why it stopped."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pathprior.problem.problem import Problem
from pathprior.search.driver import SearchResult
from pathprior.search.interrupt import StopRequest
from pathprior.search.progress import OnProgress
from pathprior.search.stop_reason import StopReason

Found = TypeVar("Found", covariant=True)


@dataclass(frozen=True, slots=True)
class Watch:
    """Who may stop a method, and who is told how far it is.

    Attributes
    ----------
    stop
        Whether to stop at the next safe point.
    on_progress
        Called now and then; None where nobody looks.
    """

    stop: StopRequest
    on_progress: OnProgress | None = None

    @property
    def unseen(self) -> "Watch":
        """The same, of which nobody is told."""
        return Watch(self.stop)

    def why(self, otherwise: StopReason) -> StopReason:
        """Why a method stopped: somebody asked for it, or what it says itself."""
        if self.stop.is_interrupted:
            return StopReason.INTERRUPTED
        return StopReason.OUT_OF_TIME if self.stop.is_set else otherwise


class Method(Protocol[Found]):
    """A way to a result. What it may be told besides the problem are its attributes."""

    def run(self, problem: Problem, watch: Watch) -> Found:
        """Find it; return what there is when ``watch`` asks to stop."""
        ...


class Search(ABC):
    """A method that finds one graph; some make use of another."""

    @abstractmethod
    def run(self, problem: Problem, watch: Watch) -> SearchResult:
        """See `Method.run`; it begins at the start of the problem."""

    def restarted(self) -> "Search":
        """What finds further graphs of the same problem, from other starts."""
        return self

    def one_of(self, number: int) -> "Search":
        """What shares its effort with others, so many in all, where that is what ends it."""
        return self
