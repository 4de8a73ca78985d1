import type { FamilyName } from '@guise/contract/families/families.ts';
import type { ServerReport } from '@guise/contract/operator/operator.ts';
import type { Logger } from 'pino';
import type { Engine } from '../engines/engine.ts';
import { familiesByEngine } from '../engines/routing.ts';
import type { Db } from '../store/db.ts';
import { type AnnouncedEngine, type LiveWorker, readWorkers } from './worker-registry.ts';

/** Families that only engines make whose servers are all away, with nobody to stand in for them. */
export function unavailableFamilies(workers: readonly Pick<LiveWorker, 'engines'>[]): FamilyName[] {
  const made = new Set<FamilyName>();
  const available = new Set<FamilyName>();
  for (const { engines } of workers) {
    for (const engine of engines) {
      const { families, works } = { families: familiesOf(engine), works: canServe(engine, engines) };
      for (const family of families) made.add(family);
      if (works) for (const family of families) available.add(family);
    }
  }
  return [...made].filter((family) => !available.has(family));
}

const familiesOf = ({ abilities }: AnnouncedEngine) => abilities.map(({ family }) => family);

function canServe({ name, has_fallback, paused }: AnnouncedEngine, all: readonly AnnouncedEngine[]): boolean {
  if (paused) return false;
  const servers = all.find((engine) => engine.name === name)?.servers;
  return has_fallback === true || !servers || servers.some(({ state }) => state === 'up');
}

/** The servers of an engine as all workers see them: who reaches one sees more of it than who does not. */
export function serversOfEngine(
  workers: readonly Pick<LiveWorker, 'engines'>[],
  name: string,
): ServerReport[] {
  const reports = workers.flatMap(
    ({ engines }) => engines.find((engine) => engine.name === name)?.servers ?? [],
  );
  return [...Map.groupBy(reports, ({ address }) => address).values()].map((seen) => ({
    ...(seen.find(({ state }) => state === 'up') ?? seen[0]!),
    running: seen.some(({ running }) => running !== null)
      ? seen.reduce((sum, { running }) => sum + (running ?? 0), 0)
      : null,
  }));
}

/** What live workers make, engine by engine, with the state of their servers as everybody may see it. */
export async function readReadyEngines(db: Db) {
  const workers = await readWorkers(db);
  return familiesByEngine(workers.flatMap(({ engines }) => engines)).map(({ name, families }) => {
    const servers = serversOfEngine(workers, name).map(({ address: _, ...rest }) => rest);
    return { name, families, ...(servers.length > 0 && { servers }) };
  });
}

/** Writes to the log, and tells, when a server of an engine goes down and when it comes back. */
export function watchServers(engines: readonly Engine[], log: Logger, onChange: () => void): void {
  const firstOf = new Map(engines.toReversed().map((engine) => [engine.servers, engine.name]));
  for (const [servers, engine] of firstOf) {
    servers?.onChange(({ address: server, state, version, reason, last_error, last_error_at }) => {
      const facts = { engine, server, state, version, reason, last_error, last_error_at };
      // Who reads that it went away is told, at the same level, that it is back.
      if (state === 'up') log.warn(facts, 'a server of an engine is back');
      else log.warn(facts, 'a server of an engine gets no jobs');
      onChange();
    });
  }
}
