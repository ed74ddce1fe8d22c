"""Forms in which programs write or print the parts of a query: programs, sessions, elements, columns."""
