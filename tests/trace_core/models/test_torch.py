"""What needs torch, in one file, so that one process loads it once.

The packaged models on ONNX Runtime say what torch says.
"""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from trace_core import health
from trace_core.errors import ModelError
from trace_core.labeling.local.reader import GRAPH, LONGEST, WEIGHTS
from trace_core.models import OnnxModel, packaged_folder
from trace_core.models.embedding import Embedder

ROOT = Path(__file__).parents[3]


# The packaged model on ONNX Runtime, and sentence-transformers on torch

ODD = [
    *("", " ", "\n\t ", "\u200b", "🙂", "👩‍🚀 landed 🚀🚀", "ﬁne print", "a\u0301 e\u0301", "\x00\x01", "don't—stop…"),
    *("水箱可容纳多少水？", "タンクには1.8リットルの水が入ります。", "물탱크는 얼마나 큰가요?", "خزان الماء"),
    *("Ça coûte 12,50 € à Besançon.", "ÀÉÎ", "[PAD] [SEP] [MASK]", "x" * 500, "水" * 600, "🙂 " * 600, "long " * 5000),
]


def sentences(n):
    """Those of the demo's documents, several together as well, up to long texts; and odd ones."""
    files = sorted((ROOT / "trace_core" / "demo").rglob("*.md"))
    words = " ".join(file.read_text(encoding="utf-8") for file in files).split()
    long = (1, 3, 8, 15, 30, 60, 120, 250)
    return ODD + [" ".join(words[7 * i : 7 * i + long[i % len(long)]]) for i in range(n - len(ODD))]


def test_sentences_have_the_vectors_of_sentence_transformers(pytestconfig):
    texts = sentences(500 if pytestconfig.getoption("long") else 60)
    assert min(len(text.split()) for text in texts[len(ODD) :]) > 0
    expected = Embedder(str(packaged_folder())).embed(texts)
    assert np.abs(Embedder().embed(texts) - expected).max() < 1e-5


def test_an_unknown_model_is_an_error_with_a_hint_and_doctor_says_so():
    unknown = Embedder("no/such-model")
    with pytest.raises(ModelError, match=r"'no/such-model' could not be loaded.*TRACE_EMBEDDING_MODEL"):
        unknown.embed(["text"])
    assert not health.model(unknown, load=True).ok


# The packaged reader, and its encoder on torch


@pytest.fixture(scope="module")
def torch_reader():
    """The packaged reader in torch, its dense layers' whole numbers multiplied by their scales beforehand."""
    import torch
    from transformers import BertModel

    encoder = BertModel.from_pretrained(packaged_folder(), add_pooling_layer=False).eval()
    heads = torch.nn.ModuleDict({"says": torch.nn.Linear(384, 4), "answers": torch.nn.Linear(384, 1)})
    tensors = load_file(WEIGHTS)
    with torch.no_grad():
        for name, weight in [*encoder.named_parameters(), *heads.named_parameters()]:
            if (array := tensors.get(name)) is not None:
                if array.dtype == np.int8:
                    source = name.rpartition(".")[0].rpartition(".")[0]
                    array = (array * tensors[f"{name}_scale"]).T * tensors[f"{source}.scale"]
                weight.copy_(torch.from_numpy(array.astype(np.float32)))
    return encoder, heads


def in_torch(torch_reader, pair):
    import torch

    encoder, heads = torch_reader
    tokenizer = Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST, strategy="only_first")
    cut = tokenizer.encode(*pair)
    with torch.no_grad():
        ids, segments = torch.tensor([cut.ids]), torch.tensor([cut.type_ids])
        first = encoder(input_ids=ids, token_type_ids=segments).last_hidden_state[:, 0]
        return heads["says"](first).numpy()[0], heads["answers"](first).numpy()[0, 0]


def test_the_reader_in_whole_numbers_nearly_agrees_with_torch(torch_reader):
    text, claim = "The tank of the machine holds 1.8 litres of water. ", "It holds two litres. "
    pairs = [(text * times, claim * claims) for times in (0, 1, 3, 40) for claims in (1, 5, 12)]
    says, answers = OnnxModel(GRAPH, LONGEST, WEIGHTS).run(pairs)
    assert (says.shape, answers.shape) == ((12, 4), (12,))
    expected = [in_torch(torch_reader, pair) for pair in pairs]
    assert np.ptp(says, axis=1).min() > 5  # log-odds far apart: what follows would tell them from others
    assert says == pytest.approx(np.stack([e for e, _ in expected]), abs=0.4)
    assert answers == pytest.approx(np.array([e for _, e in expected]), abs=0.4)
