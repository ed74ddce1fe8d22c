"""Components of the page Trends."""
