"""An ingest in the background: real files, a real embedded Qdrant, a real thread."""

import threading

import pytest

from trace_core.errors import InputError, TraceError
from trace_core.retrieval.job import IngestJob, IngestJobs, read_contents
from trace_core.retrieval.sources import File


def file(name, text):
    return File(name, name, text.encode())


FILES = [file(f"{i}.md", f"Sentence number {i}.") for i in range(70)]
BAD = [file("empty.txt", ""), file("rows.jsonl", '{"text": "Good."}\n{')]


class Gate:
    """The real model, which lets one batch through and then waits until it may go on."""

    name, ready = "all-MiniLM-L6-v2", True

    def __init__(self, model):
        self.model, self.batches, self.reached, self.open = model, 0, threading.Event(), threading.Event()

    def embed(self, texts):
        self.batches += 1
        if self.batches == 2:
            self.reached.set()
            assert self.open.wait(60)
        return self.model.embed(texts)


def count(collections, name="c"):
    return collections.describe(name).points


def test_a_job_writes_all_that_can_be_read_and_names_the_rest(collections):
    job = IngestJob(collections, "c", [*FILES, *BAD])
    job.start()
    job.wait(60)
    assert (job.phase, job.contents.sources, job.contents.failures, job.error) == ("done", 71, 2, None)
    assert [str(error).split(":")[0] for error in job.contents.errors] == ["empty.txt", "rows.jsonl, row 2"]
    assert (job.progress.sources, job.progress.new_chunks, job.share) == (71, 71, 1.0)
    assert job.stopping is False
    assert count(collections) == 71


def test_a_job_is_watched_stopped_and_resumed_without_doubles(collections):
    gate = Gate(collections.embedder)
    collections.embedder = gate
    job = IngestJob(collections, "c", [file(f"{i}.md", f"Sentence number {i}.") for i in range(140)])
    job.start()
    assert gate.reached.wait(60)
    assert (job.phase, job.running, job.progress.chunks, job.contents.sources) == ("writing", True, 64, 140)
    assert job.left > 0
    job.stop()
    assert job.stopping
    gate.open.set()
    job.wait(60)
    assert (job.phase, job.progress.sources, count(collections)) == ("stopped", 128, 128)
    job.start()
    job.wait(60)
    assert (job.phase, job.progress.sources, job.progress.new_chunks) == ("done", 140, 12)
    assert count(collections) == 140


def test_whatever_happens_is_told_and_not_lost(collections, caplog):
    job = IngestJob(collections, "c", [File("a.txt", "a.txt", None)])
    job.start()
    job.wait(60)
    assert job.phase == "failed"
    assert isinstance(job.error, TraceError)
    assert "The ingest ended unexpectedly (TypeError: " in str(job.error)


def test_one_job_at_a_time(collections):
    gate = Gate(collections.embedder)
    collections.embedder = gate
    jobs = IngestJobs()
    first, second = IngestJob(collections, "c", FILES), IngestJob(collections, "d", FILES)
    jobs.begin(first)
    assert gate.reached.wait(60)
    with pytest.raises(InputError, match="added to 'c' now"):
        jobs.begin(second)
    assert jobs.current is first
    gate.open.set()
    first.wait(60)
    jobs.begin(second)
    assert jobs.current is second
    assert second.wait(60).phase == "done"
    jobs.dismiss()
    assert jobs.current is None


def test_reading_once_counts_and_keeps_only_the_first_errors(monkeypatch):
    monkeypatch.setattr("trace_core.retrieval.job.MOST_ERRORS", 3)
    contents = read_contents([file("rows.jsonl", '{"text": "Good."}\n' + "{\n" * 10)])
    assert (contents.sources, contents.characters, contents.failures, len(contents.errors)) == (1, 5, 10, 3)
