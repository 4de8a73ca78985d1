import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { checkModel, loadNeuralSwap, type NeuralSwap } from './network-swap.ts';

/** Models that may not be shipped: the operator brings the file and says under which licence. */
export const operatorModelKinds = ['swap', 'embed', 'matrix'] as const;
export type OperatorModelKind = (typeof operatorModelKinds)[number];

const Entry = z.object({
  kind: z.enum(operatorModelKinds),
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  licence: z.string(),
  added_at: z.string(),
});
export type OperatorModelEntry = z.infer<typeof Entry>;

const listFile = 'models.json';

export async function listOperatorModels(folder: string): Promise<OperatorModelEntry[]> {
  const text = await readFile(join(folder, listFile), 'utf8').catch(() => '[]');
  return z.array(Entry).parse(JSON.parse(text));
}

/** Checks the file, copies it into the folder and writes down the licence the operator named. */
export async function addOperatorModel(
  folder: string,
  kind: OperatorModelKind,
  file: string,
  licence: string,
): Promise<OperatorModelEntry & { needsMatrix: boolean }> {
  const { bytes, needsMatrix } = await checkModel(kind, file);
  await mkdir(folder, { recursive: true });
  const name = kind === 'matrix' ? 'matrix.bin' : `${kind}.onnx`;
  await copyFile(file, join(folder, `${name}.new`));
  await rename(join(folder, `${name}.new`), join(folder, name));
  const sha256 = createHash('sha256')
    .update(await readFile(join(folder, name)))
    .digest('hex');
  const entry = { kind, file: name, bytes, sha256, licence, added_at: new Date().toISOString() };
  const others = (await listOperatorModels(folder)).filter((other) => other.kind !== kind);
  await writeFile(join(folder, listFile), `${JSON.stringify([...others, entry], null, 2)}\n`);
  return { ...entry, needsMatrix };
}

/** The operator's swap network, if there is one with its embedder. */
export async function loadOperatorSwap(folder: string | null): Promise<NeuralSwap | null> {
  if (folder === null) return null;
  const models = await listOperatorModels(folder);
  const path = (kind: OperatorModelKind) => {
    const entry = models.find((model) => model.kind === kind);
    return entry && join(folder, entry.file);
  };
  const [swap, embed, matrix] = [path('swap'), path('embed'), path('matrix')];
  return swap && embed ? loadNeuralSwap({ swap, embed, ...(matrix && { matrix }) }) : null;
}
