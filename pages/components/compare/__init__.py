"""Components of the page Compare."""
