"""The best DAG of all, by sums over subsets and, where paths count, by branches and bounds.

Sets of at most 25 nodes are the bits of one number. The parent sets of v leave v's own bit out, so
that a table of them has half as many places as there are sets (`squeeze`, `widen`).
"""
