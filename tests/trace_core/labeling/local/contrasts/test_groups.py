"""A value that the documents give for one group, claimed for all."""

import pytest

from trace_core.labeling.local.contrasts.groups import dropped
from trace_core.labeling.local.notation import normal

PRICES = ["Students pay 4 euros.", "Adults pay 9 euros."]


@pytest.mark.parametrize(
    ("claim", "question", "documents", "places"),
    [
        ("The ticket costs 4 euros.", "What does the ticket cost students?", PRICES, None),
        ("Students pay 4 euros.", "What does it cost?", PRICES, None),
        ("One pays 4 euros.", "What does one pay?", PRICES, (0, 1)),
        ("One pays 9 euros.", "What does one pay?", PRICES, (1, 0)),
        ("One pays 4 euros.", "What does one pay?", [*PRICES, "You pay 4 euros."], None),
        ("The rate is 2%.", "What is the rate?", ["The rate is 2% for new customers.", "The rate is 1% for others."], (0, 1)),
        ("Soup costs 5 euros.", "What is there?", ["Soup costs 5 euros. ", "Salad costs 7 euros."], None),
    ],
)
def test_the_group_that_the_claim_leaves_out(claim, question, documents, places):
    assert dropped(normal(claim), normal(question), [normal(text) for text in documents]) == places
