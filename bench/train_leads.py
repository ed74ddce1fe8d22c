"""Train the model that tells what a quoted text is from the words around it.

    python bench/train_leads.py            # how often it is right, each fifth of the messages left out in turn
    python bench/train_leads.py --write    # and the weights that ship

It learns from what `bench/leads/` holds, hand-written leads and whole messages, and from the quotations in the cases of
POST /trace's tests. The same files give the same weights. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from everyday_queries import CASES  # noqa: E402  # after the path is set

from trace_core.endpoint.reading.leads.surroundings import FILE, ROLES, SIZE, Around, hashed  # noqa: E402
from trace_core.endpoint.reading.prose.quotations import WITHIN, arounds, quotations  # noqa: E402

FOLDER = ROOT / "bench" / "leads"
C = 100.0
"""Inverse regularization strength, chosen by leaving messages out."""
ALONE = 0.5
"""The weight of a lead that stands alone, where one in a message has 1."""
LEVELS = 127
"""Weights are kept as whole numbers up to this."""
SURE = 0.9


class Lead(NamedTuple):
    """A quotation's surroundings, its role, and the message that it stands in."""

    around: Around
    role: str
    message: str
    weight: float = 1.0


def leads() -> Iterator[Lead]:
    """Everything to learn from, with and without a stop at a text's end: where that stands is its writer's habit."""
    for lead in _written():
        yield lead
        if lead.around.text.endswith("."):
            yield lead._replace(around=lead.around._replace(text=lead.around.text[:-1]))


def _written() -> Iterator[Lead]:
    for path in sorted(FOLDER.glob("leads_*.jsonl")):
        yield from _alone(path)
    for path in sorted(FOLDER.glob("messages_*.jsonl")):
        for one in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            yield from _of_message(f"{path.stem}: {one['name']}", one["query"], one["expected"])
    for name, (query, expected) in CASES.items():
        if "refused" not in expected and query.lstrip()[:1] not in "{[<`":
            found = list(_of_message(name, query, expected))
            known = sum(lead.role != "none" for lead in found)
            if known == sum(map(len, _roles(expected).values())):
                yield from found


def _alone(path: Path) -> Iterator[Lead]:
    """Leads without their texts; a message begins where nothing is before a quotation."""
    message = 0
    for one in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        message += one["prev"] is None
        asks = "?" if one["ends_with_question_mark"] else ""
        yield Lead(Around(one["lead"], one["trail"], asks, one["prev"]), one["role"], f"{path.stem}: {message}", ALONE)


def _roles(expected: Mapping[str, Any]) -> dict[str, list[str]]:
    """Each text of a query → its roles; several where a text stands in several places."""
    truth = expected.get("ground_truth") or []
    texts = [(name, expected[name]) for name in ("question", "answer") if expected.get(name)]
    texts += [("contexts", text) for _, text in expected.get("contexts") or []]
    texts += [("ground_truth", text) for text in ([truth] if isinstance(truth, str) else truth)]
    found: dict[str, list[str]] = {}
    for role, text in texts:
        found.setdefault(text.strip(" .,"), []).append(role)
    return found


def _of_message(name: str, query: str, expected: Mapping[str, Any]) -> Iterator[Lead]:
    left = _roles(expected)
    previous = None
    parts = quotations(query)
    for part, around in zip(parts, arounds(query, parts), strict=True):
        of_text = left.get(WITHIN.sub("", part.text, count=1).strip(" .,"))
        role = of_text.pop(0) if of_text else "none"
        yield Lead(around._replace(previous=previous), role, name)
        previous = role


def matrix(of: Sequence[Lead]) -> csr_matrix:
    """k × `SIZE`, each row of length 1."""
    rows = [hashed(lead.around) for lead in of]
    ends = np.cumsum([0, *map(len, rows)])
    values = np.concatenate([np.full(len(row), len(row) ** -0.5) for row in rows])
    return csr_matrix((values, np.concatenate(rows), ends), shape=(len(rows), SIZE))


def fit(of: Sequence[Lead]) -> LogisticRegression:
    """Logistic regression over all roles."""
    roles, weights = [ROLES.index(lead.role) for lead in of], [lead.weight for lead in of]
    return LogisticRegression(C=C, max_iter=5000).fit(matrix(of), roles, sample_weight=weights)


def report(of: Sequence[Lead]) -> None:
    """Print how many of the left out are right, and how many where the model is sure."""
    roles, chances = np.array([ROLES.index(lead.role) for lead in of]), np.zeros((len(of), len(ROLES)))
    messages = [lead.message for lead in of]
    for learn, left_out in GroupKFold(5).split(of, groups=messages):
        model = fit([of[i] for i in learn])
        chances[left_out] = model.predict_proba(matrix([of[i] for i in left_out]))
    right, sure = chances.argmax(axis=1) == roles, chances.max(axis=1) >= SURE
    files = np.array(
        [name.partition(":")[0] if name.startswith(("leads_", "messages_")) else "cases" for name in messages]
    )
    for file in sorted(set(files)):
        among = files == file
        print(f"{file}: {among.sum():,} quotations, {right[among].mean():.1%} right; "
              f"sure of {sure[among].mean():.1%}, of these {right[among & sure].mean():.1%} right")  # fmt: skip


def write(of: Sequence[Lead]) -> None:
    """Write the weights that ship, as whole numbers."""
    model = fit(of)
    scale = np.abs(model.coef_).max() / LEVELS
    weights = np.round(model.coef_.T / scale).astype(np.int8)
    np.savez_compressed(FILE, weights=weights, scale=scale, bias=model.intercept_)
    print(f"{FILE.name}: {FILE.stat().st_size / 1e3:.0f} kB")


def main() -> None:
    """Report, and write where asked to."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--write", action="store_true")
    asked = arguments.parse_args()
    found = list(leads())
    report(found)
    if asked.write:
        write(found)


if __name__ == "__main__":
    main()
