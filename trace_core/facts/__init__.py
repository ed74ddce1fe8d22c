"""What is stored: sentences, labels, corrections, records."""
