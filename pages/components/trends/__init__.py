"""What the page Trends is made of."""
