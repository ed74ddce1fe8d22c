"""The content of a query in one form, and what may be sent."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, ValidationInfo
from pydantic.functional_validators import AfterValidator, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from trace_core.endpoint.names import field_of, named_tests, part_of, tests_of
from trace_core.errors import TraceError
from trace_core.facts.failed_generation import is_placeholder
from trace_core.facts.strict import Strict, misfit
from trace_core.labeling import LABELERS

LONGEST = 500_000
"""The most characters of a query."""
MOST_TESTS, MOST_CONTEXTS, MOST_TRUTHS, MOST_IDS = 50, 100, 20, 1000
ENGINES = ("native", "ragas")
_IDS = re.compile(r"(?:[,;\s]|\band\b)+")


class QueryError(TraceError):
    """A query that cannot be read: why, and what to do. `payload` is the canonical JSON with what was understood.
    `whole` says that all of the query was understood, and that it is wrong or incomplete nevertheless."""

    def __init__(
        self, message: str, hint: str = "", *, payload: dict[str, Any] | None = None, whole: bool = False
    ) -> None:
        super().__init__(message, hint)
        self.payload, self.whole = payload, whole


class TooMuch(TraceError):
    """A query that would cost too much time or too many calls of a judge."""


def _text(value: Any, info: ValidationInfo) -> Any:
    """A number as the query writes it; anything else unchanged."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    text, query = str(value), (info.context or {}).get("query")
    if query is not None and all(rest[:1].isdigit() for rest in query.split(text)[1:]):
        raise ValueError("put this number in quotation marks")
    return text


def _nothing(value: Any) -> Any:
    return None if isinstance(value, str) and is_placeholder(value) else value


def _labeler(name: str | None) -> str | None:
    if name and name not in LABELERS:
        raise ValueError(f"there is no labeler {name!r}; use one of: {', '.join(LABELERS)}")
    return name


Text = Annotated[str, BeforeValidator(_text)]
Id = Annotated[str, StringConstraints(strip_whitespace=True), BeforeValidator(_text)]


class Context(Strict):
    """One retrieved document; a placeholder (`nan`, `N/A`) is no text."""

    id: Id
    text: Annotated[Text, BeforeValidator(lambda value: "" if value is not None and _nothing(value) is None else value)]


class Extra(TypedDict, total=False):
    """Choices; anything else in it is returned as it came. `unread` holds what the query's other keys hold."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    engine: Literal["native", "ragas"] | None
    labeler: Annotated[str | None, AfterValidator(_labeler)]


class Payload(Strict):
    """The canonical payload of seed 004. `None` and the empty list: not given. Keys may have any name in
    `trace_core.endpoint.names`."""

    tests: list[str] = Field(default_factory=list, max_length=MOST_TESTS)
    question: Annotated[Text | None, BeforeValidator(_nothing)] = None
    contexts: list[Context] = Field(default_factory=list, max_length=MOST_CONTEXTS)
    answer: Text | None = None
    ground_truth: Text | Annotated[list[Text], Field(max_length=MOST_TRUTHS)] | None = None
    relevant_context_ids: list[Id] = Field(default_factory=list, max_length=MOST_IDS)
    extra: Extra = Field(default_factory=lambda: Extra())
    # Contexts came without ids. No caller sends or receives this.
    without_ids: SkipJsonSchema[bool] = Field(default=False, exclude=True)

    @model_validator(mode="before")
    @classmethod
    def _use_our_names(cls, payload: Any) -> Any:
        """Our names for the keys, and ids for contexts that have none."""
        if not isinstance(payload, Mapping):
            return payload
        values, unread = _by_name(payload, field_of)
        if unread and isinstance(values.get("extra", {}), dict):
            values["extra"] = {"unread": unread} | values.get("extra", {})
        values["contexts"] = _contexts(values.get("contexts"))
        for number, context in enumerate(values["contexts"] if isinstance(values["contexts"], list) else [], start=1):
            if isinstance(context, dict) and context.get("id") is None:
                context["id"], values["without_ids"] = str(number), True
        return values

    @field_validator("tests", mode="before")
    @classmethod
    def _tests(cls, value: Any) -> Any:
        if isinstance(value, str):
            return named_tests(value)
        if not isinstance(value, list) or not all(isinstance(name, str) and name.strip() for name in value):
            raise ValueError("a list of names was expected")
        return list(dict.fromkeys(test for name in value for test in tests_of(name) or [name.strip()]))

    @field_validator("relevant_context_ids", mode="before")
    @classmethod
    def _ids(cls, value: Any, info: ValidationInfo) -> Any:
        """A text is a list of ids: one that no context has must have a digit, else it is a word."""
        if not isinstance(value, str):
            return [one for one in value if _nothing(one) is not None] if isinstance(value, list) else value
        if _nothing(value) is None:
            return []
        ids = {context.id: context.id for context in info.data.get("contexts", [])}
        ids = {one.casefold(): one for one in ids} | ids
        whole = value.strip() in ids or value.strip().casefold() in ids
        names = [value.strip()] if whole else [one.strip("[]()\"'.") for one in _IDS.split(value)]
        result = [ids.get(one) or ids.get(one.casefold()) or one for one in names if one]
        for one in result:
            if one not in ids and not any(map(str.isdigit, one)):
                raise ValueError(f"no context is called {one[:60]!r}")
        return list(dict.fromkeys(result))

    @classmethod
    def read(cls, values: Mapping[str, Any], query: str) -> Self:
        """The payload of an object that the query holds. Raises `QueryError` and `TooMuch`."""
        try:
            return cls.model_validate(values, context={"query": query})
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)
        first = next((one for one in wrong if one["type"] == "too_long"), wrong[0])
        message = f"{': '.join(filter(None, misfit(first)))}."
        if first["type"] == "too_long":
            raise TooMuch(message)
        bad = {str(one["loc"][0]) for one in wrong if one["loc"]}
        good = {key: value for key, value in values.items() if bad and field_of(str(key)) not in bad}
        try:
            payload = cls.read(good, query).model_dump() if good else None
        except QueryError as error:
            payload = error.payload
        raise QueryError(message, payload=payload, whole=True)

    @property
    def unknown_ids(self) -> list[str]:
        """Relevant ids that no context has, where contexts came without ids: nobody can say which they mean."""
        ids = {context.id for context in self.contexts}
        return [one for one in self.relevant_context_ids if one not in ids] if self.without_ids else []

    @property
    def truths(self) -> list[str]:
        """The ground truths that are neither blank nor a placeholder."""
        truths = [self.ground_truth] if isinstance(self.ground_truth, str) else self.ground_truth or []
        return [truth for truth in truths if truth.strip() and not is_placeholder(truth)]

    @property
    def engine(self) -> str:
        """The engine that computes: `native` or `ragas`."""
        return str(self.extra.get("engine") or ENGINES[0])

    def lacks(self, name: str) -> bool:
        """Whether a parameter is absent, empty, blank, or refers to something that does not exist."""
        if name == "ground_truth":
            return not self.truths
        if name == "relevant_context_ids" and self.unknown_ids:
            return True
        value = getattr(self, name)
        return not (value.strip() if isinstance(value, str) else value)


def _by_name(values: Mapping[Any, Any], table: Callable[[str], str | None]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values under our names, and those of other keys. Raises where two keys give one field, and differ."""
    fields: dict[str, Any] = {}
    others: dict[str, Any] = {}
    keys: dict[str, str] = {}
    for key, value in values.items():
        field = table(str(key))
        if field is None:
            others[str(key)] = value
        elif field in fields and fields[field] != value:
            twice = PydanticCustomError(
                "value_error", "{one} and {other} differ", {"one": keys[field], "other": str(key)}
            )
            raise ValidationError.from_exception_data("Payload", [{"type": twice, "loc": (field,), "input": None}])
        elif value is not None:
            fields[field], keys[field] = value, str(key)
    return fields, others


def _contexts(value: Any) -> Any:
    """A list of objects with our names, from texts, objects, one of them, or an object of ids and texts."""
    if isinstance(value, dict):
        is_one = any(map(part_of, map(str, value)))
        value = [value] if is_one else [{"id": key, "text": text} for key, text in value.items()]
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, list):
        return [] if value is None else value
    texts = ({"text": one} if isinstance(one, str) else one for one in value)
    return [_by_name(one, part_of)[0] if isinstance(one, dict) else one for one in texts]
