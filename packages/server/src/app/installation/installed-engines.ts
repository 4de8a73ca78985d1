import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FamilyName, families } from '@guise/contract/families/families.ts';
import type { EngineTest, NewEngine } from '@guise/contract/operator/engine-setup.ts';
import { z } from 'zod';
import { type Config, storedEnginesFile } from '../../config.ts';
import { replaceDurably } from '../../durable-files.ts';
import type { SetupProposal } from '../../engines/comfyui/setup/propose-setup.ts';
import { EngineEntry, entryProblem, serversOf, withSecrets } from '../../engines/engine-kinds.ts';
import { readEnginesFile, StoredKeys, storedKeysFile } from '../../engines/engines-file.ts';
import { UpstreamError } from '../../engines/upstream.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ComfyuiPlan } from './comfyui-setup.ts';

/** What operators add and remove in the studio: a file of the data folder, in the form of `GUISE_ENGINES`, with its keys beside it. */
export interface InstalledEngines {
  canChange: boolean;
  /** Whether the file differs from what this process was started with. */
  isPending(): boolean;
  /** Those that can be removed here. */
  names(): string[];
  /** The servers of one of them that is a ComfyUI engine. */
  urlsOf(name: string): string[];
  /** The file; empty where there is none. */
  file(): string;
  test(wanted: NewEngine): Promise<EngineTest>;
  /** What ComfyUI servers lack, and the key that lets requests through to them. */
  toDownload(wanted: NewEngine): Promise<{ proposal: SetupProposal; key: string }>;
  add(wanted: NewEngine): Promise<EngineTest>;
  remove(name: string): Promise<void>;
}

const FileOfEngines = z.looseObject({
  engines: z.record(z.string(), z.unknown()).default({}),
  routes: z.array(z.looseObject({ engine: z.string() })).default([]),
});
type FileOfEngines = z.infer<typeof FileOfEngines>;
/** Where an engine of the file is: its key goes there and nowhere else. */
const Places = z.looseObject({
  type: z.string(),
  url: z.string().optional(),
  endpoint: z.string().optional(),
  servers: z.array(z.looseObject({ url: z.string() })).default([]),
});

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
  const file = fileIn(dataDir);
  const keysFile = join(dataDir, storedKeysFile);
  const isOfEnvironment = described.some(({ name, value }) => name === 'GUISE_ENGINES' && value !== '');
  const canChange = canRestart && !isOfEnvironment;
  const texts = () => [textOf(file), textOf(keysFile)].join('\n');
  const started = texts();
  const oneByOne = inTurns();
  const assertCanChange = () => {
    if (!canChange) throw cannotChange();
  };
  return {
    canChange,
    isPending: () => canChange && texts() !== started,
    file: () => (canChange && existsSync(file) ? file : ''),
    names: () => (canChange ? Object.keys(parse(textOf(file)).engines) : []),
    urlsOf(name) {
      const { data } = Places.safeParse(canChange ? parse(textOf(file)).engines[name] : null);
      return data?.servers.map(({ url }) => url) ?? [];
    },
    async test(wanted) {
      assertCanChange();
      const { before, keyed } = await withStored(dataDir, wanted);
      return (await prepare(keyed, before)).tested;
    },
    async toDownload(wanted) {
      assertCanChange();
      if (wanted.type !== 'comfyui') throw invalidField('type', 'must be comfyui');
      const { planComfyui } = await import('./comfyui-setup.ts');
      const { keyed } = await withStored(dataDir, wanted);
      try {
        const { proposal } = await planComfyui(keyed, variableOf(wanted.name));
        return { proposal, key: keyed.key };
      } catch (error) {
        throw new AppError('ADDRESS_NOT_REACHED', sentenceOf(error), { cause: error });
      }
    },
    async add(wanted) {
      assertCanChange();
      return oneByOne(() => addTo(dataDir, wanted));
    },
    async remove(name) {
      assertCanChange();
      return oneByOne(() => removeFrom(dataDir, name));
    },
  };
}

const fileIn = (dataDir: string) => join(dataDir, storedEnginesFile);

/** With the key that is stored for it, where it takes the place of an engine and brings none. */
async function withStored(dataDir: string, wanted: NewEngine) {
  const before = parse(textOf(fileIn(dataDir)));
  const keys = await readKeys(dataDir);
  const stored = wanted.replace ? (keys[variableOf(wanted.name)] ?? '') : '';
  if (stored !== '' && wanted.key === '' && !isKnownPlace(wanted, before.engines[wanted.name]))
    throw invalidField('key', 'must be given again for another address');
  return { before, keys, keyed: { ...wanted, key: wanted.key || stored } };
}

async function addTo(dataDir: string, wanted: NewEngine): Promise<EngineTest> {
  const { before, keys, keyed } = await withStored(dataDir, wanted);
  const isKnown = wanted.name in before.engines;
  if (wanted.name === 'local' || (isKnown && !wanted.replace))
    throw invalidField('name', 'is the name of another engine');
  if (wanted.replace && !isKnown) throw notFound();
  const { tested, entry, routes } = await prepare(keyed, before);
  if (!tested.ok) throw new AppError('ADDRESS_NOT_REACHED', `The engine was not saved: ${tested.says}`);
  if (keyed.key !== '') keys[variableOf(wanted.name)] = keyed.key;
  // The first route that fits makes a job: the one that was added last is what its operator wants now.
  const place = Math.max(
    0,
    before.routes.findIndex(({ engine }) => engine === wanted.name),
  );
  const others = before.routes.filter(({ engine }) => engine !== wanted.name);
  const next = {
    ...before,
    engines: { ...before.engines, [wanted.name]: entry },
    routes: others.toSpliced(place, 0, ...routes),
  };
  await write(fileIn(dataDir), next, keys);
  return tested;
}

async function removeFrom(dataDir: string, name: string): Promise<void> {
  const before = parse(textOf(fileIn(dataDir)));
  if (!(name in before.engines)) throw notFound();
  const { [name]: _engine, ...engines } = before.engines;
  const { [variableOf(name)]: _key, ...keys } = await readKeys(dataDir);
  const routes = before.routes.filter(({ engine }) => engine !== name);
  await write(fileIn(dataDir), { ...before, engines, routes }, keys);
}

/** Each change reads the file and writes it whole: one ends before the next begins. */
function inTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(change: () => Promise<T>): Promise<T> => {
    const next = last.then(change, change);
    last = next.catch(() => {});
    return next;
  };
}

function isKnownPlace({ type, url, more_urls }: NewEngine, stored: unknown): boolean {
  const { data } = Places.safeParse(stored);
  if (data?.type !== type) return false;
  const known = [data.url, data.endpoint, ...data.servers.map((server) => server.url)];
  const origins = known.filter((one) => one !== undefined).map((one) => new URL(one).origin);
  return [url, ...more_urls].every((one) => origins.includes(new URL(one).origin));
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
async function prepare(wanted: NewEngine, before: FileOfEngines): Promise<Prepared> {
  if (wanted.type === 'comfyui') return prepareComfyui(wanted, before);
  if (wanted.type === 'runpod' && wanted.key === '') throw invalidField('key', 'is required');
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
  const says = await server!.inspect().then(
    ({ says, missing }) => ({ ok: missing.length === 0, says, missing }),
    (error: unknown) => ({ ok: false, says: sentenceOf(error), missing: [] }),
  );
  if (wanted.type === 'runpod') {
    // Loaded when it is needed: the workflows are hundreds of kilobytes.
    const { planRunpod } = await import('./runpod-setup.ts');
    const { routes, families, setup } = planRunpod(wanted, made);
    return { entry, routes, tested: { ...says, families, setup } };
  }
  const standIn = wanted.fallback ? { fallback: 'local' } : {};
  return {
    entry,
    routes: [{ families: made, engine: wanted.name, ...standIn }],
    tested: { ...says, families: made, setup: null },
  };
}

/** The servers say what they have, and with that what they make. */
async function prepareComfyui(wanted: NewEngine, before: FileOfEngines): Promise<Prepared> {
  const { planComfyui } = await import('./comfyui-setup.ts');
  let plan: ComfyuiPlan;
  try {
    plan = await planComfyui(wanted, variableOf(wanted.name));
  } catch (error) {
    const tested = { ok: false, says: sentenceOf(error), missing: [], families: [], setup: null };
    return { entry: {}, routes: [], tested };
  }
  const { shown } = plan;
  const isUsable = shown.servers.some(({ problem }) => problem === null);
  // What its operator wrote into the file by hand stays; servers that are no longer named go.
  const made = FileOfEngines.parse(plan.fileFor(ownPart(before, wanted)));
  return {
    entry: made.engines[wanted.name] as Record<string, unknown>,
    routes: made.routes,
    tested: {
      ok: isUsable && made.routes.length > 0,
      says: shown.servers.map(({ says, problem }) => problem ?? says).join('; '),
      missing: [...new Set(shown.servers.flatMap(({ lacks }) => lacks))],
      families: [...new Set(shown.workflows.flatMap(({ families }) => families))],
      setup: shown,
    },
  };
}

const withoutSlash = (address: string) => address.replace(/\/$/, '');

/** What the file says of the engine that is replaced. */
function ownPart({ engines, routes }: FileOfEngines, { name, url, more_urls }: NewEngine): FileOfEngines {
  const entry = Places.safeParse(engines[name]);
  if (!entry.success) return { engines: {}, routes: [] };
  const named = [url, ...more_urls].map(withoutSlash);
  const servers = entry.data.servers.filter((server) => named.includes(withoutSlash(server.url)));
  return {
    engines: { [name]: { ...entry.data, servers } },
    routes: routes.filter(({ engine }) => engine === name),
  };
}

function entryOf({ name, type, url, key, model, photos_leave }: NewEngine): Record<string, unknown> {
  const keyed = key === '' ? {} : { key_from: variableOf(name) };
  if (type === 'guise') return { type, url, ...keyed };
  if (type === 'runpod') return { type, endpoint: url, ...keyed };
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
  if (error instanceof UpstreamError && [401, 403].includes(error.status)) return 'It refuses the key.';
  return `It does not answer as such an engine does (${error instanceof Error ? error.message : String(error)}).`;
}
