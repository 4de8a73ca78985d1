"""A Guise server, seen by an account. These are the asyncio calls."""

from __future__ import annotations

import time
import urllib.parse
from typing import Any, AsyncIterator, Dict, Mapping, Optional, Sequence, Tuple, Union

from .. import types
from ..errors import GuiseError
from ..families import FAMILIES, Family, FilterRef, Gender, Photos, make_body
from ..jobs import Job, JobProgress, OnProgress, has_ended
from ..photos import Photo, ResizePhoto, read_photo
from . import api
from .results import AsyncJobResult
from .transport import AsyncTransport

#: How long the server may hold an answer: shorter where progress is wanted, which only answers bring.
HOLD_SECONDS, HOLD_WITH_PROGRESS_SECONDS = 20, 1
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.5, 5.0
#: How long a server may be away, for a restart or an update, before a wait gives up.
OUTAGE_SECONDS = 60.0


class AsyncGuise:
    """`base_url` is where Guise listens, such as `http://127.0.0.1:8080`; `api_key` a key or an access token.

    A request is sent again up to `retries` times after 429, 5xx or a lost connection. A server that wants a longer pause
    than `longest_retry_seconds` is an error at once. `downscale` is the longest side of photos that is sent, in pixels
    (True is 2048); `resize_photo` does it.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        retries: int = 2,
        longest_retry_seconds: float = 10,
        downscale: Union[bool, int, None] = None,
        resize_photo: Optional[ResizePhoto] = None,
    ) -> None:
        self.transport = AsyncTransport(base_url, api_key, retries, longest_retry_seconds)
        self._downscale = downscale
        self._resize_photo = resize_photo
        self.account = api.AccountApi(self.transport)
        self.aliases = api.AliasesApi(self.transport)
        self.booth = api.BoothApi(self.transport)
        self.catalogs = api.CatalogsApi(self.transport)
        self.custom_filters = api.CustomFiltersApi(self.transport)
        self.event_guests = api.EventGuestsApi(self.transport)
        self.events = api.EventsApi(self.transport)
        self.galleries = api.GalleriesApi(self.transport)
        self.walls = api.WallsApi(self.transport)
        self.filter_drafts = api.FilterDraftsApi(self.transport)
        self.jobs = api.JobsApi(self.transport)
        self.keys = api.KeysApi(self.transport)
        self.operator = api.OperatorApi(self.transport)
        self.photo_sets = api.PhotoSetsApi(self.transport)
        self.printers = api.PrintersApi(self.transport)
        self.qa_runs = api.QaRunsApi(self.transport)
        self.quick_test_links = api.QuickTestLinksApi(self.transport)
        self.scenes = api.ScenesApi(self.transport)
        self.server = api.ServerApi(self.transport)
        self.sessions = api.SessionsApi(self.transport)
        self.usage = api.UsageApi(self.transport)
        self.webhooks = api.WebhooksApi(self.transport)

    async def face_swap(
        self,
        *,
        photo: Photo,
        filter: FilterRef,
        gender: Gender,
        ratio: Optional[types.Ratio] = None,
        quality_mode: Optional[types.QualityMode] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """A guest in a filter, with the newest face swap."""
        given: Dict[str, Any] = {
            "photo": photo,
            "filter": filter,
            "gender": gender,
            "ratio": ratio,
            "quality_mode": quality_mode,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "face_swap_v6",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def face_swap_v5(
        self,
        *,
        photo: Photo,
        filter: FilterRef,
        gender: Gender,
        ratio: Optional[types.Ratio] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """The face swap before the newest one."""
        given: Dict[str, Any] = {
            "photo": photo,
            "filter": filter,
            "gender": gender,
            "ratio": ratio,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "face_swap_v5",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def face_swap_v1(
        self,
        *,
        photo: Photo,
        filter: FilterRef,
        gender: Optional[Gender] = None,
        ratio: Optional[types.Ratio] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """The first face swap, which tells the gender from the photo."""
        given: Dict[str, Any] = {
            "photo": photo,
            "filter": filter,
            "gender": gender,
            "ratio": ratio,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "face_swap_v1",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def self_prompt(
        self,
        *,
        prompt: str,
        photo: Optional[Photo] = None,
        gender: Optional[Gender] = None,
        ratio: Optional[types.Ratio] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """What a prompt describes, with a guest or without."""
        given: Dict[str, Any] = {
            "prompt": prompt,
            "photo": photo,
            "gender": gender,
            "ratio": ratio,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "self_prompt_v2",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def multi_swap(
        self,
        *,
        photo: Photo,
        style: FilterRef,
        outpaint: Optional[bool] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """Everybody in a group photo, in a realistic style."""
        given: Dict[str, Any] = {
            "photo": photo,
            "style": style,
            "outpaint": outpaint,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "multi_swap_v5",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def multi_swap_self_prompt(
        self,
        *,
        prompt: str,
        photos: Photos,
        outpaint: Optional[bool] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """Everybody in one to five photos, in what a prompt describes."""
        given: Dict[str, Any] = {
            "prompt": prompt,
            "photos": photos,
            "outpaint": outpaint,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "multi_swap_self_prompt_v5",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def stylized_multi_swap(
        self,
        *,
        photo: Photo,
        style: FilterRef,
        outpaint: Optional[bool] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """Everybody in a group photo, painted in an art style."""
        given: Dict[str, Any] = {
            "photo": photo,
            "style": style,
            "outpaint": outpaint,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "stylized_multi_swap_v1",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def stylized_multi_swap_self_prompt(
        self,
        *,
        prompt: str,
        photos: Photos,
        outpaint: Optional[bool] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """Everybody in one to five photos, painted as a prompt describes."""
        given: Dict[str, Any] = {
            "prompt": prompt,
            "photos": photos,
            "outpaint": outpaint,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "stylized_multi_swap_self_prompt_v1",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def multi_swap_v4(
        self,
        *,
        filter: int,
        photos: Photos,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """The people of one to five photos in one picture."""
        given: Dict[str, Any] = {
            "filter": filter,
            "photos": photos,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "multi_swap_v4",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def single_frame_video(
        self,
        *,
        photo: Photo,
        prompt: str,
        model: types.VideoModel,
        duration: types.Duration,
        aspect_ratio: Optional[types.AspectRatio] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """A video that begins with a photo."""
        given: Dict[str, Any] = {
            "photo": photo,
            "prompt": prompt,
            "model": model,
            "duration": duration,
            "aspect_ratio": aspect_ratio,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "single_frame_video",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def first_last_frame_video(
        self,
        *,
        first: Photo,
        last: Photo,
        prompt: str,
        duration: types.Duration,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """A video from a first to a last photo."""
        given: Dict[str, Any] = {
            "first": first,
            "last": last,
            "prompt": prompt,
            "duration": duration,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "first_last_frame_video",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def living_portrait(
        self,
        *,
        photos: Optional[Sequence[Photo]] = None,
        video: Optional[Photo] = None,
        filter: Optional[FilterRef] = None,
        style: Optional[FilterRef] = None,
        stylized: Optional[bool] = None,
        gender: Optional[Gender] = None,
        ratio: Optional[types.Ratio] = None,
        seconds: Optional[int] = None,
        loop: Optional[types.LoopKind] = None,
        format: Optional[types.LoopFormat] = None,
        seed: Optional[int] = None,
        webhook_url: Optional[str] = None,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """A loop of people moving in a scene, made of a burst of 2 to 8 photos or of a video of at most 10 s."""
        given: Dict[str, Any] = {
            "photos": photos,
            "video": video,
            "filter": filter,
            "style": style,
            "stylized": stylized,
            "gender": gender,
            "ratio": ratio,
            "seconds": seconds,
            "loop": loop,
            "format": format,
            "seed": seed,
            "webhook_url": webhook_url,
        }
        return await self.run(
            "living_portrait",
            given,
            on_progress=on_progress,
            idempotency_key=idempotency_key,
            downscale=downscale,
        )

    async def run(
        self,
        family: Family,
        given: Mapping[str, Any],
        *,
        on_progress: OnProgress = None,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> AsyncJobResult:
        """Submits a job, waits for it and gives its result.

        When the wait is interrupted (a cancelled task, Ctrl+C, an error that `on_progress` raises), the job is cancelled
        and its credits come back.
        """
        job = await self.submit(family, given, idempotency_key=idempotency_key, downscale=downscale)
        try:
            return await self.result(job, on_progress=on_progress)
        except GuiseError:
            raise
        except BaseException:
            await self._cancel_quietly(job)
            raise

    async def submit(
        self,
        family: Family,
        given: Mapping[str, Any],
        *,
        idempotency_key: Optional[str] = None,
        downscale: Union[bool, int, None] = None,
    ) -> Job:
        """Submits a job and does not wait. `given` holds what the family's method takes."""
        side = self._downscale if downscale is None else downscale
        body = await self.transport.waiter.call(
            make_body, family, given, lambda photo: read_photo(photo, side, self._resize_photo)
        )
        return await self.submit_body(family, body, idempotency_key=idempotency_key)

    async def submit_body(
        self, family: Family, body: Mapping[str, Any], *, idempotency_key: Optional[str] = None
    ) -> Job:
        """Submits a job whose body is as the interface names it; images are base64, data URIs or URLs."""
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        answer = await self.transport.request("POST", FAMILIES[family].run, dict(body), headers=headers)
        return Job(answer["id"], family, answer["status"])

    async def status(self, job: Job, *, wait_seconds: int = 0) -> Union[types.ImageJob, types.VideoJob]:
        """The state of a job. `wait_seconds` (at most 60) waits for its end so long."""
        path = FAMILIES[job.family].status + urllib.parse.quote(job.id, safe="")
        return await self.transport.request("POST", path, headers={"prefer": f"wait={wait_seconds}"})

    async def result(self, job: Job, *, on_progress: OnProgress = None) -> AsyncJobResult:
        """Waits until a job has ended and gives its result; raises JOB_FAILED when it has none."""
        hold = HOLD_SECONDS if on_progress is None else HOLD_WITH_PROGRESS_SECONDS
        pause = FIRST_PAUSE_SECONDS
        last_answer = time.monotonic()
        last: Tuple[Any, ...] = ()
        while True:
            asked_at = time.monotonic()
            answer: Any = None
            try:
                answer = await self.status(job, wait_seconds=hold)
                last_answer = time.monotonic()
            except GuiseError as error:
                if not error.retryable or time.monotonic() - last_answer > OUTAGE_SECONDS:
                    raise
            if answer is not None:
                ended = has_ended(answer["status"])
                progress = JobProgress(job.id, answer["status"], 1 if ended else answer.get("progress", 0))
                if on_progress is not None and progress != last:
                    on_progress(progress)
                last = progress
                if ended:
                    return AsyncJobResult(self.transport, job.family, answer)
            # An answer that was held has taken its pause already.
            await self.transport.waiter.sleep(max(0.0, asked_at + pause - time.monotonic()))
            pause = min(pause * 1.5, LONGEST_PAUSE_SECONDS)

    async def cancel(self, job: Job) -> None:
        """Ends a job. Its credits come back, and whoever waits for it is told that it failed."""
        await self.jobs.cancel(job.id)

    async def _cancel_quietly(self, job: Job) -> None:
        # The caller gave up: what becomes of the cancelling is not what the caller is told.
        try:
            await self.cancel(job)
        except GuiseError:
            pass

    async def read_file(self, url: str) -> bytes:
        """A file by a link of the server, such as a sample or a result."""
        parts = urllib.parse.urlsplit(url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        return (await self.transport.send("GET", path)).content

    async def follow_changes(self) -> AsyncIterator[Tuple[str, Any]]:
        """The changes of the account as (type, value), for ever: a lost connection is made again."""
        async for change in self._follow("/v1/changes", {}):
            yield change

    async def follow_wall(self, token: str) -> AsyncIterator[Tuple[str, Any]]:
        """The pictures of a wall as (type, value), by the token of its link, for ever."""
        async for change in self._follow("/v1/wall/changes", {"x-wall-token": token}):
            yield change

    async def _follow(
        self, path: str, headers: Mapping[str, str]
    ) -> AsyncIterator[Tuple[str, Any]]:
        last_id = ""
        failures = 0
        while True:
            try:
                async for id, type, value in self.transport.events(path, last_id, headers):
                    last_id = id or last_id
                    failures = 0
                    yield type, value
            except GuiseError as error:
                if not error.retryable:
                    raise
            await self.transport.waiter.sleep(min(15.0, 0.5 * 2**failures))
            failures += 1
