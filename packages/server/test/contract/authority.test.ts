import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type Act, mostGenerations } from '@guise/contract/authority.ts';
import type { Scope } from '@guise/contract/scopes.ts';
import fc from 'fast-check';
import { createCredential } from '../../src/accounts/keys.ts';
import { sampleSet } from '../../src/qa/sample-set.ts';
import { statement } from '../../src/store/statement.ts';
import {
  ancestorsOf,
  enterSpent,
  mayAct,
  type TreeNode,
  transgressionsOf,
} from '../support/credential-tree.ts';
import { type Answer, photo, request, startTestServer, type TestServer } from '../support/harness.ts';
import { untilAborted } from '../support/test-engine.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0, trustedProxies: ['127.0.0.1'] });
  // Jobs do not end by themselves, so that they can be cancelled.
  server.engine.before = untilAborted;
});
after(() => server.stop());

/** Time cannot be waited for here. Whoever was found a moment ago is cached, and must not spend for that. */
const expireKey = statement((db, p: { id: string }) =>
  db.updateTable('credentials').set({ expires_at: 1 }).where('id', '=', p.id),
);
const readSpent = statement((db, p: { account_id: string }) =>
  db.selectFrom('credentials').select(['id', 'spent']).where('account_id', '=', p.account_id),
);

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
const withKey = (secret: string, method: string, path: string, body?: unknown) =>
  request(server.url, method, path, body, { 'x-api-key': secret });

interface Job {
  id: string;
  /** Who paid for it: a link that somebody else takes over has another maker after that. */
  payers: TreeNode[];
  price: number;
  /** Whether it had no photo, so that it can be retried. */
  isPrompt: boolean;
}

interface Tree {
  accountId: string;
  filterId: string;
  login: TreeNode;
  nodes: TreeNode[];
  live: Job[];
  cancelled: Job[];
}

/** A node that nothing limits. */
const newNode = (fields: Pick<TreeNode, 'kind' | 'id' | 'secret'> & Partial<TreeNode>): TreeNode => ({
  maker: null,
  event: null,
  scopes: ['run', 'read', 'manage'],
  budget: null,
  spent: 0,
  ends: false,
  hasExpired: false,
  isRevoked: false,
  ...fields,
});

/** One of each to begin with: the link and the event are a key's, and the key of the event is not. */
async function plantTree(): Promise<Tree> {
  const account = await server.account(100_000);
  const filter = await account.call('POST', '/v1/users/me/my-custom-filters', {
    name: 'Snow',
    filter_type: 'face_swap',
    definition: { kind: 'prompt', prompt: 'in the snow' },
  });
  const expiresAt = Date.now() + 3600_000;
  const token = await createCredential(server.db, account.id, { kind: 'token', name: 'login', expiresAt });
  const login = newNode({ kind: 'login', id: token.id, secret: token.secret });
  const ids = { accountId: account.id, filterId: filter.body.id };
  const tree: Tree = { ...ids, login, nodes: [login], live: [], cancelled: [] };
  await makeKey(tree, login, { scopes: ['run', 'read', 'manage'], budget: null, ends: false });
  const [key] = ofKind(tree, 'key');
  await makeLink(tree, key!);
  await makeEvent(tree, key!);
  await makeEventKey(tree, login, ofKind(tree, 'event')[0]!, null);
  return tree;
}

/** What is tried: who and what are named by numbers, taken modulo how many there are. */
const anybody = fc.nat({ max: 40 });
const limits = fc.record({
  scopes: fc.constantFrom<Scope[]>(['run'], ['manage'], ['run', 'manage'], ['run', 'read', 'manage']),
  budget: fc.constantFrom(null, null, 1, 5, 20),
  ends: fc.constantFrom(false, false, true),
});
const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('make key'), by: anybody, to: anybody, limits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('make link'), by: anybody, to: anybody, limits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('make event'), by: anybody, to: anybody, limits }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('make event key'), by: anybody, to: anybody, limits }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('limit key'), by: anybody, to: anybody, limits }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke key'), by: anybody, to: anybody, limits }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire key'), by: anybody, to: anybody, limits }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change link'), by: anybody, to: anybody, limits }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change event'), by: anybody, to: anybody, limits }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('spend'), by: anybody, to: anybody, limits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('start QA run'), by: anybody, to: anybody, limits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel job'), by: anybody, to: anybody, limits }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry job'), by: anybody, to: anybody, limits }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
const ofKind = (tree: Tree, ...kinds: TreeNode['kind'][]) =>
  tree.nodes.filter(({ kind }) => kinds.includes(kind));
/** A key acts for itself, and names itself in what it makes; a login acts as the account. */
const makerOf = (by: TreeNode) => (by.kind === 'login' ? null : by);

/** Compares an answer with the model, and with what every ancestor allows by itself. True where it was carried out. */
function judge(node: TreeNode, act: Act, answer: Answer, isPossible = true): boolean {
  const isDone = answer.status < 300;
  const told = `${answer.status} ${JSON.stringify(answer.body)}`;
  if (isDone) assert.deepEqual(transgressionsOf(node, act), [], told);
  else assert.ok((answer.status >= 400 && answer.status < 500) || answer.status === 503, told);
  assert.equal(isDone, isPossible && mayAct(node, act), told);
  return isDone;
}

const spenders = ['key', 'link', 'event key', 'key', 'login'] as const;
const toMake: Act = { scopes: ['manage', 'run'], outlives: true };

async function makeKey(tree: Tree, by: TreeNode, { scopes, budget, ends }: Action['limits']): Promise<void> {
  const expires_at = ends ? inHours(1) : null;
  const answer = await withKey(by.secret, 'POST', '/v1/keys', { name: 'key', scopes, budget, expires_at });
  const act = { scopes: ['manage', ...scopes] satisfies Scope[], outlives: true };
  const generations = ancestorsOf(by).filter(({ kind }) => kind === 'key').length;
  if (!judge(by, act, answer, generations < mostGenerations)) return;
  const { id, secret } = answer.body;
  tree.nodes.push(newNode({ kind: 'key', id, secret, maker: makerOf(by), scopes, budget, ends }));
}

async function makeLink(tree: Tree, by: TreeNode): Promise<void> {
  const body = { filter_id: tree.filterId, runs: 1000, expires_at: inHours(24) };
  const answer = await withKey(by.secret, 'POST', '/v1/quick_test_links', body);
  if (!judge(by, toMake, answer)) return;
  const { id, url } = answer.body;
  const secret = url.split('/studio/quick-test/')[1];
  tree.nodes.push(newNode({ kind: 'link', id, secret, maker: makerOf(by) }));
}

async function makeEvent(tree: Tree, by: TreeNode): Promise<void> {
  const answer = await withKey(by.secret, 'POST', '/v1/events', {
    name: 'Gala',
    starts_at: inHours(-1),
    ends_at: inHours(5),
    offers: [{ id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
  });
  if (!judge(by, toMake, answer)) return;
  tree.nodes.push(newNode({ kind: 'event', id: answer.body.id, secret: '', maker: makerOf(by) }));
}

async function makeEventKey(tree: Tree, by: TreeNode, event: TreeNode, budget: number | null): Promise<void> {
  const answer = await withKey(by.secret, 'POST', `/v1/events/${event.id}/keys`, { name: 'tablet', budget });
  const generations = ancestorsOf(by).filter(({ kind }) => kind === 'key').length;
  if (!judge(by, toMake, answer, generations < mostGenerations)) return;
  const { id, secret } = answer.body;
  const limited = { scopes: ['run'] satisfies Scope[], budget, ends: true };
  tree.nodes.push(newNode({ kind: 'event key', id, secret, maker: makerOf(by), event, ...limited }));
}

async function limitKey(by: TreeNode, key: TreeNode, { budget, ends }: Action['limits']): Promise<void> {
  const change = { budget, expires_at: ends ? inHours(1) : null };
  const answer = await withKey(by.secret, 'PATCH', `/v1/keys/${key.id}`, change);
  const act = { scopes: ['manage', ...key.scopes] satisfies Scope[], outlives: true };
  if (judge(by, act, answer, !key.isRevoked)) Object.assign(key, { budget, ends, hasExpired: false });
}

async function revokeKey(by: TreeNode, key: TreeNode): Promise<void> {
  const answer = await withKey(by.secret, 'DELETE', `/v1/keys/${key.id}`);
  const act: Act = { scopes: ['manage'], outlives: by !== key };
  if (judge(by, act, answer, !key.isRevoked)) key.isRevoked = true;
}

/** What a maker made that has ended becomes that of whoever changes it. */
async function change(by: TreeNode, node: TreeNode, path: string): Promise<void> {
  const answer = await withKey(by.secret, 'PATCH', `${path}/${node.id}`, { name: 'Renamed' });
  if (judge(by, toMake, answer) && !mayAct(node, { scopes: [] })) node.maker = makerOf(by);
}

let addresses = 0;

/** What keys and logins start jobs with, in turn: their prices differ, and one has no photo. */
const ownRuns = [
  { path: '/v2/run/self-prompt', body: { prompt: 'a lighthouse' }, price: 2, isPrompt: true },
  { path: '/v1/run/faceswap', body: { image: photo, filter_id: 1 }, price: 1, isPrompt: false },
] as const;

/** Starts a job by a key, a link or a booth. */
async function spend(tree: Tree, node: TreeNode): Promise<void> {
  const address = `2001:db8:${(++addresses >> 8).toString(16)}:${(addresses & 255).toString(16)}::1`;
  const ask = (path: string, body: object, header: string) =>
    request(server.url, 'POST', path, body, { [header]: node.secret, 'x-forwarded-for': address });
  const own = ownRuns[addresses % ownRuns.length]!;
  const guest = { guest: randomUUID(), offer_id: 'astronaut', image: photo };
  const [answer, price, isPrompt] =
    node.kind === 'link'
      ? [await ask('/v1/quick_test/runs', { image: photo }, 'x-quick-test'), 1, false]
      : node.kind === 'event key'
        ? [await ask('/v1/booth/jobs', guest, 'x-api-key'), 1, false]
        : [await ask(own.path, own.body, 'x-api-key'), own.price, own.isPrompt];
  if (!judge(node, { scopes: ['run'], price }, answer)) return;
  const payers = enterSpent(node, price);
  tree.live.push({ id: answer.body.id, payers, price, isPrompt });
}

async function startQaRun(tree: Tree, by: TreeNode): Promise<void> {
  const photo_ids = [sampleSet.photos[0].id];
  const body = { filter_id: tree.filterId, photo_set_id: sampleSet.id, photo_ids };
  const answer = await withKey(by.secret, 'POST', '/v1/qa_runs', body);
  const price = 1;
  if (!judge(by, { scopes: ['manage', 'run'], price }, answer)) return;
  const [cell] = answer.body.cells;
  assert.ok(cell.job_id, JSON.stringify(cell));
  const payers = enterSpent(by, price);
  tree.live.push({ id: cell.job_id, payers, price, isPrompt: false });
}

async function cancelJob(tree: Tree, at: number): Promise<void> {
  const job = pick(tree.live, at);
  if (!job) return;
  const answer = await withKey(tree.login.secret, 'POST', `/v1/jobs/${job.id}/cancel`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  for (const payer of job.payers) payer.spent -= job.price;
  tree.live.splice(tree.live.indexOf(job), 1);
  if (job.isPrompt) tree.cancelled.push(job);
}

async function retryJob(tree: Tree, by: TreeNode, at: number): Promise<void> {
  const job = pick(tree.cancelled, at);
  if (!job) return;
  const answer = await withKey(by.secret, 'POST', `/v1/jobs/${job.id}/retry`);
  if (!judge(by, { scopes: ['run'], price: job.price }, answer)) return;
  tree.live.push({ ...job, id: answer.body.id, payers: enterSpent(by, job.price) });
}

async function carryOut(tree: Tree, { do: what, by: at, to, limits: wanted }: Action): Promise<void> {
  const by = pick(ofKind(tree, 'login', 'key'), at)!;
  const event = pick(ofKind(tree, 'event'), to);
  const key = pick(ofKind(tree, 'key', 'event key'), to);
  const link = pick(ofKind(tree, 'link'), to);
  if (what === 'make key') await makeKey(tree, by, wanted);
  if (what === 'make link') await makeLink(tree, by);
  if (what === 'make event') await makeEvent(tree, by);
  if (what === 'make event key' && event) await makeEventKey(tree, by, event, wanted.budget);
  if (what === 'limit key' && key) await limitKey(by, key, wanted);
  if (what === 'revoke key' && key) await revokeKey(by, key);
  if (what === 'change link' && link) await change(by, link, '/v1/quick_test_links');
  if (what === 'change event' && event) await change(by, event, '/v1/events');
  if (what === 'spend') {
    // Keys are the most by far: links and booths have their turns.
    const kind = spenders[at % spenders.length]!;
    await spend(tree, pick(ofKind(tree, kind), to)!);
  }
  if (what === 'start QA run') await startQaRun(tree, by);
  if (what === 'cancel job') await cancelJob(tree, to);
  if (what === 'retry job') await retryJob(tree, by, to);
  if (what === 'expire key' && key) {
    await server.db.run(expireKey, { id: key.id });
    Object.assign(key, { ends: true, hasExpired: true });
  }
}

test('nothing in any tree of credentials does or spends more than each of its ancestors allows', async (t) => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 30, maxLength: 60 }), async (actions) => {
      const tree = await plantTree();
      for (const one of actions) {
        await carryOut(tree, one);
        tried++;
      }
      const spent = new Map(
        (await server.db.all(readSpent, { account_id: tree.accountId })).map((row) => [row.id, row.spent]),
      );
      for (const node of ofKind(tree, 'key', 'event key'))
        assert.equal(spent.get(node.id), node.spent, node.id);
      while (tree.live.length > 0) await cancelJob(tree, 0);
    }),
    { numRuns: 12, endOnFailure: true, includeErrorInReport: true },
  );
  t.diagnostic(`${tried} actions tried`);
});
