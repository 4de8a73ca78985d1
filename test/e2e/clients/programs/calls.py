"""Calls every method of the client and prints the requests it makes; verifies webhooks given on the command line."""

import ast
import inspect
import io
import json
import sys
import urllib.parse
from pathlib import Path

import guise
from guise._http import Answer
from guise._sync import transport
from guise.families import FAMILIES, GENDERS

sent = []


def note(method, url, headers, body):
    sent.append(f"{method} {urllib.parse.urlsplit(url).path}")
    page = {"next_cursor": None, "jobs": [], "entries": [], "custom_filters": [], "id": "x", "status": "COMPLETED"}
    upload = {"received": 1, "complete": True}
    return Answer(json.dumps({**page, **upload, "output": {"images": [""]}}).encode(), {})


class EmptyStream:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def readline(self):
        return b""


def note_stream(method, url, headers, body):
    note(method, url, headers, body)
    return EmptyStream()


transport.send = note
transport.open_url = note_stream


def call(method):
    """With the least that it takes."""
    needed = [
        parameter
        for parameter in inspect.signature(method).parameters.values()
        if parameter.default is inspect.Parameter.empty
    ]
    words = {p.name: {} if p.name == "body" else [] if p.name == "ids" else "x" for p in needed}
    if method.__name__ == "list" and "catalog" in words:
        return [method(catalog=name) for name in ("face_swap", "realistic", "stylized")]
    for name in words:
        if name in ("photo", "photos", "first", "last"):
            words[name] = b"x"
        elif name == "archive":
            words[name] = io.BytesIO(b"x")
    value = method(**words)
    return list(value) if inspect.isgenerator(value) else value


client = guise.Guise("http://guise.invalid", "k")
for group in vars(client).values():
    if type(group).__module__ == "guise._sync.api":
        for name, method in inspect.getmembers(group, inspect.ismethod):
            if not name.startswith("_"):
                call(method)
client.sessions.end("all")
for name, method in inspect.getmembers(client, inspect.ismethod):
    if any(word in name for word in ("swap", "prompt", "video", "portrait")):
        call(method)


def interrupt(seconds):
    raise KeyboardInterrupt


client.transport.waiter.sleep = interrupt
for changes in (client.follow_changes(), client.follow_wall("token")):
    try:
        next(changes)
    except KeyboardInterrupt:
        pass


def code_of_stopped_upload():
    transport.send = lambda *_: Answer(b'{"received": 6, "complete": false}', {})
    try:
        client.operator.upload_backup("guise-2026-05-01T18-00-00.tar", io.BytesIO(b"0123456789"))
    except guise.GuiseError as error:
        return error.code


def is_verified(secret, headers, body):
    try:
        return guise.verify_webhook(body, headers, secret)["data"]["id"]
    except guise.WebhookNotVerified:
        return None


# The oldest Python that the client is for may not be here: its grammar is.
for file in Path(guise.__file__).parent.rglob("*.py"):
    ast.parse(file.read_text(encoding="utf-8"), str(file), feature_version=(3, 9))

print(
    json.dumps(
        {
            "sent": sent,
            "families": {name: [calls.run, calls.status] for name, calls in FAMILIES.items()},
            "genders": GENDERS,
            "stopped_upload": code_of_stopped_upload(),
            "verified": [is_verified(*one) for one in json.loads(sys.argv[1])],
        }
    )
)
