import pytest
from run_examples import labeled

from trace_core.facts.records import Golden
from trace_core.store.rows import LONGEST_FIELD, MOST_FIELDS
from trace_core.store.runs import RunStore


@pytest.fixture
def store(url):
    opened = RunStore(url)
    yield opened
    opened.database.close()


@pytest.fixture
def run(store):
    return store.create_run("first", {})


def kept(store, run, **fields):
    store.save_records(run, [labeled("1", fields=fields)])
    return {name: values[1] for name, values in store.row_fields(run).items()}


def test_each_field_has_its_values_by_position(store, run):
    store.save_records(run, [labeled("1", fields={"user": "ann", "latency": 1.5}), labeled("2")])
    store.save_records(run, [labeled("3", fields={"user": "bob"})])
    assert store.row_fields(run) == {"user": {1: "ann", 3: "bob"}, "latency": {1: 1.5}}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"cached": True, "version": 2}, {"cached": True, "version": 2}),
        ({"metadata": {"user": "ann", "more": {"deep": 1}}}, {"metadata.user": "ann"}),
        ({"tags": ["a", "b"], "about": {"topics": ["x", "x"]}}, {"tags": ["a", "b"], "about.topics": ["x"]}),
        ({"mixed": ["a", 1], "none": [], "blank": [" "], "passages": ["x" * 5000]}, {}),
        ({"many": [str(n) for n in range(500)]}, {}),
        ({"note": None, "empty": " ", "": "nameless"}, {}),
        ({"odd": "a\x00\ud800"}, {"odd": "a��"}),
        ({"long": "x" * 5000}, {"long": "x" * (LONGEST_FIELD + 1)}),
    ],
)
def test_short_values_are_kept(store, run, given, found):
    assert kept(store, run, **given) == found


def test_the_category_of_a_golden_question_is_one(store, run):
    golden = Golden(expected_documents=["0"], category="single")
    store.save_records(run, [labeled("1", golden=golden), labeled("2", fields={"category": "many"})])
    assert store.row_fields(run) == {"category": {1: "single", 2: "many"}}


def test_of_a_row_with_very_many_fields_the_first_are_kept(store, run):
    assert list(kept(store, run, **{f"f{n}": n for n in range(500)})) == [f"f{n}" for n in range(MOST_FIELDS)]
