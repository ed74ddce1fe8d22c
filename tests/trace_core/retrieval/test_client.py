import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from trace_core.errors import QdrantUnreachable, RetrievalError
from trace_core.retrieval import Collections, advice, close_all, open_qdrant
from trace_core.settings import Settings


@pytest.fixture(autouse=True)
def _closed():
    yield
    close_all()


def embedded(folder):
    return open_qdrant(Settings(TRACE_DATA_DIR=folder, _env_file=None))


def test_all_who_open_one_folder_share_one_client(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(lambda _: embedded(tmp_path), range(16)))
    assert len(set(map(id, opened))) == 1


OWNER = """
import sys
from trace_core.retrieval import open_qdrant
from trace_core.settings import Settings
open_qdrant(Settings(TRACE_DATA_DIR=sys.argv[1], _env_file=None))
print("mine", flush=True)
sys.stdin.read()
"""


# The client that could not have the lock leaves its lock file to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_a_folder_that_another_process_owns_is_in_use_until_that_ends(tmp_path, model):
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout.readline() == "mine\n"
        with pytest.raises(RetrievalError, match="dashboard, or set QDRANT_URL"):
            embedded(tmp_path)
        owner.stdin.close()
        assert owner.wait(120) == 0
    assert Collections(embedded(tmp_path), model).names() == []


def test_a_folder_that_cannot_be_written_names_the_setting(tmp_path):
    (tmp_path / "data").write_text("a file", encoding="utf-8")
    with pytest.raises(QdrantUnreachable, match="TRACE_DATA_DIR"):
        embedded(tmp_path / "data")


@pytest.mark.parametrize("content", ["", "{", "[]"])
def test_a_broken_folder_is_an_error_in_words(tmp_path, content):
    (tmp_path / "qdrant").mkdir()
    (tmp_path / "qdrant" / "meta.json").write_text(content, encoding="utf-8")
    with pytest.raises(RetrievalError, match="cannot be read"):
        embedded(tmp_path)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://user:s3cret@127.0.0.1:1/x?key=s3cret"])
def test_a_server_that_does_not_answer_is_unreachable_and_no_secret_is_told(url, model):
    with pytest.raises(QdrantUnreachable, match=r"http://127\.0\.0\.1:1.* does not answer") as caught:
        Collections(open_qdrant(Settings(QDRANT_URL=url, _env_file=None)), model).names()
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("points", "on_server", "advised"), [(19_999, False, False), (20_000, False, True), (10**7, True, False)]
)
def test_a_large_embedded_collection_is_advised_to_move_to_a_server(points, on_server, advised):
    assert bool(advice(points, on_server=on_server)) == advised
