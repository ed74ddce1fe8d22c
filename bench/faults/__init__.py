"""Faults put into real rows, with the labels that follow from the original ones."""
