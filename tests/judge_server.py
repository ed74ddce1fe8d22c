"""A small HTTP server that speaks the OpenAI protocol, and can fail in every way that real ones do.

    with judge_server(reply) as server:
        … OPENAI_BASE_URL=server.url …
        server.asked  # what arrived, in order

`reply` receives each `Asked` and returns an `Answer`; `completion(text)` makes the usual one.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from trace_core.llm import Llm
from trace_core.llm.usage import Price, Prices

MODEL = "gpt-test"
KEY = "sk-test-0123456789"


@dataclass(frozen=True)
class Asked:
    """One request as received. `number` counts from 1; `at` is the time in seconds."""

    number: int
    path: str
    body: dict[str, Any]
    authorization: str
    at: float = field(default_factory=time.monotonic)

    @property
    def material(self) -> dict[str, Any]:
        """The data to be judged: the JSON of the first user message."""
        return json.loads(next(m["content"] for m in self.body["messages"] if m["role"] == "user"))

    @property
    def format(self) -> str:
        return self.body.get("response_format", {"type": "text"})["type"]

    @property
    def fields(self) -> list[str]:
        """The fields of the requested schema."""
        return list(self.body["response_format"]["json_schema"]["schema"]["properties"])

    @property
    def is_repair(self) -> bool:
        return any(m["role"] == "assistant" for m in self.body["messages"])


@dataclass(frozen=True)
class Answer:
    """The response. `reset` breaks the connection instead, `wait` is in seconds."""

    body: str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0
    reset: bool = False
    pieces: tuple[str, ...] = ()
    """Parts of a streamed answer: server-sent events, in order."""
    drip: float = 0
    """Seconds between two bytes of the body; with `drip_head` also of the headers."""
    drip_head: bool = False
    endless_head: bool = False
    """Whether interim responses come for ever and no other."""


Reply = Callable[[Asked], Answer]


def tokens(prompt: int = 100, completion: int = 10, cached: int = 0) -> dict[str, Any]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def completion(
    content: Any,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    usage: Any = None,
    wait: float = 0,
    reasoning: str | None = None,
) -> Answer:
    """The usual answer; content that is not a string is written as JSON. `reasoning` is the model's thinking."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    message = {"role": "assistant", "content": text, "refusal": refusal}
    message |= {} if reasoning is None else {"reasoning_content": reasoning}
    body = {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": tokens() if usage is None else usage,
    }
    return Answer(json.dumps(body), wait=wait)


def streamed(
    *texts: str, finish: str = "stop", usage: bool = True, wait: float = 0, thoughts: str | None = None
) -> Answer:
    """The usual answer as a stream of pieces, `wait` seconds apart, perhaps after the model's thoughts."""
    base = {"id": "chat-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}

    def event(choices: list[Any], **more: Any) -> str:
        return f"data: {json.dumps(base | {'choices': choices} | more)}\n\n"

    deltas = [] if thoughts is None else [{"reasoning_content": thoughts}]
    deltas += [{"content": text} for text in texts]
    pieces = [event([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in deltas]
    pieces.append(event([{"index": 0, "delta": {}, "finish_reason": finish}]))
    if usage:
        pieces.append(event([], usage=tokens()))
    return Answer(pieces=(*pieces, "data: [DONE]\n\n"), wait=wait)


def decided(*answers: Mapping[str, Any], usage: Any = None) -> Answer:
    """A decision model's answers, in order."""
    counts = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "input_tokens_details": {}}
    return Answer(json.dumps({"answers": answers, "model": MODEL, "usage": counts if usage is None else usage}))


def refused(status: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: Any) -> Answer:
    """An error in the protocol's format."""
    return Answer(json.dumps({"error": {"message": message, **more}}), status=status, headers=headers or {})


def redirected(to: str, status: int = 307) -> Answer:
    """A redirect of the same request to another address."""
    return Answer("", status=status, headers={"Location": to})


def then(*answers: Answer | Reply) -> Reply:
    """Give the answers in order; the last one repeats."""
    served = iter(answers)
    last: list[Answer | Reply] = []
    lock = threading.Lock()

    def reply(asked: Asked) -> Answer:
        with lock:
            last[:] = [next(served, *last)]
            answer = last[0]
        return answer(asked) if callable(answer) else answer

    return reply


class JudgeServer:
    """The running server: its address, and the requests it received."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: list[Asked] = []
        self.clients: list[Llm] = []
        self.most_at_once = 0
        self.hung_up = threading.Event()
        """Once set, every dripping reply ends."""
        self._running = 0
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.judge = self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        return len(self.asked)

    def llm(self, model: str = MODEL, key: str = KEY, **more: Any) -> Llm:
        """A client, closed with the server."""
        self.clients.append(Llm(model, key, base_url=self.url, **more))
        return self.clients[-1]

    def receive(self, path: str, body: dict[str, Any], authorization: str) -> Asked:
        with self._lock:
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
            asked = Asked(len(self.asked) + 1, path, body, authorization)
            self.asked.append(asked)
            return asked

    def finished(self) -> None:
        with self._lock:
            self._running -= 1

    def run(self) -> None:
        self._http.serve_forever(poll_interval=0.05)

    def stop(self) -> None:
        for client in self.clients:
            client.close()
        self.hung_up.set()
        self._http.shutdown()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    judge: JudgeServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is not an error here."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def do_GET(self) -> None:  # the name is the base class'
        models = {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 1, "owned_by": "test"}]}
        self._send(Answer(json.dumps(models)))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = self.server.judge.receive(self.path, body, self.headers.get("Authorization", ""))
        try:
            answer = self.server.judge.reply(asked)
            if not answer.pieces:
                time.sleep(answer.wait)
        finally:
            self.server.judge.finished()
        if answer.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True
        elif answer.endless_head:
            self._interim()
        elif answer.pieces:
            self._stream(answer)
        else:
            self._send(answer)

    def _send(self, answer: Answer) -> None:
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **answer.headers}
        lines = [f"HTTP/1.1 {answer.status} X", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        head = "\r\n".join(lines).encode()
        if answer.drip:
            self._drip(head, body, answer)
        else:
            self.wfile.write(head + body)  # at once: two writes would wait for each other

    def _drip(self, head: bytes, body: bytes, answer: Answer) -> None:
        self.close_connection = True
        at_once, slowly = (b"", head + body) if answer.drip_head else (head, body)
        self.wfile.write(at_once)
        for byte in slowly:
            self.wfile.write(bytes([byte]))
            if self.server.judge.hung_up.wait(answer.drip):
                return

    def _interim(self) -> None:
        self.close_connection = True
        while not self.server.judge.hung_up.wait(0.01):
            self.wfile.write(b"HTTP/1.1 102 Processing\r\n\r\n")

    def _stream(self, answer: Answer) -> None:
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        for piece in answer.pieces:
            self.wfile.write(piece.encode())
            self.wfile.flush()
            time.sleep(answer.wait)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def priced(like: Price | None = None, **parts: float) -> Prices:
    """The prices of a server's models, all alike."""
    price = like or parts
    return Prices.model_validate({"models": {MODEL: price, "gpt-6-luna": price}})


def judge_settings(server: JudgeServer) -> dict[str, str]:
    """The environment of a command that asks it."""
    return {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test", "TRACE_MODEL": MODEL}


@contextmanager
def judge_server(reply: Reply) -> Iterator[JudgeServer]:
    """A server for the duration of the block."""
    server = JudgeServer(reply)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(timeout=5)
