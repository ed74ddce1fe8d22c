"""What the page Collections is made of."""
