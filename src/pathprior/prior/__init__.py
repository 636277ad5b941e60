"""From beliefs to one coherent distribution over all DAGs."""
