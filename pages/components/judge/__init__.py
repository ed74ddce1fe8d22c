"""Components of the page Judge."""
