from pathlib import Path

import pytest

from trace_core.errors import SettingsError
from trace_core.settings import Settings, load, without_user

NAMES = [field.alias for field in Settings.model_fields.values()]


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("setting", "default"),
    [("data_dir", Path(".trace")), ("qdrant_url", None), ("labeler", "local"), ("convention", "trace"), ("top_k", 5)],
)
def test_the_default(setting, default):
    assert getattr(load(), setting) == default


def test_with_a_key_gpt_labels_unless_another_labeler_is_named(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert load().labeler == "gpt"
    monkeypatch.setenv("TRACE_LABELER", "local")
    assert load().labeler == "local"


def test_the_database_and_the_query_log_are_in_the_data_folder_by_default(monkeypatch):
    monkeypatch.setenv("TRACE_DATA_DIR", "elsewhere")
    assert load().database == "sqlite:///elsewhere/trace.sqlite"
    assert load().query_log_path == Path("elsewhere/queries.jsonl")


def test_the_environment_decides(monkeypatch):
    monkeypatch.setenv("TRACE_TOP_K", "7")
    monkeypatch.setenv("TRACE_CONVENTION", "graded")
    monkeypatch.setenv("TRACE_DATABASE_URL", "postgresql://db/trace")
    monkeypatch.setenv("TRACE_QUERY_LOG", "log.jsonl")
    settings = load()
    assert (settings.top_k, settings.convention) == (7, "graded")
    assert settings.database == "postgresql://db/trace"
    assert settings.query_log_path == Path("log.jsonl")


def test_an_empty_variable_is_an_absent_one(monkeypatch):
    monkeypatch.setenv("TRACE_TOP_K", "")
    monkeypatch.setenv("QDRANT_URL", "")
    assert (load().top_k, load().qdrant_url) == (5, None)


def test_a_file_named_env_is_read_if_there_and_the_environment_goes_before_it(monkeypatch):
    Path(".env").write_text("TRACE_TOP_K=9\nSOMETHING_ELSE=1\n", encoding="utf-8")
    assert load().top_k == 9
    monkeypatch.setenv("TRACE_TOP_K", "7")
    assert load().top_k == 7


def test_a_file_that_is_not_utf_8_is_an_error_in_words():
    Path(".env").write_bytes(b"QDRANT_API_KEY=gehe\xefm\n")
    with pytest.raises(SettingsError, match="UTF-8"):
        load()


# Values that cannot be used

WRONG = "s3cret-in-the-wrong-place"


@pytest.mark.parametrize(
    "name", ["TRACE_TOP_K", "TRACE_CONVENTION", "TRACE_DEMO", "QDRANT_URL", "OPENAI_BASE_URL", "TRACE_EXECUTOR"]
)
def test_a_bad_value_is_an_error_naming_the_variable_and_not_the_value(monkeypatch, name):
    monkeypatch.setenv(name, WRONG)
    with pytest.raises(SettingsError) as caught:
        load()
    assert name in str(caught.value)
    assert WRONG not in str(caught.value)
    assert "Input should" not in str(caught.value)
    assert "labeler" not in str(caught.value)  # its default follows from another setting; nobody set it


NUMBERS = [("TRACE_TOP_K", "0"), ("TRACE_TOP_K", "101"), ("TRACE_TOKENS_PER_MINUTE", "inf"), ("TRACE_BUDGET", "nan")]
NO_URLS = ["localhost:6333", "ftp://host", "https:///path", "http://[s3cret", "https://user:s3cret/x@host"]
NO_URLS = [(name, url) for name in ("QDRANT_URL", "OPENAI_BASE_URL") for url in NO_URLS]


@pytest.mark.parametrize(("name", "value"), [*NUMBERS, *NO_URLS])
def test_a_number_out_of_range_and_a_url_without_scheme_or_host_are_errors(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        load()
    assert "s3cret" not in str(caught.value)


# Secrets

SECRETS = {
    "QDRANT_URL": "https://user:s3cret@host:6333/x?api_key=s3cret#s3cret",
    "QDRANT_API_KEY": "s3cret",
    "OPENAI_API_KEY": "s3cret",
    "OPENAI_BASE_URL": "https://user:s3cret@host/v1",
    "TRACE_DATABASE_URL": "postgresql://user:s3cret@host/trace",
}


def test_secrets_are_not_in_repr_or_str(monkeypatch):
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    settings = load()
    assert "s3cret" not in f"{settings!r} {settings} {settings.public()}"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:pass@host/x?k=v#f", "https://host/x"),
        ("https://token@host:6333", "https://host:6333"),
        ("https://us@er:pass@host", "https://host"),
        ("http://localhost:6333", "http://localhost:6333"),
        ("", None),
        (None, None),
    ],
)
def test_a_url_is_shown_without_user_info_query_and_fragment(url, shown):
    assert without_user(url) == shown
