"""How many DAGs there are, and how many have each configuration of relations."""
