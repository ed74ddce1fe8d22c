"""The packaged reader itself: what it reads, once, and only where it is whole."""

import numpy as np
import pytest

from trace_core.errors import ModelError
from trace_core.labeling.local import reader as module
from trace_core.labeling.local.reader import CLAIMS_NOTHING, CONTRADICTS, ENTAILS, SHA256, WEIGHTS, sha256


@pytest.fixture(scope="module")
def reader():
    return module.packaged_reader()


@pytest.mark.parametrize(
    ("premise", "hypothesis", "says"),
    [
        ("The museum is closed on Mondays.", "The museum is closed on Mondays.", ENTAILS),
        ("The museum is closed on Mondays.", "The museum is open on Mondays.", CONTRADICTS),
        ("The tank holds 12 litres.", "The tank holds 15 litres.", CONTRADICTS),
        ("Take one tablet before breakfast.", "Sure, I'd be happy to help!", CLAIMS_NOTHING),
    ],
)
def test_what_a_text_says(reader, premise, hypothesis, says):
    assert int(reader.says([(premise, hypothesis)]).argmax()) == says


def test_what_answers_a_question_has_higher_log_odds(reader):
    question = "How much does the tank hold?"
    answers = reader.answers([(question, "The tank holds 12 litres."), (question, "Penguins live in Antarctica.")])
    assert answers[0] > answers[1]


def test_the_same_pair_among_others_and_alone(reader):
    pairs = [(f"The tank holds {n} litres. " * (n % 7 + 1), "The tank holds 3 litres.") for n in range(40)]
    together = reader.says([*pairs, *pairs])
    assert np.array_equal(together[:40], together[40:])
    assert [reader.says([pair])[0] for pair in pairs[:8]] == [pytest.approx(row, abs=0.05) for row in together[:8]]


@pytest.mark.parametrize("pair", [("", ""), ("word " * 3000, "word " * 3000), ("\x00\u202e", "🙂")])
def test_any_text_is_read(reader, pair):
    assert np.isfinite(reader.says([pair])).all()


def test_the_weights_are_small_and_those_that_were_measured_and_the_name_says_which(reader):
    assert sha256(WEIGHTS) == SHA256
    assert WEIGHTS.stat().st_size <= 12_000_000
    assert reader.name == f"reader-1 {SHA256[:8]}"


def test_missing_weights_are_an_error_that_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match=r"gone\.safetensors, are missing"):
        _ = module.PackagedReader(tmp_path / "gone.safetensors").name
