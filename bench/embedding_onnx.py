"""The packaged embedding model on torch and on ONNX Runtime: `python bench/embedding_onnx.py ROWS.jsonl [MOST]`.

Needs `pip install onnx onnxscript onnxruntime` (for this script alone: nothing else here uses them; `tokenizers`
comes with the project). The packaged model is exported by `torch.onnx`, with mean pooling and normalizing inside. Each
side then runs in a process of its own, with as many threads as there are processors, and remembers nothing.
Prints, by the clock and of the processors (on a busy machine the latter are the ones to compare), the time from
starting to import until the first vector is there, one sentence (of 50; the clock's is the median), the file's
distinct sentences in batches sorted by length, and the labeling of its rows; the most memory (on Linux), and the
largest difference between the vectors.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

BATCH = 256
ONE = "How much water does the tank of the coffee machine hold?"
SIDES = ("torch", "onnx")


class OnnxEmbedder:
    """The exported model behind the interface of an `Embedder`."""

    name, ready = "all-MiniLM-L6-v2", True

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = os.cpu_count() or 1
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(int((folder / "longest").read_text(encoding="utf-8")))
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        """n texts → n × d; in batches of 32 by length, as sentence-transformers makes them."""
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        found: dict[int, Any] = {}
        for start in range(0, len(order), 32):
            batch = order[start : start + 32]
            read = self._tokenizer.encode_batch([texts[i] for i in batch])
            ids, mask = (np.array([getattr(r, n) for r in read], dtype=np.int64) for n in ("ids", "attention_mask"))
            found |= zip(batch, self._session.run(None, {"ids": ids, "mask": mask})[0], strict=True)
        return np.stack([found[i] for i in range(len(texts))])


def export(folder: Path) -> None:
    """Write the packaged model as `model.onnx`, its tokenizer, and how many tokens it reads."""
    import torch

    from trace_core.retrieval.embedding import PACKAGED_MODEL, _load

    model = _load(PACKAGED_MODEL)
    model.tokenizer.backend_tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "longest").write_text(str(model.max_seq_length), encoding="utf-8")

    class Pooled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bert = model[0].model

        def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            hidden = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
            weight = mask.unsqueeze(-1).to(hidden.dtype)
            mean = (hidden * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=1)

    read = model.tokenizer([ONE, "Two."], padding=True, return_tensors="pt")
    sizes = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
    torch.onnx.export(
        Pooled().eval(),
        (read["input_ids"], read["attention_mask"]),
        str(folder / "model.onnx"),
        input_names=["ids", "mask"],
        dynamic_shapes=(sizes, sizes),
        dynamo=True,
        verbose=False,
    )


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """By the clock, and of the processors."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def measure(side: str, folder: Path, file: Path, most: int | None) -> dict[str, Any]:
    """One side, in this process; its vectors are written beside the model."""
    made: list[Any] = []
    found: dict[str, Any] = {"load": seconds(lambda: made.append(loaded(side, folder))), "loaded": peak()}
    model = made[0]
    each = [seconds(lambda n=n: model.embed([f"{ONE} {n}"])) for n in range(50)]
    found["one"] = statistics.median(clock for clock, _ in each), sum(processor for _, processor in each) / len(each)

    from labeler_speed import texts

    from trace_core.datasets import read_rows, to_record, unique_ids
    from trace_core.labeling.local.labeler import LocalLabeler
    from trace_core.pipeline import label_all

    rows = read_rows(file)[0][:most]
    records = [to_record(*named, with_labels=False) for named in zip(rows, unique_ids(rows), strict=True)]
    distinct = texts(records)
    vectors: list[Any] = []
    batches = [distinct[i : i + BATCH] for i in range(0, len(distinct), BATCH)]
    found["embedding"] = seconds(lambda: vectors.extend(model.embed(batch) for batch in batches))
    np.save(folder / f"{side}.npy", np.concatenate(vectors))
    # The model remembers its latest sentences: for labeling it starts anew, loaded before the clock.
    fresh = loaded(side, folder)
    found["labeling"] = seconds(lambda: list(label_all(records, LocalLabeler(fresh))))
    return found | {"sentences": len(distinct), "rows": len(records), "peak": peak()}


def loaded(side: str, folder: Path) -> Any:
    """A side's model, after its first sentence."""
    model: Any
    if side == "torch":
        from trace_core.retrieval.embedding import SentenceTransformerEmbedder

        model = SentenceTransformerEmbedder()
    else:
        model = OnnxEmbedder(folder)
    model.embed([ONE])
    return model


def peak() -> float:
    """The most memory that this process held, in MB; what its parent held does not count."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    return int(status.read_text(encoding="utf-8").partition("VmHWM:")[2].split()[0]) / 1000


def main() -> int:
    """Measure one file on both sides."""
    if len(sys.argv) == 5 and sys.argv[1] in SIDES:
        most = int(sys.argv[4]) or None
        print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), most)))
        return 0
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    most_rows = sys.argv[2] if len(sys.argv) == 3 else "0"
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        export(folder)
        found = {}
        for side in SIDES:
            run = [sys.executable, __file__, side, made, sys.argv[1], most_rows]
            printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
            found[side] = json.loads(printed.splitlines()[-1])
        difference = np.abs(np.load(folder / "torch.npy") - np.load(folder / "onnx.npy")).max()
        size = sum(f.stat().st_size for f in folder.glob("model.onnx*")) / 1e6
    show(found)
    print(f"largest difference of two vectors: {difference:.1e}; the exported model: {size:.0f} MB")
    return 0


def show(found: dict[str, dict[str, Any]]) -> None:
    """The table."""
    torch, onnx = (found[side] for side in SIDES)
    print(f"{torch['rows']:.0f} rows, {torch['sentences']:.0f} distinct sentences, {os.cpu_count()} processors")
    print(f"{'':<28} {'clock':>20} {'processors':>21}")
    print(f"{'':<28} {'torch':>10} {'onnx':>9}  {'torch':>10} {'onnx':>9}")
    for name, of in (
        ("load and first vector, s", lambda f, i: f["load"][i]),
        ("one sentence, ms", lambda f, i: 1000 * f["one"][i]),
        ("sentences per second", lambda f, i: f["sentences"] / f["embedding"][i]),
        ("labeling the rows, s", lambda f, i: f["labeling"][i]),
    ):
        values = "  ".join(f"{of(torch, i):>10.1f} {of(onnx, i):>9.1f}" for i in (0, 1))
        print(f"{name:<28} {values}")
    for name, key in (("memory once loaded, MB", "loaded"), ("most memory, MB", "peak")):
        print(f"{name:<28} {torch[key]:>10.0f} {onnx[key]:>9.0f}")


if __name__ == "__main__":
    sys.exit(main())
