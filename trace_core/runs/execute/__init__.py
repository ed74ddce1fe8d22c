"""Run execution: rows in, records in the store."""
