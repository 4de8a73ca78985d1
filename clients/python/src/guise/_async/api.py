"""Everything beside runs, by what it is about. These are the asyncio calls.

`etag` of a call is the one that was read: the call fails if it is not the newest.
"""

from __future__ import annotations

import json
import urllib.parse
from typing import Any, AsyncIterator, BinaryIO, Dict, List, Mapping, Optional

from .. import types
from ..errors import GuiseError
from ..jobs import Tagged
from .transport import AsyncTransport, read_entries

Body = Mapping[str, Any]

# Small enough to be sent in time on a slow network.
_PART_BYTES = 4 * 1024 * 1024


class _Group:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport


class AccountApi(_Group):
    """Who the caller is, and the balance."""

    async def me(self) -> types.Me:
        return await self._transport.request("GET", "/v1/users/me")

    async def credits(self, cursor: Optional[str] = None) -> types.Credits:
        """The balance, and a page of the ledger."""
        query = {"cursor": cursor, "limit": 100}
        return await self._transport.request("GET", "/v1/users/me/credits", query=query)

    async def ledger(self) -> AsyncIterator[types.LedgerEntry]:
        """Every ledger entry, newest first."""
        async for entry in read_entries(self.credits, "entries"):
            yield entry

    async def log_in(self, email: str, password: str) -> types.Token:
        """An access token for an email and a password."""
        form = urllib.parse.urlencode({"username": email, "password": password}).encode("ascii")
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return await self._transport.request("POST", "/token", form, headers=headers)


class AliasesApi(_Group):
    """Slots whose filter can be changed while booths keep the slot's id."""

    async def list(self) -> List[types.Alias]:
        return await self._transport.request("GET", "/api/alias/")

    async def get(self, id: str) -> types.Alias:
        return await self._transport.request("GET", f"/api/alias/{id}/")

    async def create(self, body: Body) -> types.Alias:
        return await self._transport.request("POST", "/api/alias/", body)

    async def change(self, id: str, body: Body) -> Tagged[types.Alias]:
        return await self._transport.request_tagged("PATCH", f"/api/alias/{id}/", body)

    async def undo(self, id: str, etag: Optional[str] = None) -> Tagged[types.Alias]:
        """Points it to the filter that it had before."""
        return await self._transport.request_tagged(
            "POST", f"/v1/aliases/{id}/undo", headers=_if_match(etag)
        )

    async def switch_to_safe(self, id: str) -> Tagged[types.Alias]:
        """Points it to its safe filter."""
        return await self._transport.request_tagged("POST", f"/v1/aliases/{id}/safe")

    async def save_draft(self, id: str, body: Body) -> types.AliasDraft:
        """Where it is to point to. Booths go on with the filter that is in it."""
        return await self._transport.request("PUT", f"/v1/aliases/{id}/draft", body)

    async def draft(self, id: str) -> types.AliasDraft:
        return await self._transport.request("GET", f"/v1/aliases/{id}/draft")

    async def check_draft(self, id: str) -> types.AliasDraft:
        return await self._transport.request("POST", f"/v1/aliases/{id}/draft/check")

    async def discard_draft(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/aliases/{id}/draft")

    async def make_live(self, id: str, number: int, unchecked: bool = False) -> Tagged[types.Alias]:
        """Points it to the filter of its draft. `undo` takes it back."""
        body = {"number": number, "unchecked": unchecked}
        return await self._transport.request_tagged("POST", f"/v1/aliases/{id}/draft/live", body)

    async def remove(self, id: str) -> None:
        await self._transport.request("DELETE", f"/api/alias/{id}/")


class CatalogsApi(_Group):
    """The catalogs that every account has."""

    _PATHS = {
        "face_swap": "/v6/filters",
        "realistic": "/v1/realistic_multiswap_styles/",
        "stylized": "/v1/stylized_multiswap_styles/",
    }

    async def list(self, catalog: types.CatalogName) -> List[types.CatalogEntry]:
        return await self._transport.request("GET", self._PATHS[catalog])

    async def custom(self) -> List[types.CustomFilter]:
        return await self._transport.request("GET", "/v1/users/me/my-custom-filters")

    async def prices(self) -> types.PriceList:
        return await self._transport.request("GET", "/v1/prices")


class CustomFiltersApi(_Group):
    """The caller's own filters."""

    _PATH = "/v1/users/me/my-custom-filters"

    async def list(self) -> List[types.CustomFilter]:
        return await self._transport.request("GET", self._PATH)

    async def list_versioned(self) -> List[types.VersionedFilter]:
        """The same with their live versions and open drafts."""
        answer = await self._transport.request("GET", "/v1/custom_filters")
        return answer["custom_filters"]

    async def get(self, id: str) -> Tagged[types.CustomFilterDetail]:
        return await self._transport.request_tagged("GET", f"{self._PATH}/{id}")

    async def create(self, body: Body) -> types.CustomFilter:
        return await self._transport.request("POST", self._PATH, body)

    async def change(self, id: str, body: Body, etag: Optional[str] = None) -> Tagged[types.CustomFilter]:
        path = f"{self._PATH}/{id}"
        return await self._transport.request_tagged("PATCH", path, body, headers=_if_match(etag))

    async def remove(self, id: str, force: bool = False) -> None:
        """`force` deletes it even if aliases point to it."""
        query = {"force": True} if force else {}
        await self._transport.request("DELETE", f"{self._PATH}/{id}", query=query)

    async def test(self, id: str) -> types.FilterTestResult:
        return await self._transport.request("POST", f"{self._PATH}/{id}/test")

    async def versions(self, id: str, cursor: Optional[str] = None) -> types.CustomFilterVersionList:
        """Newest first."""
        query = {"cursor": cursor, "limit": 50}
        return await self._transport.request("GET", f"{self._PATH}/{id}/versions", query=query)

    async def restore(
        self, id: str, version: int, etag: Optional[str] = None
    ) -> Tagged[types.CustomFilterDetail]:
        """Makes a new version with the definition of an earlier one."""
        path = f"{self._PATH}/{id}/versions/{version}/restore"
        return await self._transport.request_tagged("POST", path, headers=_if_match(etag))

    async def save_draft(self, id: str, body: Body) -> types.CheckedVersion:
        """Saves a version that does not go live, and has it checked."""
        return await self._transport.request("POST", f"{self._PATH}/{id}/drafts", body)

    async def choose_draft(self, id: str, version: Optional[int]) -> types.CustomFilterDetail:
        """Says which draft is worked on; None for none."""
        return await self._transport.request("PATCH", f"{self._PATH}/{id}/draft", {"version": version})

    async def version(self, id: str, version: int) -> types.CheckedVersion:
        """A version with what was checked of it."""
        return await self._transport.request("GET", f"{self._PATH}/{id}/versions/{version}")

    async def check(self, id: str, version: int) -> types.CheckedVersion:
        return await self._transport.request("POST", f"{self._PATH}/{id}/versions/{version}/check")

    async def make_live(
        self, id: str, version: int, unchecked: bool = False, etag: Optional[str] = None
    ) -> Tagged[types.CustomFilterDetail]:
        """Makes a draft the version that jobs are made with; `unchecked` before its checks have ended."""
        path = f"{self._PATH}/{id}/versions/{version}/live"
        body = {"unchecked": unchecked}
        return await self._transport.request_tagged("POST", path, body, headers=_if_match(etag))

    async def duplicate(self, id: str, body: Optional[Body] = None) -> types.CustomFilter:
        return await self._transport.request("POST", f"{self._PATH}/{id}/duplicate", body or {})

    async def export(self, id: str, version: Optional[int] = None) -> types.CustomFilterExport:
        """The body that makes it anew; without a version, of the live one."""
        return await self._transport.request("GET", f"{self._PATH}/{id}/export", query={"version": version})

    async def set_ready(self, id: str, body: Body) -> types.FilterReady:
        return await self._transport.request("POST", f"{self._PATH}/{id}/ready", body)


class FilterDraftsApi(_Group):
    """What helps to make a filter before it is saved."""

    async def options(self) -> types.FilterOptions:
        return await self._transport.request("GET", "/v1/filter_options")

    async def test(self, body: Body) -> types.FilterTestResult:
        """What the filter makes of a photo, uncharged."""
        return await self._transport.request("POST", "/v1/filter_drafts/test", body)

    async def suggestions(self, q: str, limit: int = 8) -> types.PromptSuggestions:
        """Words that the local engine understands, which complete the last ones of a text."""
        query = {"q": q[-200:], "limit": limit}
        return await self._transport.request("GET", "/v1/prompt_suggestions", query=query)

    async def check_prompt(self, family: str, prompt: str, model: Optional[str] = None) -> types.PromptCheck:
        """Which words of a prompt a run would follow."""
        body = {"family": family, "prompt": prompt, **({"model": model} if model else {})}
        return await self._transport.request("POST", "/v1/prompt_checks", body)

    async def check_template(self, image: str) -> types.TemplateCheck:
        """The faces of a photo that is to become a template."""
        return await self._transport.request("POST", "/v1/template_checks", {"image": image})

    async def check_workflow(self, workflow: Body) -> types.WorkflowCheck:
        """The nodes of a workflow, and where the parts of a run could go in it."""
        return await self._transport.request("POST", "/v1/workflow_checks", {"workflow": workflow})


class JobsApi(_Group):
    """The caller's jobs."""

    async def list(self, query: Optional[Body] = None) -> types.JobList:
        return await self._transport.request("GET", "/v1/jobs", query=query)

    async def all(self, query: Optional[Body] = None) -> AsyncIterator[types.JobListEntry]:
        """Every job, newest first."""

        async def read_page(cursor: Optional[str]) -> types.JobList:
            return await self.list({**(query or {}), "cursor": cursor})

        async for job in read_entries(read_page, "jobs"):
            yield job

    async def get(self, id: str) -> types.JobDetail:
        return await self._transport.request("GET", f"/v1/jobs/{id}")

    async def events(self, id: str) -> AsyncIterator[Dict[str, Any]]:
        """How a job goes on, until it has ended: `id`, `status`, `progress`, `error`."""
        async for _, _, job in self._transport.events(f"/v1/jobs/{id}/events"):
            yield job

    async def cancel(self, id: str) -> types.JobListEntry:
        """It ends FAILED, and its credits come back."""
        return await self._transport.request("POST", f"/v1/jobs/{id}/cancel")

    async def retry(self, id: str) -> types.JobListEntry:
        """Submits a failed job that had no photos again, as a new job."""
        return await self._transport.request("POST", f"/v1/jobs/{id}/retry")

    async def erase(self, id: str) -> None:
        """Erases its photos and results, now."""
        await self._transport.request("DELETE", f"/v1/jobs/{id}")

    async def batch(self, body: Body) -> types.JobBatchResults:
        """Cancels, erases or retries up to 200 jobs; each has a result of its own."""
        return await self._transport.request("POST", "/v1/jobs/batch", body)

    async def archive(self, ids: List[str]) -> types.JobArchive:
        """A link to a zip file of the results of up to 1000 jobs."""
        return await self._transport.request("POST", "/v1/job_archives", {"ids": ids})


class KeysApi(_Group):
    """The account's keys and tokens."""

    async def list(self, cursor: Optional[str] = None) -> types.KeyList:
        query = {"cursor": cursor, "limit": 200}
        return await self._transport.request("GET", "/v1/keys", query=query)

    async def create(self, body: Body) -> types.CreatedKey:
        """The secret is in this answer only."""
        return await self._transport.request("POST", "/v1/keys", body)

    async def change(self, id: str, body: Body) -> types.Key:
        return await self._transport.request("PATCH", f"/v1/keys/{id}", body)

    async def revoke(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/keys/{id}")


class OperatorApi(_Group):
    """The installation, for whoever runs it: everything here needs the scope `operator`."""

    async def accounts(self, cursor: Optional[str] = None) -> types.AccountList:
        query = {"cursor": cursor, "limit": 100}
        return await self._transport.request("GET", "/v1/accounts", query=query)

    async def send_test_mail(self, address: str) -> None:
        """Tries the mail server of the installation."""
        await self._transport.request("POST", "/v1/mail/test", {"address": address})

    async def create_account(self, body: Body) -> types.CreatedAccount:
        """Its key, its token and its sign-in link are in this answer only."""
        return await self._transport.request("POST", "/v1/accounts", body)

    async def grant_credits(self, id: str, amount: int) -> types.Account:
        return await self._transport.request("POST", f"/v1/accounts/{id}/credits", {"amount": amount})

    async def workers(self) -> types.WorkerList:
        return await self._transport.request("GET", "/v1/workers")

    async def admission(self) -> types.AdmissionList:
        """What callers share, who has how much of it, and who waits."""
        return await self._transport.request("GET", "/v1/admission")

    async def engines(self) -> types.EngineList:
        return await self._transport.request("GET", "/v1/engines")

    async def test_engine(self, body: Body) -> types.EngineTest:
        """Whether an engine that is not saved answers, and what it would make."""
        return await self._transport.request("POST", "/v1/engines/test", body)

    async def add_engine(self, body: Body) -> types.EngineList:
        """It gets jobs from the next start on."""
        return await self._transport.request("POST", "/v1/engines", body)

    async def change_engine(self, name: str, paused: bool) -> types.EngineList:
        """Pauses or resumes it at once."""
        return await self._transport.request("PATCH", f"/v1/engines/{name}", {"paused": paused})

    async def remove_engine(self, name: str) -> None:
        await self._transport.request("DELETE", f"/v1/engines/{name}")

    async def download_for_engine(self, body: Body) -> types.EngineDownload:
        """Downloads what ComfyUI servers lack, in the background; what came before is kept."""
        return await self._transport.request("POST", "/v1/engine_downloads", body)

    async def engine_download(self) -> types.EngineDownload:
        return await self._transport.request("GET", "/v1/engine_downloads")

    async def stop_engine_download(self) -> None:
        await self._transport.request("DELETE", "/v1/engine_downloads")

    async def try_engine(self, name: str) -> types.EngineTrials:
        """Begins to try every workflow of an engine on a sample photo."""
        return await self._transport.request("POST", f"/v1/engines/{name}/trials")

    async def engine_trials(self, name: str) -> types.EngineTrials:
        return await self._transport.request("GET", f"/v1/engines/{name}/trials")

    async def packs(self) -> types.PackList:
        return await self._transport.request("GET", "/v1/packs")

    async def remove_pack(self, name: str) -> None:
        await self._transport.request("DELETE", f"/v1/packs/{urllib.parse.quote(name, safe='')}")

    async def backups(self) -> types.BackupList:
        return await self._transport.request("GET", "/v1/backups")

    async def start_backup(self) -> types.BackupList:
        """Begins one; the list says how far it is."""
        return await self._transport.request("POST", "/v1/backups")

    async def download_backup(self, name: str) -> bytes:
        """The tar archive, whole in memory: download large ones over HTTP."""
        return (await self._transport.send("GET", f"/v1/backups/{urllib.parse.quote(name, safe='')}")).content

    async def upload_backup(self, name: str, archive: BinaryIO) -> None:
        """Uploads an archive in parts; one that was cut off goes on where it was when it is called again."""
        path = f"/v1/backups/{urllib.parse.quote(name, safe='')}"
        headers = {"content-type": "application/octet-stream"}
        size = archive.seek(0, 2)
        # The first one is empty: it is answered with how much is there.
        offset, length, complete = 0, 0, False
        while not complete:
            archive.seek(offset)
            part = archive.read(length)
            query = {"offset": offset, "bytes": size}
            answer = json.loads((await self._transport.send("PUT", path, part, query, headers)).content)
            received, complete = answer["received"], answer["complete"]
            if length > 0 and received == offset and not complete:
                sentence = f"The server keeps {offset} of {size} bytes and takes no more."
                raise GuiseError(sentence, code="UPLOAD_STOPPED")
            offset, length = received, _PART_BYTES

    async def restore_backup(self, name: str) -> types.RestoreStarted:
        """The server stops, puts it in place of its installation and starts again; the answer has a way in then."""
        path = f"/v1/backups/{urllib.parse.quote(name, safe='')}/restore"
        return await self._transport.request("POST", path)

    async def remove_backup(self, name: str) -> None:
        await self._transport.request("DELETE", f"/v1/backups/{urllib.parse.quote(name, safe='')}")

    async def models(self) -> types.ModelList:
        return await self._transport.request("GET", "/v1/models")

    async def fetch_model(self, name: str) -> types.ModelList:
        """Begins to fetch one by its `fetch_name`; the list says how far it is."""
        path = f"/v1/models/{urllib.parse.quote(name, safe='')}/fetch"
        return await self._transport.request("POST", path)

    async def doctor(self) -> types.Doctor:
        """Runs the checks, which takes seconds."""
        return await self._transport.request("GET", "/v1/doctor")

    async def version(self) -> types.VersionInfo:
        """This server's version, and whether a newer one exists."""
        return await self._transport.request("GET", "/v1/version")

    async def settings(self) -> types.SettingList:
        return await self._transport.request("GET", "/v1/settings")

    async def change_settings(self, settings: Mapping[str, Optional[str]]) -> types.SettingList:
        """For the next start; None for the default."""
        return await self._transport.request("PATCH", "/v1/settings", {"settings": settings})

    async def restart(self) -> None:
        """The server stops and starts again."""
        await self._transport.request("POST", "/v1/restart")

    async def guest_address(self) -> types.GuestAddress:
        """Where links for guests and clients lead; this one needs no special scope."""
        return await self._transport.request("GET", "/v1/guest_address")

    async def set_guest_address(self, url: Optional[str], check: bool = True) -> types.GuestAddress:
        """Without a url, links lead to the address of each request."""
        body = {"url": url, "check": check}
        return await self._transport.request("PUT", "/v1/guest_address", body=body)


class PhotoSetsApi(_Group):
    """Photos that filters are tried on."""

    async def list(self) -> types.PhotoSetList:
        return await self._transport.request("GET", "/v1/photo_sets")

    async def get(self, id: str) -> types.PhotoSet:
        return await self._transport.request("GET", f"/v1/photo_sets/{id}")

    async def create(self, name: str) -> types.PhotoSetEntry:
        return await self._transport.request("POST", "/v1/photo_sets", {"name": name})

    async def rename(self, id: str, name: str) -> types.PhotoSetEntry:
        return await self._transport.request("PATCH", f"/v1/photo_sets/{id}", {"name": name})

    async def remove(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/photo_sets/{id}")

    async def add_photo(self, id: str, body: Body) -> types.Photo:
        return await self._transport.request("POST", f"/v1/photo_sets/{id}/photos", body)

    async def remove_photo(self, id: str, photo_id: str) -> None:
        await self._transport.request("DELETE", f"/v1/photo_sets/{id}/photos/{photo_id}")


class ScenesApi(_Group):
    """Places that the account makes of its own backdrops. Filters name them by their `name`."""

    async def list(self, cursor: Optional[str] = None) -> types.OwnSceneList:
        return await self._transport.request("GET", "/v1/scenes", query={"cursor": cursor})

    async def get(self, id: str) -> Tagged[types.OwnScene]:
        return await self._transport.request_tagged("GET", f"/v1/scenes/{id}")

    async def create(self, body: Body) -> types.OwnScene:
        return await self._transport.request("POST", "/v1/scenes", body)

    async def change(self, id: str, body: Body, etag: Optional[str] = None) -> Tagged[types.OwnScene]:
        path = f"/v1/scenes/{id}"
        return await self._transport.request_tagged("PATCH", path, body, headers=_if_match(etag))

    async def remove(self, id: str, force: bool = False) -> None:
        """Refused while filters are made with it, unless it is forced."""
        query = {"force": True} if force else {}
        await self._transport.request("DELETE", f"/v1/scenes/{id}", query=query)

    async def preview(self, id: str, body: Body) -> types.OwnScenePicture:
        """A person of a photo in the scene, with settings that need not be saved."""
        return await self._transport.request("POST", f"/v1/scenes/{id}/preview", body)

    async def read_pack(self, id: str) -> bytes:
        """A tar archive with a pack that other installations import."""
        return (await self._transport.send("GET", f"/v1/scenes/{id}/pack")).content


class QaRunsApi(_Group):
    """Runs of a filter over many photos, judged by people."""

    async def list(self, cursor: Optional[str] = None) -> types.QaRunList:
        return await self._transport.request("GET", "/v1/qa_runs", query={"cursor": cursor})

    async def get(self, id: str) -> types.QaRun:
        return await self._transport.request("GET", f"/v1/qa_runs/{id}")

    async def create(self, body: Body) -> types.QaRun:
        return await self._transport.request("POST", "/v1/qa_runs", body)

    async def price(self, body: Body) -> types.QaPrice:
        """What `create` with this body would cost."""
        query = {
            name: ",".join(str(one) for one in value) if isinstance(value, list) else value
            for name, value in body.items()
        }
        return await self._transport.request("GET", "/v1/qa_runs/price", query=query)

    async def remove(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/qa_runs/{id}")

    async def judge(
        self, id: str, cell_id: str, body: Body, etag: Optional[str] = None
    ) -> types.QaCell:
        path = f"/v1/qa_runs/{id}/cells/{cell_id}"
        return await self._transport.request("PATCH", path, body, headers=_if_match(etag))

    async def retry(self, id: str, cell_id: str) -> types.QaCell:
        """Submits it anew, charged again."""
        return await self._transport.request("POST", f"/v1/qa_runs/{id}/cells/{cell_id}/retry")


class QuickTestLinksApi(_Group):
    """Links with which a client tries one filter, without an account."""

    async def list(self, cursor: Optional[str] = None) -> types.QuickTestLinkList:
        query = {"cursor": cursor, "limit": 100}
        return await self._transport.request("GET", "/v1/quick_test_links", query=query)

    async def get(self, id: str) -> types.QuickTestLink:
        return await self._transport.request("GET", f"/v1/quick_test_links/{id}")

    async def create(self, body: Body) -> types.CreatedQuickTestLink:
        """The answer holds the address, once."""
        return await self._transport.request("POST", "/v1/quick_test_links", body)

    async def change(self, id: str, body: Body) -> types.QuickTestLink:
        return await self._transport.request("PATCH", f"/v1/quick_test_links/{id}", body)

    async def revoke(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/quick_test_links/{id}")


class EventsApi(_Group):
    """Events of the account: what is offered, for how many credits, and what became of it."""

    async def list(
        self, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> types.BoothEventList:
        query = {"cursor": cursor, "limit": limit}
        return await self._transport.request("GET", "/v1/events", query=query)

    async def get(self, id: str) -> Tagged[types.BoothEvent]:
        return await self._transport.request_tagged("GET", f"/v1/events/{id}")

    async def create(self, body: Body) -> types.BoothEvent:
        return await self._transport.request("POST", "/v1/events", body)

    async def change(
        self, id: str, body: Body, etag: Optional[str] = None
    ) -> Tagged[types.BoothEvent]:
        path = f"/v1/events/{id}"
        return await self._transport.request_tagged("PATCH", path, body, headers=_if_match(etag))

    async def save_draft(self, id: str, body: Body) -> Tagged[types.BoothEvent]:
        """What it is to become. Booths go on with the event as it is."""
        return await self._transport.request_tagged("PUT", f"/v1/events/{id}/draft", body)

    async def draft(self, id: str) -> types.EventDraft:
        return await self._transport.request("GET", f"/v1/events/{id}/draft")

    async def check_draft(self, id: str) -> types.EventDraft:
        """Checks the filters that the draft adds."""
        return await self._transport.request("POST", f"/v1/events/{id}/draft/check")

    async def discard_draft(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/events/{id}/draft")

    async def make_live(
        self, id: str, number: int, unchecked: bool = False, etag: Optional[str] = None
    ) -> Tagged[types.BoothEvent]:
        path = f"/v1/events/{id}/draft/live"
        body = {"number": number, "unchecked": unchecked}
        return await self._transport.request_tagged("POST", path, body, headers=_if_match(etag))

    async def undo(self, id: str) -> Tagged[types.BoothEvent]:
        """Takes the last change back that went live from a draft."""
        return await self._transport.request_tagged("POST", f"/v1/events/{id}/undo")

    async def remove(self, id: str) -> None:
        """Refused while it has anything of guests: `erase` comes first."""
        await self._transport.request("DELETE", f"/v1/events/{id}")

    async def create_key(self, id: str, body: Body) -> types.CreatedKey:
        """A key for booths, which can do nothing else. The secret is in this answer only."""
        return await self._transport.request("POST", f"/v1/events/{id}/keys", body)

    async def jobs(
        self, id: str, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> types.EventJobList:
        query = {"cursor": cursor, "limit": limit}
        return await self._transport.request("GET", f"/v1/events/{id}/jobs", query=query)

    async def change_picture(self, id: str, picture_id: str, body: Body) -> types.EventJobEntry:
        """Approves a picture for the wall and the gallery, or hides it."""
        path = f"/v1/events/{id}/pictures/{picture_id}"
        return await self._transport.request("PATCH", path, body)

    async def links(self, id: str) -> types.EventLinks:
        """Links to the wall and the gallery."""
        return await self._transport.request("GET", f"/v1/events/{id}/links")

    async def roll_links(self, id: str) -> types.EventLinks:
        """Makes the links anew: those before stop working."""
        return await self._transport.request("POST", f"/v1/events/{id}/links")

    async def stations(self, id: str) -> types.StationList:
        """Booths with their last sign of life, and how far the event's jobs are."""
        return await self._transport.request("GET", f"/v1/events/{id}/stations")

    async def put_overlay(self, id: str, ratio: str, body: Body) -> types.BoothEvent:
        """A PNG with transparent parts, laid over pictures of this shape unless it would cover a face."""
        return await self._transport.request("PUT", f"/v1/events/{id}/overlays/{ratio}", body)

    async def remove_overlay(self, id: str, ratio: str) -> None:
        await self._transport.request("DELETE", f"/v1/events/{id}/overlays/{ratio}")

    async def prints(
        self, id: str, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> types.EventPrintList:
        """Prints of the event, newest first."""
        query = {"cursor": cursor, "limit": limit}
        return await self._transport.request("GET", f"/v1/events/{id}/prints", query=query)

    async def print(self, id: str, body: Body) -> types.EventPrint:
        """Prints pictures of a guest, again too. No limit counts it."""
        return await self._transport.request("POST", f"/v1/events/{id}/prints", body)

    async def preview_print(self, body: Body) -> types.PrintPreview:
        """What a print with this look would be, with sample photos."""
        return await self._transport.request("POST", "/v1/print_previews", body)

    async def cancel_print(self, id: str, print_id: str) -> types.EventPrint:
        path = f"/v1/events/{id}/prints/{print_id}/cancel"
        return await self._transport.request("POST", path)

    async def mails(
        self, id: str, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> types.EventMailList:
        """Mails to guests with their addresses, newest first."""
        query = {"cursor": cursor, "limit": limit}
        return await self._transport.request("GET", f"/v1/events/{id}/mails", query=query)

    async def preflight(self, id: str) -> types.Preflight:
        """Whether everything is ready for the evening."""
        return await self._transport.request("GET", f"/v1/events/{id}/preflight")

    async def archive(self, id: str) -> types.JobArchive:
        """A link to a zip file of all pictures but hidden ones."""
        return await self._transport.request("POST", f"/v1/events/{id}/archive")

    async def erase(self, id: str) -> types.EventErasure:
        """Closes the event, erases everything of its guests and says what that was."""
        return await self._transport.request("POST", f"/v1/events/{id}/erase")


class PrintersApi(_Group):
    """Printers of the account, which events print on by IPP."""

    async def list(self) -> types.PrinterList:
        return await self._transport.request("GET", "/v1/printers")

    async def get(self, id: str) -> types.Printer:
        """With what the printer says of itself now."""
        return await self._transport.request("GET", f"/v1/printers/{id}")

    async def add(self, body: Body) -> types.Printer:
        """Refused where no printer answers at the address."""
        return await self._transport.request("POST", "/v1/printers", body)

    async def remove(self, id: str) -> None:
        await self._transport.request("DELETE", f"/v1/printers/{id}")

    async def test(self, id: str) -> types.Printer:
        """Prints a sample picture."""
        return await self._transport.request("POST", f"/v1/printers/{id}/test")


class BoothApi(_Group):
    """What a booth does with the key of an event."""

    async def get(self) -> types.Booth:
        return await self._transport.request("GET", "/v1/booth")

    async def check_photo(self, body: Body) -> types.PhotoCheck:
        """What is wrong with a photo for an offer, and where its faces are, before a job is spent on it."""
        return await self._transport.request("POST", "/v1/booth/photo_checks", body)

    async def submit(
        self, body: Body, idempotency_key: Optional[str] = None
    ) -> types.StartedEventJob:
        """With the same `idempotency_key`, a photo is submitted once."""
        headers = {"idempotency-key": idempotency_key} if idempotency_key else None
        return await self._transport.request("POST", "/v1/booth/jobs", body, headers=headers)

    async def job(self, id: str, wait_seconds: int = 0) -> types.BoothPicture:
        """Answers when the job has ended, or how far it is after `wait_seconds`."""
        headers = {"prefer": f"wait={wait_seconds}"}
        return await self._transport.request("GET", f"/v1/booth/jobs/{id}", headers=headers)

    async def put_moment(self, id: str, body: Body) -> None:
        """The quick shots of a photo as a small GIF, for the guest's page."""
        await self._transport.request("PUT", f"/v1/booth/jobs/{id}/moment", body)

    async def choose(self, id: str) -> types.BoothPicture:
        """The guest takes this variation: the others of the same touch are erased."""
        return await self._transport.request("POST", f"/v1/booth/jobs/{id}/choose")

    async def report(self, body: Body) -> types.StationAnswer:
        """A sign of life, every 30 seconds or so; the answer says how the event is."""
        return await self._transport.request("POST", "/v1/booth/station", body)

    async def start_print(
        self, body: Body, idempotency_key: Optional[str] = None
    ) -> types.EventPrint:
        """Prints on the printer of the event; with the same `idempotency_key`, once."""
        headers = {"idempotency-key": idempotency_key} if idempotency_key else None
        return await self._transport.request("POST", "/v1/booth/prints", body, headers=headers)

    async def print_state(self, id: str) -> types.EventPrint:
        return await self._transport.request("GET", f"/v1/booth/prints/{id}")

    async def mail(self, id: str, body: Body) -> types.GuestMail:
        """Sends a picture to an address that the guest gives, who agrees to that."""
        return await self._transport.request("POST", f"/v1/booth/jobs/{id}/mail", body)

    async def message(self, id: str, body: Body) -> None:
        """Asks the event's webhook to send the link by SMS or WhatsApp."""
        await self._transport.request("POST", f"/v1/booth/jobs/{id}/message", body)

    async def print(self, id: str, layout: Optional[str] = None, format: str = "png") -> bytes:
        """The file of a print: PNG at 300 dpi, or PDF."""
        query = {"layout": layout, "format": format}
        return (await self._transport.send("GET", f"/v1/booth/jobs/{id}/print", None, query)).content


class WallsApi(_Group):
    """What a wall does with the token of its link."""

    async def get(
        self, token: str, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> types.SharedPictures:
        query = {"cursor": cursor, "limit": limit}
        headers = {"x-wall-token": token}
        return await self._transport.request("GET", "/v1/wall", query=query, headers=headers)


class GalleriesApi(_Group):
    """What a gallery does with the token of its link, or with the one that its password gives."""

    async def get(
        self, token: str, cursor: Optional[str] = None, limit: Optional[int] = None
    ) -> types.SharedPictures:
        query = {"cursor": cursor, "limit": limit}
        headers = {"x-gallery-token": token}
        return await self._transport.request("GET", "/v1/gallery", query=query, headers=headers)

    async def unlock(self, token: str, password: str) -> types.UnlockedGallery:
        headers = {"x-gallery-token": token}
        body = {"password": password}
        return await self._transport.request("POST", "/v1/gallery/unlock", body, headers=headers)


class EventGuestsApi(_Group):
    """What the guest of an event does with the token of the guest's page."""

    async def get(self, token: str) -> types.GuestPage:
        headers = {"x-guest-token": token}
        return await self._transport.request("GET", "/v1/guest", headers=headers)

    async def print(
        self, token: str, id: str, layout: Optional[str] = None, format: str = "png"
    ) -> bytes:
        """The file of a print: PNG at 300 dpi, or PDF."""
        query = {"layout": layout, "format": format}
        headers = {"x-guest-token": token}
        path = f"/v1/guest/pictures/{id}/print"
        return (await self._transport.send("GET", path, None, query, headers)).content

    async def mail(self, token: str, id: str, body: Body) -> types.GuestMail:
        """Sends a picture to an address that the guest gives."""
        headers = {"x-guest-token": token}
        path = f"/v1/guest/pictures/{id}/mail"
        return await self._transport.request("POST", path, body, headers=headers)

    async def message(self, token: str, id: str, body: Body) -> None:
        """Asks the event's webhook to send the link by SMS or WhatsApp."""
        headers = {"x-guest-token": token}
        path = f"/v1/guest/pictures/{id}/message"
        await self._transport.request("POST", path, body, headers=headers)

    async def erase_pictures(self, token: str) -> None:
        headers = {"x-guest-token": token}
        await self._transport.request("DELETE", "/v1/guest/pictures", headers=headers)

    async def erase_picture(self, token: str, id: str) -> None:
        headers = {"x-guest-token": token}
        await self._transport.request("DELETE", f"/v1/guest/pictures/{id}", headers=headers)


class ServerApi(_Group):
    """The server itself: whether it is well, and what it offers."""

    async def health(self) -> Dict[str, Any]:
        return await self._transport.request("GET", "/health")

    async def ready(self) -> Dict[str, Any]:
        """Which engines it has; a server that takes no work is an error with status 503."""
        return await self._transport.request("GET", "/ready")

    async def metrics(self) -> str:
        """Figures for Prometheus."""
        return (await self._transport.send("GET", "/metrics")).content.decode("utf-8")

    async def open_api(self) -> Dict[str, Any]:
        return await self._transport.request("GET", "/openapi.json")


class SessionsApi(_Group):
    """Sessions of browsers."""

    async def list(self, cursor: Optional[str] = None) -> types.SessionList:
        return await self._transport.request("GET", "/v1/sessions", query={"cursor": cursor})

    async def end(self, id: str) -> None:
        """One session by its id, `current`, or `all`."""
        path = "/v1/sessions" if id == "all" else f"/v1/sessions/{id}"
        await self._transport.request("DELETE", path)


class UsageApi(_Group):
    """What the caller's jobs came to."""

    async def read(self, query: Optional[Body] = None) -> types.Usage:
        return await self._transport.request("GET", "/v1/usage", query=query)

    async def csv(self, query: Optional[Body] = None) -> str:
        """The same as a file for a spreadsheet."""
        asked = {**(query or {}), "format": "csv"}
        return (await self._transport.send("GET", "/v1/usage", query=asked)).content.decode("utf-8")


class WebhooksApi(_Group):
    """Where the account is told that jobs have ended, and what was sent there."""

    async def secret(self) -> types.WebhookSecretInfo:
        return await self._transport.request("GET", "/v1/webhook_secret")

    async def first_secret(self) -> types.WebhookSecret:
        """The first secret itself, until it is rolled."""
        return await self._transport.request("GET", "/v1/users/me/webhook-secret")

    async def roll_secret(self) -> types.RolledWebhookSecret:
        """The secret is in this answer only."""
        return await self._transport.request("POST", "/v1/webhook_secret/roll")

    async def endpoints(self, cursor: Optional[str] = None) -> types.WebhookEndpointList:
        return await self._transport.request("GET", "/v1/webhook_endpoints", query={"cursor": cursor})

    async def enable_endpoint(self, id: str) -> types.WebhookEndpoint:
        return await self._transport.request("POST", f"/v1/webhook_endpoints/{id}/enable")

    async def standing(self) -> types.StandingWebhook:
        """Where the ends of runs are told that name no `webhook_url`."""
        return await self._transport.request("GET", "/v1/standing_webhook")

    async def set_standing(self, url: Optional[str]) -> types.StandingWebhook:
        return await self._transport.request("PUT", "/v1/standing_webhook", {"url": url})

    async def test(self, url: str) -> types.WebhookTestResult:
        """Sends a signed delivery to a URL, now, and tells what came back."""
        return await self._transport.request("POST", "/v1/webhook_endpoints/test", {"url": url})

    async def deliveries(self, cursor: Optional[str] = None) -> types.WebhookDeliveryList:
        return await self._transport.request("GET", "/v1/webhook_deliveries", query={"cursor": cursor})

    async def delivery(self, id: str) -> types.WebhookDelivery:
        return await self._transport.request("GET", f"/v1/webhook_deliveries/{id}")

    async def replay(self, id: str) -> types.WebhookDelivery:
        return await self._transport.request("POST", f"/v1/webhook_deliveries/{id}/replay")


def _if_match(etag: Optional[str]) -> Dict[str, str]:
    return {} if etag is None else {"if-match": etag}
