"""Commands that need Qdrant: add documents, list collections, ask; and a check of every part."""

import time
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from trace_core import demo, health
from trace_core.commands.options import (
    BAD_INPUT,
    FAILURES,
    AnswererName,
    ConventionName,
    Json,
    LabelerName,
    TopK,
    Vector,
)
from trace_core.commands.output import print_json, progress, report_bad
from trace_core.commands.stopping import stopped_with
from trace_core.datasets.traces import TextLookup
from trace_core.errors import InputError
from trace_core.facts.strict import visible
from trace_core.metrics import METRICS, Scoring
from trace_core.pipeline import Search, ask_collection, pipeline_from
from trace_core.retrieval import Collections, embedder, open_qdrant
from trace_core.retrieval.chunks import CHUNKING, Chunking
from trace_core.retrieval.ingest import Contents, IngestProgress, ingest, read_contents, readable_sources, seconds_left
from trace_core.retrieval.sources import find_files
from trace_core.settings import Settings, load
from trace_core.store.query_log import QueryLog
from trace_core.store.store import open_store


def ingest_command(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders: text, Markdown, PDF, HTML, tables, JSON.")],
    collection: Annotated[str, typer.Option("--collection", help="The collection to add to; created if missing.")],
    chunk_words: Annotated[int, typer.Option("--chunk-words", min=1, help="Most words in a chunk.")] = CHUNKING.words,
    overlap: Annotated[
        int, typer.Option("--overlap", min=0, help="Sentences that the next chunk repeats.")
    ] = CHUNKING.overlap,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave bad rows out instead of stopping.")] = False,
) -> None:
    """Put documents into a collection. The same file twice changes nothing; a stopped ingest resumes. Anything
    unreadable stops the command before any work, unless --skip-bad."""
    links: list[InputError] = []
    files = find_files(paths, links)
    report_bad(links, skip_bad=True)
    contents = read_contents(files, Contents())
    report_bad(contents.errors, skip_bad, contents.failures)
    if not contents.sources:
        raise InputError("There is nothing to ingest.", "Name files or folders with text in them.")
    collections = open_collections(load())
    start = time.monotonic()

    def show(now: IngestProgress) -> None:
        left = seconds_left(now.characters / contents.characters, time.monotonic() - start)
        parts = [f"{now.sources} of {contents.sources} documents", f"{now.chunks} chunks, {now.new_chunks} of them new"]
        parts += [] if left is None else [f"{left:.0f} s left"]
        progress(", ".join(parts), now.sources == contents.sources)

    with stopped_with("stopped: what was written stays; run the same command again to continue"):
        sources, chunking = readable_sources(files), Chunking(chunk_words, overlap)
        end = ingest(collections, collection, sources, chunking, on_progress=show)
    errors = [str(error) for error in (*links, *contents.errors)]
    counts = {"sources": end.sources, "chunks": end.chunks, "written": end.new_chunks}
    print_json({"collection": collection, **counts, "skipped": errors, "skipped_count": len(links) + contents.failures})


def collections_command(as_json: Json = False) -> None:
    """List the collections in Qdrant."""
    collections = open_collections(load())
    infos = [collections.describe(name) for name in collections.names()]
    if as_json:
        print_json([asdict(info) for info in infos])
        return
    for info in infos:
        vectors = "; ".join(map(str, info.vectors)) or "no vector"
        print(f"{info.name}: {info.points} points, {vectors}, text in {info.text_field or 'no field'}")
    if not infos:
        print("There is no collection yet. Make one with: python -m trace_core ingest --collection NAME PATH")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """Where a question is asked, and by whom it is answered and judged."""

    collection: Annotated[str, typer.Option("--collection", help="Where to look.")]
    top_k: TopK = None
    convention: ConventionName = None
    labeler: LabelerName = None
    answerer: AnswererName = None
    text_field: Annotated[str | None, typer.Option("--text-field", help="Payload field with the text.")] = None
    vector: Vector = None


def ask_command(
    question: Annotated[str, typer.Argument(help="The question.")], *, options: AskOptions, as_json: Json = False
) -> None:
    """Ask a collection: retrieve, answer, label, score."""
    settings = load()
    collections = open_collections(settings)
    pipeline = pipeline_from(settings, collections, labeler=options.labeler, answerer=options.answerer)
    record = ask_collection(
        pipeline,
        question,
        Search(options.collection, options.top_k or settings.top_k, options.vector, options.text_field),
        convention=Scoring(options.convention or settings.convention, settings.relevance_divisor),
        on_step=lambda step, record: progress(step, step == "score"),
    )
    if as_json:
        print_json(record.to_dict())
    else:
        assert record.scores and record.verdict  # noqa: PT018, S101  # an asked record always has them
        print(visible(record.response.text if record.response else ""))
        if record.retrieval and record.retrieval.vector:
            print(f"Searched by the vector {visible(record.retrieval.vector)}.")
        print(f"\n{visible(record.verdict.text)}")
        for name, metric in METRICS.items():
            value = getattr(record.scores, name)
            text = f"undefined ({record.scores.undefined.get(name)})" if value is None else f"{value:.2f}"
            print(f"{metric.label}: {text}")
    if not settings.demo:
        with closing(QueryLog(settings.query_log_path)) as log:
            log.append(record)
    raise typer.Exit(FAILURES if record.error else 0)


def doctor(as_json: Json = False) -> None:
    """Check Qdrant, judge (which is asked for one word), store, data folder and model: ok, or the reason why not."""
    settings = load()
    checks = [
        health.qdrant(lambda: open_collections(settings)),
        health.judge(settings),
        health.store(open_store(settings.database).database, examine=True),
        health.folder(settings),
        health.model(embedder(settings.embedding_model), load=True),
    ]
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        print(*(f"{check.part}: {'ok' if check.ok else 'not ok'} ({check.detail})" for check in checks), sep="\n")
    raise typer.Exit(0 if all(check.ok for check in checks) else BAD_INPUT)


def open_collections(settings: Settings) -> Collections:
    """The Qdrant that the settings name; at the first start the demo is written into it."""
    collections = Collections(open_qdrant(settings), embedder(settings.embedding_model))
    demo.load_at_first_start(collections, settings)
    return collections


def texts_in(settings: Settings) -> TextLookup:
    """Looks up documents that a trace names by id in the settings' Qdrant, which is opened at first use."""
    collections = cache(lambda: open_collections(settings))
    return lambda collection, ids: collections().texts(collection, ids)
