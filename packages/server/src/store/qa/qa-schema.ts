/** Photos of an account to try filters on, kept until somebody removes them. */
export interface PhotoSetRow {
  id: string;
  account_id: string;
  name: string;
  /** Counts its changes, photos included, from 1. */
  version: number;
  created_at: number;
  updated_at: number;
}

/** The blobs are named after the photo's id. */
export interface PhotoRow {
  id: string;
  set_id: string;
  account_id: string;
  name: string;
  /** How many people it shows; null where nobody said. */
  people: number | null;
  width: number;
  height: number;
  created_at: number;
}

/** A custom filter on photos of a set. What it names may be changed or deleted later, so it keeps the names. */
export interface QaRunRow {
  id: string;
  account_id: string;
  filter_id: string;
  filter_name: string;
  filter_type: 'face_swap' | 'multi_swap';
  /** JSON list of the filter's versions. */
  versions: string;
  photo_set_id: string;
  photo_set_name: string;
  price: number;
  created_at: number;
}

/** One version of the filter on one photo. */
export interface QaCellRow {
  id: string;
  run_id: string;
  account_id: string;
  position: number;
  photo_id: string;
  photo_name: string;
  people: number | null;
  version: number;
  /** The last job that was submitted for it. */
  job_id: string | null;
  /** Jobs that were submitted for it: who submits one raises it, so that two who try at once make one job. */
  submits: number;
  /** Why no job could be submitted. */
  error: string | null;
  verdict: 'good' | 'bad' | null;
  note: string;
  /** Counts the changes of verdict and note, from 1. */
  revision: number;
}

/** Lets guests without an account try one filter. Only the SHA-256 of its token is kept. */
export interface QuickTestLinkRow {
  id: string;
  account_id: string;
  /** The key that made it, or that changed it after its maker had ended; null where somebody did who was signed in. */
  made_by: string | null;
  filter_id: string;
  /** The filter's name when the link was made. */
  filter_name: string;
  name: string;
  token_hash: string;
  runs: number;
  /** Runs that were accepted and have not failed. */
  runs_used: number;
  expires_at: number;
  /** Counts its edits, from 1. */
  version: number;
  created_at: number;
  last_used: number | null;
}

/** A job that a guest started. */
export interface QuickTestRunRow {
  job_id: string;
  link_id: string;
  /** 1 while it counts as a run of the link, 0 since it failed. */
  counted: 0 | 1;
  created_at: number;
}

/** What was checked of a version of a custom filter. A photo is checked by the render of the same id. */
export interface FilterCheckRow {
  id: string;
  filter_id: string;
  version: number;
  position: number;
  kind: 'definition' | 'words' | 'engine' | 'photo';
  /** Its name. */
  photo: string | null;
  outcome: 'waiting' | 'passed' | 'warned' | 'failed';
  /** JSON list. */
  sentences: string;
  /** The blob key of what was made of a sample photo. */
  picture: string | null;
}
