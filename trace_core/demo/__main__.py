"""Make the shipped vectors anew: `python -m trace_core.demo`."""

from trace_core.demo import VECTORS, make_vectors
from trace_core.retrieval import embedder

if __name__ == "__main__":
    make_vectors(embedder())
    print(f"wrote {VECTORS}")
