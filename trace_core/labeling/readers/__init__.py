"""Readers beside the packaged one: a larger one by name, and none at all."""
