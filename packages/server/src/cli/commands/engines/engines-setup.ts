import type { Command } from 'commander';
import type { Access } from '../../../engines/comfyui/access.ts';
import type { SetupProposal } from '../../../engines/comfyui/setup/propose-setup.ts';
import type { Trial } from '../../../engines/try-routes.ts';
import { AppError } from '../../../errors.ts';
import { onStopSignal } from '../../../platform.ts';
import { askOnTerminal, type Questions } from '../../ask.ts';
import { example } from '../../example.ts';
import { jsonOption, requireOption, wholeNumber } from '../../options.ts';
import { printResult } from '../../print-result.ts';
import { progressBar } from '../../progress-bar.ts';
import { readSettings } from '../../read-settings.ts';
import { type AccessOptions, accessOf, addAccessOptions } from './access-options.ts';
import { trialLine } from './trial-line.ts';

interface SetupOptions extends AccessOptions {
  server?: string[];
  card?: number;
  modelsFolder?: string;
  script: string;
  scriptOnly?: boolean;
  write?: string;
  engine: string;
  out: string;
  fallback?: boolean;
  nonCommercial?: boolean;
  limitedLicences?: boolean;
  download: boolean;
  try: boolean;
  yes?: boolean;
  json?: boolean;
}

export function addEnginesSetup(engines: Command): void {
  addAccessOptions(engines.command('setup'))
    .summary('Set up ComfyUI servers: models, engines file, first pictures.')
    .description(
      'Ask ComfyUI servers what they have, propose a set of models for their graphics card, download it, write the engines file with your own routes kept, and make one picture for each workflow. Everything is shown before it is written. Run again, it continues, and offers what is newer.',
    )
    .option(
      '--server <url...>',
      'Addresses of the servers; without it, those of the engines file, or a question.',
    )
    .option(
      '--card <gigabytes>',
      'Memory of the graphics card, in place of what the servers say.',
      wholeNumber('--card', 1, 1000),
    )
    .option('--models-folder <path>', 'The folder "models" of ComfyUI, where this machine can write to it.')
    .option(
      '--script <file>',
      'Where a script goes that downloads what this machine cannot.',
      'get-models.sh',
    )
    .option('--script-only', 'Ask no server: write the script with every file of the set for --card.')
    .option('--write <file>', 'The engines file; without it, that of GUISE_ENGINES, or engines.json.')
    .option('--engine <name>', 'What the servers are called in the engines file.', 'gpu')
    .option('--fallback', 'Let this machine make what the servers could not.')
    .option('--non-commercial', 'Use files that are not for commercial use, too, where they are there.')
    .option('--limited-licences', 'Use files, too, that are free only below a revenue or in some places.')
    .option('--no-download', 'Download nothing.')
    .option('--no-try', 'Make no pictures.')
    .option('--out <folder>', 'Where the pictures and videos go.', 'engines-check')
    .option('--yes', 'Agree to everything that is proposed.')
    .addOption(jsonOption())
    .addHelpText('after', example('guise engines setup --server http://10.0.0.5:8188 http://10.0.0.6:8188'))
    .action(runEnginesSetup);
}

async function runEnginesSetup(options: SetupOptions): Promise<void> {
  if (options.scriptOnly) return writeScript(options);
  const say = (lines: readonly string[]) => {
    if (!options.json) console.log(lines.join('\n'));
  };
  const stop = new AbortController();
  onStopSignal(() => stop.abort(new AppError('USAGE', 'Stopped. Run the command again to continue.')));
  const { signal } = stop;
  const questions = askOnTerminal(options.yes === true);
  const config = await readSettings();
  const path = options.write ?? (config.enginesFile || 'engines.json');
  const { proposalLines } = await import('../../../engines/comfyui/setup/setup-lines.ts');
  const setup = await openSetup(path, options, questions);
  let proposal = await setup.propose();
  say(proposalLines(proposal));
  const downloaded = options.download ? await download(proposal, options, { questions, signal, say }) : null;
  if (downloaded?.here) {
    proposal = await setup.propose();
    say(['', ...proposalLines(proposal)]);
  }
  const file = setup.fileFor(proposal);
  const { formatEnginesFile } = await import('../../../engines/comfyui/setup/engines-file-for.ts');
  const text = formatEnginesFile(file);
  say(['', `${path}:`, text]);
  const written = await questions.confirm(`Write this to ${path}?`);
  if (written) {
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, text);
  }
  say([written ? `Written: start with GUISE_ENGINES=${path}.` : 'Nothing was written.']);
  const canTry = written && options.try && proposal.choice.routes.length > 0;
  const trials = canTry ? await tryFile(path, options.out, signal) : [];
  say(trials.map(trialLine));
  if (options.json)
    console.log(JSON.stringify({ ...shownProposal(proposal), file, written, ...downloaded, trials }));
  if (trials.some(({ error }) => error !== null)) process.exitCode = 1;
}

async function writeScript({ card, script, json }: SetupOptions): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  const { cardFor } = await import('../../../engines/comfyui/setup/cards.ts');
  const { downloadScript } = await import('../../../engines/comfyui/setup/download-script.ts');
  const { filesOfCard } = await import('../../../engines/comfyui/setup/propose-setup.ts');
  const { totalOf } = await import('../../../engines/comfyui/setup/setup-lines.ts');
  const chosen = cardFor(Number(requireOption('--card', card === undefined ? undefined : String(card))));
  const files = filesOfCard(chosen);
  await writeFile(script, downloadScript(files), { mode: 0o755 });
  printResult(json, { card: chosen, script, files }, [
    `Written: ${script}, which downloads ${totalOf(files)}, the set for cards of ${chosen.vram_gb} GB.`,
  ]);
}

interface Setup {
  propose(): Promise<SetupProposal>;
  fileFor(proposal: SetupProposal): Record<string, unknown>;
}

/** The servers that are set up, and the file as it is. */
async function openSetup(path: string, options: SetupOptions, questions: Questions): Promise<Setup> {
  const { existsSync, readFileSync } = await import('node:fs');
  const { askServers, fileForProposal } = await import('../../../engines/comfyui/setup/ask-servers.ts');
  const { chooseCard, proposeSetup } = await import('../../../engines/comfyui/setup/propose-setup.ts');
  const existing: unknown = existsSync(path) ? parseFile(path, readFileSync(path, 'utf8')) : {};
  const servers = await serversToSetUp(existing, options, questions);
  const { engine, fallback = false } = options;
  return {
    async propose() {
      const known = await askServers(servers, (name) => requireOption(name, process.env[name]));
      const card =
        chooseCard(known, options.card) ?? chooseCard(known, await askCard(questions)) ?? unknownCard();
      return proposeSetup(known, card, options);
    },
    fileFor: (proposal) => fileForProposal(proposal, { engine, fallback }, existing),
  };
}

function unknownCard(): never {
  throw new AppError('USAGE', '--card is needed: no server has a GPU that says its memory.');
}

async function askCard(questions: Questions): Promise<number> {
  const text = await questions.text('How much memory does the graphics card have, in GB?', '--card');
  return wholeNumber('--card', 1, 1000)(text);
}

function parseFile(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('USAGE', `${path} is no JSON.`, { cause });
  }
}

async function serversToSetUp(
  existing: unknown,
  options: SetupOptions,
  questions: Questions,
): Promise<{ url: string; access: Access }[]> {
  const { z } = await import('zod');
  const Server = z.object({
    url: z.string(),
    token_from: z.string().optional(),
    basic_from: z.string().optional(),
    headers_from: z.record(z.string(), z.string()).optional(),
  });
  const known =
    z
      .object({
        engines: z.record(z.string(), z.object({ servers: z.array(Server) }).catch({ servers: [] })),
      })
      .catch({ engines: {} })
      .parse(existing).engines[options.engine]?.servers ?? [];
  const access = accessOf(options);
  if (options.server === undefined && known.length > 0)
    return known.map(({ url, ...before }) => ({ url, access: { ...before, ...access } }));
  const urls = options.server ?? [
    await questions.text('Where is ComfyUI?', '--server', 'http://127.0.0.1:8188'),
  ];
  for (const url of urls)
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new AppError('USAGE', `--server must be an http or https address, not ${url}.`);
  return urls.map((url) => {
    const { url: _, ...before } = known.find((one) => one.url === url) ?? { url };
    return { url, access: { ...before, ...access } };
  });
}

interface Downloaded {
  /** Whether files came onto the servers. */
  here: boolean;
  /** The script for the rest; null where nothing is left. */
  script: string | null;
}

async function download(
  { servers }: SetupProposal,
  options: SetupOptions,
  { questions, signal, say }: { questions: Questions; signal: AbortSignal; say(lines: string[]): void },
): Promise<Downloaded> {
  const { accessHeaders } = await import('../../../engines/comfyui/access.ts');
  const { chooseGetter, getFiles } = await import('../../../engines/comfyui/setup/get-files.ts');
  const { downloadScript } = await import('../../../engines/comfyui/setup/download-script.ts');
  const { totalOf } = await import('../../../engines/comfyui/setup/setup-lines.ts');
  const left = new Map<string, SetupProposal['servers'][number]['toGet'][number]>();
  let here = false;
  for (const one of servers.filter(({ toGet }) => toGet.length > 0)) {
    const getter = chooseGetter(one.server, options.modelsFolder);
    const where = getter.by === 'this machine' ? `to ${getter.folder}` : 'by ComfyUI-Manager on the server';
    const wanted =
      getter.by !== 'script' && (await questions.confirm(`Download ${totalOf(one.toGet)}, ${where}?`));
    const bar = progressBar();
    const headers = accessHeaders(one.server.access, (name) => requireOption(name, process.env[name]));
    const rest = wanted
      ? await getFiles(one, getter, {
          headers,
          signal,
          token: process.env.HF_TOKEN,
          progress(file, done, total) {
            if (total > 0) return bar.show(file, done, total);
            const number = one.toGet.findIndex((wanted) => wanted.file === file);
            bar.show('ComfyUI-Manager', number, one.toGet.length);
          },
          told: (sentence) => say(['', sentence]),
        }).finally(() => bar.end())
      : one.toGet;
    here ||= rest.length < one.toGet.length;
    for (const file of rest) left.set(file.file, file);
  }
  if (left.size === 0) return { here, script: null };
  const script = options.script;
  const isWritten = await questions.confirm(
    `Write ${script}, which downloads ${totalOf([...left.values()])} on the machine of ComfyUI?`,
  );
  if (!isWritten) return { here, script: null };
  const { writeFile } = await import('node:fs/promises');
  await writeFile(script, downloadScript([...left.values()]), { mode: 0o755 });
  say([
    '',
    `Written: ${script}. Run it in the folder "models" of ComfyUI, then this command again: sh ${script}`,
  ]);
  return { here, script };
}

async function tryFile(path: string, folder: string, signal: AbortSignal): Promise<Trial[]> {
  const { readEnginesFile } = await import('../../../engines/engines-file.ts');
  const { tryRoutes } = await import('../../../engines/try-routes.ts');
  const bar = progressBar();
  return tryRoutes(await readSettings(), readEnginesFile(path, process.env), {
    folder,
    signal,
    progress: (name, done) => bar.show(`${name} %`, Math.round(done * 100), 100),
  }).finally(() => bar.end());
}

const shownProposal = ({ card, servers, choice }: SetupProposal) => ({
  card,
  servers: servers.map(({ server, ...rest }) => ({
    url: server.url,
    version: server.inventory.version,
    gpu: server.inventory.gpu,
    vram_gb: server.inventory.vramGb,
    ...rest,
  })),
  routes: choice.routes.map(({ families, workflows }) => ({
    families,
    workflows: workflows.map(({ name }) => name),
  })),
});
