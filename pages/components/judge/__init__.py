"""What the page Judge is made of."""
