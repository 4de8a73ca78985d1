"""What a booth does with the client: once with calls that block, once with asyncio."""

import asyncio
import json
import os
from pathlib import Path

from guise import AsyncGuise, Guise, GuiseError

where = (os.environ["GUISE_URL"], os.environ["GUISE_KEY"])


class GuestHasLeft(Exception):
    pass


def leave(job):
    raise GuestHasLeft


def blocking():
    guise = Guise(*where)
    progress = []
    picture = guise.face_swap(
        photo="guest.jpg", filter=1, gender="female", on_progress=lambda job: progress.append(job.progress)
    )
    picture.save("picture.png")
    guise.multi_swap(photo=Path("guest.jpg"), style=1).save("group.png")
    with open("guest.jpg", "rb") as photo:
        video = guise.single_frame_video(photo=photo, prompt="slow zoom", model="simple", duration="4s")
    video.save("video.mp4")
    try:
        guise.self_prompt(prompt="for ever", on_progress=leave)
    except GuestHasLeft:
        cancelled = True
    try:
        guise.face_swap(photo="guest.jpg", filter=9999, gender="male")
    except GuiseError as error:
        refused = [error.code, error.status, type(error.request_id).__name__]
    last = next(guise.jobs.all({"limit": 1}))
    spent = sum(entry["amount"] for entry in guise.account.ledger())
    return {
        "progress": progress,
        "cancelled": cancelled,
        "refused": refused,
        "lastStatus": last["status"],
        "adds up": spent == guise.account.credits()["balance"],
    }


async def awaited():
    guise = AsyncGuise(*where)
    progress = []
    picture, group, video = await asyncio.gather(
        guise.face_swap(
            photo="guest.jpg", filter=1, gender="female", on_progress=lambda job: progress.append(job.progress)
        ),
        guise.multi_swap(photo=Path("guest.jpg").read_bytes(), style=1),
        guise.single_frame_video(photo="guest.jpg", prompt="slow zoom", model="simple", duration="4s"),
    )
    await picture.save("async-picture.png")
    await group.save("async-group.png")
    await video.save("async-video.mp4")
    begun = asyncio.Event()
    endless = asyncio.ensure_future(
        guise.self_prompt(prompt="for ever", on_progress=lambda job: begun.set())
    )
    await begun.wait()
    endless.cancel()
    try:
        await endless
    except asyncio.CancelledError:
        cancelled = True
    try:
        await guise.face_swap(photo="guest.jpg", filter=9999, gender="male")
    except GuiseError as error:
        refused = [error.code, error.status, type(error.request_id).__name__]
    statuses = [job["status"] async for job in guise.jobs.all({"limit": 3})]
    return {
        "progress": progress,
        "cancelled": cancelled,
        "refused": refused,
        "lastStatus": statuses[0],
    }


print(json.dumps([blocking(), asyncio.run(awaited())]))
