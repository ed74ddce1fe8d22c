"""Queries as people write them, and the result of each: understood right, in part, refused, or wrong.

Where `part` is expected, one that is understood in part is as good.
"""

import json
from pathlib import Path

from trace_core.endpoint import QueryError, parse_query

NAMES = ("tests", "question", "contexts", "answer", "ground_truth", "relevant_context_ids")


def _cases():
    for path in sorted((Path(__file__).parent / "trace_core" / "endpoint").glob("everyday*.txt")):
        for part in path.read_text(encoding="utf-8").split("=== ")[1:]:
            name, _, rest = part.partition("\n")
            query, _, expected = rest.partition("\n---\n")
            yield name, (query, json.loads(expected))


CASES = dict(_cases())


def outcome(name):
    """`right`, `part`, `refused` or `wrong`, and what was read or reported."""
    query, expected = CASES[name]
    try:
        payload = parse_query(query).payload
    except QueryError as error:
        return ("right" if expected.get("refused", "\0") in str(error) else "refused"), str(error)
    found = payload.model_dump(exclude_defaults=True)
    found["contexts"] = [[c.id, c.text] for c in payload.contexts] or None
    read = {field: found.get(field) for field in NAMES}
    lacks = [field for field in ("relevant_context_ids",) if read[field] and payload.lacks(field)]
    if "refused" in expected:
        return "wrong", read
    wanted = [expected, expected | expected.get("either", {})]
    if any(all(read[field] == one.get(field) for field in NAMES) and lacks == one.get("lacks", []) for one in wanted):
        return "right", read
    differing = [field for field in NAMES if read[field] != expected.get(field)]
    part = lacks == expected.get("lacks", []) and all(read[field] is None for field in differing)
    if part:
        return ("right" if expected.get("part") else "part"), read
    return "wrong", read
