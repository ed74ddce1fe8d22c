"""What is first to be said of a record, why, and what helps: signs → diagnosis → verdict and findings."""
