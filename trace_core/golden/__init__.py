"""Golden questions: what should be found and answered, and what went wrong otherwise."""
