"""The parts of pages, one folder per page: a component takes data and returns the person's input."""
