"""Train the reader: a small cross-encoder that says whether a text says so, and whether it answers a question.

    python bench/train_reader.py DATA FOLDER                 # learn until stopped; go on from FOLDER's checkpoint
    python bench/train_reader.py DATA FOLDER --finish 3000   # lower the rate to 0 over 3,000 batches, then stop
    python bench/train_reader.py DATA FOLDER --begin FILE    # a new FOLDER goes on from weights that shipped
    python bench/train_reader.py DATA FOLDER --more 'r*'     # a third of passages and chunks are of these files
    python bench/train_reader.py DATA FOLDER --average A B   # write the mean of such weights, and stop

DATA holds `entailment/` (public pairs) and `ragbench/`; files named `*_test` are never opened. What is
written by hand is beside this script, in `reader/`; the rest is made by editing document sentences
(`reader/edits.py`, with the files of Debian's package `wordnet-base`: `apt-get install wordnet-base`). The
entailment head learns from no labels of RAGBench but those of emanual_train (`reader/answers.py`), the relevance
head from the train and validation files. Seeded; a checkpoint every 500 batches. One core with bfloat16
reads 60 pairs a second.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pickle
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from reader.answers import FILE as ANSWERS
from reader.answers import of_answer, of_variants
from reader.edits import Editor
from reader.lexicon import WordNet
from reader.pairs import (
    Label,
    Pair,
    Written,
    chunks,
    chunks_kept_back,
    claims_nothing,
    kept_back,
    of_chunk,
    of_passage,
    passages,
    public,
)
from reader.quantize import quantized, restored
from safetensors.numpy import load_file, save_file
from sklearn.metrics import roc_auc_score
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from transformers import AutoModel

from trace_core.models import packaged_folder

HERE = Path(__file__).parent / "reader"
SEED = 11
RATE, DECAY, WARM_UP = 5e-5, 0.01, 400
DROPOUT = 0.1
"""Dropout of each layer's output. Without it, passages in training were classified far better than held-out ones."""
MORE_SHARE = 1 / 3
"""The share of passages, and of chunks, that are drawn from the files named by `--more`."""
TOKENS = 2400
"""Tokens per batch, padding included."""
LONGEST = 160
KEEP_EVERY, TELL_EVERY = 500, 100
GLANCE = 20
"""During training only one held-out pair in this number is read: all of them take ten minutes."""
SHARES = {"written": 0.50, "public": 0.20, "made": 0.12, "relevance": 0.18}
"""Source → its share of all pairs."""
PUBLIC_SHARES = {
    "snli": 0.8,
    "mnli": 1.6,
    "fever": 1.5,
    "fever_symmetric": 0.5,
    "fool_me_twice": 1.3,
    "hans": 0.4,
    "conjnli": 0.6,
    "counterfactual": 1.0,
    "breaking_nli": 0.6,
    "negation": 0.5,
    "begin": 0.6,
    "cg2c_doc": 0.5,
    "summedits": 0.7,
    "bump": 0.1,
    "wice": 0.4,
}
LAST_SHARES = {"written": 0.54, "public": 0.12, "made": 0.09, "answers": 0.06, "relevance": 0.19}
RELEVANCE_FROM = ("emanual", "hotpotqa")
"""The relevance head is trained on these subjects, and on all only while the rate falls: a few thousand pairs."""


class Reader(nn.Module):
    """The packaged encoder, its word embeddings frozen, and two heads over the first token."""

    def __init__(self) -> None:
        super().__init__()
        # On a CPU the backward pass of the fused attention takes as long as all matrix products together.
        fused = "sdpa" if torch.cuda.is_available() else "eager"
        self.encoder = AutoModel.from_pretrained(
            str(packaged_folder()), attn_implementation=fused, add_pooling_layer=False
        )
        for name, weight in self.encoder.named_parameters():
            weight.requires_grad_(not name.startswith("embeddings"))
        for name, module in self.encoder.named_modules():
            if isinstance(module, nn.Dropout):
                module.p = DROPOUT if name.endswith("output.dropout") else 0.0
        size = self.encoder.config.hidden_size
        self.says = nn.Linear(size, 4)
        self.answers = nn.Linear(size, 1)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        """Token ids, mask and segments, b × l each → log-odds b × 4 and b."""
        first = self.encoder(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state[:, 0]
        return self.says(first), self.answers(first)[:, 0]


def loss_of(says: Tensor, answers: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy of four classes, or of "not entailed" as a whole; logistic for relevance."""
    says, answers = says.float(), answers.float()
    logs = torch.log_softmax(says, dim=1)
    one = logs.gather(1, labels.clamp(max=3)[:, None])[:, 0]
    either = torch.logsumexp(logs[:, [Label.CONTRADICTS, Label.NEITHER]], dim=1)
    entailment = torch.where(labels == Label.NOT_ENTAILED, either, one)
    relevance = -nn.functional.binary_cross_entropy_with_logits(
        answers, (labels == Label.RELEVANT).float(), reduction="none"
    )
    return -torch.where(labels >= Label.RELEVANT, relevance, entailment).mean()


def kept_public(data: Path, folder: Path) -> dict[str, list[Pair]]:
    """The public pairs; the shortened premises are cached in the folder, since shortening takes a minute."""
    kept = folder / "public.pickle"
    if not kept.exists():
        kept.write_bytes(pickle.dumps({name: public(data / f"{name}.jsonl.gz") for name in PUBLIC_SHARES}))
    pairs: dict[str, list[Pair]] = pickle.loads(kept.read_bytes())
    return pairs


class Draws:
    """An endless stream of pairs, by shares; the same seed and position give the same pairs."""

    def __init__(self, data: Path, folder: Path, seed: int, last: bool, more: str) -> None:
        self._shares = LAST_SHARES if last else SHARES
        self.rng = random.Random(seed)
        self._more = more
        self._read_passages()
        self._empty = claims_nothing(HERE / "claims_nothing.txt") if (HERE / "claims_nothing.txt").exists() else []
        self._public = kept_public(data / "entailment", folder)
        files = sorted(f for f in (data / "ragbench").glob("*.jsonl") if f.stem.endswith(("_train", "_validation")))
        rows = {f.stem: [json.loads(line) for line in f.read_text(encoding="utf-8").splitlines()] for f in files}
        self._answered = rows[ANSWERS]
        self._records = [row for of_file in rows.values() for row in of_file]
        self._judged = [
            row for name, of_file in rows.items() if last or name.startswith(RELEVANCE_FROM) for row in of_file
        ]
        self._editor = Editor(WordNet())
        self._waiting: list[Pair] = []

    def __iter__(self) -> Iterator[Pair]:
        makers = {
            "written": self._written,
            "public": self._of_public,
            "made": self._made,
            "answers": self._answers,
            "relevance": self._relevance,
        }
        queues: dict[str, list[Pair]] = {name: [] for name in makers}
        while True:
            name = self.rng.choices(list(self._shares), list(self._shares.values()))[0]
            if name == "written" and not self._passages:
                name = "public"
            while not queues[name]:
                queues[name] = makers[name]()
            yield queues[name].pop()

    def _written(self) -> list[Pair]:
        found = []
        self._read_passages()
        for passage in self._drawn(self._passages, self._more_passages, 200):
            found += list(of_passage(passage, self._passages, self.rng))
            found += list(of_variants(passage, self._passages, self._editor, self.rng))
            if self._empty and self.rng.random() < 0.4:
                found.append(Pair(" ".join(passage.sentences), self.rng.choice(self._empty), Label.CLAIMS_NOTHING))
        self.rng.shuffle(found)
        return found

    def _read_passages(self) -> None:
        """Read the passages again each time: files may be added during training."""
        self.held, self._passages = kept_back(passages())
        self._more_passages = kept_back(passages(self._more))[1] if self._more else []

    def _drawn(self, every: Sequence[Written], more: Sequence[Written], most: int) -> list[Written]:
        preferred = self.rng.sample(more, min(round(most * MORE_SHARE), len(more)))
        return preferred + self.rng.sample(every, min(most - len(preferred), len(every)))

    def _of_public(self) -> list[Pair]:
        names = self.rng.choices(list(PUBLIC_SHARES), list(PUBLIC_SHARES.values()), k=200)
        return [self.rng.choice(self._public[name]) for name in names]

    def _made(self) -> list[Pair]:
        found = []
        for record in self.rng.sample(self._records, 60):
            sentences = [text.strip() for document in record["documents_sentences"] for _, text in document]
            places = [
                i for i, s in enumerate(sentences) if 4 < len(s.split()) < 36 and s[-1:] in ".!" and s[:1].isupper()
            ]
            for place in self.rng.sample(places, min(3, len(places))):
                found += self._editor.pairs(sentences, place, self.rng)
        self.rng.shuffle(found)
        return found

    def _answers(self) -> list[Pair]:
        rows = self.rng.sample(self._answered, 40)
        found = [pair for row in rows for pair in of_answer(row, self._editor, self.rng)]
        self.rng.shuffle(found)
        return found

    def _relevance(self) -> list[Pair]:
        learned = chunks_kept_back(chunks())[1]
        more = chunks_kept_back(chunks(self._more))[1] if self._more else []
        found = [p for chunk in self._drawn(learned, more, 15) for p in of_chunk(chunk, self.rng)]
        for record in self.rng.sample(self._judged, 40):
            keyed = {key: text.strip() for document in record["documents_sentences"] for key, text in document}
            relevant = {k for k in record["all_relevant_sentence_keys"] or [] if k in keyed}
            for keys, label in ((relevant, Label.RELEVANT), (keyed.keys() - relevant, Label.IRRELEVANT)):
                drawn = self.rng.sample(sorted(keys), min(3, len(keys)))
                found += [Pair(record["question"], keyed[k], label) for k in drawn if keyed[k]]
        self.rng.shuffle(found)
        return found


class Batches:
    """Pairs as token ids, batched by similar length."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._tokenizer.enable_truncation(LONGEST, strategy="only_first")
        self._tokenizer.no_padding()

    def of(self, pairs: Sequence[Pair]) -> list[tuple[Tensor, ...]]:
        """Batches of at most `TOKENS` tokens."""
        cut = self._tokenizer.encode_batch([(p.premise[:1500], p.hypothesis[:500]) for p in pairs])
        order = sorted(range(len(pairs)), key=lambda i: len(cut[i].ids))
        found: list[tuple[Tensor, ...]] = []
        group: list[int] = []
        for i in order:
            if group and (len(group) + 1) * len(cut[i].ids) > TOKENS:
                found.append(self._tensors([cut[j] for j in group], [pairs[j].label for j in group]))
                group = []
            group.append(i)
        found.append(self._tensors([cut[j] for j in group], [pairs[j].label for j in group]))
        return found

    @staticmethod
    def _tensors(cut: Sequence[Encoding], labels: Sequence[int]) -> tuple[Tensor, ...]:
        longest = max(len(c.ids) for c in cut)
        arrays = [np.zeros((len(cut), longest), dtype=np.int64) for _ in range(3)]
        for row, one in enumerate(cut):
            for array, values in zip(arrays, (one.ids, one.attention_mask, one.type_ids), strict=True):
                array[row, : len(values)] = values
        return *(torch.from_numpy(a) for a in arrays), torch.tensor(labels)


@torch.no_grad()
def told(model: Reader, batches: Batches, held: Draws, every: int = 1) -> str:
    """AUROC of "entails" on held-out passages, and of "helps to answer" on chunks, from one pair in `every`."""
    model.eval()
    rng = random.Random(SEED)
    said = [p for passage in held.held for p in of_passage(passage, held.held, rng) if p.label < 3]
    asked = [p for chunk in chunks_kept_back(chunks())[0] for p in of_chunk(chunk, rng)]
    entails = _auroc(model, batches.of(said[::every]), Label.ENTAILS)
    relevant = _auroc(model, batches.of(asked[::every]), Label.RELEVANT)
    model.train()
    return f"kept back: AUROC entails {entails:.3f}, relevant {relevant:.3f}"


def _auroc(model: Reader, batches: Sequence[tuple[Tensor, ...]], label: Label) -> float:
    chance: list[float] = []
    truth: list[bool] = []
    for ids, mask, types, labels in batches:
        says, answers = model(ids, mask, types)
        chance += (answers if label == Label.RELEVANT else torch.softmax(says.float(), 1)[:, 0]).tolist()
        truth += (labels == label).tolist()
    return float(roc_auc_score(truth, chance))


def rate_at(step: int, started: int, finish: int | None, rate: float) -> float:
    """Rises, stays, and falls to 0 over the last `finish` batches."""
    up = min(1.0, (step + 1) / WARM_UP)
    down = 1.0 if finish is None else max(0.0, 1 - (step - started) / finish)
    return rate * up * down


def train(data: Path, folder: Path, finish: int | None, begin: Path | None, more: str, rate: float) -> None:
    """Train, report and save, until stopped or for `finish` batches."""
    torch.manual_seed(SEED)
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = folder / "checkpoint.pt"
    model, step, seen = Reader(), 0, 0
    weights = [w for w in model.parameters() if w.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=RATE, weight_decay=DECAY, fused=True)
    if checkpoint.exists():
        kept = torch.load(checkpoint)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        step, seen = kept["step"], kept["seen"]
    elif begin is not None:
        average([begin], model)
    draws = Draws(data, folder, SEED + step, finish is not None, more)
    batches = Batches(Tokenizer.from_file(str(packaged_folder() / "tokenizer.json")))
    pairs, started, clock, losses = iter(draws), step, time.monotonic(), []
    model.train()
    while finish is None or step < started + finish:
        together = batches.of([next(pairs) for _ in range(3000)])
        draws.rng.shuffle(together)
        for ids, mask, types, labels in together:
            for group in optimizer.param_groups:
                group["lr"] = rate_at(step, started, finish, rate)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                says, answers = model(ids, mask, types)
            loss = loss_of(says, answers, labels)
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step, seen = step + 1, seen + len(labels)
            losses.append(loss.item())
            if step % TELL_EVERY == 0:
                speed = (step - started) / (time.monotonic() - clock)
                print(
                    f"{step} batches, {seen} pairs, loss {np.mean(losses[-300:]):.3f}, {speed:.2f} batches/s",
                    flush=True,
                )
            if step % KEEP_EVERY == 0:
                keep(checkpoint, model, optimizer, step, seen)
                print(told(model, batches, draws, GLANCE), flush=True)
            if finish is not None and step >= started + finish:
                break
    ship(model, folder / "reader.safetensors")
    print(told(model, batches, draws))


def ship(model: Reader, file: Path) -> None:
    """Write the weights to ship, without word embeddings: dense layers in whole numbers, the rest in half precision."""
    own = {name.removeprefix("encoder."): weight for name, weight in model.state_dict().items()}
    kept = {n: w.numpy().astype(np.float16) for n, w in own.items() if "word_embeddings" not in n}
    save_file(kept | quantized(model, model.encoder, some_batches()), file)
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB, SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()}")


def some_batches() -> list[tuple[Tensor, ...]]:
    """Pairs from training, on which the scales of whole numbers are chosen."""
    rng = random.Random(SEED)
    read, asked = kept_back(passages())[1], chunks_kept_back(chunks())[1]
    pairs = [p for passage in rng.sample(read, 120) for p in of_passage(passage, read, rng)]
    pairs += [p for chunk in rng.sample(asked, 40) for p in of_chunk(chunk, rng)]
    return Batches(Tokenizer.from_file(str(packaged_folder() / "tokenizer.json"))).of(pairs)


def average(files: Sequence[Path], model: Reader) -> None:
    """Load the mean of weights that `ship` wrote; the word embeddings are already the packaged model's."""
    kept = [restored(load_file(file)) for file in files]
    mean = {name: np.stack([one[name] for one in kept]).astype(np.float32).mean(axis=0) for name in kept[0]}
    names = {name.removeprefix("encoder."): name for name in model.state_dict()}
    model.load_state_dict({names[name]: torch.from_numpy(weight) for name, weight in mean.items()}, strict=False)


def keep(checkpoint: Path, model: Reader, optimizer: torch.optim.Optimizer, step: int, seen: int) -> None:
    """Write the checkpoint to a temporary file, then move it into place."""
    aside = checkpoint.with_suffix(".new")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "seen": seen}, aside)
    os.replace(aside, checkpoint)


def main() -> int:
    """Read the command line, train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ship", action="store_true", help="write the checkpoint as it would ship, and stop")
    parser.add_argument("--average", type=Path, nargs="+", help="write the mean of these weights, and stop")
    parser.add_argument("--begin", type=Path, help="weights that shipped: where a new FOLDER begins")
    parser.add_argument("--more", default="", help="files of which a third of passages and chunks are drawn: 'r*'")
    parser.add_argument("--rate", type=float, default=RATE, help=f"the highest learning rate, by default {RATE}")
    parser.add_argument("--finish", type=int, help="lower the rate to 0 over this number of batches, then stop")
    asked = parser.parse_args()
    if not asked.average and not asked.ship:
        train(asked.data, asked.folder, asked.finish, asked.begin, asked.more, asked.rate)
        return 0
    model = Reader()
    if asked.average:
        average(asked.average, model)
    else:
        model.load_state_dict(torch.load(asked.folder / "checkpoint.pt")["model"])
    asked.folder.mkdir(parents=True, exist_ok=True)
    ship(model, asked.folder / "reader.safetensors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
