"""Storage: records in a database, and a log of queries."""
