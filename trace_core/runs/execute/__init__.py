"""Runs being worked on: rows in, records in the store."""
