import type { Ratio } from '@guise/contract/common.ts';
import type { CameraState } from '@guise/contract/events/stations.ts';

/** An event of an account: when booths may submit, what they may, and for how many credits. */
export interface EventRow {
  id: string;
  account_id: string;
  /** The key that made it, or that changed it after its maker had ended; null where somebody did who was signed in. */
  made_by: string | null;
  name: string;
  starts_at: number;
  ends_at: number;
  paused: 0 | 1;
  closed: 0 | 1;
  /** Credits for all its jobs; null for as many as the account has. */
  budget: number | null;
  /** Credits of its jobs, without those that were refunded. */
  spent: number;
  /** Jobs that were accepted. */
  jobs: number;
  /** What servers took for them: seconds at work and US dollars, as far as they tell it. */
  gpu_seconds: number;
  cost: number;
  pictures_per_guest: number | null;
  tries_per_guest: number | null;
  /** How long results are kept, where that is shorter than for other jobs. */
  result_hours: number | null;
  /** Counts the edits of what guests agree to, from 1. */
  consent_version: number;
  /** JSON of what no statement looks into: `EventSettings`. */
  settings: string;
  /** JSON of a change that is not live, `EventDraftDocument`; null for none. */
  draft: string | null;
  /** Counts the drafts that were saved. */
  draft_number: number;
  draft_changed_at: number | null;
  /** JSON of what the last change that was made live from a draft replaced, `ReplacedFields`; null for nothing. */
  replaced: string | null;
  /** Counts the times that the links of its wall and gallery were made anew, from 1. */
  links_version: number;
  /** Null for no password. */
  gallery_password_hash: string | null;
  /** Counts its edits, from 1. */
  version: number;
  created_at: number;
  updated_at: number;
  /** Set when erasing began; from then on nothing is accepted. */
  erasure_begun_at: number | null;
  erased_at: number | null;
  /** JSON of the receipt. */
  erasure: string | null;
}

/** What guests were asked to agree to in one version: JSON `{texts, questions}`. */
export interface EventConsentRow {
  event_id: string;
  version: number;
  document: string;
  created_at: number;
}

/** A PNG that is laid over the pictures of an event that have its shape. */
export interface EventOverlayRow {
  event_id: string;
  ratio: Ratio;
  blob_key: string;
  updated_at: number;
}

/** A guest of an event, by the id that the booth chose. Nothing says who that is. */
export interface EventGuestRow {
  id: string;
  event_id: string;
  guest_ref: string;
  /** Jobs that have not failed, and all jobs. */
  pictures: number;
  tries: number;
  created_at: number;
}

/** A job of an event, with the guest's consent. It stays when the result has expired, until the event is erased. */
export interface EventJobRow {
  job_id: string;
  event_id: string;
  guest_id: string;
  offer_id: string;
  price: number;
  /** 0 once its price and its picture were given back. */
  counted: 0 | 1;
  consent_version: number | null;
  consent_language: string | null;
  /** JSON, by question. */
  consent_answers: string | null;
  consent_at: number | null;
  /** By the operator: 1 approved, 0 not decided, -1 hidden. */
  approval: -1 | 0 | 1;
  /** Chosen by the booth: the jobs of one touch have the same one. Null for a job of its own. */
  take: string | null;
  /**
   * 0 for the first of its take, with which the guest’s picture is counted, and 1 for the others; 2 for a first whose
   * picture does not come back, because another of the take was made and erased.
   */
  further: 0 | 1 | 2;
  /** Which of an offer's variations it is, from 0; null where the offer has none. */
  variation: number | null;
  /** JSON of what the guest gave, by detail; null for nothing. */
  details: string | null;
  /** 1 where the booth has sent a moving picture of the moment. */
  moment: 0 | 1;
  created_at: number;
}

/** A booth of an event as it last reported. Nothing in it is of guests. */
export interface StationRow {
  event_id: string;
  /** Chosen by the booth. */
  id: string;
  /** The event key of its last report. */
  key_id: string | null;
  name: string;
  waiting_photos: number;
  prints: number;
  page_version: string;
  camera: CameraState | null;
  first_seen_at: number;
  last_seen_at: number;
}
