import type { EventErasure } from '@guise/contract/events/erasure.ts';
import type { EventJobEntry } from '@guise/contract/events/events.ts';
import { findAccount } from '@guise/server/store/account-records.ts';
import { unbalancedAccounts } from '@guise/server/store/ledger-records.ts';
import { statement } from '@guise/server/store/statement.ts';
import { type Answer, request } from '../../../packages/server/test/support/harness.ts';
import type { PhotoRecord } from './evening-guests.ts';
import type { EveningServer } from './evening-servers.ts';

/** What the booths of an evening wrote down, and how that is held against what the server says. */
export interface EveningRecords {
  server: EveningServer;
  account: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  event: string;
  otherEvent: string;
  /** Of the booths, in their order. */
  keys: readonly string[];
  budget: number;
  credits: number;
  records: readonly PhotoRecord[];
  erased: ReadonlySet<string>;
  /** Photos of the other event. */
  others: readonly PhotoRecord[];
}

export interface PicturesReport {
  completed: number;
  failed: number;
  listed: EventJobEntry[];
  violations: string[];
}

const requestsAtOnce = 8;
const acceptedOf = (records: readonly PhotoRecord[]) =>
  records.flatMap((record) =>
    record.outcome.kind === 'accepted' ? [{ ...record, jobId: record.outcome.jobId }] : [],
  );

/** Every accepted photo has its own picture or its failure, with the consent that its guest gave; no guest has too many. */
export async function brokenPictures(
  books: EveningRecords,
  limits: { picturesPerGuest: number; triesPerGuest: number },
): Promise<PicturesReport> {
  const violations: string[] = [];
  const accepted = acceptedOf(books.records);
  const jobIds = new Set(accepted.map(({ jobId }) => jobId));
  if (jobIds.size < accepted.length) violations.push('two photos got the same job');
  for (const { outcome } of books.records) {
    if (outcome.kind === 'refused' && !expectedRefusals.has(outcome.code))
      violations.push(`a photo was refused: ${outcome.status} ${outcome.code}`);
  }
  const event = (await books.call('GET', `/v1/events/${books.event}`)).body;
  if (event.jobs !== accepted.length)
    violations.push(`${event.jobs} jobs were counted for ${accepted.length} accepted photos`);

  const listed = await listJobs(books, books.event);
  const byId = new Map(listed.map((job) => [job.id, job]));
  for (const { id } of listed) if (!jobIds.has(id)) violations.push(`job ${id} is of no photo`);
  for (const { jobId, consentVersion, givenAt } of accepted) {
    const job = byId.get(jobId);
    if (books.erased.has(jobId)) {
      if (job) violations.push(`job ${jobId} was erased by its guest and is still there`);
      continue;
    }
    if (!job) {
      violations.push(`job ${jobId} is lost`);
      continue;
    }
    const { consent } = job;
    const given = consent && [consent.version, consent.language, consent.answers.wall, consent.given_at];
    if (JSON.stringify(given) !== JSON.stringify([consentVersion, 'en', true, givenAt]))
      violations.push(`job ${jobId} has the consent ${JSON.stringify(consent)}`);
  }
  const left = accepted.filter(({ jobId }) => !books.erased.has(jobId));
  await eachAtOnce(left, async ({ jobId, booth }) => {
    const wrong = await wrongPicture(books, jobId, books.keys[booth]!);
    if (wrong) violations.push(wrong);
  });
  const failedIds = new Set(listed.filter(({ status }) => status === 'FAILED').map(({ id }) => id));
  for (const [guest, photos] of Map.groupBy(accepted, (record) => record.guest)) {
    // Of a picture that was erased nobody knows whether it had failed: it counts as one that had.
    const pictures = photos.filter(({ jobId }) => !failedIds.has(jobId) && !books.erased.has(jobId));
    if (pictures.length > limits.picturesPerGuest || photos.length > limits.triesPerGuest)
      violations.push(`guest ${guest} has ${pictures.length} pictures of ${photos.length} tries`);
  }
  const completed = listed.length - failedIds.size;
  return { completed, failed: failedIds.size, listed, violations };
}

const expectedRefusals = new Set(['GUEST_LIMIT_REACHED', 'EVENT_BUDGET_SPENT']);

async function wrongPicture(books: EveningRecords, id: string, key: string): Promise<string | null> {
  const path = `/v1/booth/jobs/${id}`;
  const { body } = await request(books.server.url()!, 'GET', path, undefined, { 'x-api-key': key });
  if (body.status === 'FAILED') return body.error ? null : `job ${id} failed without a sentence`;
  if (body.status !== 'COMPLETED') return `job ${id} ends as ${body.status ?? body.error_code}`;
  const bytes = Buffer.from(await (await fetch(body.url)).arrayBuffer());
  return bytes.toString('latin1').endsWith(id) ? null : `job ${id} shows something else than its picture`;
}

/** One charge for each job, one refund for each that failed; what the event, its keys and the account say adds up. */
export async function brokenBudget(books: EveningRecords): Promise<string[]> {
  const violations: string[] = [];
  const { db } = books.server;
  const entries = await db.all(entriesOf, { account_id: books.account });
  const netOf = (records: readonly PhotoRecord[]) => {
    const ids = new Set(acceptedOf(records).map(({ jobId }) => jobId));
    return entries.reduce((sum, { job_id, amount }) => sum - (ids.has(job_id ?? '') ? amount : 0), 0);
  };
  for (const [job, ofJob] of Map.groupBy(entries, ({ job_id }) => job_id)) {
    if (job === null) continue;
    const amounts = ofJob.map(({ amount }) => amount);
    const isRight =
      amounts[0]! < 0 && (amounts.length === 1 || (amounts.length === 2 && amounts[0] === -amounts[1]!));
    if (!isRight) violations.push(`job ${job} was charged ${amounts.join()}`);
  }
  const event = (await books.call('GET', `/v1/events/${books.event}`)).body;
  const other = (await books.call('GET', `/v1/events/${books.otherEvent}`)).body;
  const charged = netOf(books.records);
  if (event.spent !== books.budget)
    violations.push(`${event.spent} credits of ${books.budget} are spent though guests were refused`);
  if (charged !== event.spent) violations.push(`the ledger says ${charged}, the event ${event.spent}`);
  const keys = (await books.call('GET', '/v1/keys')).body.keys as {
    event_id: string | null;
    spent: number;
  }[];
  const ofKeys = keys.filter(({ event_id }) => event_id === books.event);
  const spentByKeys = ofKeys.reduce((sum, { spent }) => sum + spent, 0);
  if (spentByKeys !== event.spent) violations.push(`the keys say ${spentByKeys}, the event ${event.spent}`);
  const balance = (await db.one(findAccount, { id: books.account }))?.balance;
  if (balance !== books.credits - event.spent - other.spent)
    violations.push(`the account has ${balance} of ${books.credits} after ${event.spent + other.spent}`);
  for (const { id } of await db.all(unbalancedAccounts, {})) violations.push(`account ${id} does not add up`);
  return violations;
}

/** Erases the event: the receipt counts what there was, nothing of it is left, and the other event is untouched. */
export async function brokenErasure(
  books: EveningRecords,
  { listed, completed }: PicturesReport,
): Promise<{ violations: string[]; ms: number; spent: number }> {
  const violations: string[] = [];
  const { server } = books;
  const { spent } = (await books.call('GET', `/v1/events/${books.event}`)).body;
  const { stations } = (await books.call('GET', `/v1/events/${books.event}/stations`)).body;
  const accepted = acceptedOf(books.records);
  const guests = new Set(accepted.map(({ guest }) => guest));
  /** Ids that nothing but the guests' own records hold. */
  const markers = new Set([
    ...guests,
    ...accepted.map(({ id }) => id),
    ...listed.map(({ guest_id }) => guest_id),
    ...stations.map(({ id }: { id: string }) => id),
  ]);
  if (countMarkers(await server.recordsAsText(), markers) < guests.size)
    violations.push('the search does not find what is there before erasing');

  const began = performance.now();
  const erased = await books.call('POST', `/v1/events/${books.event}/erase`);
  const ms = Math.round(performance.now() - began);
  if (erased.status !== 200)
    return { violations: [`erasing answered ${erased.status} ${JSON.stringify(erased.body)}`], ms, spent };
  const receipt = erased.body as EventErasure;
  const expected = {
    jobs: listed.length,
    results: completed,
    photos: 0,
    consents: listed.length,
    guests: guests.size,
    stations: books.keys.length,
    keys_revoked: books.keys.length,
    remaining: { jobs: 0, consents: 0, guests: 0, stations: 0, prints: 0, mails: 0, files: 0 },
  };
  for (const [name, value] of Object.entries(expected)) {
    const told = JSON.stringify(receipt[name as keyof typeof expected]);
    if (told !== JSON.stringify(value))
      violations.push(`the receipt says ${name} ${told} in place of ${JSON.stringify(value)}`);
  }
  const left = countMarkers(await server.recordsAsText(), markers);
  if (left > 0) violations.push(`${left} ids of guests, photos and booths are left in the records`);
  const jobIds = new Set(accepted.map(({ jobId }) => jobId));
  const blobs = (await server.blobKeys()).filter((key) => uuidsIn(key).some((id) => jobIds.has(id)));
  violations.push(...blobs.map((key) => `${key} is left`));
  for (const { jobId } of accepted.slice(0, 20)) {
    const { status } = await books.call('GET', `/v1/jobs/${jobId}`);
    if (status !== 404) violations.push(`job ${jobId} still answers ${status}`);
  }
  const others = await listJobs(books, books.otherEvent);
  if (others.length !== acceptedOf(books.others).length || others.some(({ consent }) => !consent))
    violations.push('the other event has lost something');
  return { violations, ms, spent };
}

async function listJobs({ call }: EveningRecords, event: string): Promise<EventJobEntry[]> {
  const jobs: EventJobEntry[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/v1/events/${event}/jobs?limit=200${cursor && `&cursor=${cursor}`}`);
    jobs.push(...body.jobs);
    if (body.next_cursor === null) return jobs;
    cursor = body.next_cursor;
  }
}

const uuidsIn = (text: string): string[] =>
  text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];

const countMarkers = (text: string, markers: ReadonlySet<string>): number =>
  new Set(uuidsIn(text).filter((id) => markers.has(id))).size;

async function eachAtOnce<T>(list: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...list];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await act(next);
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, work));
}

const entriesOf = statement((db, p: { account_id: string }) =>
  db.selectFrom('ledger').selectAll().where('account_id', '=', p.account_id).orderBy('id'),
);
