import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { readWorkers } from '@guise/server/jobs/worker-registry.ts';
import { findJobById } from '@guise/server/store/job-records.ts';
import { heartbeatMs, leaseMs } from '@guise/server/store/lease.ts';
import { listEntries } from '@guise/server/store/ledger-records.ts';
import { caseOf } from '../../packages/server/test/support/contract-cases.ts';
import { accountOn, type TestAccount, until } from '../../packages/server/test/support/harness.ts';
import { clusterRun } from './cluster.ts';
import { type Cluster, type ClusterNode, startCluster } from './cluster-nodes.ts';

const plain = caseOf('multi_swap_self_prompt_v5');
const stopped = caseOf('self_prompt_v2');
const drained = caseOf('stylized_multi_swap_self_prompt_v1');

// Most of this is waiting for leases to end: side by side.
describe('a shared installation', { concurrency: true }, () => {
  /** Processes of their own on one PostgreSQL and S3. Each pair of workers makes what no other makes. */
  describe('API nodes and workers in processes of their own', { concurrency: true }, () => {
    let cluster: Cluster;
    let first: TestAccount;
    let second: TestAccount;
    let plainWorker: ClusterNode;
    let stoppedPair: ClusterNode[];
    let drainedPair: ClusterNode[];

    before(async () => {
      cluster = await startCluster({ apis: 2, workers: 0, jobMs: '20-60' });
      plainWorker = cluster.start('worker', [plain.family, 'face_swap_v6']);
      stoppedPair = [1, 2].map(() => cluster.start('worker', [stopped.family]));
      drainedPair = [1, 2].map(() => cluster.start('worker', [drained.family]));
      const workers = [plainWorker, ...stoppedPair, ...drainedPair];
      await Promise.all(workers.map((node) => node.now.url));
      const account = await createAccount(cluster.db, { email: 'nodes@example.com', credits: 1000 });
      first = accountOn(await cluster.apis[0]!.now.url, account);
      second = accountOn(await cluster.apis[1]!.now.url, account);
    });
    after(() => cluster.stop());

    const submit = async ({ run, body }: typeof plain, ms: number): Promise<string> => {
      const answer = await first.call('POST', run, { ...body, prompt: `wait ${ms} ms` });
      assert.equal(answer.status, 200);
      return answer.body.id;
    };
    const row = async (id: string) => (await cluster.db.one(findJobById, { id }))!;
    const begunIn = (nodes: ClusterNode[], id: string) =>
      until(async () => nodes.find((node) => node.begun.has(id)), 30_000);

    test('every node knows the workers and what they make', async () => {
      const workers = await readWorkers(cluster.db);
      assert.equal(workers.length, 5);
      const { body } = await second.call('GET', '/ready');
      const made = [plain.family, 'face_swap_v6', stopped.family, drained.family];
      assert.deepEqual(body.engines[0].families.sort(), made.sort());
      assert.match((await first.call('GET', '/metrics')).body, /guise_workers\{engine="test"\} 5/);
    });

    test('a status that waits at one node is answered when a worker of another node has ended the job', async () => {
      const id = await submit(plain, 300);
      // One call without Prefer, which waits as long as the nodes are set to, and one that says how long.
      for (const headers of [{}, { prefer: 'wait=60' }]) {
        const answer = await second.call('POST', `${plain.status}${id}`, undefined, headers);
        assert.equal(answer.body.status, 'COMPLETED');
        assert.equal(answer.body.output.images.length, 1);
      }
    });

    test('events at one node tell the end of a job that a worker elsewhere does', async () => {
      const id = await submit(plain, 300);
      const { body } = await second.call('GET', `/v1/jobs/${id}/events`);
      assert.match(body, /event: end\ndata: .*"COMPLETED"/);
    });

    test('a cancel at one node stops the work in another within a heartbeat', async () => {
      const id = await submit(plain, 3_600_000);
      await begunIn([plainWorker], id);
      const answer = await second.call('POST', `/v1/jobs/${id}/cancel`);
      assert.equal(answer.body.status, 'FAILED');
      await until(async () => plainWorker.halted.has(id), heartbeatMs);
    });

    test('a link that one node signs opens at another', async () => {
      const path = '/v1/users/me/my-custom-filters';
      const made = await first.call('POST', path, {
        name: 'Snow',
        filter_type: 'face_swap',
        definition: { kind: 'prompt', prompt: 'in the snow' },
      });
      assert.equal(made.status, 201);
      const link = await until(async () => {
        const { body } = await first.call('GET', path);
        const [filter] = body.filter(({ id }: { id: string }) => id === made.body.id);
        return filter.preview_images[0] as string | undefined;
      }, 60_000);
      const elsewhere = link.replace(new URL(link).origin, new URL(await cluster.apis[1]!.now.url).origin);
      assert.notEqual(elsewhere, link);
      assert.equal((await fetch(elsewhere)).status, 200);
      assert.equal((await fetch(elsewhere.replace('signature=', 'signature=x'))).status, 403);
    });

    test('a node without engines has filters tried by a worker', async () => {
      const path = '/v1/users/me/my-custom-filters';
      const definition = { kind: 'prompt', prompt: 'on a beach' };
      const filter = await first.call('POST', path, { name: 'Beach', filter_type: 'face_swap', definition });
      const tried = await second.call('POST', `${path}/${filter.body.id}/test`);
      assert.equal(tried.status, 200);
      assert.deepEqual(tried.body.applied, ['a thing']);
      assert.equal(tried.body.images.length, 1);
    });

    test('a worker stopped past its lease and resumed changes no row', async () => {
      const id = await submit(stopped, 3000);
      const late = await begunIn(stoppedPair, id);
      const other = stoppedPair.find((node) => node !== late)!;
      late.now.kill('SIGSTOP');
      const done = await until(async () => {
        const job = await row(id);
        return job.state === 'completed' && job;
      }, leaseMs + 30_000);
      assert.ok(other.begun.has(id));
      assert.equal(done.losses, 1);
      late.now.kill('SIGCONT');
      // It ends the work it had, and is gone only when it has tried to tell.
      await late.stop('SIGTERM');
      assert.deepEqual(await row(id), done);
      const entries = await cluster.db.all(listEntries, {
        account_id: first.id,
        before: Number.MAX_SAFE_INTEGER,
        limit: 1000,
      });
      assert.equal(entries.filter((entry) => entry.job_id === id).length, 1);
    });

    test('a worker told to stop gives its job back, and the other goes on with it', async () => {
      const id = await submit(drained, 3_600_000);
      const leaving = await begunIn(drainedPair, id);
      const other = drainedPair.find((node) => node !== leaving)!;
      await leaving.stop('SIGTERM');
      assert.deepEqual(await leaving.now.exited, { code: 0, signal: null });
      await begunIn([other], id);
      const { state, losses, retries } = await row(id);
      assert.deepEqual({ state, losses, retries }, { state: 'running', losses: 0, retries: 0 });
      await first.call('POST', `/v1/jobs/${id}/cancel`);
    });
  });

  test('two API nodes and three workers, one of each killed over 40 jobs with PostgreSQL once, lose none and charge each once', async () => {
    const report = await clusterRun({ kills: 2, databaseKills: 1, jobs: 40 });
    assert.deepEqual(report.violations, []);
    assert.equal(report.acknowledged + report.unanswered, 40);
  });
});
