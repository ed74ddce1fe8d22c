"""Records, runs and a collection in which every name and text attacks the page that shows it."""

from pathlib import Path

from qdrant_client import QdrantClient
from qdrant_client.models import Distance, PointStruct, VectorParams
from run_examples import failed, labeled
from run_page import CONFIG, url_of

from trace_core.facts.records import Document
from trace_core.store.store import open_store

TAGS = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>tag</b>'
MARKS = "$x^2$ **bold** [link](https://evil.example/a) ![pic](https://evil.example/i.png) :red[red] :material/home:"
ATTACK = f"{TAGS} {MARKS} \u202eright to left\u202c مرحبا \x1b[31m\x07"
"""One line; it ends in control characters."""
NAME = "$x^2$ __bold__ [link](evil.example) ![pic](evil.png) `code`"
"""A collection's name: the Markdown characters that Qdrant accepts."""
SURROGATE = "\ud800 lone"
SHOWN = f"{TAGS} {MARKS}"
RUNS = ("before", "after")


def hostile(record_id: str, *, second: bool):
    """A record in which every text attacks, with a sentence that was supported before and is not after."""
    made = labeled(record_id, question=ATTACK, response=f"Cats purr. {ATTACK}", second=second)
    documents = [Document(id=ATTACK, rank=1, text=f"Cats purr. {ATTACK}", title=ATTACK)]
    return made.model_copy(update={"documents": [*made.documents, *documents]})


def fill(folder: Path) -> None:
    """Write two runs, the later one worse, corrected by a person with a reason; and a collection."""
    store = open_store(url_of(folder)).runs
    config = CONFIG | {"labeler": ATTACK, "collection": ATTACK, "model": [ATTACK]}
    for day, name in enumerate(RUNS, start=1):
        created_at = f"2026-01-0{day}T10:00:00+00:00"
        store.create_run(ATTACK, config, total=2, status="stopped", run_id=name, note=ATTACK, created_at=created_at)
        store.save_records(name, [hostile(ATTACK, second=name == "before"), failed("f", ATTACK)])
        open_store(url_of(folder)).corrections.add(
            name, ATTACK, author=TAGS, sentence_key="a", field="supported", value="fully", reason=ATTACK
        )
    client = QdrantClient(path=str(folder / "qdrant"))
    client.create_collection(NAME, vectors_config=VectorParams(size=384, distance=Distance.COSINE))
    payload = {"text": f"{ATTACK} {ATTACK}", "id": ATTACK, "title": ATTACK, ATTACK: ATTACK}
    client.upsert(NAME, [PointStruct(id=1, vector=[0.1] * 384, payload=payload)])
    client.close()
