"""The engine `ragas`: Ragas' own classes in a second interpreter, called over pipes."""

import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trace_core.endpoint.named_tests import Result
from trace_core.endpoint.payload import Payload
from trace_core.errors import LabelingError, SettingsError
from trace_core.llm import DEFAULT_MODEL
from trace_core.models.embedding import Embedder
from trace_core.settings import Settings

WORKER = Path(__file__).parent / "ragas_worker.py"
_INSTALL = (
    "Install it beside this one: python -m venv ragas-venv && ragas-venv/bin/pip install -r requirements-ragas.txt, "
    "then set TRACE_RAGAS_PYTHON=ragas-venv/bin/python."
)
_VARIABLES = (
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
    *(name for way in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for name in (way, way.upper())),
)
"""The variables of this process that Ragas' own needs."""


@dataclass(frozen=True, slots=True)
class Ragas:
    """Ragas in another interpreter. Raises `SettingsError` where that is unavailable."""

    python: Path
    model: str
    environment: dict[str, str]
    embedder: Embedder
    seconds: float = 300.0  # for one query: Ragas takes seconds to load, and calls a judge many times

    def results(self, payload: Payload, names: list[str]) -> dict[str, Result]:
        """The results of the named tests from Ragas' classes; a failed test has its reason. Raises `LabelingError` if
        the other interpreter fails or does not finish in time."""
        job = {
            "tests": names,
            "question": payload.question or "",
            "answer": payload.answer or "",
            "contexts": [context.text for context in payload.contexts],
            "ids": [context.id for context in payload.contexts],
            "truths": payload.truths,
            "relevant": payload.relevant_context_ids,
            "model": self.model,
        }
        reply = self._work(job)
        return {name: _result(reply["results"][name], reply["version"]) for name in names}

    def _work(self, job: Mapping[str, Any]) -> dict[str, Any]:
        environment = {name: os.environ[name] for name in _VARIABLES if name in os.environ} | self.environment
        try:
            worker = subprocess.Popen(  # noqa: S603  # the interpreter that the settings name, and our own file
                [str(self.python), "-I", str(WORKER)],
                env=environment,
                text=True,
                encoding="utf-8",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise SettingsError(f"TRACE_RAGAS_PYTHON cannot be started ({error.strerror}).", _INSTALL) from None
        timer = threading.Timer(self.seconds, worker.kill)
        timer.start()
        try:
            reply = self._talk(worker, job)
        finally:
            timer.cancel()
            worker.kill()
            worker.communicate()
        if reply is None:
            raise LabelingError(f"Ragas did not finish, or took longer than {self.seconds:g} s.", "Try again.")
        if "failed" in reply:
            raise LabelingError(str(reply["failed"]), _INSTALL)
        return reply

    def _talk(self, worker: subprocess.Popen[str], job: Mapping[str, Any]) -> dict[str, Any] | None:
        """Send the job and answer the worker's requests; `None` if the worker ends before it is done."""
        message = job
        with contextlib.suppress(BrokenPipeError):
            while True:
                print(json.dumps(message), file=worker.stdin, flush=True)
                reply: dict[str, Any] = json.loads((worker.stdout and worker.stdout.readline()) or "null")
                if not reply or "embed" not in reply:
                    return reply
                message = {"vectors": self.embedder.embed(reply["embed"]).tolist()}
        return None


def ragas_from(settings: Settings, embedder: Embedder) -> Ragas:
    """Ragas by the settings. Raises `SettingsError` saying what is missing, and how to install it."""
    if settings.ragas_python is None:
        raise SettingsError("The engine ragas is not set up on this server.", _INSTALL)
    if not settings.ragas_python.is_file():
        raise SettingsError("TRACE_RAGAS_PYTHON names no file.", _INSTALL)
    if settings.budget is not None:
        raise SettingsError("Ragas' calls cannot be counted against TRACE_BUDGET, which is set on this server.")
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
    environment = {"RAGAS_DO_NOT_TRACK": "true", "OPENAI_API_KEY": key}
    if settings.openai_base_url:
        environment["OPENAI_BASE_URL"] = settings.openai_base_url
    # Not resolved: a virtual environment's interpreter is a symlink that finds its packages by its own path.
    return Ragas(settings.ragas_python.absolute(), settings.model or DEFAULT_MODEL, environment, embedder)


def _result(reply: Mapping[str, Any], version: str) -> Result:
    """Cosines may leave [0, 1] by rounding, or be negative: the score is clipped, and the details keep the number."""
    details = {"method": f"ragas {version}", "seconds": reply["seconds"]}
    if reply["score"] is None:
        return Result(None, {**details, "error": reply["error"]})
    return Result(min(1.0, max(0.0, reply["score"])), {**details, "value": reply["score"]})
