"""What a job made, for blocking calls."""

from __future__ import annotations

import base64
import builtins
import os
from datetime import datetime
from typing import Any, Mapping, Optional, Union
from urllib.parse import urlsplit

from ..errors import GuiseError
from ..families import Family
from .transport import Transport


class JobResult:
    """A PNG, an MP4, or a loop as GIF or WebP."""

    def __init__(self, transport: Transport, family: Family, job: Mapping[str, Any]) -> None:
        output = job["output"]
        if job["status"] != "COMPLETED":
            sentence = job.get("error") or output.get("video_error") or "The job failed."
            raise GuiseError(sentence, code="JOB_FAILED", job_id=job["id"])
        images = output.get("images")
        self._transport = transport
        self._content: Optional[bytes] = base64.b64decode(images[0]) if images else None
        self.id: str = job["id"]
        self.family = family
        self.media_type = "image/png" if images else _type_of_link(output["video_url"])
        #: A data URI of a picture; a signed link to a video, valid until `expires_at`.
        self.url: str = f"data:image/png;base64,{images[0]}" if images else output["video_url"]
        #: Of a living portrait: signed links to its best frame, a PNG, and to the same in other formats.
        self.poster_url: Optional[str] = output.get("poster_url")
        self.gif_url: Optional[str] = output.get("gif_url")
        self.webp_url: Optional[str] = output.get("webp_url")
        #: What of the request was followed, in sentences; and what was not.
        self.applied = job.get("applied", [])
        self.ignored = job.get("ignored", [])
        #: `grade` (good or fair) and `reasons` of a picture that its engine has looked at; else None.
        self.quality = job.get("quality")
        #: When the server erases the result.
        self.expires_at: Optional[datetime] = _time(job.get("expires_at"))

    def bytes(self) -> builtins.bytes:
        """The file. A video is downloaded at the first call."""
        if self._content is None:
            self._content = self._transport.download(self.url)
        return self._content

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self._transport.waiter.call(_write, path, self.bytes())


def _type_of_link(url: str) -> str:
    path = urlsplit(url).path
    if path.endswith(".gif"):
        return "image/gif"
    return "image/webp" if path.endswith(".webp") else "video/mp4"


def _write(path: Union[str, "os.PathLike[str]"], content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def _time(text: Optional[str]) -> Optional[datetime]:
    # Python 3.9 does not read the Z.
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))
