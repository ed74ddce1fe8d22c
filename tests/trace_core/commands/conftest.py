"""Commands that ask a local judge server."""

import pytest
from judge_server import MODEL
from run_command import command

KEY = "sk-of-the-commands-0123456789"


@pytest.fixture
def judged(tmp_path):
    """Runs a command against a judge server, whose key it must never show."""

    def asked(server, *arguments, **environment):
        made = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url, "TRACE_MODEL": MODEL}
        done = command(tmp_path, *arguments, **made | environment)
        assert KEY not in done.stdout + done.stderr
        return done

    return asked
