"""A prompt: our own wording under a name, a version and a hash, which are stored with what it gave.

The texts that it is about are one JSON object in a separate message. Their content is quoted there, so it cannot close
the quotation and change what is asked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel

from trace_core.llm.messages import Message


class Prompt(NamedTuple):
    """`more` is any further wording that belongs to it, `schema` the object that a reply has to be."""

    name: str
    version: int
    instructions: str
    schema: type[BaseModel] | None = None
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
