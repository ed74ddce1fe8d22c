"""What the page Ask is made of."""
