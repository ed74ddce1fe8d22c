"""The six tests; a new one needs a file and a line here."""

from __future__ import annotations

from collections.abc import Mapping

from trace_core.endpoint.answer_accuracy import ANSWER_ACCURACY
from trace_core.endpoint.answer_relevancy import ANSWER_RELEVANCY
from trace_core.endpoint.base import NamedTest
from trace_core.endpoint.context_ids import CONTEXT_PRECISION, CONTEXT_RECALL
from trace_core.endpoint.context_utilisation import CONTEXT_UTILISATION
from trace_core.endpoint.faithfulness import FAITHFULNESS

_ALL = (ANSWER_ACCURACY, CONTEXT_RECALL, CONTEXT_PRECISION, FAITHFULNESS, ANSWER_RELEVANCY, CONTEXT_UTILISATION)
TESTS: Mapping[str, NamedTest] = {test.name: test for test in _ALL}
