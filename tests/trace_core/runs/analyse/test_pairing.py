from stored_examples import stored

from trace_core.runs.analyse.pairing import pair


def ids(found):
    return [(a["id"], b["id"]) for a, b in found.pairs]


def test_records_are_paired_by_their_source_id_whatever_their_order():
    found = pair([stored("x"), stored("y")], [stored("y"), stored("x")])
    assert ids(found) == [("x", "x"), ("y", "y")]


def test_one_source_id_stands_for_two_generators():
    a = [stored("1", generator="gpt"), stored("1#2", source="1", generator="claude")]
    b = [stored("1", generator="claude"), stored("1#2", source="1", generator="gpt")]
    assert ids(pair(a, b)) == [("1", "1#2"), ("1#2", "1")]


def test_a_source_id_that_repeats_is_left_to_the_question():
    a = [stored("1", question="Who?"), stored("1#2", source="1", question="Where?")]
    b = [stored("1", question="Where?"), stored("1#2", source="1", question="Who?")]
    assert ids(pair(a, b)) == [("1", "1#2"), ("1#2", "1")]


def test_a_question_that_repeats_is_paired_in_order():
    a = [stored("a1", question="Who?"), stored("a2", question="Who?")]
    b = [stored("b1", question="Who?"), stored("b2", question="Who?"), stored("b3", question="Who?")]
    found = pair(a, b)
    assert ids(found) == [("a1", "b1"), ("a2", "b2")]
    assert [r["id"] for r in found.only_b] == ["b3"]


def test_records_without_a_source_id_are_paired_by_question():
    a, b = stored("x") | {"source_id": None}, stored("y") | {"source_id": None}
    assert ids(pair([a], [b])) == [("x", "y")]
    assert ids(pair([a], [b | {"question": "Another?"}])) == []


def test_another_generator_of_the_same_question_is_the_other_configuration():
    assert ids(pair([stored("1", generator="small")], [stored("1", generator="large")])) == [("1", "1")]


def test_the_rest_has_no_partner():
    found = pair([stored("x", question="Who?")], [stored("y", question="Where?")])
    assert (found.pairs, len(found.only_a), len(found.only_b)) == ([], 1, 1)


def test_nothing_pairs_with_nothing():
    assert pair([], []).pairs == []


def test_rows_of_other_data_with_the_same_numbers_are_no_partners():
    a = [stored(str(n), question=f"How is coffee {n} made?") for n in range(3)]
    b = [stored(str(n), question=f"How is rocket {n} built?") for n in range(3)]
    found = pair(a, b)
    assert (len(found.pairs), len(found.only_a), len(found.only_b)) == (0, 3, 3)


def test_a_question_that_was_reworded_keeps_its_partner():
    a = [stored("1", question="How much?"), stored("2", question="When?"), stored("3", question="Why?")]
    b = [stored("1", question="How much is it?"), stored("2", question="when? "), stored("3", question="Why?")]
    assert ids(pair(a, b)) == [("1", "1"), ("2", "2"), ("3", "3")]
