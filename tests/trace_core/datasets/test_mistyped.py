"""JSON files with values of other types than their tools write: rows or errors, never an exception of another kind."""

import json
import random

import anyones_files
import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

VALUES = [None, 0, 1.5, "", "x", "How?", [], {}, [None], ["a"], [[]], [{}], {"text": "a"}, {"a": {}}, True, {"key": 1}]
KEYS = ["question", "answer", "type", "x", "value", "text", "messages"]
SHARES = (0.01, 0.03, 0.1)
"""The shares of values that are replaced."""
NAMES = [name for name in anyones_files.CASES if name.endswith((".json", ".jsonl", ".ndjson"))]


def mutated(value, share, chance):
    if chance.random() < share:
        return chance.choice(VALUES)
    if isinstance(value, dict):
        kept = {key: held for key, held in value.items() if chance.random() > share / 2}
        named = ((key if chance.random() > share / 2 else chance.choice(KEYS), held) for key, held in kept.items())
        return {key: mutated(held, share, chance) for key, held in named}
    return [mutated(one, share, chance) for one in value] if isinstance(value, list) else value


def values_of(name, folder):
    """The JSON values in a case's file; none where it is not JSON."""
    text = anyones_files.made(name, folder).read_text(encoding="utf-8", errors="replace")
    try:
        return [json.loads(text)] if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return []


def complaint(path):
    try:
        return len(read_dataset(path, name=path.name).items)
    except InputError as error:
        return str(error)


@pytest.mark.parametrize("share", SHARES)
def test_mistyped_values_are_errors_of_their_rows(tmp_path, share):
    chance = random.Random(share)
    for name in NAMES:
        whole = [mutated(value, share, chance) for value in values_of(name, tmp_path)]
        path = tmp_path / f"mutated_{name}"
        path.write_text("\n".join(map(json.dumps, whole)), encoding="utf-8")
        assert complaint(path) is not None, name
