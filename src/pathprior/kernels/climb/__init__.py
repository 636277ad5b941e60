"""Hill climbing over DAGs."""
