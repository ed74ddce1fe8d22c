"""A sample in running prose whose texts are quoted: what they are, and which of them are relevant."""
