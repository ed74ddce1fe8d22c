"""What is sent: messages, and the parameters that the server is known to accept."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypedDict

from pydantic import BaseModel

from trace_core.facts.strict import valid_text

FORMATS = ("json_schema", "json_object", "text")
"""The formats in which to request an object, most reliable first."""
_NO_TEMPERATURE = re.compile(r"(o\d|gpt-5(-mini|-nano|-pro)?(-\d{4}-\d{2}-\d{2})?$)")
_QUOTED = 4000


class Message(TypedDict):
    """`role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Shape:
    """The parameters that a server accepts, as far as known."""

    format: str = FORMATS[0]
    temperature: bool = True
    stream_usage: bool = True

    @classmethod
    def of(cls, model: str) -> Shape:
        """What to try first; some models are known to reject a temperature."""
        return cls(temperature=_NO_TEMPERATURE.match(model) is None)

    def omits(self, other: Shape) -> bool:
        """Whether this asks for less than the other, and for nothing more."""
        ranks = [(FORMATS.index(s.format), not s.temperature, not s.stream_usage) for s in (self, other)]
        return self != other and all(mine >= theirs for mine, theirs in zip(*ranks, strict=True))

    def plainer(self) -> Shape | None:
        """The same with the next format; `None` after the last."""
        return None if self.format == FORMATS[-1] else replace(self, format=FORMATS[FORMATS.index(self.format) + 1])

    def without(self, reason: str, *, schema: bool, stream: bool = False) -> Shape | None:
        """What to try after the server rejected this, for that reason; `None` if nothing is left to omit."""
        if self.temperature and "temperature" in reason.lower():
            return replace(self, temperature=False)
        if stream and self.stream_usage:
            return replace(self, stream_usage=False)
        plainer = self.plainer() if schema else None
        return plainer or (replace(self, temperature=False) if self.temperature else None)


def parameters(
    model: str,
    messages: Sequence[Message],
    shape: Shape,
    schema: type[BaseModel] | None = None,
    only: Collection[str] = (),
) -> dict[str, Any]:
    """The request's parameters; with `only`, they ask for an object of just those fields."""
    sent = [Message(role=m["role"], content=str(valid_text(m["content"]))) for m in messages]
    params: dict[str, Any] = {"model": model}
    if shape.temperature:
        params["temperature"] = 0
    if schema:
        wanted = _narrowed(strict_schema(schema), only)
        if shape.format == "json_schema":
            described = {"name": schema.__name__, "schema": wanted, "strict": True}
            params["response_format"] = {"type": "json_schema", "json_schema": described}
        else:
            sent = _with_schema(sent, wanted)
        if shape.format == "json_object":
            params["response_format"] = {"type": "json_object"}
    return params | {"messages": sent}


def repair(messages: Sequence[Message], reply: str, missing: Sequence[str]) -> list[Message]:
    """The same question, followed by the unusable reply and a request for the missing fields."""
    if not reply.strip():
        return list(messages)
    wanted = ", ".join(missing)
    quoted = reply if len(reply) <= _QUOTED else reply[:_QUOTED] + " …"
    again = (
        f"That reply cannot be used: {wanted} is missing, cut off or not of the kind that was asked for. "
        f"Reply with one JSON object with only {wanted}, whole, and with explanations of at most ten words."
    )
    return [*messages, Message(role="assistant", content=quoted), Message(role="user", content=again)]


@lru_cache(maxsize=64)
def _strict(schema: type[BaseModel]) -> str:
    from openai import pydantic_function_tool

    return json.dumps(pydantic_function_tool(schema)["function"]["parameters"])


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """JSON Schema as `json_schema` mode needs it: every field required, no others allowed."""
    found: dict[str, Any] = json.loads(_strict(schema))
    return found


def _narrowed(schema: dict[str, Any], only: Collection[str]) -> dict[str, Any]:
    if not only:
        return schema
    kept = {name: value for name, value in schema["properties"].items() if name in only}
    return schema | {"properties": kept, "required": list(kept)}


def _with_schema(messages: list[Message], schema: Mapping[str, Any]) -> list[Message]:
    """Put the schema in words first, for servers without a parameter for it, so that prompts share a prefix."""
    words = f"Reply with one JSON object and nothing else. It follows this JSON Schema:\n{json.dumps(schema)}"
    if messages and messages[0]["role"] == "system":
        first = Message(role="system", content=f"{messages[0]['content']}\n\n{words}")
        return [first, *messages[1:]]
    return [Message(role="system", content=words), *messages]
