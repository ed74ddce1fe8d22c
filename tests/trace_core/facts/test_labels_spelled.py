"""Lists of keys as judges write them: what names keys is read, what nobody can read is missing, “none” is empty."""

import pytest
from label_examples import cleaned, entry, supports

from trace_core.facts.sentences import letters

THREE = ["0a", "0b", "0c"]
TWENTY_SIX = [letters(j) for j in range(26)]


def relevant(listed, document=THREE, response=("a", "b")):
    return cleaned({"all_relevant_sentence_keys": listed}, document, list(response)).labels.all_relevant_sentence_keys


def unsupported(listed, response=TWENTY_SIX):
    raw = {"unsupported_response_sentence_keys": listed}
    return cleaned(raw, response=response).labels.unsupported_response_sentence_keys


EVERY = [
    ["all"],
    "all",
    ["ALL."],
    ["All sentences"],
    ["all document sentences"],
    ["every sentence"],
    "everything",
    ["Sentences 0a-0c"],
    ["Sentences 0a to 0c"],
    ["from 0a to 0c"],
    ["between 0a and 0c"],
    ["between sentences 0a and 0c"],
    ["sentence 0a to sentence 0c"],
    ["0a up to 0c"],
    ["0a to 0c inclusive"],
    ["0a-0c (inclusive)"],
    ["0c-0a"],
    ["0c through 0a"],
    ["0a‑0c"],
    ["0a‒0c"],
    ["0a−0c"],
    ["0a --- 0c"],
    ["0a…0c"],
    ["0a...0c"],
    ["0a .. 0c"],
    ["0a, …, 0c"],
    ["0a→0c"],
    ["0a->0c"],
    ["0a～0c"],
    ["0a - c"],
    ["0a - 0z"],
    ["0A–0C: all about the tank"],
    ["０ａ－０ｃ"],
    ["0a, b, c"],
    ["0a/b/c"],
    ["Document 0: a, b, c"],
    ["Document 0: sentences a-c"],
    ["document 0, sentences a, b and c"],
    "0a: One two.\n0b: Three, four.\n0c: Five.",
    "- 0a\n- 0b\n- 0c",
    ["0a: One two. 0b: Three four. 0c: Five."],
    '["0a", "0b", "0c"]',
    ["[0a][0b][0c]"],
    ["Document 0: 0a, 0b and 0c"],
    ["Doc 0: a; Doc 0: b; Doc 0: c"],
    ["0: a, b, c"],
    "1. 0a\n2. 0b\n3) 0c",
    ["0a, 0b and 0c are relevant"],
    ["(0a), (0b) and (0c)"],
    ["0a + 0b + 0c"],
    ["0a | 0b | 0c"],
    ["0a、0b，0c"],
    ["0a؛ 0b، 0c"],
    ["0a • 0b • 0c"],
    ["Sentences 0a, 0b, and 0c"],
    ["relevant sentences: 0a, 0b, 0c"],
    ["the sentences 0a, 0b as well as 0c"],
    ["0a and/or 0b", "0c"],
    ["0a", ["0b", "0c"]],
    ["0a (partially)", "0b (it names the tank, and its size)", "0c (main point)"],
]


@pytest.mark.parametrize("listed", EVERY, ids=repr)
def test_what_names_every_key_is_read(listed):
    assert relevant(listed) == THREE


@pytest.mark.parametrize(
    ("listed", "read"),
    [
        (["0a、0b"], ["0a", "0b"]),
        (["sentences 0a and 0b"], ["0a", "0b"]),
        (["both 0a and 0b"], ["0a", "0b"]),
        (["**0a**", "**0b**"], ["0a", "0b"]),
        (["**0a**, __0b__"], ["0a", "0b"]),
        (["- [0a]", "* 0b"], ["0a", "0b"]),
        (["0a (0b)"], ["0a", "0b"]),
        (["0a (see 0b)"], ["0a", "0b"]),
        (["“0a”", "«0b»"], ["0a", "0b"]),
        (["0a is relevant.", "0b"], ["0a", "0b"]),
        (["0a, n/a"], ["0a"]),
    ],
    ids=repr,
)
def test_what_names_two_keys_is_read(listed, read):
    assert relevant(listed) == read


@pytest.mark.parametrize(
    "item",
    [
        "0a\u200b",
        "\ufeff0a",
        "0\u00ada",
        "0a (partially)",
        "0a [partially]",
        "0a: partially",
        "0a — it says so",
        "<0a>",
        "`0a`",
        "*0a*",
        "#0a",
        "^0a",
        "【0a】",
        "０a",
        "٠a",
        "०a",
        "0-a",
        "0.a",
        "0_a",
        "0:a",
        "only 0a",
        "0a only",
        "key = 0a",
        "Sentence Key: 0a",
        "supported by 0a",
        "see sentence 0a",
        "doc0a",
    ],
    ids=repr,
)
def test_a_key_is_read_whatever_marks_are_about_it(item):
    assert relevant([item]) == ["0a"]


@pytest.mark.parametrize(
    "listed",
    [
        ["*"],
        ["..."],
        ["?"],
        ["the first document"],
        ["all but 0b"],
        ["all except 0b"],
        ["not 0a"],
        ["no 0a"],
        ["0a is not relevant"],
        ["0a (not relevant)"],
        ["0a: irrelevant"],
        ["0a - not used"],
        ["0a?"],
        ["most of them"],
        ["unknown"],
        ["a"],
        ["a", "b"],
        ["0"],
        ["0-2"],
        ["0a-"],
        ["yes"],
        ["all of document 0"],
        ["9z", "the rest"],
        ["none", "the rest"],
        [[7]],
        [["the rest"]],
        [{"sentence": "a", "document": 0}],
    ],
    ids=repr,
)
def test_what_cannot_be_read_is_missing_and_no_empty_list(listed):
    assert relevant(listed) is None


NONE = [
    [],
    "",
    [""],
    ["."],
    ["-"],
    "—",
    "none",
    ["None."],
    ["(none)"],
    "[]",
    ["N/A"],
    ["n.a."],
    ["not applicable"],
    ["no"],
    ["nil"],
    ["no sentences"],
    ["No relevant sentences."],
    ["none of the sentences"],
    ["none of them"],
    ["No unsupported response sentences"],
    ["**none**"],
    ["none", "n/a"],
]


@pytest.mark.parametrize("listed", NONE, ids=repr)
def test_what_says_that_there_are_none_is_an_empty_list(listed):
    assert relevant(listed) == []
    assert unsupported(listed) == []


@pytest.mark.parametrize("listed", [["9z"], ["9a-9c"], ["9z", "a"], ["general"], ["general knowledge"], "9z, 9y"])
def test_keys_that_exist_nowhere_are_dropped(listed):
    assert relevant(listed) == []


def test_nothing_is_said_of_a_list_that_says_none_but_that_it_does():
    found = cleaned({"unsupported_response_sentence_keys": ["None"]})
    assert found.notes == ["unsupported_response_sentence_keys: 'None' read as no key"]


def test_a_range_that_begins_at_no_key_begins_at_the_next():
    assert relevant(["0x-1b"], ["0a", "0b", "1a", "1b", "1c"]) == ["1a", "1b"]


def test_a_range_that_is_no_longer_expanded_is_not_an_empty_list():
    many = [f"0{letters(j)}" for j in range(1000)]
    raw = {"all_relevant_sentence_keys": ["0a-0all"] * 60, "all_utilized_sentence_keys": ["all"]}
    labels = cleaned(raw, many).labels
    assert labels.all_relevant_sentence_keys == many
    assert labels.all_utilized_sentence_keys is None


def test_keys_of_another_form_are_read_in_any_case():
    assert relevant(["s1, S2"], ["S1", "S2", "S3"]) == ["S1", "S2"]


# Response keys


@pytest.mark.parametrize("said", ["all", ["all"], ["every sentence"], ["all response sentences"], ["a-z"], ["z-a"]])
def test_all_are_every_response_key(said):
    assert unsupported(said) == TWENTY_SIX


@pytest.mark.parametrize(
    ("listed", "read"),
    [
        (["sentences a and b"], ["a", "b"]),
        (["between a and c"], ["a", "b", "c"]),
        (["from a to c"], ["a", "b", "c"]),
        (["**a**", "`b`"], ["a", "b"]),
        (["a (not supported)"], ["a"]),
        (["b (a claim)"], ["b"]),
        (["b: no document says so."], ["b"]),
        (["response sentence b"], ["b"]),
        (["n, a"], ["n", "a"]),
        (["n", "a"], ["n", "a"]),
    ],
    ids=repr,
)
def test_response_keys_are_read(listed, read):
    assert unsupported(listed) == read


@pytest.mark.parametrize("listed", [["the last"], ["0a"], ["and"], ["not a"], ["a claim"], ["I think so"]], ids=repr)
def test_what_is_no_response_key_makes_the_list_missing(listed):
    assert unsupported(listed) is None


@pytest.mark.parametrize("key", ["sentence a", "**a**", "a (first)", "a: It holds 2 litres.", "ａ"])
def test_the_key_of_an_entry_is_read(key):
    assert supports(entry(key, ["0a"])) == {"a": (True, ["0a"])}


def test_an_entry_for_all_is_an_entry_for_each():
    assert list(supports(entry("all", ["0a"]))) == ["a", "b", "c"]


@pytest.mark.parametrize("none", ["none", ["none"], "N/A", ["None."], []])
def test_with_none_unsupported_a_null_is_supported(none):
    found = supports(entry("a", [], None), entry("b", [], None), unsupported_response_sentence_keys=none)
    assert found == {"a": (True, []), "b": (True, [])}


@pytest.mark.parametrize("junk", [5, True, ["the last"], {"b": "perhaps"}])
def test_a_list_of_unsupported_ones_that_cannot_be_read_leaves_a_null_unknown(junk):
    found = supports(entry("a", ["0a"], None), entry("b", [], None), unsupported_response_sentence_keys=junk)
    assert found == {"a": (None, ["0a"]), "b": (None, [])}


def test_two_lists_of_unsupported_ones_leave_a_null_unknown():
    name = "unsupported_response_sentence_keys"
    assert supports(entry("a", ["0a"], None), **{name: ["a"], f"{name}#": []}) == {"a": (None, ["0a"])}


# Supporting keys


@pytest.mark.parametrize(
    ("item", "read"),
    [
        ("numerical reasoning", ["numerical_reasoning"]),
        ("Numerical-Reasoning.", ["numerical_reasoning"]),
        ("numeric reasoning", ["numerical_reasoning"]),
        ("well-known fact", ["well_known_fact"]),
        ("Well known facts", ["well_known_fact"]),
        ("common knowledge", ["well_known_fact"]),
        ("Supported without sentence", ["supported_without_sentence"]),
        ("supported without a sentence", ["supported_without_sentence"]),
        ("General knowledge", ["general"]),
        ("general statement", ["general"]),
        ("**general**", ["general"]),
        ("`general`", ["general"]),
        ("general (a transition)", ["general"]),
        ("General: a greeting.", ["general"]),
        ("0a, well-known fact", ["0a", "well_known_fact"]),
        ("numerical_reasoning (0a + 0b)", ["numerical_reasoning", "0a", "0b"]),
        ("general and 0b", ["general", "0b"]),
        ("**0a**", ["0a"]),
        ("0a (partially)", ["0a"]),
    ],
)
@pytest.mark.parametrize("fully", [None, True])
def test_a_support_is_read_however_it_is_spelled(item, read, fully):
    assert supports(entry("a", [item], fully)) == {"a": (True, read)}


def test_all_as_a_support_is_every_document_sentence():
    assert (
        cleaned({"sentence_support_information": [entry("a", ["all"])]}, THREE)
        .labels.sentence_support_information[0]
        .supporting_sentence_keys
        == THREE
    )


UNREADABLE = [["the manual"], "the first document", ["0"], 5, {"0a": "strong"}, [{"text": "One two."}]]


@pytest.mark.parametrize("support", UNREADABLE, ids=repr)
def test_null_with_a_support_that_cannot_be_read_is_unlabeled_and_noted(support):
    entries = [{"response_sentence_key": "a", "supporting_sentence_keys": support, "fully_supported": None}]
    labels, notes = cleaned({"sentence_support_information": entries}, response=["a"])
    assert labels.unlabeled_response_sentence_keys == ["a"]
    assert notes[-1] == "fully_supported: null for a, and what is named as its support cannot be read: unlabeled"


@pytest.mark.parametrize("support", UNREADABLE, ids=repr)
@pytest.mark.parametrize(("listed", "fully"), [([], True), (["a"], False)])
def test_null_with_a_support_that_cannot_be_read_is_what_the_rows_list_says(support, listed, fully):
    entries = [{"response_sentence_key": "a", "supporting_sentence_keys": support, "fully_supported": None}]
    raw = {"sentence_support_information": entries, "unsupported_response_sentence_keys": listed}
    assert cleaned(raw).labels.sentence_support_information[0].fully_supported is fully


@pytest.mark.parametrize("none", [["none"], "N/A", ["no supporting sentences"], [], None])
def test_null_where_the_judge_says_that_nothing_supports_it_is_false(none):
    entries = [{"response_sentence_key": "a", "supporting_sentence_keys": none, "fully_supported": None}]
    assert (
        cleaned({"sentence_support_information": entries}).labels.sentence_support_information[0].fully_supported
        is False
    )
