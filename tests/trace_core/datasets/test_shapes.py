"""What a cell of documents becomes."""

from trace_core.datasets import shapes


def test_texts_with_their_scores_are_documents():
    found = shapes.documents([["Open at nine.", 0.8], [0.5, "Closed on Mondays."]])
    assert found == {"documents": ["Open at nine.", "Closed on Mondays."], "document_scores": [0.8, 0.5]}
    assert shapes.documents([["Open at nine.", 0.8]])["documents"] == ["Open at nine."]


def test_lists_of_texts_have_no_scores():
    assert shapes.documents([["Open at nine.", "2"]])["documents"] == ["Open at nine.", "2"]
