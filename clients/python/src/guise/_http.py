"""One request, which blocks, and how the two clients wait for it."""

from __future__ import annotations

import asyncio
import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Mapping, NamedTuple, Optional, TypeVar

from .errors import error_of, network_error

T = TypeVar("T")

#: Longer than the server holds an answer.
TIME_LIMIT_SECONDS = 90.0


class Answer(NamedTuple):
    content: bytes
    headers: Mapping[str, str]


def open_url(method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Any:
    """An answer that is read as it comes. An error answer is raised."""
    request = urllib.request.Request(url, data=body, method=method, headers=dict(headers))
    try:
        return urllib.request.urlopen(request, timeout=TIME_LIMIT_SECONDS)
    except urllib.error.HTTPError as error:
        with error:
            raise error_of(error.code, error.read(), _lower(error.headers)) from None
    except (OSError, http.client.HTTPException) as error:
        raise network_error() from error


def send(method: str, url: str, headers: Mapping[str, str], body: Optional[bytes]) -> Answer:
    with open_url(method, url, headers, body) as response:
        try:
            return Answer(response.read(), _lower(response.headers))
        except (OSError, http.client.HTTPException) as error:
            raise network_error() from error


def _lower(headers: Any) -> Dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _read_line(response: Any) -> bytes:
    try:
        return response.readline()
    except (OSError, http.client.HTTPException) as error:
        raise network_error() from error


class Waiter:
    """Blocks until a thing is done."""

    def call(self, function: Callable[..., T], *words: Any) -> T:
        return function(*words)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    def lines(self, response: Any) -> Iterator[str]:
        with response:
            while True:
                line = _read_line(response)
                if not line:
                    return
                yield line.decode("utf-8").rstrip("\r\n")


class AsyncWaiter:
    """Does blocking things in threads of its own, so that the event loop goes on."""

    def __init__(self) -> None:
        # The default pool of asyncio has six threads on two cores, and a thread waits for each job.
        self._threads = ThreadPoolExecutor(max_workers=64, thread_name_prefix="guise")

    async def call(self, function: Callable[..., T], *words: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *words)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def lines(self, response: Any) -> AsyncIterator[str]:
        with response:
            while True:
                line = await self.call(_read_line, response)
                if not line:
                    return
                yield line.decode("utf-8").rstrip("\r\n")
