"""Finding the DAG that best fits data and beliefs together."""
