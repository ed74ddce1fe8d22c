"""The reader's dense layers in whole numbers: weights of 7 bits, inputs of 8, multiplied three times as fast.

With 7 bits no sum of two products exceeds 16 bits: processors without instructions for such sums would cut it off,
and the labels would depend on the processor. An input's channels differ by up to a hundred times, so each channel
is divided by a scale, and its weights are multiplied by it (SmoothQuant, Xiao et al. 2023). How much of the
difference moves into the weights, and how much of an input's range is cut off, is tried per layer: the least error
of the layer's output wins. What the rounding adds on average is taken off the bias.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

MOST = 63
"""The largest weight; inputs are from 0 to 255."""
ROWS, KEPT_ROWS = 6000, 0.12
"""Input rows on which a layer's scales are chosen, and the share of all that is kept in memory until then."""
MOVED = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The shares of the channels' difference that move into the weights."""
KEPT = (1.0, 0.85, 0.7)
"""The shares of an input's range."""
Tensors = dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]
_OTHERS_OF_QUERY = (".key", ".value")
"""Layers with the input of another."""


class _Scales(NamedTuple):
    """An input's factor per channel and the number that stands for 0."""

    factor: Tensor
    zero: int

    def rounded(self, x: Tensor) -> Tensor:
        """The input as the whole numbers tell it, less the zero."""
        return torch.clamp(torch.round(x * self.factor) + self.zero, 0, 255) - self.zero


@torch.no_grad()
def quantized(model: nn.Module, encoder: nn.Module, batches: Iterable[tuple[Tensor, ...]]) -> Tensors:
    """The encoder's dense layers, by the names of its graph: whole weights, scales, zeros and mended biases.

    `batches` are token ids, masks, segments and labels of pairs from training.
    """
    found: Tensors = {}
    layers = {name: part for name, part in encoder.named_modules() if isinstance(part, nn.Linear)}
    for name, x in _inputs(model, layers, batches).items():
        sharing = {n: part for n, part in layers.items() if _input_of(n) == name}
        scales = _best(x, torch.cat([part.weight for part in sharing.values()]))
        found[f"{name}.scale"] = scales.factor.numpy()
        found[f"{name}.zero"] = np.array(scales.zero, dtype=np.uint8)
        for layer, part in sharing.items():
            whole, scale = _whole(part.weight / scales.factor)
            added = (scales.rounded(x) @ whole.T * scale - x @ part.weight.T).mean(0)
            found[f"{layer}.weight"] = np.ascontiguousarray(whole.T.numpy().astype(np.int8))
            found[f"{layer}.weight_scale"] = scale.numpy()
            found[f"{layer}.bias"] = (part.bias - added).numpy()
    return found


def restored(tensors: Tensors) -> Tensors:
    """The weights as a model in torch has them, from whole numbers or half precision; the biases stay mended."""
    found: Tensors = {}
    for name, array in tensors.items():
        if array.dtype == np.int8:
            factor: Any = tensors[f"{_input_of(name.removesuffix('.weight'))}.scale"]
            scale: Any = tensors[f"{name}_scale"]
            array = (array * scale).T * factor
        if not name.endswith(("scale", ".zero")):
            found[name] = array.astype(np.float32)
    return found


def _input_of(layer: str) -> str:
    """The name of a dense layer's input: query, key and value have the same."""
    return layer.rpartition(".")[0]


def _inputs(model: nn.Module, layers: dict[str, nn.Linear], batches: Iterable[tuple[Tensor, ...]]) -> dict[str, Tensor]:
    """Rows of every input, the padding left out."""
    rows: dict[str, list[Tensor]] = {}
    tokens = chosen = torch.empty(0)
    drawn = torch.Generator().manual_seed(1)

    def keep(name: str, x: Tensor) -> None:
        rows.setdefault(name, []).append(x[tokens][chosen])

    hooks = [
        part.register_forward_pre_hook(lambda _, inputs, name=name: keep(_input_of(name), inputs[0]))
        for name, part in layers.items()
        if not name.endswith(_OTHERS_OF_QUERY)
    ]
    model.eval()
    for ids, mask, types, _ in batches:
        tokens = mask.bool()
        chosen = torch.rand(int(tokens.sum()), generator=drawn) < KEPT_ROWS
        model(ids, mask, types)
    for hook in hooks:
        hook.remove()
    every = {name: torch.cat(parts) for name, parts in rows.items()}
    return {name: x[torch.randperm(len(x), generator=drawn)[:ROWS]] for name, x in every.items()}


def _best(x: Tensor, weight: Tensor) -> _Scales:
    """The scales with the least error of x · weightᵀ, the mean error left out."""
    wanted, tried = x @ weight.T, []
    most, heaviest = (array.abs().amax(0).clamp(min=1e-3) for array in (x, weight))
    for moved in MOVED:
        channel = most**moved / heaviest ** (1 - moved) if moved else torch.ones_like(most)
        for kept in KEPT:
            scales = _scales(x / channel, channel, kept)
            whole, scale = _whole(weight / scales.factor)
            off = scales.rounded(x) @ whole.T * scale - wanted
            tried.append((float((off - off.mean(0)).square().mean()), scales))
    return min(tried, key=lambda one: one[0])[1]


def _scales(x: Tensor, channel: Tensor, kept: float) -> _Scales:
    low, high = float(x.min()) * kept, float(x.max()) * kept
    step = (high - low) / 255
    return _Scales(1 / (channel * step), round(-low / step))


def _whole(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Rows of whole numbers, and each row's scale."""
    scale = weight.abs().amax(1) / MOST
    return torch.round(weight / scale[:, None]), scale
