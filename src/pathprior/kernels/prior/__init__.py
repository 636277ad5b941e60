"""The prior of a graph: what it says of pairs, what a move changes, what one can at most."""
