import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { type Answer, request, until } from '../../../packages/server/test/support/harness.ts';
import { liveJobs } from '../books.ts';
import { type GuestParts, takePhoto, visit } from './evening-guests.ts';
import { brokenBudget, brokenErasure, brokenPictures, type EveningRecords } from './evening-records.ts';
import { type EveningServer, startEmbedded, startShared } from './evening-servers.ts';
import { startSimulatedBooth } from './simulated-booth.ts';

/**
 * An evening of eight hours in minutes: guests come to two booths, the server is killed and stays away for an hour,
 * photos are sent again, guests erase their pictures, and the budget is smaller than what they want. At the end the
 * booths' own records are held against what the server says, and everything is erased:
 * `npm run test:evening -- --guests 1000 --seconds 160`.
 */
export interface EveningReport {
  photos: number;
  accepted: number;
  /** Refused by the guest's limits, and because the budget was spent. */
  limited: number;
  unpaid: number;
  completed: number;
  failed: number;
  erased: number;
  /** Photos that waited in a booth while the server was away, and photos that were sent more than once. */
  offline: number;
  resent: number;
  budget: number;
  spent: number;
  eraseMs: number;
  seconds: number;
  /** Every promise that was broken, in words; none is the point of it all. */
  violations: string[];
}

export const picturesPerGuest = 2;
export const triesPerGuest = 3;
const hours = 8;
/** The server is away in the fourth hour; texts are edited shortly before. */
const away = { from: 3, to: 4 };
const endWithinMs = 180_000;

const offers = [
  { id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } },
  { id: 'band', kind: 'group', filter_id: 3, labels: { en: 'On stage' } },
];
const texts = (consent: string) => ({ en: { welcome: 'Hello', consent, thanks: 'Bye' } });
const questions = [{ id: 'wall', labels: { en: 'It may be shown on the wall' } }];

export async function eveningRun(
  wanted: { guests: number; seconds: number },
  server: EveningServer,
): Promise<EveningReport> {
  const began = Date.now();
  const budget = Math.round(wanted.guests * 1.75);
  const credits = budget * 10;
  const account = await createAccount(server.db, { email: `${randomUUID()}@example.com`, credits });
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    request(server.url()!, method, path, body, { 'x-api-key': account.api_key });
  const makeEvent = async (name: string, limit: number) => {
    const made = await call('POST', '/v1/events', {
      name,
      starts_at: new Date(began - 3600_000).toISOString(),
      ends_at: new Date(began + 12 * 3600_000).toISOString(),
      offers,
      budget: limit,
      pictures_per_guest: picturesPerGuest,
      tries_per_guest: triesPerGuest,
      texts: texts('I agree.'),
      questions,
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body.id as string;
  };
  const keyOf = async (event: string, name: string): Promise<string> =>
    (await call('POST', `/v1/events/${event}/keys`, { name })).body.secret;

  const [event, otherEvent] = [await makeEvent('Gala', budget), await makeEvent('Another evening', 50)];
  const keys = [await keyOf(event, 'left'), await keyOf(event, 'right')];
  const hourMs = (wanted.seconds * 1000) / hours;
  const booths = keys.map((key, at) =>
    startSimulatedBooth({ name: `Booth ${at + 1}`, key, url: server.url, reportMs: hourMs / 20 }),
  );
  const parts: GuestParts = {
    booths,
    consentVersion: (at) => booths[at]!.consentVersion(),
    offers: offers.map(({ id }) => id),
    url: server.url,
    taken: 0,
    records: [],
    erased: new Set(),
  };
  const violations: string[] = [];

  const guests = Array.from({ length: wanted.guests }, async () => {
    await sleep(Math.random() * hours * hourMs);
    await visit(parts);
  });
  const disturb = async () => {
    await sleep((away.from - 0.1) * hourMs);
    await call('PATCH', `/v1/events/${event}`, { texts: texts('I agree to the new words.') });
    await sleep(0.1 * hourMs);
    await server.kill();
    await sleep((away.to - away.from) * hourMs);
    await server.start();
  };
  let isOver = false;
  const watchBudget = async () => {
    while (!isOver) {
      const answer = server.url() ? await call('GET', `/v1/events/${event}`).catch(() => null) : null;
      if (answer?.status === 200 && answer.body.spent > budget)
        violations.push(`${answer.body.spent} credits were spent of ${budget}`);
      await sleep(hourMs / 50);
    }
  };
  const watching = watchBudget();
  const disturbed = disturb();
  await Promise.all([...guests, disturbed]);
  await until(async () => (await liveJobs(server.db)) === 0, endWithinMs);
  await spendTheRest(server, parts);
  isOver = true;
  await watching;

  // A second event of the account, which has nothing to do with the erasure of the first.
  const otherBooth = startSimulatedBooth({
    name: 'Elsewhere',
    key: await keyOf(otherEvent, 'other'),
    url: server.url,
    reportMs: 1000,
  });
  const otherParts: GuestParts = { ...parts, booths: [otherBooth], records: [], erased: new Set() };
  for (let at = 0; at < 3; at++) await takePhoto(otherParts, randomUUID(), 0);
  await until(async () => (await liveJobs(server.db)) === 0, endWithinMs);
  await Promise.all([...booths, otherBooth].map((booth) => booth.stop()));

  const books: EveningRecords = {
    server,
    account: account.id,
    call,
    event,
    otherEvent,
    keys,
    budget,
    credits,
    records: parts.records,
    erased: parts.erased,
    others: otherParts.records,
  };
  const pictures = await brokenPictures(books, { picturesPerGuest, triesPerGuest });
  violations.push(...pictures.violations, ...(await brokenBudget(books)));
  const erasure = await brokenErasure(books, pictures);
  violations.push(...erasure.violations);
  const refused = (code: string) =>
    parts.records.filter(({ outcome }) => outcome.kind === 'refused' && outcome.code === code).length;
  return {
    photos: parts.records.length,
    accepted: parts.records.filter(({ outcome }) => outcome.kind === 'accepted').length,
    limited: refused('GUEST_LIMIT_REACHED'),
    unpaid: refused('EVENT_BUDGET_SPENT'),
    completed: pictures.completed,
    failed: pictures.failed,
    erased: parts.erased.size,
    offline: booths.reduce((sum, booth) => sum + booth.queuedOffline(), 0),
    resent: booths.reduce((sum, booth) => sum + booth.resent(), 0),
    budget,
    spent: erasure.spent,
    eraseMs: erasure.ms,
    seconds: Math.round((Date.now() - began) / 1000),
    violations,
  };
}

/** Failed jobs have given credits back: late guests take the cheapest offer until not one credit is left. */
async function spendTheRest(server: EveningServer, parts: GuestParts): Promise<void> {
  for (;;) {
    const { outcome } = await takePhoto({ ...parts, offers: ['astronaut'] }, randomUUID(), 0);
    await until(async () => (await liveJobs(server.db)) === 0, endWithinMs);
    if (outcome.kind === 'refused') return;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      guests: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '160' },
      storage: { type: 'string', default: 'embedded,shared' },
    },
  });
  for (const storage of values.storage.split(',')) {
    const server = storage === 'shared' ? await startShared('20-60') : await startEmbedded('20-60');
    try {
      const wanted = { guests: Number(values.guests), seconds: Number(values.seconds) };
      const report = await eveningRun(wanted, server);
      console.log(
        `${storage}: ${values.guests} guests in ${report.seconds} s: ${report.photos} photos, ${report.accepted} accepted, ` +
          `${report.limited} beyond a guest's limits, ${report.unpaid} beyond the budget, ${report.completed} pictures, ` +
          `${report.failed} failed, ${report.erased} erased by guests, ${report.offline} waited for the server, ` +
          `${report.resent} sent more than once, ${report.spent} of ${report.budget} credits, ` +
          `erased in ${report.eraseMs} ms, ${report.violations.length} violations`,
      );
      for (const violation of report.violations.slice(0, 50)) console.log(violation);
      if (report.violations.length > 0) process.exitCode = 1;
    } finally {
      await server.stop();
    }
  }
}
