"""How people and programs write: the words of labels, tests and wishes; texts, lists and values."""
