"""The example queries in the descriptions, the guide and the README."""

import json
from typing import Any

CAPITAL: dict[str, Any] = {
    "tests": ["answer_accuracy", "context_recall", "context_utilisation"],
    "question": "What is the capital of France?",
    "contexts": [
        {"id": "ctx1", "text": "Paris is the capital of France."},
        {"id": "ctx2", "text": "Lyon is in France."},
    ],
    "answer": "Paris",
    "ground_truth": "Paris",
    "relevant_context_ids": ["ctx1"],
}
"""Seed 004's first example."""

NOVEL: dict[str, Any] = {
    "tests": ["context_recall"],
    "question": "Who wrote 'Pride and Prejudice'?",
    "contexts": [{"id": "c1", "text": "Jane Austen authored Pride and Prejudice."}],
    "answer": "Jane Austen",
    "ground_truth": "Jane Austen",
    "relevant_context_ids": ["c1"],
}
"""Seed 004's second example."""

PLAIN = """Evaluate: answer accuracy, context recall, faithfulness
Question: What is the capital of France?
Contexts:
[ctx1] Paris is the capital of France.
[ctx2] Lyon is in France.
Answer: Paris
Ground truth: Paris
Relevant ids: ctx1"""

INCOMPLETE: dict[str, Any] = {"tests": ["faithfulness", "bleu"], "answer": "Paris"}

OBJECTS = {"All parts": CAPITAL, "One test": NOVEL, "Something is missing": INCOMPLETE}
"""Title → the examples that are objects."""
QUERIES = {title: json.dumps(example) for title, example in OBJECTS.items()} | {"Text with labels": PLAIN}
"""Title → query string."""
