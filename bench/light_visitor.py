"""A visitor without a browser, who speaks Streamlit's websocket protocol, so that only the server is measured."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from uuid import uuid4

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect


class LightVisitor:
    """One session on the Ask page. `said` is the content of its last answer."""

    def __init__(self, socket: ClientConnection, url: str = "") -> None:
        self._socket, self._url = socket, url
        self._box = self._ask = self._files = self._session = ""
        self.said = b""

    @classmethod
    async def arrive(cls, url: str) -> LightVisitor:
        """Open the page and wait until it is drawn."""
        address = url.replace("http", "ws", 1) + "/_stcore/stream"
        socket = await connect(address, subprotocols=["streamlit"], max_size=None)  # type: ignore[list-item]
        visitor = cls(socket, url)
        await visitor._run(BackMsg())
        return visitor

    async def ask(self, question: str) -> float:
        """Seconds from the question to the end of the answer."""
        message = BackMsg()
        message.rerun_script.widget_states.widgets.add(id=self._box).string_value = question
        message.rerun_script.widget_states.widgets.add(id=self._ask).trigger_value = True
        start = time.perf_counter()
        await self._run(message)
        return time.perf_counter() - start

    async def upload(self, page: str, name: str, data: bytes) -> bytes:
        """Go to a page with a file upload, upload one, and return; gives what that page then showed."""
        message = BackMsg()
        message.rerun_script.page_name = page
        await self._run(message)
        place = await self._place(name)
        await asyncio.to_thread(self._send, place, name, data)
        chosen = UploadedFileInfo(name=name, size=len(data), file_id=place.file_id, file_urls=place)
        message.rerun_script.widget_states.widgets.add(
            id=self._files
        ).file_uploader_state_value.uploaded_file_info.append(chosen)
        await self._run(message)
        shown = self.said
        await self._run(BackMsg())
        return shown

    async def _place(self, name: str) -> FileURLs:
        """The server's upload address for the file of that name."""
        message = BackMsg()
        message.file_urls_request.request_id = uuid4().hex
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self._session
        await self._socket.send(message.SerializeToString())
        async for frame in self._socket:
            told: Any = ForwardMsg.FromString(frame)
            if told.WhichOneof("type") == "file_urls_response":
                place: FileURLs = told.file_urls_response.file_urls[0]
                return place
        raise SystemExit("The server closed the page.")

    def _send(self, place: FileURLs, name: str, data: bytes) -> None:
        with requests.Session() as client:
            client.get(f"{self._url}/_stcore/health", timeout=60)
            token = {"X-Xsrftoken": str(client.cookies["_streamlit_xsrf"])}
            client.put(f"{self._url}{place.upload_url}", files={"file": (name, data)}, headers=token, timeout=60)

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()

    async def _run(self, message: BackMsg) -> None:
        if not message.HasField("rerun_script"):
            message.rerun_script.query_string = ""
        await self._socket.send(message.SerializeToString())
        parts: list[bytes] = []
        async for frame in self._socket:
            assert isinstance(frame, bytes)
            parts.append(frame)
            told = ForwardMsg.FromString(frame)
            if told.HasField("new_session"):
                self._session = told.new_session.initialize.session_id
            if (field := told.delta.new_element.text_input).label == "Your question":
                self._box = field.id
            if (button := told.delta.new_element.button).label == "Ask":
                self._ask = button.id
            if told.delta.new_element.HasField("file_uploader"):
                self._files = told.delta.new_element.file_uploader.id
            if told.WhichOneof("type") == "script_finished":
                break
        self.said = b"".join(parts)


async def alone(url: str, questions: list[str]) -> list[float]:
    """One visitor's waiting times, one question after another."""
    visitor = await LightVisitor.arrive(url)
    waited = [await visitor.ask(question) for question in questions]
    await visitor.leave()
    return waited


async def together(url: str, questions: list[str]) -> tuple[list[float], int]:
    """One visitor per question, all asking at once: their waits, and how many received another's answer.

    Questions are distinguished by the text after their last comma.
    """
    visitors = [await LightVisitor.arrive(url) for _ in questions]
    waited = await asyncio.gather(*(v.ask(q) for v, q in zip(visitors, questions, strict=True)))
    marks = [question.rpartition(", ")[2].rstrip("?").encode() for question in questions]  # no character is escaped
    told = [[mark for mark in marks if mark in visitor.said] for visitor in visitors]
    missing = [q for q, mark, found in zip(questions, marks, told, strict=True) if mark not in found]
    assert not missing, f"not answered: {missing}"
    mixed = sum(len(found) > 1 for found in told)
    for visitor in visitors:
        await visitor.leave()
    return list(waited), mixed
