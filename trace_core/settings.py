"""Settings come only from the environment; a `.env` file is read if present. Nothing here opens a connection or imports
a model. Secrets are `SecretStr`, so that logs and errors show stars; `Settings.public()` is what a file may contain."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import ByteSize, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from trace_core.errors import SettingsError
from trace_core.facts.strict import misfit
from trace_core.metrics.base import ConventionName

PACKAGED_MODEL = "all-MiniLM-L6-v2"
_ADDRESS = re.compile(r"(\w+://)?[^\s/]+:\d{1,5}/?|inproc://\S+")  # where a Dask scheduler listens


class Settings(BaseSettings):
    """One field per setting; its alias is the environment variable's name."""

    model_config = SettingsConfigDict(
        env_file=".env", extra="ignore", populate_by_name=True, frozen=True, env_ignore_empty=True
    )

    data_dir: Path = Field(Path(".trace"), alias="TRACE_DATA_DIR")
    qdrant_url: str | None = Field(None, alias="QDRANT_URL", repr=False)
    qdrant_api_key: SecretStr | None = Field(None, alias="QDRANT_API_KEY")
    openai_api_key: SecretStr | None = Field(None, alias="OPENAI_API_KEY")
    openai_base_url: str | None = Field(None, alias="OPENAI_BASE_URL", repr=False)
    model: str | None = Field(None, alias="TRACE_MODEL")
    embedding_model: str = Field(PACKAGED_MODEL, alias="TRACE_EMBEDDING_MODEL")
    labeler: str = Field(
        default_factory=lambda values: "gpt" if values.get("openai_api_key") else "local", alias="TRACE_LABELER"
    )
    requests_per_minute: float | None = Field(None, alias="TRACE_REQUESTS_PER_MINUTE", gt=0, allow_inf_nan=False)
    tokens_per_minute: float | None = Field(None, alias="TRACE_TOKENS_PER_MINUTE", gt=0, allow_inf_nan=False)
    concurrency: int = Field(16, alias="TRACE_CONCURRENCY", ge=1, le=256)
    budget: float | None = Field(None, alias="TRACE_BUDGET", ge=0, allow_inf_nan=False)
    convention: ConventionName = Field("trace", alias="TRACE_CONVENTION")
    top_k: int = Field(5, alias="TRACE_TOP_K", ge=1, le=100)
    relevance_divisor: int = Field(20, alias="TRACE_RELEVANCE_DIVISOR", ge=1)
    database_url: SecretStr | None = Field(None, alias="TRACE_DATABASE_URL")
    executor: str = Field("local", alias="TRACE_EXECUTOR")
    demo: bool = Field(False, alias="TRACE_DEMO")
    threads: int | None = Field(None, alias="TRACE_THREADS", ge=1, le=256)
    warm_up: bool = Field(True, alias="TRACE_WARM_UP")
    query_log: Path | None = Field(None, alias="TRACE_QUERY_LOG")
    api_key: SecretStr | None = Field(None, alias="TRACE_API_KEY")
    ragas_python: Path | None = Field(None, alias="TRACE_RAGAS_PYTHON")
    proxies: str = Field("", alias="TRACE_PROXIES")
    hosts: str = Field("", alias="TRACE_HOSTS")
    max_body: ByteSize = Field(ByteSize(5_000_000), alias="TRACE_MAX_BODY", ge=1)

    @field_validator("qdrant_url", "openai_base_url")
    @classmethod
    def _is_a_url(cls, url: str | None) -> str | None:
        try:
            parts = urlsplit(url or "http://none")
        except ValueError:  # its message would repeat the URL
            parts = urlsplit("")
        after_host = parts.path + parts.query + parts.fragment
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in after_host:
            raise ValueError("must be http:// or https:// and a host, any user-info percent-encoded")
        return url

    @field_validator("executor")
    @classmethod
    def _is_an_executor(cls, executor: str) -> str:
        if executor not in ("local", "dask") and not _ADDRESS.fullmatch(executor):
            raise ValueError("must be local, dask, or the address of a Dask scheduler, as in tcp://host:8786")
        return executor

    @property
    def query_log_path(self) -> Path:
        """The path of the query log, one JSON line per query."""
        return self.query_log or self.data_dir / "queries.jsonl"

    @property
    def database(self) -> str:
        """The database's URL, SQLite in the data folder by default. It may contain a password."""
        if self.database_url:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.data_dir / 'trace.sqlite'}"

    def public(self) -> dict[str, Any]:
        """The settings that an export may contain: without secrets, and with URLs without user-info."""
        return {
            "qdrant_url": without_user(self.qdrant_url),
            "embedding_model": self.embedding_model,
            "top_k": self.top_k,
            "relevance_divisor": self.relevance_divisor,
            "openai_base_url": without_user(self.openai_base_url),
            "model": self.model,
        }


def without_user(url: str | None) -> str | None:
    """The URL without anything secret: `https://user:pass@host/x?k=v` → `https://host/x`."""
    if not url:
        return None
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def load(budget: float | None = None) -> Settings:
    """The environment's settings, with another budget if given. Raises `SettingsError` naming every unusable one."""
    try:
        settings = Settings()
        return settings if budget is None else settings.model_copy(update={"budget": budget})
    except ValidationError as error:
        # The rejected value is not repeated: it may be a key put into the wrong variable.
        # A default that follows from another setting is not made while one is wrong: nobody set it.
        errors = (e for e in error.errors() if e["type"] != "default_factory_not_called")
        wrong = "; ".join(": ".join(misfit(e)) for e in errors)
        raise SettingsError(f"The environment has settings that cannot be used: {wrong}.") from None
    except UnicodeDecodeError:
        raise SettingsError("The file .env is not text in UTF-8.", "Save it as UTF-8.") from None
