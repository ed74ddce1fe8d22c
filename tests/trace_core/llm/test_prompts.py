"""The prompts: labels are stored with their names, versions and hashes."""

import re

from trace_core.endpoint.names import ALIASES
from trace_core.llm import prompts
from trace_core.llm.messages import Prompt

EVERY = [one for one in vars(prompts).values() if isinstance(one, Prompt)]
HASHES = {
    "answer-1": "cdd5a32e",
    "decisions-1": "4f91d069",
    "golden-1": "13a72360",
    "golden-answer-1": "787c97f6",
    "mapping-1": "84a9e7ad",
    "questions-1": "66bf9009",
    "rating-1": "8ffe387c",
    "reading-1": "f1b22d26",
    "trace-1": "b0fbf6ba",
}


def test_the_words_of_a_prompt_change_only_with_its_version():
    assert dict(one.id.split(" / ") for one in EVERY) == HASHES


def test_no_prompt_has_a_part_that_is_not_filled_in():
    assert [one.name for one in EVERY if re.search(r"[{}]", one.instructions)] == []


def test_the_prompt_that_reads_a_query_names_every_test():
    assert ", ".join(ALIASES) in prompts.READING.instructions
