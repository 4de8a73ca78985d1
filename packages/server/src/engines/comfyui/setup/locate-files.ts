import { choicesOfInput } from '../../workflow/object-info.ts';
import type { ModelFile, NamedWorkflow } from '../../workflow/workflow-file.ts';
import type { FileNames } from '../model-files.ts';
import { isAtLeast } from '../version.ts';
import { gigabytesOf } from './model-size.ts';
import type { WholeInventory } from './read-inventory.ts';

/** Weights that a server has, though not as the workflows name them. */
export interface LocatedFile {
  /** As the workflows name them. */
  file: string;
  /** As the server names them. */
  as: string;
  how: 'in a folder below' | 'in its place' | 'by its size';
}

/** Finds weights that lie in folders below, stand in for others, or have another name and the size of the wanted one. */
export function locateFiles(
  inventory: WholeInventory,
  workflows: readonly NamedWorkflow[],
): Map<string, LocatedFile> {
  const wanted = wantedFiles(inventory, workflows);
  const located = new Map<string, LocatedFile>();
  for (const { model, choices } of wanted) {
    if (choices.includes(model.file)) continue;
    const found =
      below(model, choices) ??
      inPlace(model, choices, inventory.version) ??
      bySize(
        model,
        choices,
        inventory,
        wanted.map((one) => one.model),
      );
    if (found) located.set(model.file, found);
  }
  return located;
}

export const fileNames = (located: ReadonlyMap<string, LocatedFile>): FileNames =>
  Object.fromEntries([...located.values()].map(({ file, as }) => [file, as]));

interface WantedFile {
  model: ModelFile;
  /** What the node that loads it offers on this server. */
  choices: readonly string[];
}

function wantedFiles({ info }: WholeInventory, workflows: readonly NamedWorkflow[]): WantedFile[] {
  const wanted = new Map<string, WantedFile>();
  for (const { file } of workflows)
    for (const model of file.needs.models)
      for (const { class_type, inputs } of Object.values(file.definition.workflow))
        for (const [input, value] of Object.entries(inputs)) {
          if (value !== model.file || wanted.has(model.file)) continue;
          wanted.set(model.file, { model, choices: choicesOfInput(info, class_type, input) });
        }
  return [...wanted.values()];
}

const nameOf = (path: string) => path.split(/[\\/]/).at(-1);

function below({ file }: ModelFile, choices: readonly string[]): LocatedFile | undefined {
  const as = choices.find((choice) => nameOf(choice) === file);
  return as === undefined ? undefined : { file, as, how: 'in a folder below' };
}

function inPlace(
  { file, alternatives }: ModelFile,
  choices: readonly string[],
  version: string | null,
): LocatedFile | undefined {
  for (const other of alternatives) {
    if (other.comfyui && (version === null || !isAtLeast(version, other.comfyui))) continue;
    const as = choices.find((choice) => nameOf(choice) === other.file);
    if (as !== undefined) return { file, as, how: 'in its place' };
  }
  return undefined;
}

/** Only where one file has the size, and only one of the wanted ones: two experts of one model are of the same size. */
function bySize(
  model: ModelFile,
  choices: readonly string[],
  { files }: WholeInventory,
  wanted: readonly ModelFile[],
): LocatedFile | undefined {
  const known = new Set(wanted.flatMap((one) => [one.file, ...one.alternatives.map((other) => other.file)]));
  const rivals = wanted.filter((one) => one.folder === model.folder && one.size === model.size);
  if (rivals.length > 1) return undefined;
  const same = (files.get(model.folder) ?? []).filter(
    ({ name, bytes }) => choices.includes(name) && !known.has(nameOf(name)!) && hasSize(model, bytes),
  );
  return same.length === 1 ? { file: model.file, as: same[0]!.name, how: 'by its size' } : undefined;
}

/** To the byte where the size is known so; else as precisely as it is said, and not where it is said to be rough. */
function hasSize({ size, bytes: exact }: ModelFile, bytes: number): boolean {
  if (exact !== undefined) return bytes === exact;
  const decimals = /\.(\d+)/.exec(size)?.[1]?.length ?? 0;
  if (decimals < 2 || size.startsWith('about')) return false;
  return Math.abs(bytes / 1e9 - gigabytesOf(size)) <= 0.5 / 10 ** decimals;
}
