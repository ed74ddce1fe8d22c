"""The promises of `docs/security.md` that no single room can show: sources, running server, and every output."""

import ast
import http.client
import json
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import streamlit
from ask_page import CLEAN, serve_app
from run_command import command
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[1]
CORE, PAGES = (sorted((ROOT / folder).rglob("*.py")) for folder in ("trace_core", "pages"))
OURS = [*CORE, *PAGES, ROOT / "app.py"]
SECURITY = (ROOT / "docs" / "security.md").read_text("utf-8")
MARK = "s3cret-" + "7f3a9c"


def names(path):
    """Every dotted name that the file calls or reads: `st.html`, `eval`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)
            yield from (f"{word.arg}=" for word in node.keywords if word.arg)


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]


# The sources


@pytest.mark.parametrize("path", OURS, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_is_evaluated_and_no_text_becomes_html(path):
    never = {"eval", "exec", "os.system", "os.popen", "st.html", "st.iframe", "unsafe_allow_html=", "shell="}
    own_style = {"st.html"} if path.name == "app.py" else set()
    assert never & set(names(path)) - own_style == set()
    assert {"pickle", "marshal", "shelve", "dill"} & set(imported(path)) == set()


def test_the_only_html_is_a_style_that_stands_in_a_file():
    source = (ROOT / "app.py").read_text("utf-8")
    assert re.findall(r"st\.html\((.*)\)", source) == ['COMPONENTS / "style.css"']


@pytest.mark.parametrize("path", sorted((ROOT / "trace_core").rglob("*.js")), ids=lambda p: p.name)
def test_the_scripts_make_no_html_from_strings(path):
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text("utf-8"))


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_page_opens_an_address_of_its_own(path):
    """The addresses of Qdrant and the judge come only from the environment: a visitor cannot name one."""
    clients = {"httpx", "httpx2", "requests", "urllib3", "socket", "openai", "qdrant_client"}
    assert clients & set(imported(path)) == set()
    called = {name.rpartition(".")[2] for name in names(path)}
    assert {"Settings", "urlopen", "QdrantClient", "OpenAI"} & called == set()


def test_no_uploaded_name_becomes_a_path():
    """Pages use only the suffix of an upload's name; `upload` is a name of ours."""
    source = (ROOT / "pages" / "components" / "runs" / "datasets.py").read_text("utf-8")
    assert re.findall(r"Path\(folder\) / (f\S+)", source) == ['f"upload{Path(file.name).suffix.lower()}"']
    found = [path for path in PAGES if re.search(r"\bopen\(|write_bytes\(", path.read_text("utf-8"))]
    found = [f"{path.parent.name}/{path.name}" for path in found]
    assert found == ["runs/datasets.py", "shared/visitors.py"]


def test_protection_against_other_sites_is_on():
    server = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["server"]
    assert server["enableXsrfProtection"] is True
    assert server["enableCORS"] is True
    assert "enableStaticServing" not in server


# The running server


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    with serve_app(tmp_path_factory.mktemp("data")) as url:
        yield urlsplit(url)


def answer(app, method, path, body=None, headers=None, sender=None):
    """(status, headers, body) of one request; the path is sent unchanged."""
    connection = http.client.HTTPConnection(app.hostname, app.port, timeout=30, source_address=sender)
    connection.request(method, path, body, headers or {})
    reply = connection.getresponse()
    found = reply.status, dict(reply.getheaders()), reply.read() if reply.status != 101 else b""
    connection.close()
    return found


def test_a_forwarded_address_counts_only_from_a_proxy_that_the_owner_names(tmp_path):
    query = {"tests": ["faithfulness"], "contexts": ["The tank is full."], "answer": "The tank is full."}
    body = json.dumps({"query": json.dumps(query)})
    with serve_app(tmp_path, TRACE_DEMO="1", TRACE_PROXIES="127.0.0.2") as url:
        sent = [{"content-type": "application/json", "x-forwarded-for": f"192.0.2.{n}"} for n in range(11)]
        for sender, last in (("127.0.0.2", 200), ("127.0.0.1", 429)):
            statuses = [answer(urlsplit(url), "POST", "/trace", body, each, (sender, 0))[0] for each in sent]
            assert statuses == [*[200] * 10, last]


def test_the_demo_reads_no_message_of_more_than_a_megabyte(tmp_path):
    with serve_app(tmp_path, TRACE_DEMO="1") as url:
        place = urlsplit(url).netloc
        with connect(f"ws://{place}/_stcore/stream", origin=f"http://{place}", subprotocols=["streamlit"]) as socket:
            socket.send(b"x" * 1_000_001)
            with pytest.raises(ConnectionClosedError, match="1009"):
                socket.recv(timeout=60)


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def test_another_site_cannot_speak_to_the_app(app):
    status, _, _ = answer(app, "GET", "/_stcore/stream", headers={**UPGRADE, "Origin": "https://evil.example"})
    assert status == 403


def test_its_own_page_can_and_one_of_another_port_of_this_machine_cannot(app):
    own, other = ({**UPGRADE, "Origin": f"http://{app.hostname}:{port}"} for port in (app.port, app.port + 1))
    assert answer(app, "GET", "/_stcore/stream", headers=own)[0] == 101
    assert answer(app, "GET", "/_stcore/stream", headers=other)[0] == 403


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/trace/schema"])
def test_another_site_may_not_read_what_it_fetches(app, path):
    _, headers, _ = answer(app, "GET", path, headers={"Origin": "https://evil.example"})
    assert {name.lower() for name in headers} & {"access-control-allow-origin"} == set()


def test_an_upload_without_the_sites_own_token_is_refused(app):
    status, _, _ = answer(app, "PUT", "/_stcore/upload_file/session/file", b"x", {"Content-Type": "text/plain"})
    assert status == 403


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/trace/schema"])
def test_only_under_its_own_name_it_answers_and_in_no_foreign_frame(app, path):
    assert answer(app, "GET", path, headers={"Host": "evil.example"})[0] == 421
    status, headers, _ = answer(app, "GET", path)
    assert (status, {k.lower(): v for k, v in headers.items()}["content-security-policy"]) == (
        200,
        "frame-ancestors 'self'",
    )


def test_no_page_of_another_name_reaches_the_app(app):
    stranger = {**UPGRADE, "Host": "evil.example", "Origin": "http://evil.example"}
    assert answer(app, "GET", "/_stcore/stream", headers=stranger)[0] == 403


PATHS = [
    "/../requirements.txt",
    "/static/../../requirements.txt",
    "/static/..%2f..%2frequirements.txt",
    "/app/static/../requirements.txt",
    "/media/../../../../../etc/passwd",
    "/_stcore/bidi-components/../../../etc/passwd",
    "/component/..%2f..%2f..%2fetc/passwd",
    "//etc/passwd",
]


def test_a_file_of_the_page_itself_is_served(app):
    """Shows that a path leading to another file would be noticed."""
    page = answer(app, "GET", "/")[2].decode()
    script = re.search(r'src="\.?/?(static/js/[^"]+)"', page)
    assert script
    status, _, body = answer(app, "GET", f"/{script[1]}")
    assert (status, body) == (200, (Path(streamlit.__file__).parent / "static" / script[1]).read_bytes())


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_to_a_file_of_the_host(app, path):
    """The path is refused, or answered with the page that any unknown address gets."""
    status, _, body = answer(app, "GET", path)
    assert status in (400, 403, 404) or (status, body) == answer(app, "GET", "/any-address")[::2]
    for file in (ROOT / "requirements.txt", Path("/etc/passwd")):
        assert file.read_bytes()[:20] not in body


# Secrets


def secret_environment():
    """The mark in every setting that may contain a secret."""
    return dict.fromkeys(CLEAN, "") | {
        "QDRANT_URL": f"http://user:{MARK}@127.0.0.1:1/?key={MARK}",
        "QDRANT_API_KEY": MARK,
        "OPENAI_API_KEY": MARK,
        "OPENAI_BASE_URL": f"http://user:{MARK}@127.0.0.1:1/v1",
        "TRACE_DATABASE_URL": f"postgresql+psycopg://user:{MARK}@127.0.0.1:1/db",
        "TRACE_API_KEY": MARK,
        "TRACE_MODEL": "some-model",
        "TRACE_DATA_DIR": "data",
    }


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
@pytest.mark.parametrize(
    "words",
    [["doctor"], ["collections"], ["ask", "--collection", "c", "Why?"], ["label", "rows.jsonl", "--labeler", "gpt"]],
    ids=lambda words: words[0],
)
def test_no_command_tells_a_secret_not_even_when_all_fails(tmp_path, words):
    (tmp_path / "rows.jsonl").write_text('{"question": "q", "documents": ["d"], "response": "r"}\n', "utf-8")
    run = command(tmp_path, *words, **secret_environment())
    assert run.returncode != 0
    assert run.stdout + run.stderr != ""
    assert MARK not in run.stdout + run.stderr
    left = [path for path in tmp_path.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]
    assert left == []


# The page itself

TESTED = re.compile(r"`(test_\w+)`")


def test_every_line_of_the_threat_model_has_a_test():
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ")]
    lines = [row for row in rows if not row.startswith(("| ---", "| what"))]
    assert lines
    assert [line for line in lines if not TESTED.search(line) and "no test" not in line] == []


def test_the_tests_that_the_threat_model_names_exist():
    files = {path.stem for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(TESTED.findall(SECURITY)) - files == set()
