"""A judge's word for true or false: what it says, and where it says neither."""

import pytest

from trace_core.facts.cleaning import read_truth

WORDS = {
    True: [True, 1, 1.0, "yes", "Yes.", "true", "full", "fully", "supported", "1", "**true**", "fully_supported",
           "Fully supported by 0a", "FullySupported", "fully grounded"],
    False: [False, 0, "no", "No.", "false", "0", "not", "not supported", "NOT_SUPPORTED", "NotSupported",
            "unsupported", "unverified", "partial", "Partially supported", "partly", "fully unsupported",
            "fully not supported"],
    None: [None, 2, 0.5, [], "", "N/A", "maybe", "not applicable", "not clear", "not sure", "unclear", "unknown",
           "fully unclear", "fully contradicted", "notable", "nothing contradicts it", "mostly supported",
           "supported, but not all"],
}  # fmt: skip


@pytest.mark.parametrize(("word", "says"), [(word, says) for says, words in WORDS.items() for word in words])
def test_a_word_says_yes_or_no_or_neither(word, says):
    assert read_truth(word) is says
