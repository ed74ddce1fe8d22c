"""What is sent: prompts, messages, and the parameters that the server is known to accept. The texts that a prompt is
about are one JSON object in a separate message: quoted there, they cannot close the quotation and change the task."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypedDict

from pydantic import BaseModel

from trace_core.errors import LlmError
from trace_core.facts.strict import valid_text

TEMPERATURE, SCHEMA, JSON, SYSTEM, WHOLE = "temperature", "json_schema", "json_object", "system", "whole"
"""What a server may not know: without the two formats the schema is put in words, without a system's message its
words begin the user's, and a server that sends no whole reply is asked for a stream."""
_STREAM = {"stream": True, "stream_options": {"include_usage": True}}
FORMATS = (SCHEMA, JSON)
_WORDS = {
    TEMPERATURE: re.compile(r"(?i)temperature"),
    SYSTEM: re.compile(r"(?i)\bsystem\b|\broles?\b"),
    WHOLE: re.compile(r"(?i)\bstream(ing)?\b"),
    SCHEMA: re.compile(r"(?i)response_format|schema|json"),
}
"""The words by which a server names what it does not know."""
_LONGEST_QUOTE = 8000
Messages = Sequence["Message"]
OnText = Callable[[str], None]
"""Called with each piece of a reply as it arrives; may raise to stop the work."""
Schema = type[BaseModel] | None
Omissions = frozenset[str]


class Rejection(LlmError):
    """The server rejects the request; one with fewer parameters may be accepted. `reason` and `status` are its own."""

    def __init__(self, message: str, hint: str, *, reason: str, status: int) -> None:
        super().__init__(message, hint)
        self.reason, self.status = reason, status


class Message(TypedDict):
    """`role` is system, user or assistant."""

    role: str
    content: str


class Prompt(NamedTuple):
    """Our own wording, whose name, version and hash are stored with what it gave. `more` is any further wording that
    belongs to it, `schema` the object that a reply has to be."""

    name: str
    version: int
    instructions: str
    schema: Schema = None
    more: tuple[Any, ...] = ()

    @property
    def id(self) -> str:
        """Name, version and the beginning of the hash of all its wording."""
        schema = [self.schema.model_json_schema()] if self.schema else []
        words = json.dumps([self.instructions, *self.more, *schema], sort_keys=True)
        return f"{self.name}-{self.version} / {hashlib.sha256(words.encode()).hexdigest()[:8]}"

    def messages(self, material: Mapping[str, Any], addition: str = "") -> list[Message]:
        """The instructions, with an addition, and the material in a message of its own."""
        system = Message(role="system", content=self.instructions + addition)
        return [system, Message(role="user", content=json_line(material))]


def json_line(material: object) -> str:
    """JSON on one line, in which no text can end its string or look like a separate line."""
    text = json.dumps(material, ensure_ascii=False)
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")


def omissions_after(rejection: Rejection, omissions: Omissions, schema: bool, first: bool) -> Omissions | None:
    """What to omit now, `None` if nothing. After the `first` request of its kind it must name a parameter."""
    names = [name for name, words in _WORDS.items() if words.search(rejection.reason)]
    if not first and not names:
        return None
    formats = FORMATS if schema else ()
    if rejection.status in (404, 500):  # another model or address is the matter where no format is asked for
        return without(omissions, formats)
    return without(omissions, [*(name for name in names if name != SCHEMA), *formats, TEMPERATURE, SYSTEM])


def without(omissions: Omissions, names: Sequence[str] = FORMATS) -> Omissions | None:
    """Omit the first of the names that is still sent; `None` if all are omitted."""
    return next((omissions | {name} for name in names if name not in omissions), None)


def parameters(
    model: str, messages: Messages, omissions: Omissions, schema: Schema = None, only: Collection[str] = ()
) -> dict[str, Any]:
    """The request's parameters without the `omissions`; with `only`, they ask for an object of just those fields."""
    turns = [Message(role=m["role"], content=str(valid_text(m["content"]))) for m in messages]
    params: dict[str, Any] = {"model": model} | ({} if TEMPERATURE in omissions else {"temperature": 0})
    if schema:
        shape = json.loads(_strict(schema))
        if only:
            properties = {name: value for name, value in shape["properties"].items() if name in only}
            shape |= {"properties": properties, "required": list(properties)}
        if SCHEMA not in omissions:
            description = {"name": schema.__name__, "schema": shape, "strict": True}
            params["response_format"] = {"type": SCHEMA, SCHEMA: description}
        else:
            # First, so that prompts share a prefix.
            words = f"Reply with one JSON object and nothing else. It follows this JSON Schema:\n{json.dumps(shape)}"
            turns[0] = Message(role=turns[0]["role"], content=f"{turns[0]['content']}\n\n{words}")
            params |= {} if JSON in omissions else {"response_format": {"type": JSON}}
    if SYSTEM in omissions and [m["role"] for m in turns[:2]] == ["system", "user"]:
        turns = [Message(role="user", content=f"{turns[0]['content']}\n\n{turns[1]['content']}"), *turns[2:]]
    return params | (_STREAM if WHOLE in omissions else {}) | {"messages": turns}


def repair(messages: Messages, reply: str, missing: Mapping[str, str]) -> list[Message]:
    """The same question, followed by the reply and a request for the missing fields, each with what it is to have."""
    if not reply.strip():
        return list(messages)
    names = ", ".join(f"{name} ({words})" if words else name for name, words in missing.items())
    quotation = reply if len(reply) <= _LONGEST_QUOTE else reply[:_LONGEST_QUOTE] + " …"
    again = (
        f"That reply cannot be used: {names} is missing, incomplete or not of the kind that was asked for. "
        f"Reply with one JSON object with only {names}, whole, and with explanations of at most ten words."
    )
    return [*messages, Message(role="assistant", content=quotation), Message(role="user", content=again)]


@cache
def _strict(schema: type[BaseModel]) -> str:
    """JSON Schema as `json_schema` mode needs it: every field required, no others allowed."""
    from openai import pydantic_function_tool

    return json.dumps(pydantic_function_tool(schema)["function"]["parameters"])
