"""Runs that are finished: picked from, compared, followed over time."""
