"""A raw row → the model, or an error that names file, row and field."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError

from trace_core.datasets.raw import MAX_TEXT, too_long
from trace_core.datasets.rows import Row
from trace_core.errors import InputError
from trace_core.strict import valid, valid_text

AnyRow = TypeVar("AnyRow", bound=Row)


def checked(model: type[AnyRow], raw: Any, name: str, number: int) -> AnyRow:
    """A raw row → the model. Raises `InputError` naming file, row and field."""
    if isinstance(raw, InputError):
        raise raw
    if not isinstance(raw, dict):
        raise InputError("An object was expected.", file=name, row=number)
    long = too_long(raw)
    if long:
        field, length = long
        raise InputError(
            f"A text of {length:,} characters; at most {MAX_TEXT:,} are read.", "Split it.",
            file=name, row=number, field=field,
        )  # fmt: skip
    fields = model.model_fields  # pydantic resolves the attribute on every access
    try:
        # the model repairs its own fields
        return model.model_validate({valid_text(k): v if k in fields else valid(v) for k, v in raw.items()})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{first['msg']}.", file=name, row=number, field=field) from None
