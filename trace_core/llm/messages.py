"""What is sent: messages, and the parameters that the server is known to accept."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, TypedDict

from pydantic import BaseModel

from trace_core.errors import LlmError
from trace_core.facts.strict import valid_text

TEMPERATURE, SCHEMA, JSON, SYSTEM, WHOLE = "temperature", "json_schema", "json_object", "system", "whole"
"""What a server may not know: without the two formats the schema is put in words, without a system's message its
words begin the user's, and a server that sends no whole reply is asked for a stream."""
STREAM = {"stream": True, "stream_options": {"include_usage": True}}
_QUOTED = 4000


class Rejected(LlmError):
    """The server rejects the request; one with fewer parameters may be accepted. `reason` and `status` are its own."""

    reason: str = ""
    status: int = 400


class Message(TypedDict):
    """`role` is system, user or assistant."""

    role: str
    content: str


def parameters(
    model: str,
    messages: Sequence[Message],
    omitted: Collection[str] = (),
    schema: type[BaseModel] | None = None,
    only: Collection[str] = (),
) -> dict[str, Any]:
    """The request's parameters without those omitted; with `only`, they ask for an object of just those fields."""
    sent = [Message(role=m["role"], content=str(valid_text(m["content"]))) for m in messages]
    params: dict[str, Any] = {"model": model} | ({} if TEMPERATURE in omitted else {"temperature": 0})
    if schema:
        asked = json.loads(_strict(schema))
        if only:
            properties = {name: value for name, value in asked["properties"].items() if name in only}
            asked |= {"properties": properties, "required": list(properties)}
        if SCHEMA not in omitted:
            described = {"name": schema.__name__, "schema": asked, "strict": True}
            params["response_format"] = {"type": SCHEMA, SCHEMA: described}
        else:
            sent = _with_schema(sent, asked)
            params |= {} if JSON in omitted else {"response_format": {"type": JSON}}
    if SYSTEM in omitted and [m["role"] for m in sent[:2]] == ["system", "user"]:
        sent = [Message(role="user", content=f"{sent[0]['content']}\n\n{sent[1]['content']}"), *sent[2:]]
    return params | (STREAM if WHOLE in omitted else {}) | {"messages": sent}


def repair(messages: Sequence[Message], reply: str, missing: Sequence[str]) -> list[Message]:
    """The same question, followed by the unusable reply and a request for the missing fields."""
    if not reply.strip():
        return list(messages)
    names = ", ".join(missing)
    quoted = reply if len(reply) <= _QUOTED else reply[:_QUOTED] + " …"
    again = (
        f"That reply cannot be used: {names} is missing, cut off or not of the kind that was asked for. "
        f"Reply with one JSON object with only {names}, whole, and with explanations of at most ten words."
    )
    return [*messages, Message(role="assistant", content=quoted), Message(role="user", content=again)]


@cache
def _strict(schema: type[BaseModel]) -> str:
    """JSON Schema as `json_schema` mode needs it: every field required, no others allowed."""
    from openai import pydantic_function_tool

    return json.dumps(pydantic_function_tool(schema)["function"]["parameters"])


def _with_schema(messages: list[Message], schema: Mapping[str, Any]) -> list[Message]:
    """Put the schema in words first, for servers without a parameter for it, so that prompts share a prefix."""
    words = f"Reply with one JSON object and nothing else. It follows this JSON Schema:\n{json.dumps(schema)}"
    if messages and messages[0]["role"] == "system":
        first = Message(role="system", content=f"{messages[0]['content']}\n\n{words}")
        return [first, *messages[1:]]
    return [Message(role="system", content=words), *messages]
