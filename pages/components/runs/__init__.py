"""Components of the page Runs."""
