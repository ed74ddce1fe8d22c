"""A judge's word for true or false: what it says, and where it says neither."""

import pytest

from trace_core.facts.truth_words import read_truth

WORDS = {
    True: [
        "yes", "Yes.", "true", "full", "fully", "supported", "1", "1.0", "**true**", "`true`", "ｔｒｕｅ", "true\u200b",
        "fully supported", "FullySupported", "fully grounded", "fully backed by the manual", "fully accurate",
        "notably supported", "unequivocally supported", "fully understood", "fully in line with 0a",
    ],
    False: [
        "no", "No.", "false", "0", "not supported", "NOT_SUPPORTED", "NotSupported", "notsupported", "not fully",
        "not fully supported", "not", "not really", "not entirely supported", "not stated", "not enough information",
        "unsupported", "un-supported", "unverified", "unlikely", "unlikely supported", "unconvincingly supported",
        "partial", "partially", "Partially supported", "PartiallySupported", "partly", "partially unclear",
        "fully inaccurate", "fully unsupported", "fully contradicted", "fully wrong", "fully incorrect",
        "fully invalid", "fully inconsistent with 0a", "fully untrue", "fully made up", "fully not supported",
        "FullyUnsupported", "fully misleading", "notably unsupported", "unfortunately not", "nothing",
        "nothing supports it", "**not supported**",
    ],
    None: [
        "", "N/A", "n/a", "maybe", "null", "not applicable", "Not Applicable.", "not_applicable", "not clear",
        "not known", "not sure", "not determinable", "not determined", "not certain", "not possible to say",
        "not entirely clear", "not yet decided", "not really sure whether it is supported", "unclear", "unknown",
        "uncertain", "unsure", "undetermined", "undeterminable", "unable to say", "fully unclear", "fully unknown",
        "fully not clear", "notable", "notably", "noted", "note: supported", "notwithstanding",
        "nothing contradicts it", "understood", "mostly supported", "cannot say", "fully supported, but not all",
        "unfortunately not clear",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("word", "says"), [(word, says) for says, words in WORDS.items() for word in words])
def test_a_word_says_yes_or_no_or_neither(word, says):
    assert read_truth(word) is says
