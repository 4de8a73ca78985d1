import type { ModelFile, NamedWorkflow, WorkflowFile } from '../../workflow/workflow-file.ts';
import type { Access } from '../access.ts';
import { withFileNames } from '../model-files.ts';
import { isAtLeast, versionProblem } from '../version.ts';
import { type Card, cardFor, cards, workflowsOf } from './cards.ts';
import {
  type CheckedWorkflow,
  canRun,
  checkParts,
  chooseAmong,
  referenceWorkflows,
  type WorkflowChoice,
} from './choose-workflows.ts';
import { fileNames, type LocatedFile, locateFiles } from './locate-files.ts';
import { gigabytesOf } from './model-size.ts';
import type { WholeInventory } from './read-inventory.ts';

/** A server that is to be set up, and what it says of itself. */
export interface ServerToSetUp {
  url: string;
  access: Access;
  inventory: WholeInventory;
}

export interface SetupWishes {
  /** In GB, in place of what the servers say. */
  card?: number | undefined;
  /** Also files that are not for commercial use, or free only below a revenue or in some places. */
  nonCommercial?: boolean;
  limitedLicences?: boolean;
}

/** A file to download for a server. */
export interface FileToGet extends Pick<ModelFile, 'file' | 'folder' | 'from' | 'size' | 'licence'> {
  commercial: ModelFile['commercial'];
  gated: boolean;
  bytes?: number | undefined;
  sha256?: string | undefined;
  /** The workflows that need it. */
  for: string[];
}

export interface ServerProposal {
  server: ServerToSetUp;
  /** Why it cannot be used at all; null where it can. */
  problem: string | null;
  located: LocatedFile[];
  toGet: FileToGet[];
  packs: WorkflowFile['needs']['custom_nodes'];
  /** What no download helps against, as sentences. */
  others: string[];
}

export interface SetupProposal {
  card: Card;
  servers: ServerProposal[];
  /** What can be made now. */
  choice: Omit<WorkflowChoice, 'leftOut'>;
}

/** The folders that weights of reference workflows lie in. */
export const modelFolders = (): string[] => [
  ...new Set(
    referenceWorkflows().flatMap(({ file }) =>
      file.needs.models.map(({ folder }) => folder).filter((folder) => !folder.includes('/')),
    ),
  ),
];

/** The smallest card decides: jobs go to whichever server is free. Null where no server has a GPU, and none was said. */
export function chooseCard(servers: readonly ServerToSetUp[], said: number | undefined): Card | null {
  if (said !== undefined) return cardFor(said);
  const sizes = servers.map(({ inventory }) => inventory.vramGb).filter((size) => size !== null);
  return sizes.length === 0 ? null : cardFor(Math.min(...sizes));
}

export function proposeSetup(
  servers: readonly ServerToSetUp[],
  card: Card,
  wishes: SetupWishes = {},
): SetupProposal {
  const candidates = candidatesFor(card, wishes);
  const checked = servers.map((server) => checkServer(server, candidates));
  const usable = checked.filter(({ problem }) => problem === null);
  const best = candidates.map(({ name }) => leastLacking(usable.map(({ rows }) => rowOf(rows, name))));
  return {
    card,
    servers: checked.map((one) => proposalFor(one, card)),
    choice: chooseAmong(best.filter((row) => row !== undefined)),
  };
}

interface CheckedServer {
  server: ServerToSetUp;
  problem: string | null;
  located: ReadonlyMap<string, LocatedFile>;
  rows: CheckedWorkflow[];
}

function checkServer(server: ServerToSetUp, candidates: readonly NamedWorkflow[]): CheckedServer {
  const { inventory } = server;
  const located = locateFiles(inventory, candidates);
  const names = fileNames(located);
  const rows = candidates.map((workflow) => {
    const definition = withFileNames(workflow.file.definition, names);
    const { lacks } = checkParts(inventory, { ...workflow, file: { ...workflow.file, definition } });
    return {
      workflow,
      lacks: { ...lacks, models: lacks.models.filter(({ file }) => !located.has(file)) },
    };
  });
  return { server, problem: versionProblem(inventory.version), located, rows };
}

const rowOf = (rows: readonly CheckedWorkflow[], name: string) =>
  rows.find(({ workflow }) => workflow.name === name)!;

/** One server that can run a workflow is enough: jobs move on from servers that refuse them. */
function leastLacking(rows: readonly CheckedWorkflow[]): CheckedWorkflow | undefined {
  return rows.find(canRun) ?? rows[0];
}

/** The card's set first; then whatever else may be used and fits the card, for servers that have its files already. */
function candidatesFor({ vram_gb, workflows }: Card, wishes: SetupWishes): NamedWorkflow[] {
  const own = workflowsOf({ vram_gb, workflows });
  const smaller = new Set(cards.filter((card) => card.vram_gb <= vram_gb).flatMap((card) => card.workflows));
  const others = referenceWorkflows().filter(
    ({ name, file }) =>
      !workflows.includes(name) &&
      mayBeUsed(file, wishes) &&
      (smaller.has(name) || Number.parseInt(file.needs.vram, 10) <= vram_gb),
  );
  return [...own, ...others];
}

function mayBeUsed({ needs }: WorkflowFile, { nonCommercial, limitedLicences }: SetupWishes): boolean {
  return needs.models.every(
    ({ commercial }) =>
      (commercial !== 'no' || nonCommercial) &&
      (!['threshold', 'region'].includes(commercial) || limitedLicences),
  );
}

function proposalFor({ server, problem, located, rows }: CheckedServer, card: Card): ServerProposal {
  const lacking = problem ? [] : rows.filter((row) => card.workflows.includes(row.workflow.name));
  const toGet = new Map<string, FileToGet>();
  // Files for what the server could not run even then are not worth their time.
  for (const { workflow, lacks } of lacking.filter((row) => row.lacks.others.length === 0))
    for (const model of lacks.models) {
      const picked = pickFile(model, server.inventory.version);
      const entry = toGet.get(picked.file) ?? { ...picked, for: [] };
      entry.for.push(workflow.name);
      toGet.set(picked.file, entry);
    }
  const packs = new Map(
    lacking.flatMap(({ lacks }) => lacks.packs).map((pack): [string, typeof pack] => [pack.name, pack]),
  );
  return {
    server,
    problem,
    located: [...located.values()],
    toGet: [...toGet.values()],
    packs: [...packs.values()],
    others: obstaclesOf(lacking),
  };
}

/** What no download helps against, each once, with the workflows that it stands in the way of. */
function obstaclesOf(lacking: readonly CheckedWorkflow[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { workflow, lacks } of lacking)
    for (const sentence of lacks.others) {
      const reason = sentence.replace(`${workflow.name}: `, '').replace(/^node \S+ \([^)]*\): /, '');
      byReason.set(reason, [...(byReason.get(reason) ?? []), workflow.name]);
    }
  return [...byReason].map(([reason, names]) => `${reason}: for ${names.join(', ')}`);
}

/** The file that a workflow names, or a newer form of it where the server reads that. */
function pickFile(model: ModelFile, version: string | null): Omit<FileToGet, 'for'> {
  const { folder, licence, commercial, gated } = model;
  const newer = model.alternatives.find(
    ({ comfyui }) => comfyui !== undefined && version !== null && isAtLeast(version, comfyui),
  );
  const { file, from, size, bytes, sha256 } = newer ?? model;
  return { file, from, size, bytes, sha256, folder, licence, commercial, gated };
}

/** Every file of a card's set, for a machine that nobody asks, such as a volume that is filled before it is rented out. */
export function filesOfCard(card: Card): FileToGet[] {
  const files = new Map<string, FileToGet>();
  for (const { name, file } of workflowsOf(card))
    for (const model of file.needs.models) {
      const entry = files.get(model.file) ?? { ...pickFile(model, null), for: [] };
      entry.for.push(name);
      files.set(model.file, entry);
    }
  return [...files.values()];
}

export const sumOfSizes = (files: readonly Pick<FileToGet, 'size'>[]) =>
  files.reduce((sum, { size }) => sum + gigabytesOf(size), 0);
