"""The local labeler: it compares sentences, without a key and without a server."""

from pathlib import Path

FIGURES = Path(__file__).with_name("everyday.json")
"""How this labeler did on hand-written sentences that it was not trained on; `bench/labels.py --write` writes it."""
