"""Forms in which programs write or print the parts of a query: values, programs, sessions, elements, columns."""
