"""What a model gave for its latest texts is remembered, and no more of it than promised."""

import numpy as np

from trace_core.models.recent import Recent


class Model:
    def __init__(self):
        self.texts = []

    def __call__(self, texts):
        self.texts += texts
        return np.array([[len("".join(text)), 1] for text in texts], dtype=np.float32)


def test_a_text_is_computed_once_and_its_row_stands_at_every_place():
    model, recent = Model(), Recent(10)
    assert recent.rows(["a", "bcd", "a"], model).tolist() == [[1, 1], [3, 1], [1, 1]]
    assert recent.rows(["bcd", ("b", "cd"), "a\ud800"], model).tolist() == [[3, 1], [3, 1], [2, 1]]
    assert model.texts == ["a", "bcd", ("b", "cd"), "a\ud800"]


def test_the_texts_used_longest_ago_are_forgotten():
    model, recent = Model(), Recent(2)
    for text in ("a", "b", "a", "c", "a", "b"):
        recent.rows([text], model)
    assert model.texts == ["a", "b", "c", "b"]
