"""What can go wrong."""

from __future__ import annotations

import json
from typing import Any, List, Mapping, Optional, TypedDict


class FieldProblem(TypedDict):
    path: str
    message: str


class GuiseError(Exception):
    """What the server answered instead of a result, or that it could not be reached.

    `code` is a code of the interface (`guise.types.ErrorCode`), `NETWORK_ERROR` when there was no answer, `JOB_FAILED`
    when a job ended without a result, `UPLOAD_STOPPED` when the server takes no more of an upload, or `HTTP_` and the
    status for what a proxy answered.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        request_id: Optional[str] = None,
        job_id: Optional[str] = None,
        fields: Optional[List[FieldProblem]] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        """The HTTP status; 0 when there was no answer, or the answer told of a failed job."""
        self.request_id = request_id
        """What the server has logged the request under."""
        self.job_id = job_id
        self.fields: List[FieldProblem] = fields or []
        self.retry_after_seconds = retry_after_seconds

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        if self.code == "QUICK_TEST_USED_UP":
            return False
        return self.code == "NETWORK_ERROR" or self.status == 429 or self.status >= 500


class WebhookNotVerified(Exception):
    """The request was not signed with the secret, or too long ago: answer 400 and do nothing."""


def network_error() -> GuiseError:
    sentence = "The server cannot be reached. Check the connection and try again."
    return GuiseError(sentence, code="NETWORK_ERROR")


def error_of(status: int, content: bytes, headers: Mapping[str, str]) -> GuiseError:
    """Reads an error answer. What is not JSON came from a proxy in between."""
    body: Any = None
    try:
        body = json.loads(content)
    except ValueError:
        pass
    if not isinstance(body, dict):
        body = {}
    return GuiseError(
        body.get("error") or f"The server answered with status {status}.",
        code=body.get("error_code") or f"HTTP_{status}",
        status=status,
        request_id=headers.get("x-request-id"),
        fields=body.get("fields"),
        retry_after_seconds=_seconds(headers.get("retry-after")),
    )


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
