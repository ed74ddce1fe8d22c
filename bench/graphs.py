"""Write the graphs of the packaged models, without weights: `python bench/graphs.py [FOLDER]`.

Needs `onnx` from requirements-dev.txt, for this script only. Both are MiniLM's encoder, six layers of 384, written node
by node with ONNX Runtime's fused operators. A weight is stored as its name in the packaged `model.safetensors` (or in a
file of the model's own); its values are supplied when the graph is loaded. Word embeddings are looked up outside: ONNX
Runtime would copy their table, 47 MB, for each model. The reader's dense layers multiply whole numbers, three times as
fast; `reader/quantize.py` makes these numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parents[1]))
import trace_core.models  # after the path is set

SIZE, INNER, HEADS, LAYERS = 384, 1536, 12, 6
PLACES, SEGMENTS = 512, 2
EPSILON = 1e-12
FUSED = "com.microsoft"
OPSET, FORMAT = 20, 10
HEADS_OF_READER = {"says": 4, "answers": 1}


class Input(NamedTuple):
    """What a dense layer multiplies: the value, and, where it is in whole numbers, the one that stands for 0."""

    value: str
    zero: str = ""


class Graph:
    """The nodes and weights of a graph under construction; every value is identified by its name."""

    def __init__(self, *, quantized: bool = False) -> None:
        self._quantized = quantized
        self.nodes: list[Any] = []
        self.weights: dict[str, TensorProto] = {}
        self._free = count()

    def node(self, kind: str, *inputs: str, out: str = "", fused: bool = False, **settings: Any) -> str:
        """Add an operator; returns the name of its output."""
        out = out or f"v{next(self._free)}"
        domain = FUSED if fused else ""
        self.nodes.append(helper.make_node(kind, inputs, [out], domain=domain, **settings))
        return out

    def weight(self, name: str, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        """Declare a tensor whose values are supplied at load time, by its name."""
        left_out = TensorProto(name=name, dims=shape, data_type=kind, data_location=TensorProto.EXTERNAL)
        left_out.external_data.add(key="location", value="model.safetensors")
        self.weights[name] = left_out
        return name

    def number(self, value: int | Sequence[int]) -> str:
        """Add an integer constant, or several."""
        name = f"n{value}"
        self.weights[name] = numpy_helper.from_array(np.array(value, dtype=np.int64), name)
        return name

    def one(self) -> str:
        """Add the number 1: the scales of whole numbers are in the weights."""
        self.weights["one"] = numpy_helper.from_array(np.array(1, dtype=np.float32), "one")
        return "one"

    def input(self, x: str, name: str, size: int) -> Input:
        """The input of one or several dense layers: each channel scaled, then rounded to 8 bits, if quantized."""
        if not self._quantized:
            return Input(x)
        scaled = self.node("Mul", x, self.weight(f"{name}.scale", size))
        zero = self.weight(f"{name}.zero", kind=TensorProto.UINT8)
        return Input(self.node("QuantizeLinear", scaled, self.one(), zero), zero)

    def times(self, x: Input, layer: str, size: int, into: int, *bias: str) -> str:
        """Add a dense layer, with its bias if that is given; if not, the next operator adds it."""
        name = f"{layer}.weight"
        if not x.zero:
            times = self.node("FusedMatMul", x.value, self.weight(name, into, size), fused=True, transB=1)
            return self.node("Add", times, *bias) if bias else times
        whole, scale = self.weight(name, size, into, kind=TensorProto.INT8), self.weight(f"{name}_scale", into)
        rest = ("", *bias) if bias else ()
        return self.node("MatMulIntegerToFloat", x.value, whole, self.one(), scale, x.zero, *rest, fused=True)

    def norm(self, name: str) -> tuple[str, str]:
        """The scale and shift of a layer norm."""
        return self.weight(f"{name}.weight", SIZE), self.weight(f"{name}.bias", SIZE)

    def model(self, **outputs: Sequence[str | int]) -> ModelProto:
        """The complete model."""
        inputs = [_value("words", TensorProto.FLOAT, ("n", "tokens", SIZE))]
        inputs += [_value(name, TensorProto.INT64, ("n", "tokens")) for name in ("mask", "segments")]
        given = [_value(name, TensorProto.FLOAT, shape) for name, shape in outputs.items()]
        graph = helper.make_graph(self.nodes, "encoder", inputs, given, list(self.weights.values()))
        known = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=known, ir_version=FORMAT)


def _value(name: str, kind: int, shape: Sequence[str | int]) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def embedded(g: Graph) -> str:
    """Word, position and segment embeddings."""
    tokens = g.node("Squeeze", g.node("Shape", "mask", start=1))
    places = g.node("Range", g.number(0), tokens, g.number(1))
    segments = g.node("Gather", g.weight("embeddings.token_type_embeddings.weight", SEGMENTS, SIZE), "segments")
    place = g.node("Gather", g.weight("embeddings.position_embeddings.weight", PLACES, SIZE), places)
    x = g.node("Add", g.node("Add", "words", segments), place)
    return g.node("LayerNormalization", x, *g.norm("embeddings.LayerNorm"), epsilon=EPSILON)


def encoded(g: Graph, *, first_alone: bool) -> str:
    """n × tokens × size; with `first_alone` n × 1 × size: the last layer computes only the first token."""
    mask = g.node("Cast", "mask", to=TensorProto.INT32)
    x = embedded(g)
    for i in range(LAYERS):
        asked = x
        if first_alone and i == LAYERS - 1:
            asked = g.node("Slice", x, g.number([0]), g.number([1]), g.number([1]))
        x = layer(g, f"encoder.layer.{i}", x, asked, mask)
    return x


def layer(g: Graph, name: str, x: str, asked: str, mask: str) -> str:
    """Attention and the dense layers after it."""
    parts = {part: f"{name}.attention.self.{part}" for part in ("query", "key", "value")}
    every = g.input(x, f"{name}.attention.self", SIZE)
    some = every if asked == x else g.input(asked, f"{name}.attention.self", SIZE)
    times = [g.times(some if part == "query" else every, of, SIZE, SIZE) for part, of in parts.items()]
    bias = g.node("Concat", *(g.weight(f"{of}.bias", SIZE) for of in parts.values()), axis=0)
    heard = g.node("MultiHeadAttention", *times, bias, mask, fused=True, num_heads=HEADS)
    x = added(g, f"{name}.attention.output", heard, asked, SIZE)
    inner = g.times(g.input(x, f"{name}.intermediate", SIZE), f"{name}.intermediate.dense", SIZE, INNER)
    inner = g.node("BiasGelu", inner, g.weight(f"{name}.intermediate.dense.bias", INNER), fused=True)
    return added(g, f"{name}.output", inner, x, INNER)


def added(g: Graph, name: str, x: str, to: str, size: int) -> str:
    """A dense layer's output, added to the residual and normalized.

    ONNX Runtime's operator for the sum and the norm takes four times as long as both.
    """
    x = g.times(g.input(x, name, size), f"{name}.dense", size, SIZE, g.weight(f"{name}.dense.bias", SIZE))
    return g.node("LayerNormalization", g.node("Add", x, to), *g.norm(f"{name}.LayerNorm"), epsilon=EPSILON)


def embedding() -> ModelProto:
    """The mean over a text's tokens, normalized to length 1."""
    g = Graph()
    kept = g.node("Unsqueeze", g.node("Cast", "mask", to=TensorProto.FLOAT), g.number([2]))
    total = g.node("ReduceSum", g.node("Mul", encoded(g, first_alone=False), kept), g.number([1]), keepdims=0)
    g.node("LpNormalization", total, out="vectors", p=2, axis=-1)
    return g.model(vectors=("n", SIZE))


def reader() -> ModelProto:
    """Two heads over a pair's first token: log-odds of four classes, and whether the second text answers the first."""
    g = Graph(quantized=True)
    first = g.node("Squeeze", encoded(g, first_alone=True), g.number([1]))
    says, answers = (
        g.times(Input(first), head, SIZE, classes, g.weight(f"{head}.bias", classes))
        for head, classes in HEADS_OF_READER.items()
    )
    g.node("Identity", says, out="says")
    g.node("Squeeze", answers, g.number([1]), out="answers")
    return g.model(says=("n", 4), answers=("n",))


GRAPHS: dict[str, Callable[[], ModelProto]] = {"embedding.onnx": embedding, "reader.onnx": reader}


def main() -> int:
    """Write both graphs."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(trace_core.models.__file__).parent
    for name, made in GRAPHS.items():
        (folder / name).write_bytes(made().SerializeToString(deterministic=True))
        print(f"{folder / name}: {(folder / name).stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
