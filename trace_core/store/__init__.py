"""What is kept: records in a database, and a log of queries."""
