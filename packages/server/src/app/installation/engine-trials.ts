import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EngineTrials } from '@guise/contract/operator/engine-setup.ts';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { replaceDurably } from '../../durable-files.ts';
import type { EnginesPlan } from '../../engines/engines-file.ts';
import type { Trial } from '../../engines/try-routes.ts';
import { AppError } from '../../errors.ts';
import { isShared } from '../storage.ts';
import { serverIsStopping } from './server-is-stopping.ts';

/** One picture of each workflow of an engine, made on a sample photo and kept until the next time. */
export interface EngineTrialRuns {
  /** Begins in the background, unless trials of this engine are under way. The plan is null where there are no engines. */
  start(engine: string, plan: EnginesPlan | null): void;
  of(engine: string): Promise<EngineTrials>;
  open(engine: string, file: string): Promise<TrialFile>;
  /** Ends them and waits for that. No others begin after that. */
  stop(): Promise<void>;
}

export interface TrialFile {
  type: string;
  bytes: number;
  stream(): ReadStream;
}

const none: EngineTrials = { running: null, trials: [], workflows: 0, error: null, made_at: null };
const types: Readonly<Record<string, string>> = { png: 'image/png', mp4: 'video/mp4' };

const cannotTry = () =>
  new AppError(
    'RESTART_UNAVAILABLE',
    'Several processes may work for this installation. Try its workflows with the command guise engines check.',
  );
const nothingToTry = () =>
  new AppError('NOT_FOUND', 'There is no engine of this name with a workflow to try.');

export function createEngineTrials(config: Config, log: Logger): EngineTrialRuns {
  const stopped = new AbortController();
  const running = new Map<string, EngineTrials>();
  const ends = new Set<Promise<void>>();
  // An engine's name has no dots: nothing outside of the folder is reached.
  const folderOf = (engine: string) =>
    join(config.dataDir, 'engine-trials', engine.replaceAll(/[^a-z0-9-]/g, '_'));
  const listOf = (engine: string) => join(folderOf(engine), 'trials.json');
  const run = async (engine: string, plan: EnginesPlan, update: (part: Partial<EngineTrials>) => void) => {
    const { tryRoutes } = await import('../../engines/try-routes.ts');
    const trials: EngineTrials['trials'] = [];
    try {
      await tryRoutes(config, plan, {
        folder: folderOf(engine),
        signal: stopped.signal,
        progress: (workflow, share) => update({ running: { workflow, share } }),
        ended(trial) {
          trials.push(shownTrial(trial));
          update({ trials: [...trials] });
        },
      });
    } catch (error) {
      log.error({ err: error, engine }, 'the workflows could not be tried');
      update({ error: error instanceof AppError ? error.message : 'It failed. The log has more.' });
    }
  };
  return {
    async stop() {
      stopped.abort(new AppError('USAGE', 'The server was stopped.'));
      await Promise.all(ends);
    },
    start(engine, plan) {
      // What runs is known to one process, and its pictures are on one machine.
      if (isShared(config)) throw cannotTry();
      if (stopped.signal.aborted) throw serverIsStopping();
      if (running.has(engine)) return;
      if (!plan) throw nothingToTry();
      const own = plan.routes.filter((route) => route.engine === engine && route.workflows.length > 0);
      const workflows = own.reduce((sum, route) => sum + route.workflows.length, 0);
      const first = own[0]?.files?.[0]?.name;
      if (first === undefined) throw nothingToTry();
      const update = (part: Partial<EngineTrials>) =>
        void running.set(engine, { ...none, workflows, ...running.get(engine), ...part });
      update({ running: { workflow: first, share: 0 } });
      const end = rm(folderOf(engine), { recursive: true, force: true })
        .then(() => mkdir(folderOf(engine), { recursive: true }))
        .then(() => run(engine, { ...plan, routes: own }, update))
        .then(() => {
          update({ running: null, made_at: new Date().toISOString() });
          return replaceDurably(listOf(engine), JSON.stringify(running.get(engine)));
        })
        .catch((error) => log.error({ err: error, engine }, 'the trials could not be written'))
        .finally(() => {
          running.delete(engine);
          ends.delete(end);
        });
      ends.add(end);
    },
    async of(engine) {
      const now = running.get(engine);
      if (now) return now;
      const text = await readFile(listOf(engine), 'utf8').catch(() => null);
      return text === null ? none : EngineTrials.parse(JSON.parse(text));
    },
    async open(engine, file) {
      const path = join(folderOf(engine), basename(file));
      const type = types[file.split('.').at(-1) ?? ''];
      const found = type && (await stat(path).catch(() => null));
      if (!found) throw new AppError('NOT_FOUND', 'There is no such picture.');
      return { type, bytes: found.size, stream: () => createReadStream(path) };
    },
  };
}

function shownTrial({ engine, workflow, family, file, ...trial }: Trial): EngineTrials['trials'][number] {
  const { seconds, gpu_seconds, cost_usd, error, ignored = [] } = trial;
  const url = file === null ? null : `/v1/engines/${engine}/trials/${encodeURIComponent(basename(file))}`;
  return { workflow, family, seconds, gpu_seconds, cost_usd, url, error, ignored };
}
