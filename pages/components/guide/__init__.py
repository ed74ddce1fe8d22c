"""Components of the page Guide."""
