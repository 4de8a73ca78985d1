import { basename } from 'node:path';
import type { EngineInfo, ModelInfo } from '@guise/contract/operator.ts';
import { installedPacks } from '../catalog/packs/installed-packs.ts';
import type { Config } from '../config.ts';
import { familiesByEngine } from '../engines/routing.ts';
import { AppError } from '../errors.ts';
import type { Installation } from '../http/parts.ts';
import { serversOfEngine } from '../jobs/server-states.ts';
import { readWorkers } from '../jobs/worker-registry.ts';
import type { Db } from '../store/db.ts';
import { createDoctor } from './run-doctor.ts';

/**
 * What operators see and change of the installation. Packs and models are those of this machine. What reads them is
 * loaded when somebody asks: most processes are never asked.
 */
export function createInstallation(config: Config, db: Db): Installation {
  return {
    check: createDoctor(config),
    engines: () => readEngines(config, db),
    models: () => readModels(config),
    async packs() {
      const { listPacks } = await import('../catalog/packs/describe-pack.ts');
      return listPacks(config);
    },
    async removePack(name) {
      if (!installedPacks(config).some((folder) => basename(folder) === name))
        throw new AppError('PACK_NOT_FOUND', 'There is no pack with this name.');
      const { removePack } = await import('../catalog/packs/import-pack.ts');
      await removePack(config, name);
    },
    settings: () => [...config.described],
  };
}

/** The engines of live workers, and those of this machine's file with the state of their servers. */
async function readEngines(config: Config, db: Db): Promise<EngineInfo[]> {
  const workers = await readWorkers(db);
  const live = familiesByEngine(workers.flatMap((worker) => worker.engines));
  const planned = await inspectPlan(config);
  const names = new Set([...planned.keys(), ...live.map(({ name }) => name)]);
  return [...names].map((name) => {
    const plan = planned.get(name) ?? { type: name === 'local' ? 'local' : 'other', servers: [] };
    const reports = serversOfEngine(workers, name);
    const having = workers.filter(({ engines }) => engines.some((engine) => engine.name === name)).length;
    return {
      name,
      ...plan,
      healthy: having > 0 && plan.servers.every(({ healthy }) => healthy),
      families: live.find((engine) => engine.name === name)?.families ?? [],
      workers: having,
      ...(reports.length > 0 && { reports }),
    };
  });
}

type PlannedEngine = Pick<EngineInfo, 'type' | 'title' | 'servers'>;

/** The code of remote engines is loaded only where the operator's file names some. */
async function inspectPlan(config: Config): Promise<Map<string, PlannedEngine>> {
  if (config.enginesFile === '') return new Map();
  const { readEnginesFile } = await import('../engines/engines-file.ts');
  const { traitsOf } = await import('../engines/engine-kinds.ts');
  const { inspectServers } = await import('../engines/inspections.ts');
  const plan = readEnginesFile(config.enginesFile, process.env);
  const inspected = Object.entries(plan.engines).map(async ([name, engine]) => {
    const { title } = traitsOf(engine);
    return [name, { type: engine.type, title, servers: await inspectServers(plan, name) }] as const;
  });
  return new Map(await Promise.all(inspected));
}

async function readModels(config: Config): Promise<ModelInfo[]> {
  const { optionalModels, hasOptionalModel, sizeOfOptionalModel } = await import(
    '@guise/engine/models/optional-models.ts'
  );
  const { models } = await import('@guise/engine/models/models.ts');
  const { listOperatorModels } = await import('@guise/engine/swap/network/operator-models.ts');
  const { operatorModelsDir } = await import('../engines/local/local-engine.ts');
  const folder = operatorModelsDir(config);
  const own = await listOperatorModels(folder);
  const fetched: ModelInfo[] = [];
  for (const model of optionalModels) {
    if (!(await hasOptionalModel(folder, model))) continue;
    const { title, use, licence } = model;
    fetched.push({ name: title, use, source: 'operator', licence, bytes: sizeOfOptionalModel(model) });
  }
  return [
    ...models.map(({ title, use, licence }) => ({
      name: title,
      use,
      source: 'built in' as const,
      licence,
      bytes: null,
    })),
    ...fetched,
    ...own.map(({ kind, file, licence, bytes }) => ({
      name: file,
      use: kind,
      source: 'operator' as const,
      licence,
      bytes,
    })),
  ];
}
