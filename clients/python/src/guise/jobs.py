"""What both clients know of jobs."""

from __future__ import annotations

from typing import Any, Callable, Generic, NamedTuple, Optional, TypeVar

from .families import Family

T = TypeVar("T")


class Job(NamedTuple):
    """A job that was accepted. Its family and its id are all that is needed to come back to it later."""

    id: str
    family: Family
    status: str = ""


class JobProgress(NamedTuple):
    id: str
    #: A status word of the job's family.
    status: str
    #: From 0 to 1.
    progress: float


OnProgress = Optional[Callable[[JobProgress], Any]]


class Tagged(Generic[T]):
    """An answer with its ETag, for edits that must not overwrite somebody else's."""

    def __init__(self, value: T, etag: Optional[str]) -> None:
        self.value = value
        self.etag = etag


def has_ended(status: str) -> bool:
    return status in ("COMPLETED", "FAILED")
