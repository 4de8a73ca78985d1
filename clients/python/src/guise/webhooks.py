"""Webhooks, verified."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Dict, List, Mapping, Sequence, Union

from .errors import WebhookNotVerified


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    tolerance_seconds: float = 300,
) -> Dict[str, Any]:
    """The message of a webhook, once its signature is found to be right.

    `body` is what was received, before anything has parsed it. Several secrets may be given while one is being rolled.
    Raises WebhookNotVerified otherwise.
    """
    given = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    id, timestamp, signatures = (given.get(name) for name in names)
    if not id or not timestamp or not signatures:
        raise WebhookNotVerified("The webhook headers are missing.")
    if not _is_recent(timestamp, tolerance_seconds):
        raise WebhookNotVerified("The webhook is too old, or comes from the future.")
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    signed = f"{id}.{timestamp}.".encode("utf-8") + content
    secrets: List[str] = [secret] if isinstance(secret, str) else list(secret)
    expected = [_signature(one, signed) for one in secrets]
    if any(hmac.compare_digest(a.encode(), b.encode()) for a in expected for b in signatures.split(" ")):
        return json.loads(content)
    raise WebhookNotVerified("The signature of the webhook is wrong.")


def _is_recent(timestamp: str, tolerance_seconds: float) -> bool:
    try:
        return abs(time.time() - int(timestamp)) <= tolerance_seconds
    except ValueError:
        return False


def _signature(secret: str, signed: bytes) -> str:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text)
    except binascii.Error:
        raise WebhookNotVerified("The webhook secret is not one.") from None
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode("ascii")
