"""`StopReason`: why a search stopped."""

from enum import Enum


class StopReason(Enum):
    """Why a search stopped; `str` gives the sentence."""

    LOCAL_OPTIMUM = "No insertion, removal or reversal of an edge gains."
    PLATEAU = "No move gains, nor does one after turning a covered edge."
    DISTURBED = "No move gains, nor did random disturbances of the graph lead to a better one."
    TABU = "The tabu walk found nothing better for as many steps as the list is long."
    CLASS_OPTIMUM = "No neighbouring class is better, nor one with some variable attached anew."
    SHAKEN = "No neighbouring class is better, nor any that random disturbances led to."
    FOUND_AGAIN = "Searches from elsewhere ended at this class again and again."
    SPENT = "No better class was found with the effort allowed, by disturbances or from elsewhere."
    PROVEN = "No graph within the rules scores higher: all were weighed."
    LIMITED = "No graph scores higher in which a variable has no more parents than were weighed."
    UNPROVEN = "All graphs were bounded, as far as the budget for a proof goes."
    OUT_OF_TIME = "The time limit came: the best graph so far."
    INTERRUPTED = "Interrupted: the best graph so far."

    def __str__(self) -> str:
        return self.value
