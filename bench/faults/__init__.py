"""Faults injected into real rows, with labels derived from the original ones."""
