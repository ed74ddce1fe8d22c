"""Components of the page Collections."""
