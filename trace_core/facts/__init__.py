"""The data that is stored: sentences, labels, corrections, records."""
