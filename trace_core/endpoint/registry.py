"""The six tests; a new one needs one file and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from trace_core.endpoint.answer_accuracy import ANSWER_ACCURACY
from trace_core.endpoint.answer_relevancy import ANSWER_RELEVANCY
from trace_core.endpoint.base import NamedTest
from trace_core.endpoint.context_precision import CONTEXT_PRECISION
from trace_core.endpoint.context_recall import CONTEXT_RECALL
from trace_core.endpoint.context_utilisation import CONTEXT_UTILISATION
from trace_core.endpoint.faithfulness import FAITHFULNESS

TESTS: Mapping[str, NamedTest] = {
    test.name: test
    for test in (
        ANSWER_ACCURACY,
        CONTEXT_RECALL,
        CONTEXT_PRECISION,
        FAITHFULNESS,
        ANSWER_RELEVANCY,
        CONTEXT_UTILISATION,
    )
}
