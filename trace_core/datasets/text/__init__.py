"""The bytes of a text file, and what its characters say about its encoding."""
