import type { SharedPicture, SharedPictures } from '@guise/contract/events/event-guests.ts';
import { afterEveryId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { LinkToBlob } from '../jobs/read.ts';
import { isLoop, linkKeyOf, mediaTypeOf, stillKeyOf, thumbnailKeyOf } from '../jobs/results/result-keys.ts';
import type { Db } from '../store/db.ts';
import { listEventResults } from '../store/events/event-guest-records.ts';
import type { EventJobRow, EventRow } from '../store/events/event-schema.ts';
import { allowsShowing, type Place, type QuestionsByVersion, readQuestions } from './consent.ts';
import { laidRatioOf } from './event-overlays.ts';
import { settingsOf } from './event-settings.ts';
import { fileNameOf, pictureNamer } from './picture-names.ts';

/** Rows are read so many at a time: guests who did not agree are left out after reading. */
const batch = 200;

/** Whether an event shows pictures in this place to whoever has the link. */
export function isShown(event: EventRow, place: Place): boolean {
  return event.erasure_begun_at === null && settingsOf(event)[place] !== 'off';
}

/** What the operator must have said of a picture for others than its guest to see it. */
const leastApproval = (event: EventRow) => (settingsOf(event).wall === 'approved' ? 1 : 0);

/** Whether an event shows one picture in this place: what `readSharedPictures` would have of those that have not expired. */
export async function isPictureShown(
  db: Db,
  event: EventRow,
  place: Place,
  row: EventJobRow,
): Promise<boolean> {
  if (!isShown(event, place) || row.approval < leastApproval(event)) return false;
  return allowsShowing(place, row, await readQuestions(db, event.id), event.consent_version);
}

/** What of an event is read: where it is shown, and from which picture on. */
export interface SharedQuery {
  event: EventRow;
  place: Place;
  page: { cursor?: string | undefined; limit: number };
  /** Without them they are read. */
  questions?: QuestionsByVersion | undefined;
}

/**
 * Pictures of an event for the wall or the gallery, newest first: of guests who agreed, not hidden by the operator, and
 * approved where the event's wall says so.
 */
export async function readSharedPictures(
  db: Db,
  { event, place, page, questions }: SharedQuery,
  linkTo: LinkToBlob,
): Promise<SharedPictures> {
  const { branding } = settingsOf(event);
  const hasTexts = (branding.overlay_texts ?? []).length > 0;
  const asked = questions ?? (await readQuestions(db, event.id));
  const pictures: SharedPicture[] = [];
  let cursor: string | null = page.cursor ?? afterEveryId;
  while (cursor !== null && pictures.length < page.limit) {
    const before: string = cursor;
    const rows = await db.all(listEventResults, {
      event_id: event.id,
      before,
      least_approval: leastApproval(event),
      now: db.now(),
      limit: batch,
    });
    cursor = rows.length === batch ? rows.at(-1)!.job_id : null;
    for (const row of rows) {
      if (!allowsShowing(place, row, asked, event.consent_version)) continue;
      if (pictures.length === page.limit) {
        cursor = pictures.at(-1)!.id;
        break;
      }
      pictures.push({
        id: row.job_id,
        media_type: mediaTypeOf(row),
        url: linkTo(row, linkKeyOf(row.result_key!)),
        thumbnail_url: linkTo(row, thumbnailKeyOf(row.result_key!)),
        ...(isLoop(row) && { poster_url: linkTo(row, stillKeyOf(row.result_key!)) }),
        has_overlay: laidRatioOf(row) !== null || (hasTexts && mediaTypeOf(row) === 'image/png'),
        created_at: isoTime(row.created_at),
        expires_at: isoTime(row.expires_at),
      });
    }
  }
  return { event: { name: event.name, branding }, pictures, next_cursor: cursor };
}

/** What an archive of an event has. */
export interface EventFiles {
  ids: string[];
  title: string;
  /** Names by job, without their endings. */
  names: Record<string, string>;
  /** Jobs with a moving picture of the moment. */
  moments: string[];
}

/** Whether a picture is hidden because its guest has not chosen it, and not by the operator. */
const isNotChosen = ({ approval, further, variation }: EventJobRow) =>
  approval === -1 && further === 1 && variation !== null;

/** The files of an event's results and moments, without those that the operator hid, in the order they were made. */
export async function readEventFiles(db: Db, event: EventRow): Promise<EventFiles> {
  const nameOf = pictureNamer(event);
  const rows: EventJobRow[] = [];
  for (let before = afterEveryId; ; before = rows.at(-1)!.job_id) {
    const page = await db.all(listEventResults, {
      event_id: event.id,
      before,
      least_approval: -1,
      now: db.now(),
      limit: batch,
    });
    rows.push(...page);
    if (page.length < batch) break;
  }
  const kept = rows.filter((row) => row.approval >= 0 || isNotChosen(row)).reverse();
  return {
    ids: kept.map(({ job_id }) => job_id),
    title: fileNameOf(event.name),
    names: Object.fromEntries(kept.map((row) => [row.job_id, nameOf(row)])),
    moments: kept.filter(({ moment }) => moment === 1).map(({ job_id }) => job_id),
  };
}
