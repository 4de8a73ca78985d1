import { basename } from 'node:path';
import type { EngineInfo, EngineList, ModelInfo } from '@guise/contract/operator/operator.ts';
import type { Logger } from 'pino';
import { installedPacks } from '../../catalog/packs/installed-packs.ts';
import type { Config } from '../../config.ts';
import type { EnginesPlan } from '../../engines/engines-file.ts';
import { familiesByEngine } from '../../engines/routing.ts';
import { AppError } from '../../errors.ts';
import type { Installation } from '../../http/parts.ts';
import type { Changes } from '../../jobs/changes.ts';
import { readEngineFailures } from '../../jobs/engine-states/engine-failures.ts';
import { readPausedEngines, setEnginePaused } from '../../jobs/engine-states/engine-pauses.ts';
import { serversOfEngine } from '../../jobs/server-states.ts';
import { readWorkers } from '../../jobs/worker-registry.ts';
import type { Db } from '../../store/db.ts';
import { createSettings } from '../restarts/installed-settings.ts';
import type { Restarts } from '../restarts/restarts.ts';
import { createDoctor } from '../run-doctor.ts';
import { createEngineDownloads } from './engine-downloads.ts';
import { createEngineTrials } from './engine-trials.ts';
import { createInstalledEngines, type InstalledEngines } from './installed-engines.ts';
import { createModelFetches, type ModelFetches } from './model-fetches.ts';
import { createVersionCheck } from './newest-version.ts';

interface InstallationParts {
  changes: Changes;
  log: Logger;
  restarts: Restarts | undefined;
}

/**
 * What operators see and change of the installation. Packs and models are those of this machine. What reads them is
 * loaded when somebody asks: most processes are never asked.
 */
export function createInstallation(
  config: Config,
  db: Db,
  { changes, log, restarts }: InstallationParts,
): Installation {
  const fetches = createModelFetches(log);
  const installed = createInstalledEngines(config, restarts !== undefined);
  const engines = () => readEngines(config, db, installed);
  const downloads = createEngineDownloads(log);
  const trials = createEngineTrials(config, log);
  return {
    ...createSettings(config, restarts),
    version: createVersionCheck(config.releasesUrl),
    check: createDoctor(config),
    engines,
    testEngine: (wanted) => installed.test(wanted),
    async addEngine(wanted) {
      await installed.add(wanted);
      return engines();
    },
    removeEngine: (name) => installed.remove(name),
    engineDownload: () => downloads.state(),
    async startEngineDownload(wanted) {
      const { proposal, key } = await installed.toDownload(wanted);
      await downloads.start(wanted.name, proposal, key);
      return downloads.state();
    },
    stopEngineDownload: () => downloads.stop(),
    engineTrials: (name) => trials.of(name),
    async startEngineTrials(name) {
      trials.start(name, await readPlan(config, installed));
      return trials.of(name);
    },
    openTrial: (name, file) => trials.open(name, file),
    async stop() {
      await Promise.all([downloads.close(), trials.stop()]);
    },
    async changeEngine(name, { paused }) {
      if (!(await engines()).engines.some((engine) => engine.name === name))
        throw new AppError('NOT_FOUND', 'There is no engine with this name.');
      await setEnginePaused({ db, changes }, name, paused);
      return engines();
    },
    models: () => readModels(config, fetches),
    async fetchModel(name) {
      const { optionalModels } = await import('@guise/engine/models/optional-models.ts');
      const { operatorModelsDir } = await import('../../engines/local/local-engine.ts');
      const model = optionalModels.find((one) => one.name === name);
      if (!model) throw new AppError('MODEL_NOT_FOUND', 'There is no model with this name to fetch.');
      fetches.start(operatorModelsDir(config), model);
      return readModels(config, fetches);
    },
    async packs() {
      const { listPacks } = await import('../../catalog/packs/describe-pack.ts');
      return listPacks(config);
    },
    async removePack(name) {
      if (!installedPacks(config).some((folder) => basename(folder) === name))
        throw new AppError('PACK_NOT_FOUND', 'There is no pack with this name.');
      const { removePack } = await import('../../catalog/packs/import-pack.ts');
      await removePack(config, name);
    },
  };
}

/** The engines of live workers, and those of this machine's file with the state of their servers. */
async function readEngines(config: Config, db: Db, installed: InstalledEngines): Promise<EngineList> {
  const workers = await readWorkers(db);
  const live = familiesByEngine(workers.flatMap((worker) => worker.engines));
  const planned = await inspectPlan(config, installed);
  const paused = await readPausedEngines(db);
  const removable = installed.names();
  const names = new Set([...planned.keys(), ...live.map(({ name }) => name)]);
  const engines = [...names].map(async (name): Promise<EngineInfo> => {
    const plan = planned.get(name) ?? unplanned(name);
    const reports = serversOfEngine(workers, name);
    const having = workers.filter(({ engines }) => engines.some((engine) => engine.name === name)).length;
    return {
      name,
      ...plan,
      healthy: having > 0 && plan.servers.every(({ healthy }) => healthy),
      families: live.find((engine) => engine.name === name)?.families ?? [],
      workers: having,
      ...(reports.length > 0 && { reports }),
      paused: paused.includes(name),
      removable: removable.includes(name),
      urls: installed.urlsOf(name),
      failures: await readEngineFailures(db, name),
    };
  });
  return {
    engines: await Promise.all(engines),
    can_change: installed.canChange,
    pending: installed.isPending(),
    next_cursor: null,
  };
}

const unplanned = (name: string): PlannedEngine => ({
  type: name === 'local' ? 'local' : 'other',
  servers: [],
  workflows: [],
  fallback: false,
});

type PlannedEngine = Pick<EngineInfo, 'type' | 'title' | 'servers' | 'workflows' | 'fallback'>;

/** With the engines that were added since the start. */
async function readPlan(config: Config, installed: InstalledEngines): Promise<EnginesPlan | null> {
  const file = installed.canChange ? installed.file() : config.enginesFile;
  if (file === '') return null;
  // The code of remote engines is loaded only where the operator's file names some.
  const { readEnginesFile } = await import('../../engines/engines-file.ts');
  return readEnginesFile(file, process.env);
}

async function inspectPlan(config: Config, installed: InstalledEngines): Promise<Map<string, PlannedEngine>> {
  const plan = await readPlan(config, installed);
  if (!plan) return new Map();
  const { traitsOf } = await import('../../engines/engine-kinds.ts');
  const { inspectServers } = await import('../../engines/inspections.ts');
  const inspected = Object.entries(plan.engines).map(async ([name, engine]) => {
    const { title } = traitsOf(engine);
    const routes = plan.routes.filter((route) => route.engine === name);
    const workflows = [...new Set(routes.flatMap(({ files = [] }) => files.map((file) => file.name)))];
    const fallback = routes.some((route) => route.fallback === 'local');
    const servers = await inspectServers(plan, name);
    return [name, { type: engine.type, title, servers, workflows, fallback }] as const;
  });
  return new Map(await Promise.all(inspected));
}

async function readModels(config: Config, fetches: ModelFetches): Promise<ModelInfo[]> {
  const { optionalModels, hasOptionalModel, sizeOfOptionalModel } = await import(
    '@guise/engine/models/optional-models.ts'
  );
  const { models } = await import('@guise/engine/models/models.ts');
  const { listOperatorModels } = await import('@guise/engine/swap/network/operator-models.ts');
  const { operatorModelsDir } = await import('../../engines/local/local-engine.ts');
  const folder = operatorModelsDir(config);
  const own = await listOperatorModels(folder);
  const here = { fetch_name: null, fetching: null, last_error: null, needs_restart: false };
  const optional: ModelInfo[] = [];
  for (const model of optionalModels) {
    const { name, title, use, licence } = model;
    const state = fetches.of(name);
    const isHere = !state.fetching && (await hasOptionalModel(folder, model));
    optional.push({
      name: title,
      use,
      source: isHere ? 'operator' : 'available',
      licence,
      bytes: sizeOfOptionalModel(model),
      fetch_name: isHere ? null : name,
      ...state,
    });
  }
  return [
    ...models.map(({ title, use, licence }) => ({
      name: title,
      use,
      source: 'built in' as const,
      licence,
      bytes: null,
      ...here,
    })),
    ...optional,
    ...own.map(({ kind, file, licence, bytes }) => ({
      name: file,
      use: kind,
      source: 'operator' as const,
      licence,
      bytes,
      ...here,
    })),
  ];
}
