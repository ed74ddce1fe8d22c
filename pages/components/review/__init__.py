"""What the page Review is made of."""
