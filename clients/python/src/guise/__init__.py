"""Client of Guise, a service that makes pictures and videos of people."""

from ._async.client import AsyncGuise
from ._async.results import AsyncJobResult
from ._sync.client import Guise
from ._sync.results import JobResult
from .errors import GuiseError, WebhookNotVerified
from .families import Family, FilterRef, Gender
from .jobs import Job, JobProgress, Tagged
from .photos import Photo, ResizePhoto
from .webhooks import verify_webhook

__all__ = [
    "AsyncGuise",
    "AsyncJobResult",
    "Family",
    "FilterRef",
    "Gender",
    "Guise",
    "GuiseError",
    "Job",
    "JobProgress",
    "JobResult",
    "Photo",
    "ResizePhoto",
    "Tagged",
    "WebhookNotVerified",
    "verify_webhook",
]
