import { NewBoothEvent } from '@guise/contract/events/events.ts';
import { type AnyBody, type FamilyName, familyOf } from '@guise/contract/families/families.ts';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { createCredential } from '@guise/server/accounts/keys.ts';
import { changeAlias, createAlias } from '@guise/server/catalog/aliases.ts';
import { AppError } from '@guise/server/errors.ts';
import { eraseEvent } from '@guise/server/events/erase-event.ts';
import { createEvent } from '@guise/server/events/events.ts';
import { submitEventJob } from '@guise/server/events/submit-event-job.ts';
import { newId } from '@guise/server/ids.ts';
import { cancel, erase } from '@guise/server/jobs/end.ts';
import { readJob } from '@guise/server/jobs/read.ts';
import { retryJob } from '@guise/server/jobs/retry-job.ts';
import { type SubmitParts, submit } from '@guise/server/jobs/submit.ts';
import { replayWebhook } from '@guise/server/jobs/webhooks/read-webhooks.ts';
import { startGuestRun } from '@guise/server/quick-tests/guest-runs.ts';
import { createQuickTestLink, findLinkByToken } from '@guise/server/quick-tests/quick-test-links.ts';
import { findEventById } from '@guise/server/store/events/event-records.ts';
import { insertCustomFilter } from '@guise/server/store/filter-records.ts';
import { listDeliveries } from '@guise/server/store/webhooks/delivery-records.ts';
import type { Caller } from '../packages/server/src/accounts/callers.ts';
import type { Action, RunKind, Scenario } from './scenario.ts';
import type { Installation } from './simulation/installation.ts';
import type { SimulatedProcess } from './simulation/scheduler.ts';
import type { RunningNode } from './simulation/start-node.ts';

/** What clients were told, for the rules to hold the installation to. */
export interface ClientLog {
  /** The job that an action was told is accepted. */
  accepted: Map<string, string>;
  /** Jobs that somebody erased, and was told so. */
  erased: Set<string>;
  /** Requests that a node still works on, whether or not their clients wait. */
  underWay: Set<{ action: string; process: SimulatedProcess }>;
}

/** What is there before the first request. */
export interface Tenants {
  accounts: { id: string; email: string; budgetedKey: string; filters: string[]; alias: string }[];
  event: string;
  linkToken: string;
}

type Node = RunningNode & { submitParts: SubmitParts };

const hourMs = 3600_000;

/** Makes accounts, filters, an event and a quick test link, as an operator does before the doors open. */
export async function createTenants(
  { submitParts: parts }: Node,
  scenario: Scenario,
  timeline: Installation['simulation']['timeline'],
): Promise<Tenants> {
  const { db } = parts;
  const accounts: Tenants['accounts'] = [];
  for (const [index, credits] of scenario.accounts.entries()) {
    const { id, email } = await createAccount(db, { email: `account${index}@example.com`, credits });
    timeline.name(id, 'A');
    const key = await createCredential(db, id, { kind: 'key', name: 'booth', budget: 12 });
    const filters = [await addFilter(parts, id), await addFilter(parts, id)];
    const caller = callerOf(id, email);
    const { alias } = await createAlias(db, caller, { ai_filter: filters[0]!, project: '' });
    accounts.push({ id, email, budgetedKey: key.id, filters, alias: alias.id });
  }
  const owner = accounts[0]!;
  const eventParts = { ...parts, logins: { hashPassword: async () => '' } };
  const event = await createEvent(
    eventParts,
    callerOf(owner.id, owner.email),
    eventOf(scenario, db.now()),
    async () => {},
  );
  const expires_at = new Date(db.now() + 48 * hourMs).toISOString();
  const wanted = { filter_id: owner.filters[0]!, name: 'try it', runs: scenario.linkRuns, expires_at };
  const link = await createQuickTestLink(db, callerOf(owner.id, owner.email), wanted, async () => {});
  return { accounts, event: event.id, linkToken: link.token };
}

async function addFilter({ db }: SubmitParts, account_id: string): Promise<string> {
  const [id, now] = [newId(), db.now()];
  const definition = JSON.stringify({ kind: 'prompt', prompt: 'in a garden' });
  const origin = 'self_created' as const;
  const times = { created_at: now, updated_at: now };
  const row = { id, account_id, name: 'garden', filter_type: 'face_swap' as const, definition, origin };
  await db.run(insertCustomFilter, { ...row, ...times, previews: '[]', version: 1, note: '' });
  return id;
}

function eventOf({ eventBudget }: Scenario, now: number): NewBoothEvent {
  const time = (ms: number) => new Date(now + ms).toISOString();
  return NewBoothEvent.parse({
    name: 'wedding',
    starts_at: time(-hourMs),
    ends_at: time(100 * hourMs),
    budget: eventBudget,
    pictures_per_guest: 3,
    tries_per_guest: 5,
    result_hours: 24,
    webhook_url: 'https://fine.example.com/event',
    offers: [{ kind: 'single', id: 'swap', labels: { en: 'Swap' }, filter_id: 1 }],
  });
}

/** Somebody who is signed in. */
const callerOf = (id: string, email: string): Caller => {
  const credential = { key_id: null, maker_id: null, event_id: null, session: null };
  return { id, email, role: 'account', scopes: [], ...credential };
};

/** Somebody outside, who reaches one API node or another and tries again where that may help. */
export interface Clients {
  log: ClientLog;
  /** Begins an action; on return of the promise it is over for the client. */
  perform(action: Action): Promise<void>;
}

const requestTimeoutMs = 100_000;
const mostTries = 6;

class NoAnswer extends Error {}

export function createClients(installation: Installation, tenants: Tenants): Clients {
  const { simulation, nodes } = installation;
  const { scheduler, timeline } = simulation;
  const log: ClientLog = { accepted: new Map(), erased: new Set(), underWay: new Set() };

  /** Sends a request to some API node that is said to be up. */
  const request = <T>(action: Action, work: (node: Node) => Promise<T>): Promise<T> => {
    const random = simulation.random.fork(`${action.id} at ${scheduler.now}`);
    const client = scheduler.current;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const up = [...nodes.values()].filter(({ running }) => running?.submitParts);
    const node = up.length > 0 ? random.pick(up) : null;
    const fail = () => scheduler.schedule(random.between(1, 20), () => reject(new NoAnswer()), client);
    if (!node) {
      fail();
      return promise;
    }
    const { process, running } = node;
    const limit = scheduler.schedule(requestTimeoutMs, () => reject(new NoAnswer()));
    process.onDeath.add(fail);
    const over = () => {
      limit.cancelled = true;
      process.onDeath.delete(fail);
    };
    promise.then(over, over);
    const latency = () => random.between(1, 30);
    const serve = () => {
      const served = { action: action.id, process };
      log.underWay.add(served);
      const working = work(running as Node);
      const end = () => log.underWay.delete(served);
      working.then(end, end);
      working.then(
        (answer) => scheduler.schedule(latency(), () => resolve(answer), client),
        (error) => scheduler.schedule(latency(), () => reject(error), client),
      );
    };
    scheduler.schedule(latency(), serve, process);
    return promise;
  };

  return {
    log,
    async perform(action) {
      const client: SimulatedProcess = scheduler.start('client');
      const random = simulation.random.fork(action.id);
      const isRepeatable = 'hasKey' in action ? action.hasKey : true;
      await scheduler.runAs(client, async () => {
        for (let tries = 1; ; tries++) {
          try {
            const answer = await request(action, (node) =>
              act(node, action, { tenants, log, takenByOperator: simulation.takenByOperator }),
            );
            timeline.add(scheduler.now, 'client', `${action.id} ${describe(action)}: ${answer.text}`);
            if (answer.accepted !== undefined) log.accepted.set(action.id, answer.accepted);
            if (answer.erased !== undefined) log.erased.add(answer.erased);
            return;
          } catch (error) {
            const known = error instanceof AppError ? error : null;
            const isUnclear = error instanceof NoAnswer || known?.retryable === true;
            const sentence = known?.code ?? (error instanceof NoAnswer ? 'no answer' : String(error));
            timeline.add(scheduler.now, 'client', `${action.id} ${describe(action)}: ${sentence}`);
            if (!known && !(error instanceof NoAnswer)) throw error;
            if (!isUnclear || !isRepeatable || tries === mostTries) return;
            await scheduler.wait(random.between(2000, 12_000));
          }
        }
      });
    },
  };
}

function describe(action: Action): string {
  if (action.kind === 'submit') return `submits ${action.run} for account ${action.account}`;
  if (action.kind === 'retry') return `takes the job of ${action.of} from its worker`;
  if ('of' in action) return `${action.kind}s the job of ${action.of}`;
  return action.kind;
}

/** What a client is told, and what follows from it. */
interface ClientAnswer {
  text: string;
  accepted?: string;
  erased?: string;
}

/** Does what a client asks for in a node, as the route of it does. */
async function act(
  node: Node,
  action: Action,
  { tenants, log, takenByOperator }: { tenants: Tenants; log: ClientLog; takenByOperator: Set<string> },
): Promise<ClientAnswer> {
  const parts = node.submitParts;
  const account = tenants.accounts[action.account]!;
  switch (action.kind) {
    case 'submit':
      return accepted(await submit(parts, runOf(action, account)));
    case 'event photo':
      return accepted(await submitGuestPhoto(parts, action, tenants));
    case 'quick test':
      return accepted(await submitQuickTest(parts, action, tenants));
    case 'erase event': {
      const erasing = { ...node.node, callPrinter: noPrinter };
      const { jobs } = await eraseEvent(erasing, account.id, tenants.event, () => {});
      return { text: `${jobs} jobs erased` };
    }
    case 'point alias elsewhere':
      return { text: await pointElsewhere(parts, account) };
    case 'send webhooks again':
      return { text: await replayAll(parts, account.id) };
    default: {
      const id = log.accepted.get(action.of);
      if (id === undefined) return { text: 'there is none' };
      return changeJob(node, action.kind, { accountId: account.id, id }, takenByOperator);
    }
  }
}

const noPrinter = () => Promise.reject(new Error('There are no printers here.'));

const accepted = ({ id }: { id: string }): ClientAnswer => ({ text: `accepted as ${id}`, accepted: id });

async function changeJob(
  { node }: Node,
  kind: 'cancel' | 'erase' | 'read' | 'retry',
  { accountId, id }: { accountId: string; id: string },
  takenByOperator: Set<string>,
): Promise<ClientAnswer> {
  if (kind === 'cancel') return { text: (await cancel(node, accountId, id)).state };
  if (kind === 'read') return { text: (await readJob(node.db, { accountId, statusPath: null, id })).state };
  if (kind === 'retry') {
    takenByOperator.add(id);
    await retryJob(node, id);
    return { text: 'taken from its worker' };
  }
  await erase(node, accountId, id);
  return { text: 'erased', erased: id };
}

const runsByKind: Record<RunKind, { family: FamilyName; body: AnyBody; photos: number }> = {
  'face swap': { family: 'face_swap_v6', body: { filter_id: 1, gender: 0 }, photos: 1 },
  'custom filter': { family: 'face_swap_v6', body: { gender: 1, quality_mode: 'v6.1' }, photos: 1 },
  alias: { family: 'face_swap_v1', body: {}, photos: 1 },
  group: { family: 'multi_swap_v5', body: { style_id: 1, outpaint: false }, photos: 1 },
  prompt: { family: 'self_prompt_v2', body: { prompt: 'on a hill' }, photos: 1 },
  'three photos': { family: 'multi_swap_self_prompt_v5', body: { prompt: 'in a boat' }, photos: 3 },
  'simple video': {
    family: 'single_frame_video',
    body: { prompt: 'slow zoom', model: 'simple', duration: '4s', aspect_ratio: 'auto' },
    photos: 1,
  },
  'advanced video': {
    family: 'single_frame_video',
    body: { prompt: 'slow zoom', model: 'advanced', duration: '6s', aspect_ratio: 'auto' },
    photos: 1,
  },
};

function runOf(action: Extract<Action, { kind: 'submit' }>, account: Tenants['accounts'][number]) {
  const { family, body, photos } = runsByKind[action.run];
  const filter_id = { 'custom filter': account.filters[1]!, alias: account.alias }[action.run as string];
  const webhook_url =
    action.webhook === null ? undefined : `https://${action.webhook}.example.com/${action.id}`;
  return {
    accountId: account.id,
    keyId: action.isBudgeted ? account.budgetedKey : null,
    family: familyOf(family),
    body: { ...body, ...(filter_id !== undefined && { filter_id }), webhook_url },
    photos: Array.from({ length: photos }, (_, i) => Buffer.from(`photo ${i} of ${action.id}`)),
    idempotency: action.hasKey ? { key: action.id, fingerprint: action.id } : null,
    // By this the rules know which action a job came of.
    via: [action.id],
  };
}

async function submitGuestPhoto(
  parts: SubmitParts,
  action: Extract<Action, { kind: 'event photo' }>,
  { event }: Tenants,
): Promise<{ id: string }> {
  const row = await parts.db.one(findEventById, { id: event });
  if (!row) throw new AppError('EVENT_NOT_FOUND', 'There is no event with this id.');
  return submitEventJob(parts, {
    event: row,
    keyId: null,
    wanted: {
      guest: `00000000-0000-4000-8000-00000000000${action.guest}`,
      offer_id: 'swap',
      gender: 0,
      variation: 0,
      details: {},
    },
    photos: [uploadOf(action.id)],
    idempotency: action.hasKey ? { key: action.id, fingerprint: action.id } : null,
    signal: new AbortController().signal,
  });
}

async function submitQuickTest(
  parts: SubmitParts,
  action: Extract<Action, { kind: 'quick test' }>,
  { linkToken }: Tenants,
): Promise<{ id: string }> {
  const link = (await findLinkByToken(parts.db, linkToken))!;
  const idempotency = action.hasKey ? { key: action.id, fingerprint: action.id } : null;
  const wanted = { image: uploadOf(action.id), gender: 0, ratio: 'portrait' as const };
  return startGuestRun(parts, link, wanted, idempotency, new AbortController().signal);
}

/** A photo that was inspected when it came in. */
const uploadOf = (name: string) =>
  ({ bytes: Buffer.from(`photo of ${name}`), inspect: async () => ({}) }) as never;

async function pointElsewhere(
  { db }: SubmitParts,
  { id, email, alias, filters }: Tenants['accounts'][number],
): Promise<string> {
  const ai_filter = filters[Math.random() < 0.5 ? 0 : 1]!;
  const changed = await changeAlias(db, callerOf(id, email), alias, { ai_filter }, () => {});
  return `version ${changed.version}`;
}

async function replayAll({ db }: SubmitParts, account_id: string): Promise<string> {
  const latest = { created_at: Number.MAX_SAFE_INTEGER, id: '' };
  const rows = await db.all(listDeliveries, { account_id, ...latest, limit: 3 });
  for (const { id } of rows) await replayWebhook(db, account_id, id);
  return `${rows.length} webhooks`;
}
