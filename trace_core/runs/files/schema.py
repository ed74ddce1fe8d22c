"""The schema of a run file, `trace-run/1`: models, and their published JSON Schema. `python -m trace_core.runs` prints
the JSON Schema; a test keeps the published file in step with the models."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from trace_core.facts.records import Record
from trace_core.metrics.base import RELEVANCE_DIVISOR, ConventionName

SCHEMA = "trace-run/1"


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, allow_inf_nan=False)


class RunSettings(_Open):
    """The settings that the records were made under."""

    relevance_divisor: float = Field(default=RELEVANCE_DIVISOR, gt=0)


class RunConfig(_Open):
    """What the records were made with; settings, but no secrets."""

    convention: ConventionName
    labeler: str | None = None
    model: Any = None
    prompt: Any = None
    seed: int | None = None
    settings: RunSettings = Field(default_factory=RunSettings)


class RunInfo(_Open):
    """Which run it is."""

    id: str = Field(min_length=1, max_length=200)
    name: str
    created_at: str
    config: RunConfig


class RunCounts(BaseModel, strict=True):
    """How many records; scored has all four metrics, undefined lacks one, a failed generation has no answer."""

    total: int = Field(ge=0)
    scored: int = Field(ge=0)
    undefined: int = Field(ge=0)
    failed: int = Field(ge=0)
    failed_generations: int = Field(default=0, ge=0)
    pending: int = Field(ge=0)


class RunHead(BaseModel, strict=True):
    """A run file without its records."""

    schema_: Literal["trace-run/1"] = Field(alias="schema")
    run: RunInfo
    counts: RunCounts
    summary: dict[str, Any]


class RunFile(RunHead):
    """A whole run file."""

    records: list[Record]


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a run file."""
    schema = RunFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": SCHEMA}
