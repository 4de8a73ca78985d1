import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FamilyName, families } from '@guise/contract/families/families.ts';
import type { EngineTest, NewEngine } from '@guise/contract/operator.ts';
import { z } from 'zod';
import { type Config, storedEnginesFile } from '../config.ts';
import { replaceDurably } from '../durable-files.ts';
import { EngineEntry, entryProblem, serversOf, withSecrets } from '../engines/engine-kinds.ts';
import { readEnginesFile, StoredKeys, storedKeysFile } from '../engines/engines-file.ts';
import { AppError, invalidField } from '../errors.ts';

/** What operators add and remove in the studio: a file of the data folder, in the form of `GUISE_ENGINES`, with its keys beside it. */
export interface InstalledEngines {
  canChange: boolean;
  /** Whether the file differs from what this process was started with. */
  isPending(): boolean;
  /** Those that can be removed here. */
  names(): string[];
  /** The file; empty where there is none. */
  file(): string;
  test(wanted: NewEngine): Promise<EngineTest>;
  add(wanted: NewEngine): Promise<EngineTest>;
  remove(name: string): Promise<void>;
}

const FileOfEngines = z.looseObject({
  engines: z.record(z.string(), z.unknown()).default({}),
  routes: z.array(z.looseObject({ engine: z.string() })).default([]),
});
type FileOfEngines = z.infer<typeof FileOfEngines>;

const cannotChange = () =>
  new AppError(
    'RESTART_UNAVAILABLE',
    'The engines of this installation are in the file that GUISE_ENGINES names, or it has several processes. Change them there.',
  );
const notFound = () => new AppError('NOT_FOUND', 'There is no engine of this name that was added here.');

export function createInstalledEngines(
  { dataDir, described }: Config,
  canRestart: boolean,
): InstalledEngines {
  const file = join(dataDir, storedEnginesFile);
  const isOfEnvironment = described.some(({ name, value }) => name === 'GUISE_ENGINES' && value !== '');
  const canChange = canRestart && !isOfEnvironment;
  const started = textOf(file);
  const assertCanChange = () => {
    if (!canChange) throw cannotChange();
  };
  return {
    canChange,
    isPending: () => canChange && textOf(file) !== started,
    file: () => (canChange && existsSync(file) ? file : ''),
    names: () => (canChange ? Object.keys(parse(textOf(file)).engines) : []),
    async test(wanted) {
      assertCanChange();
      return (await prepare(wanted)).tested;
    },
    async add(wanted) {
      assertCanChange();
      const before = parse(textOf(file));
      if (wanted.name === 'local' || wanted.name in before.engines)
        throw invalidField('name', 'is the name of another engine');
      const { tested, entry, routes } = await prepare(wanted);
      if (!tested.ok) throw new AppError('ADDRESS_NOT_REACHED', `The engine was not saved: ${tested.says}`);
      const keys = await readKeys(dataDir);
      if (wanted.key !== '') keys[variableOf(wanted.name)] = wanted.key;
      // The first route that fits makes a job: the one that was added last is what its operator wants now.
      const next = {
        ...before,
        engines: { ...before.engines, [wanted.name]: entry },
        routes: [...routes, ...before.routes],
      };
      await write(file, next, keys);
      return tested;
    },
    async remove(name) {
      assertCanChange();
      const before = parse(textOf(file));
      if (!(name in before.engines)) throw notFound();
      const { [name]: _engine, ...engines } = before.engines;
      const { [variableOf(name)]: _key, ...keys } = await readKeys(dataDir);
      const routes = before.routes.filter(({ engine }) => engine !== name);
      await write(file, { ...before, engines, routes }, keys);
    },
  };
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const parse = (text: string): FileOfEngines => FileOfEngines.parse(text === '' ? {} : JSON.parse(text));
const variableOf = (name: string) => `GUISE_ENGINE_KEY_${name.replaceAll('-', '_').toUpperCase()}`;

async function readKeys(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, storedKeysFile), 'utf8').catch(() => '{}');
  return StoredKeys.parse(JSON.parse(text));
}

/** Nothing is written that the next start could not read. */
async function write(file: string, next: FileOfEngines, keys: Record<string, string>): Promise<void> {
  const text = `${JSON.stringify(next, null, 2)}\n`;
  const tried = `${file}.new`;
  await replaceDurably(tried, text, 0o600);
  try {
    readEnginesFile(tried, { ...process.env, ...keys });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('VALIDATION_ERROR', error.message.replace(tried, 'the engine'), { cause: error });
  } finally {
    await rm(tried, { force: true });
  }
  await replaceDurably(join(dirname(file), storedKeysFile), `${JSON.stringify(keys, null, 2)}\n`, 0o600);
  await replaceDurably(file, text, 0o600);
}

interface Prepared {
  entry: Record<string, unknown>;
  routes: FileOfEngines['routes'];
  tested: EngineTest;
}

/** Asks the engine, sends no photo and makes nothing. */
async function prepare(wanted: NewEngine): Promise<Prepared> {
  if (wanted.type === 'comfyui') return prepareComfyui(wanted);
  const entry = entryOf(wanted);
  const parsed = EngineEntry.safeParse(entry);
  if (!parsed.success)
    throw invalidField(String(parsed.error.issues[0]!.path[0] ?? 'type'), parsed.error.issues[0]!.message);
  const problem = entryProblem(parsed.data);
  if (problem) throw invalidField('photos_leave', problem);
  const made = familiesOf(wanted);
  if (made.length === 0) throw invalidField('uses', 'must name something that it makes');
  const plan = withSecrets(parsed.data, () => wanted.key);
  const [server] = serversOf(plan, []);
  const tested = await server!.inspect().then(
    ({ says, missing }) => ({ ok: missing.length === 0, says, missing, families: made }),
    (error: unknown) => ({ ok: false, says: sentenceOf(error), missing: [], families: made }),
  );
  const standIn = wanted.fallback ? { fallback: 'local' } : {};
  return { entry, routes: [{ families: made, engine: wanted.name, ...standIn }], tested };
}

/** The server says what it has, and with that what it makes. */
async function prepareComfyui({ name, url, key, fallback }: NewEngine): Promise<Prepared> {
  const { readInventory } = await import('../engines/comfyui/setup/read-inventory.ts');
  const { chooseWorkflows } = await import('../engines/comfyui/setup/choose-workflows.ts');
  const { enginesFileFor } = await import('../engines/comfyui/setup/engines-file-for.ts');
  const { versionProblem } = await import('../engines/comfyui/version.ts');
  const access = key === '' ? {} : { token_from: variableOf(name) };
  const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
  const fails = (says: string): Prepared => ({
    entry: {},
    routes: [],
    tested: { ok: false, says, missing: [], families: [] },
  });
  let inventory: Awaited<ReturnType<typeof readInventory>>;
  try {
    inventory = await readInventory(url, headers);
  } catch (error) {
    return fails(sentenceOf(error));
  }
  const tooOld = versionProblem(inventory.version);
  if (tooOld) return fails(tooOld);
  const choice = chooseWorkflows(inventory);
  const servers = [{ url, access }];
  const made = FileOfEngines.parse(
    enginesFileFor({ engine: name, servers, routes: choice.routes, info: inventory.info, fallback }),
  );
  const unfit = choice.unfit.map(({ workflow }) => workflow.name);
  return {
    entry: made.engines[name] as Record<string, unknown>,
    routes: made.routes,
    tested: {
      ok: made.routes.length > 0,
      says: `ComfyUI ${inventory.version ?? 'of an unknown version'}, ${Object.keys(inventory.info).length} nodes`,
      missing: unfit.length > 0 ? [`what these workflows need: ${unfit.join(', ')}`] : [],
      families: [...new Set(choice.routes.flatMap((route) => route.families))],
    },
  };
}

function entryOf({ name, type, url, key, model, photos_leave }: NewEngine): Record<string, unknown> {
  const keyed = key === '' ? {} : { key_from: variableOf(name) };
  if (type === 'guise') return { type, url, ...keyed };
  return { type, url, model, photos_leave, ...keyed };
}

/** Services of pictures make no videos. */
function familiesOf({ type, uses }: NewEngine): FamilyName[] {
  const useOf = ({ output, filter }: (typeof families)[number]) =>
    output === 'video' ? 'videos' : filter === null ? 'prompts' : 'filters';
  return families
    .filter((family) => family.output !== 'loop' && uses.includes(useOf(family)))
    .filter(({ output }) => output === 'image' || type !== 'openai_images')
    .map(({ name }) => name);
}

/** Sentences of ours stand as they are. */
function sentenceOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  return `It does not answer as such an engine does (${error instanceof Error ? error.message : String(error)}).`;
}
