"""Sends requests: credentials, JSON, errors, retries. These are the asyncio calls."""

from __future__ import annotations

import json
import random
import urllib.parse
import uuid
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Mapping, Optional, Tuple

from .._http import Answer, AsyncWaiter, open_url, send
from ..errors import GuiseError
from ..jobs import Tagged


class AsyncTransport:
    def __init__(
        self,
        base_url: str,
        api_key: Optional[str],
        retries: int,
        longest_retry_seconds: float,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.api_key = api_key
        self.retries = retries
        self.longest_retry_seconds = longest_retry_seconds
        self.waiter = AsyncWaiter()

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        """The JSON of the answer; None when it is empty."""
        content = (await self.send(method, path, body, query, headers)).content
        return json.loads(content) if content else None

    async def request_tagged(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Tagged[Any]:
        answer = await self.send(method, path, body, None, headers)
        return Tagged(json.loads(answer.content), answer.headers.get("etag"))

    async def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Answer:
        sent: Dict[str, str] = self._credentials()
        content: Optional[bytes] = None
        if isinstance(body, bytes):
            content = body
        elif body is not None:
            content = json.dumps(body).encode("utf-8")
            sent["content-type"] = "application/json"
        if method == "POST":
            # A request that is sent again must not make the same thing twice.
            sent["idempotency-key"] = str(uuid.uuid4())
        sent.update(headers or {})
        return await self._with_retries(method, self.url(path, query), sent, content)

    async def download(self, url: str) -> bytes:
        """A file by a signed link, which needs no credentials and may lead to another server."""
        return (await self._with_retries("GET", url, {}, None)).content

    async def lines(self, path: str, headers: Optional[Mapping[str, str]] = None) -> AsyncIterator[str]:
        """The lines of an answer, as they come."""
        sent = {**self._credentials(), **(headers or {})}
        response = await self.waiter.call(open_url, "GET", self.url(path), sent, None)
        async for line in self.waiter.lines(response):
            yield line

    async def events(
        self, path: str, last_id: str = "", headers: Optional[Mapping[str, str]] = None
    ) -> AsyncIterator[Tuple[str, str, Any]]:
        """The id, the type and the data of server-sent events, as they come."""
        sent = {"accept": "text/event-stream", **(headers or {})}
        if last_id:
            sent["last-event-id"] = last_id
        id, type, data = "", "message", ""
        async for line in self.lines(path, sent):
            if line == "":
                if data:
                    yield id, type, json.loads(data)
                type, data = "message", ""
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if field == "id":
                id = value
            elif field == "event":
                type = value
            elif field == "data":
                data += value

    def url(self, path: str, query: Optional[Mapping[str, Any]] = None) -> str:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        return self.base_url + path + (f"?{urllib.parse.urlencode(given)}" if given else "")

    def _credentials(self) -> Dict[str, str]:
        return {} if self.api_key is None else {"x-api-key": self.api_key}

    async def _with_retries(
        self, method: str, url: str, headers: Mapping[str, str], content: Optional[bytes]
    ) -> Answer:
        attempt = 1
        while True:
            try:
                return await self.waiter.call(send, method, url, headers, content)
            except GuiseError as error:
                if attempt > self.retries or not error.retryable:
                    raise
                seconds = error.retry_after_seconds
                if seconds is None:
                    seconds = 0.25 * 2**attempt
                # Whoever waits would rather be told.
                if seconds > self.longest_retry_seconds:
                    raise
            # Clients that were refused together must not come back together.
            await self.waiter.sleep(seconds + (0.5 * seconds + 0.25) * random.random())
            attempt += 1


async def read_entries(
    read_page: Callable[[Optional[str]], Awaitable[Any]], name: str
) -> AsyncIterator[Any]:
    """Every entry of a list, page by page."""
    cursor: Optional[str] = None
    while True:
        page = await read_page(cursor)
        for entry in page[name]:
            yield entry
        cursor = page["next_cursor"]
        if cursor is None:
            return


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
