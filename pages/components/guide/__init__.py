"""What the page Guide is made of."""
