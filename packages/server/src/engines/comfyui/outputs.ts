import type { HistoryEntry } from './comfyui-client.ts';
import { folder, OutputFile } from './comfyui-client.ts';

/**
 * The file that the output node saved for this run: pictures are in `images`, videos of the video-helper nodes in
 * `gifs`. A file that does not carry the run's own prefix is another run's, and another guest's.
 */
export function savedFile(outputs: HistoryEntry['outputs'], node: string, name: string): OutputFile | null {
  const lists = Object.values((outputs[node] ?? {}) as Record<string, unknown>).filter((list) =>
    Array.isArray(list),
  );
  const files = lists.flat().flatMap((entry) => OutputFile.safeParse(entry).data ?? []);
  const mine = files.filter(
    ({ filename, subfolder, type }) => type === 'output' && subfolder === folder && filename.startsWith(name),
  );
  return mine[0] ?? null;
}
