"""The most important thing to say about a record, why, and what helps: signs → diagnosis → verdict, findings."""
