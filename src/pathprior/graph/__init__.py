"""The four relations, DAGs with ancestor bitsets, CPDAGs, equivalence classes and distances."""
