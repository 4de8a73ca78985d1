import type { EventCheck, EventDraft, NewEventDraft } from '@guise/contract/events/event-drafts.ts';
import { EventDraftChange, type NewBoothEvent } from '@guise/contract/events/events.ts';
import type { CheckOutcome } from '@guise/contract/filter-details.ts';
import { outcomeOf } from '@guise/contract/filter-details.ts';
import { z } from 'zod';
import { assertChecked } from '../catalog/assert-checked.ts';
import type { LinkOf } from '../catalog/shown-filters.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { changedElsewhere, type Precondition } from '../precondition.ts';
import type { Db, Queries } from '../store/db.ts';
import { findEvent, keepReplacedFields, writeEventDraft } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { listChecks } from '../store/filter-draft-records.ts';
import { findAlias, findCustomFilter, previewKeysOf } from '../store/filter-records.ts';
import { readJson, TextList } from '../store/json-column.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { columnsOf, fieldsOf } from './event-settings.ts';
import { eventNotFound } from './event-state.ts';
import {
  applyEventChange,
  type EventMaker,
  type EventParts,
  fieldsAfterChange,
  hashGalleryPassword,
  type PreparedEventChange,
  prepareEventChange,
} from './events.ts';
import { filtersOf } from './events-offering.ts';
import { type PreflightParts, readDraftPreflight } from './preflight.ts';

type Parts = EventParts & PreflightParts;

/** What a draft changes; a new password of the gallery as its hash, null for none. */
const EventDraftDocument = z.object({
  change: EventDraftChange.omit({ gallery_password: true }),
  password_hash: z.string().nullable().optional(),
});

/** What a change replaced and what it set, of the fields of an event, with the hashes of passwords. */
const ReplacedFields = z.object({
  before: EventDraftChange,
  after: EventDraftChange,
  hash: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
});
type ReplacedFields = z.infer<typeof ReplacedFields>;

const draftNotFound = () => new AppError('NOT_FOUND', 'This event has no draft.');
const nothingToUndo = () =>
  new AppError('NOTHING_TO_UNDO', 'No change of this event that went live from a draft can be undone.');

/** Saves what differs from an event without changing what booths get. A change of nothing puts the draft away. */
export async function saveEventDraft(
  parts: Parts,
  { id: account_id }: EventMaker,
  id: string,
  { change, based_on }: NewEventDraft,
): Promise<void> {
  const row = await readRow(parts.db, account_id, id);
  if (based_on !== undefined && based_on !== (row.draft === null ? null : row.draft_number))
    throw changedElsewhere();
  const { gallery_password, ...rest } = change;
  const earlier = row.draft === null ? undefined : documentOf(row);
  // The password is not shown, so a later save without one keeps it.
  const password_hash =
    gallery_password === undefined
      ? earlier?.password_hash
      : await hashGalleryPassword(parts, account_id, gallery_password);
  const document = { change: rest, ...(password_hash !== undefined && { password_hash }) };
  const isEmpty = Object.keys(rest).length === 0 && password_hash === undefined;
  await writeDraft(parts.db, row, isEmpty ? null : JSON.stringify(document), parts.db.now());
}

/** The event goes on as it is. */
export async function discardEventDraft(
  { db }: Pick<Parts, 'db'>,
  accountId: string,
  id: string,
): Promise<void> {
  const row = await readRow(db, accountId, id);
  if (row.draft !== null) await writeDraft(db, row, null, db.now());
}

async function writeDraft(db: Queries, row: EventRow, draft: string | null, now: number): Promise<void> {
  const { id, draft_number: before } = row;
  // Numbers go on, so that whoever has read a draft that was put away does not end a later one.
  const saved = { id, draft, draft_number: before + 1, draft_changed_at: now, before };
  if ((await db.run(writeEventDraft, saved)) === 0) throw changedElsewhere();
}

/** The draft with what is checked of it, and the filters that it offers and the live event does not. */
export async function readEventDraft(
  parts: Parts,
  accountId: string,
  id: string,
  linkOf: LinkOf,
): Promise<{ draft: EventDraft; filters: CustomFilterRow[] }> {
  const row = await readRow(parts.db, accountId, id);
  if (row.draft === null) throw draftNotFound();
  const { change, password_hash } = documentOf(row);
  const filters = await newFilters(parts.db, row, fieldsAfterChange(row, change));
  const checks = await checkDraft(parts, row, filters, linkOf);
  const draft = {
    change,
    has_gallery_password: password_hash !== undefined && password_hash !== null,
    number: row.draft_number,
    changed_at: isoTime(row.draft_changed_at ?? row.updated_at),
    outcome: outcomeOf(checks),
    checks,
  };
  return { draft, filters };
}

/** The filters that the draft offers and the live event does not; none without a draft. */
export async function readNewFilters(db: Db, accountId: string, id: string): Promise<CustomFilterRow[]> {
  const row = await readRow(db, accountId, id);
  return row.draft === null ? [] : newFilters(db, row, fieldsAfterChange(row, documentOf(row).change));
}

/** Makes the draft what booths get, in one step, and keeps what it replaced. */
export async function makeEventDraftLive(
  parts: Parts,
  maker: EventMaker,
  id: string,
  { number, unchecked }: { number: number; unchecked: boolean },
  check: Precondition,
): Promise<void> {
  const row = await readRow(parts.db, maker.id, id);
  check(row.version);
  if (row.draft === null) throw draftNotFound();
  if (row.draft_number !== number) throw changedElsewhere();
  const { change, password_hash } = documentOf(row);
  const filters = await newFilters(parts.db, row, fieldsAfterChange(row, change));
  assertChecked(await checkDraft(parts, row, filters, (key) => key), unchecked);
  const prepared = { ...(await prepareEventChange(parts, maker.id, change)), passwordHash: password_hash };
  await goLive(parts, maker, id, prepared, async (tx, current) => {
    check(current.version);
    await writeDraft(tx, { ...current, draft_number: number }, null, parts.db.now());
  });
}

/** Takes the last change back that went live from a draft, where nobody has changed the same since. Done twice, it is where it was. */
export async function undoEventDraft(
  parts: Parts,
  maker: EventMaker,
  id: string,
  check: Precondition,
): Promise<void> {
  const { replaced } = await readRow(parts.db, maker.id, id);
  if (replaced === null) throw nothingToUndo();
  const { before, hash } = readJson(ReplacedFields, replaced);
  const prepared = await prepareEventChange(parts, maker.id, before);
  await goLive(parts, maker, id, { ...prepared, passwordHash: hash.before }, async (_, current) => {
    check(current.version);
    // Another change may have gone live since it was read.
    if (current.replaced !== replaced || !isStill(current, replaced)) throw changedElsewhere();
  });
}

/** Changes the event with `first` in one transaction. Throws `CHANGED_ELSEWHERE` where another change came between. */
async function goLive(
  { db, changes }: Parts,
  maker: EventMaker,
  id: string,
  prepared: PreparedEventChange,
  first: (tx: Queries, row: EventRow) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await tx.one(findEvent, { id, account_id: maker.id });
    if (!row) throw eventNotFound();
    await first(tx, row);
    const changed = await applyEventChange(tx, maker, row, prepared, db.now());
    if (!changed) throw changedElsewhere();
    const after = fieldsOf({ ...row, ...columnsOf(changed.fields) });
    const replaced = replacedBy(fieldsOf(row), after, {
      before: row.gallery_password_hash,
      after: changed.passwordHash,
    });
    await tx.run(keepReplacedFields, { id, replaced: JSON.stringify(replaced) });
  });
  changes.publish(id);
}

async function readRow(db: Queries, account_id: string, id: string): Promise<EventRow> {
  const row = await db.one(findEvent, { id, account_id });
  if (!row) throw eventNotFound();
  return row;
}

const documentOf = ({ draft }: EventRow) => readJson(EventDraftDocument, draft ?? '');

/** The fields that differ, before and after. What was not touched is not taken back with them. */
function replacedBy(
  before: NewBoothEvent,
  after: NewBoothEvent,
  hash: ReplacedFields['hash'],
): ReplacedFields {
  const names = Object.keys(EventDraftChange.shape) as (keyof EventDraftChange)[];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (fields: NewBoothEvent) => Object.fromEntries(differing.map((name) => [name, fields[name]]));
  return { before: pick(before), after: pick(after), hash };
}

function isStill(row: EventRow, replaced: string): boolean {
  const { after, hash } = readJson(ReplacedFields, replaced);
  const now = fieldsOf(row);
  const names = Object.keys(after) as (keyof EventDraftChange)[];
  return (
    row.gallery_password_hash === hash.after &&
    names.every((name) => JSON.stringify(now[name]) === JSON.stringify(after[name]))
  );
}

/** Filters of the account that only the draft offers: what the live event offers is shown to guests already. */
async function newFilters(db: Db, row: EventRow, next: NewBoothEvent): Promise<CustomFilterRow[]> {
  const known = new Set(fieldsOf(row).offers.flatMap(filtersOf).map(String));
  const refs = new Set(next.offers.flatMap(filtersOf).map(String));
  const own = { account_id: row.account_id };
  const found: CustomFilterRow[] = [];
  for (const ref of refs) {
    if (known.has(ref) || /^\d+$/.test(ref)) continue;
    const alias = await db.one(findAlias, { ...own, id: ref });
    const filter = await db.one(findCustomFilter, { ...own, id: alias?.ai_filter ?? ref });
    if (filter) found.push(filter);
  }
  return found;
}

async function checkDraft(
  parts: Parts,
  row: EventRow,
  filters: readonly CustomFilterRow[],
  linkOf: LinkOf,
): Promise<EventCheck[]> {
  const { change, password_hash } = documentOf(row);
  const whole = { kind: 'event', photo: null, picture_url: null } as const;
  const refusal = await refusalOfDraft(parts, row, { change, passwordHash: password_hash });
  if (refusal !== null) return [{ ...whole, outcome: 'failed', sentences: [refusal] }];
  const settings = fieldsAfterChange(row, change);
  const next = { ...row, ...columnsOf(settings) };
  const evening = await readDraftPreflight(parts, next, Object.keys(change));
  return [
    { ...whole, outcome: 'passed', sentences: [] },
    ...evening.map(({ part, state, sentence, remedy }) => ({
      kind: part,
      photo: null,
      outcome: state === 'green' ? ('passed' as const) : ('warned' as const),
      sentences: remedy === null ? [sentence] : [sentence, remedy],
      picture_url: null,
    })),
    ...(await Promise.all(filters.map((filter) => checkFilter(parts.db, filter, linkOf)))),
  ];
}

/** Why the change would be refused, as `PATCH` of the event would say it. */
async function refusalOfDraft(
  parts: Parts,
  row: EventRow,
  { change, passwordHash }: { change: EventDraftChange; passwordHash: string | null | undefined },
): Promise<string | null> {
  try {
    const prepared = await prepareEventChange(parts, row.account_id, change);
    fieldsAfterChange(row, { ...prepared.change }, { passwordHash, mustFit: true });
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** What the checks of a filter's live version say, in one: a picture of it, and the sentences of all. */
async function checkFilter(db: Db, filter: CustomFilterRow, linkOf: LinkOf): Promise<EventCheck> {
  const checks = await db.all(listChecks, { filter_id: filter.id, version: filter.version });
  const outcome: CheckOutcome = outcomeOf(checks) ?? 'waiting';
  const [picture] = [...checks.flatMap((check) => check.picture ?? []), ...previewKeysOf(filter)];
  const sentences = checks.flatMap((check) => readJson(TextList, check.sentences));
  return {
    kind: 'filter',
    photo: filter.name,
    outcome,
    sentences: [...new Set(sentences)],
    picture_url: picture === undefined ? null : linkOf(picture),
  };
}
