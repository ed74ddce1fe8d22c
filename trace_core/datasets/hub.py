"""The public RAGBench by name, through the `datasets` library (an optional install)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.dataset import DataSet, dataset
from trace_core.datasets.raw import Numbered
from trace_core.errors import InputError

REPOSITORY = "rungalileo/ragbench"
SUBSETS = (
    "covidqa", "cuad", "delucionqa", "emanual", "expertqa", "finqa",
    "hagrid", "hotpotqa", "msmarco", "pubmedqa", "tatqa", "techqa",
)  # fmt: skip
SPLITS = ("train", "validation", "test")


def ragbench(subset: str, split: str = "test", *, most: int | None = None) -> DataSet:
    """Rows of RAGBench (arXiv:2407.11005, CC-BY-4.0), downloaded once and then cached by the library.

    Raises `InputError` for an unknown name, without the library, or when the hub cannot be reached.
    """
    if subset not in SUBSETS:
        raise InputError(f"RAGBench has no subset {subset!r}.", f"It has {', '.join(SUBSETS)}.")
    if split not in SPLITS:
        raise InputError(f"RAGBench has no split {split!r}.", f"It has {', '.join(SPLITS)}.")
    return dataset(_rows(subset, split), f"ragbench/{subset}/{split}", most=most)


def _rows(subset: str, split: str) -> Iterator[Numbered]:
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise InputError(
            f"The `datasets` library cannot be imported ({error}).",
            "Install it with `pip install datasets`, or download the files and read them from disk.",
        ) from None
    try:
        loaded: Any = load_dataset(REPOSITORY, subset, split=split)
    except Exception as error:  # the library raises many kinds of exception; all mean "not available"
        raise InputError(
            f"RAGBench cannot be fetched ({type(error).__name__}).",
            "Check the connection to the Hugging Face hub, or download the files and read them from disk.",
        ) from error
    yield from enumerate(loaded, start=1)
