"""Make the shipped embeddings and runs again: `python -m trace_core.demo`."""

from trace_core.demo import VECTORS, make_vectors
from trace_core.demo.runs import FILE, make_runs
from trace_core.retrieval import embedder

if __name__ == "__main__":
    make_vectors(embedder())
    make_runs()
    print(f"wrote {VECTORS} and {FILE}")
