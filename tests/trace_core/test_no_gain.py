"""No gain by damage: whatever is cut from a reply or garbled in it, and wherever it goes then, nothing is better known.

What a person sees of a damaged reply must never look better founded than what the judge said.
"""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Document, Record, Response
from trace_core.labeling.base import Reply
from trace_core.labeling.gpt import ESSENTIAL, has_no_other_field, missing_lists
from trace_core.llm.prompts import JudgeReply
from trace_core.llm.reading import find_object
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.runs.files.export import export
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import record_lines
from trace_core.runs.files.scored_rows import import_records, import_rows, read_scored_rows
from trace_core.store.runs import RunStore

DOCUMENTS = ["The tank holds 2 litres. It is red.", "The lid is blue."]
RESPONSE = "It holds 2 litres. The lid is blue. It can fly."
KEYS = ("0a", "0b", "1a")
JUNK = "#¤�"
"""What damaged text is full of; no word and no key holds it."""

# Replies


def entries(key):
    value = st.sampled_from([True, False, None, "yes", "no", "partially supported", "not supported", "maybe", 0, 1])
    return st.fixed_dictionaries(
        {
            "response_sentence_key": st.just(key),
            "explanation": st.sampled_from(["", "0a says so.", "No {} word"]),
            "supporting_sentence_keys": st.lists(st.sampled_from([*KEYS, "general", "9z"]), max_size=2),
            "fully_supported": value,
        }
    )


key_lists = st.lists(st.sampled_from(KEYS), max_size=3) | st.none()
replies = st.fixed_dictionaries(
    {
        "relevance_explanation": st.just("0a and 1a."),
        "all_relevant_sentence_keys": key_lists,
        "overall_supported": st.booleans(),
        "sentence_support_information": st.tuples(*map(entries, "abc")).map(list),
        "all_utilized_sentence_keys": key_lists,
    },
    optional={"unsupported_response_sentence_keys": st.lists(st.sampled_from("abc"), max_size=3)},
)
written = st.tuples(replies, st.sampled_from([json.dumps, lambda r: json.dumps(r, indent=1), repr])).map(
    lambda made: made[1](made[0])
)
around = st.sampled_from(["…", "```json\n…\n```", "Here it is:\n…", '{"result": …}', "<think>Hm.</think>…"])
texts = st.tuples(around, written).map(lambda made: made[0].replace("…", made[1]))


@st.composite
def damaged(draw):
    """A reply, and what is left of it: its beginning, or all of it with some characters gone bad."""
    text = draw(texts)
    start = draw(st.integers(0, len(text)))
    if draw(st.booleans()):
        return text, text[:start]
    end = min(len(text), start + draw(st.integers(1, 40)))
    return text, text[:start] + "".join(draw(st.sampled_from(JUNK)) for _ in range(end - start)) + text[end:]


def labeled(text, convention="trace"):
    """The record as the judge's text makes it; without labels where there are none in it."""
    documents = [Document(id=str(i), rank=i + 1, text=one) for i, one in enumerate(DOCUMENTS)]
    record = Record(id="r", question="What of it?", documents=documents, response=Response(text=RESPONSE))
    data = find_object(text, JudgeReply.model_fields)
    if len(missing_lists(data or {})) < len(ESSENTIAL):
        reply = Reply(data, whole=has_no_other_field(data))
        cleaned = reply.clean(record.sentences(), "gpt")
        record.labels, record.cleaning = cleaned.labels, cleaned.notes
    return rescore(record, convention)


RANK = {"unlabeled": 0, "unsupported": 0, "partially": 1, "fully": 2}


def statuses(record):
    keys = record.sentences().response_keys()
    return record.labels.statuses(keys) if record.labels else dict.fromkeys(keys, "unlabeled")


def check_no_gain(whole, after):
    """No sentence is better supported, and no score is defined that was not.

    But for an adherence of 0: a sentence whose supporting keys were damaged has lost them.
    """
    before, now = statuses(whole), statuses(after)
    for key, status in now.items():
        if status != "unlabeled":
            assert before[key] != "unlabeled", key
            assert RANK[status] <= RANK[before[key]], key
    lost = any(before[key] == "partially" and now[key] == "unsupported" for key in now)
    for name in METRICS:
        newly = getattr(whole.scores, name) is None and getattr(after.scores, name) is not None
        assert not newly or (lost and name == "adherence" and after.scores.adherence == 0), name


def swallowed(text):
    """Whether a damaged text has run over the field behind it: what is left reads as a reply without that field."""
    found = find_object(text, JudgeReply.model_fields) or {}
    entries = [entry for entry in found.get("sentence_support_information") or [] if isinstance(entry, dict)]
    return any("fully_supported" not in entry and len(entry) < 4 for entry in entries)


@settings(max_examples=60)
@given(damaged().filter(lambda made: len(made[0]) != len(made[1]) or not swallowed(made[1])))
def test_damage_to_a_reply_makes_nothing_better_known(made):
    text, left = made
    for convention in CONVENTIONS:
        check_no_gain(labeled(text, convention), labeled(left, convention))


# Through the store, each export and back

FORMATS = {"json": "json", "jsonl": "jsonl", "ragbench": "jsonl"}


@pytest.fixture(scope="module")
def travelled(tmp_path_factory):
    """A record by way of the store, one export, and an import into another store."""
    folder = tmp_path_factory.mktemp("no_gain")
    here, there = (RunStore(f"sqlite:///{folder / name}") for name in ("here.sqlite", "there.sqlite"))
    count = 0

    def travelled(record, form):
        nonlocal count
        count += 1
        config = {"convention": record.scores.convention, "labeler": "gpt", "settings": {}}
        run = here.create_run("n", config, total=1, status="done", run_id=f"run{count}")
        here.save_records(run, [record])
        out = io.StringIO()
        export(from_store(here, run), form, out)
        path = folder / f"{count}.{FORMATS[form]}"
        path.write_text(out.getvalue(), encoding="utf-8", newline="")
        if form == "json":
            imported, _ = import_run(there, path)
        elif form == "ragbench":
            rows = read_scored_rows(path).items
            imported, _ = import_rows(there, path, rows, record.scores.convention, {})
        else:
            imported, _ = import_records(there, path, list(record_lines(path)), record.scores.convention, {})
        return next(iter(there.records(imported)))

    yield travelled
    here.database.close()
    there.database.close()


def check_same(before, after):
    """What comes back says the same of every sentence and score, as far as the format holds it, and never more."""
    if after.labels:
        assert statuses(after) == statuses(before)
    before = rescore(before, after.scores.convention)
    for name in METRICS:
        assert getattr(after.scores, name) == getattr(before.scores, name), name
    assert after.scores.undefined == before.scores.undefined
    assert set(before.cleaning) <= set(after.cleaning)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("convention", CONVENTIONS)
@settings(max_examples=4)
@given(made=damaged())
def test_what_is_not_known_stays_not_known_through_every_format_and_back(travelled, form, convention, made):
    for text in made:
        record = labeled(text, convention)
        if record.labels:
            check_same(record, travelled(record, form))
