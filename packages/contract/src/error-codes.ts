/** Every error a caller can get, with its HTTP status and what it means. docs/errors.md is made from this table. */
export const errorCodes = {
  INVALID_JSON: { status: 400, means: 'The body is not JSON.' },
  INVALID_IMAGE: {
    status: 400,
    means:
      'An image is empty, broken, too large (20 MB, 25 megapixels), too narrow (8 pixels, 20:1), not PNG, JPEG or WebP, or could not be fetched.',
  },
  INVALID_VIDEO: {
    status: 400,
    means:
      'A video is empty, broken, too large (50 MB), too long (10 s), too short (0.5 s), not MP4, MOV or WebM, or could not be fetched.',
  },
  UNAUTHORIZED: { status: 401, means: 'No credentials, or wrong ones.' },
  INSUFFICIENT_CREDITS: {
    status: 402,
    means: 'The run costs more credits than the account has, or than the budget of its key has left.',
  },
  SIGN_IN_LINK_USED: { status: 401, means: 'Somebody has signed in with this sign-in link: it works once.' },
  SIGN_IN_LINK_EXPIRED: { status: 401, means: 'The sign-in link is older than 24 hours.' },
  GALLERY_LOCKED: { status: 401, means: 'The gallery needs its password, or the password was wrong.' },
  EVENT_BUDGET_SPENT: { status: 402, means: 'The run costs more than is left of the event’s budget.' },
  LINK_NOT_VALID: { status: 403, means: 'A file link has expired or was changed.' },
  SCOPE_MISSING: {
    status: 403,
    means: 'The key lacks a scope that the endpoint, or what it makes, needs; the sentence names it.',
  },
  KEY_LIMITED: {
    status: 403,
    means:
      'A key that has a budget or an expiry can neither make, change nor end keys, sessions, events, quick test links and backups: those would not be limited by it.',
  },
  SESSION_NEEDED: {
    status: 403,
    means: 'The endpoint is for people who are signed in: it takes the session of a browser and no key.',
  },
  WRONG_PASSWORD: { status: 403, means: 'The current password is missing or wrong.' },
  EVENT_KEY_NEEDED: { status: 403, means: 'The endpoint is for booths: it takes only the key of an event.' },
  EVENT_NOT_BEGUN: { status: 403, means: 'The event has not begun.' },
  NOT_FOUND: { status: 404, means: 'There is nothing at this path.' },
  JOB_NOT_FOUND: { status: 404, means: 'The caller has no such job on this status path.' },
  ACCOUNT_NOT_FOUND: { status: 404, means: 'There is no such account.' },
  PACK_NOT_FOUND: { status: 404, means: 'There is no such pack on this machine.' },
  BACKUP_NOT_FOUND: { status: 404, means: 'There is no such backup on this machine.' },
  MODEL_NOT_FOUND: { status: 404, means: 'There is no such model to fetch.' },
  KEY_NOT_FOUND: { status: 404, means: 'The caller has no such key, or it is revoked.' },
  SESSION_NOT_FOUND: { status: 404, means: 'The caller has no such session.' },
  ALIAS_NOT_FOUND: { status: 404, means: 'The caller has no such alias.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, means: 'The caller has no such webhook delivery.' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, means: 'The caller has no such webhook endpoint.' },
  PHOTO_SET_NOT_FOUND: { status: 404, means: 'The caller has no such photo set.' },
  PHOTO_NOT_FOUND: { status: 404, means: 'The photo set has no such photo.' },
  SCENE_NOT_FOUND: { status: 404, means: 'The caller has no such scene.' },
  QA_RUN_NOT_FOUND: { status: 404, means: 'The caller has no such QA run, or the run no such cell.' },
  QUICK_TEST_NOT_FOUND: {
    status: 404,
    means: 'The caller has no such quick test link, or the link no such run; or the token is no link’s.',
  },
  EVENT_NOT_FOUND: { status: 404, means: 'The caller has no such event.' },
  GUEST_NOT_FOUND: { status: 404, means: 'The token is no guest’s, or what it was for has been erased.' },
  WALL_NOT_FOUND: { status: 404, means: 'The token is no wall’s, or the event shows no wall any more.' },
  GALLERY_NOT_FOUND: {
    status: 404,
    means: 'The token is no gallery’s, or the event shows no gallery any more.',
  },
  PRINTER_NOT_FOUND: { status: 404, means: 'The caller has no such printer.' },
  PRINT_NOT_FOUND: { status: 404, means: 'The event has no such print, or another key asked for it.' },
  FILE_NOT_FOUND: { status: 404, means: 'The file does not exist or was deleted.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    means: 'The path exists, but not for this method; `Allow` lists those it has.',
  },
  BACKUP_UNAVAILABLE: {
    status: 409,
    means: 'Backups of this installation are not made by Guise: its records are in PostgreSQL.',
  },
  BACKUP_EXISTS: { status: 409, means: 'There is another backup with this name on this machine.' },
  RESTART_UNAVAILABLE: {
    status: 409,
    means:
      'Several processes work for this installation, which are restarted and get their engines where they run; or `GUISE_ENGINES` names the file of its engines.',
  },
  ACCOUNT_EXISTS: { status: 409, means: 'There is an account with this email address.' },
  IDEMPOTENCY_CONFLICT: { status: 409, means: 'The `Idempotency-Key` was used with another request.' },
  FILTER_IN_USE: {
    status: 409,
    means: 'Aliases point to the filter; `?force=true` deletes it all the same.',
  },
  SCENE_IN_USE: {
    status: 409,
    means: 'Custom filters are made with the scene; `?force=true` deletes it all the same.',
  },
  EVENT_NOT_ERASED: {
    status: 409,
    means: 'The event still has pictures, guests or consents: erase them before the event is deleted.',
  },
  INPUTS_DELETED: {
    status: 409,
    means: 'The job cannot be retried because its photos were deleted when it ended: submit it anew.',
  },
  JOB_NOT_FAILED: { status: 409, means: 'The job has not failed, so there is nothing to retry.' },
  LIMIT_REACHED: {
    status: 409,
    means: 'The account has as many filters, aliases or other things as it may have: delete some first.',
  },
  PHOTO_SET_READ_ONLY: { status: 409, means: 'The photo set comes with the server and cannot be changed.' },
  NOTHING_TO_UNDO: { status: 409, means: 'The alias has no earlier filter that still exists.' },
  CHECKS_WAITING: {
    status: 409,
    means: 'The checks of the version have not ended. Wait for them, or send `"unchecked": true`.',
  },
  CHECKS_FAILED: { status: 409, means: 'The version cannot work, so it cannot go live.' },
  NO_PRINTER: { status: 409, means: 'The event has no printer of the account: booths print by themselves.' },
  NO_MAIL: {
    status: 409,
    means: 'The event sends no mail, or the installation has no mail server (`GUISE_SMTP_URL`).',
  },
  NO_SAFE_FILTER: { status: 409, means: 'The alias has no `safe_filter` to switch to.' },
  WEBHOOK_ENDPOINT_DISABLED: {
    status: 409,
    means: 'The endpoint of the delivery is disabled; enable it before the delivery is replayed.',
  },
  WEBHOOK_SECRET_ROLLED: {
    status: 410,
    means: 'The webhook secret was rolled, and only the answer of the roll shows it.',
  },
  JOB_EXPIRED: { status: 410, means: 'The result has had its time and was deleted.' },
  QUICK_TEST_ENDED: { status: 410, means: 'The quick test link has expired, or its filter was deleted.' },
  GUEST_LINK_EXPIRED: {
    status: 410,
    means: 'All pictures of the guest have had their time and were deleted.',
  },
  EVENT_ENDED: { status: 410, means: 'The event has ended, was closed or was erased.' },
  CHANGED_ELSEWHERE: {
    status: 412,
    means: 'It was changed since the version that `If-Match` names: read it again.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, means: 'The body is larger than this endpoint takes.' },
  VALIDATION_ERROR: { status: 422, means: 'A field is missing or wrong; `fields` says which.' },
  CONSENT_MISSING: {
    status: 422,
    means: 'The guest has not agreed to what the event asks for, or to a text that it does not have.',
  },
  OFFER_NOT_FOUND: { status: 422, means: 'The event has no such offer.' },
  FILTER_NOT_FOUND: { status: 422, means: 'No filter has this id.' },
  FILTER_BLOCKED: { status: 422, means: 'The filter is not offered for this mode (single or group).' },
  FILTER_TYPE_MISMATCH: { status: 422, means: 'The filter was made for the other model type.' },
  WORKFLOW_FETCH_FAILED: {
    status: 422,
    means:
      'The UUID is no filter or alias that the caller can use, or its workflow cannot be loaded or run here.',
  },
  JOB_FAILED: {
    status: 422,
    means: 'The picture of a call that waits for it could not be made; the credits were returned.',
  },
  INVALID_QUALITY_MODE: { status: 422, means: '`quality_mode` is neither `v6` nor `v6.1`.' },
  INVALID_VIDEO_MODEL: { status: 422, means: 'The video model is unknown, or not offered on this endpoint.' },
  INVALID_ASPECT_RATIO_FOR_MODEL: {
    status: 422,
    means: 'The aspect ratio is unknown, or not offered for this model.',
  },
  INVALID_DURATION_FOR_MODEL: {
    status: 422,
    means: 'The duration is unknown, or not offered for this model.',
  },
  ADDRESS_NOT_REACHED: {
    status: 422,
    means:
      'No Guise answers at the address for guests, where `check: false` stores it all the same; or an engine that is to be added does not answer.',
  },
  PRINTER_NOT_REACHED: {
    status: 422,
    means: 'No printer answers at the address by IPP, or it does not take what Guise sends.',
  },
  MAIL_NOT_SENT: { status: 422, means: 'The mail server refused a test mail, or does not answer.' },
  URL_NOT_ALLOWED: {
    status: 422,
    means: 'The image URL is not a public http or https address, or its host name was not found.',
  },
  RATE_LIMITED: { status: 429, means: 'Too many requests; `Retry-After` says when to come back.' },
  QUICK_TEST_USED_UP: { status: 429, means: 'The quick test link has no run left.' },
  GUEST_LIMIT_REACHED: { status: 429, means: 'The guest has no picture or no try left at this event.' },
  PRINT_LIMIT_REACHED: { status: 429, means: 'The guest or the event has no print left.' },
  MAIL_LIMIT_REACHED: {
    status: 429,
    means: 'The guest has asked for as many mails or text messages as one guest may.',
  },
  INTERNAL_ERROR: { status: 500, means: 'A fault of the server, which it has logged under `request_id`.' },
  OVERLOADED: { status: 503, means: 'The process is overloaded; `Retry-After` says when to come back.' },
  JOB_NOT_ENDED: {
    status: 503,
    means:
      'The server stops, or the job of a call that waits for its picture takes too long. The job goes on, and the sentence names it.',
  },
  QUEUE_FULL: { status: 503, means: 'The queue is full; `Retry-After` says when to come back.' },
  QUICK_TEST_PAUSED: {
    status: 503,
    means: 'The account of the quick test link cannot start a run now; the guest may try again later.',
  },
  EVENT_PAUSED: {
    status: 503,
    means: 'The event is paused, or its account cannot start a run now; the guest may try again later.',
  },
  ENGINE_LOOP: {
    status: 508,
    means: 'Another Guise handed the run on, and it has been on this server before.',
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    means:
      'The server cannot reach its database or its bucket, or its disk is full; `Retry-After` says when to come back.',
  },
} as const satisfies Record<string, { status: number; means: string }>;
export type ErrorCode = keyof typeof errorCodes;

/** What is wrong with a value that has an error code of its own. */
export interface CodedProblem {
  code: ErrorCode;
  sentence: string;
}
