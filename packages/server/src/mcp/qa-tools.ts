import type { QaRun } from '@guise/contract/qa-runs.ts';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { AddTools, ToolParts } from './mcp-tools.ts';
import { dataResult, withToolErrors } from './tool-result.ts';

export const addQaTools: AddTools = (server, parts) => {
  const { guise } = parts;

  server.registerTool(
    'start_qa_run',
    {
      title: 'Try a filter on photos',
      description:
        'Makes a picture of each photo of a photo set with a custom filter. Each costs credits. read_qa_run shows them.',
      inputSchema: z.object({
        filter_id: z.uuid(),
        photo_set_id: z.uuid().optional().describe('Without it: the photos that come with the server.'),
        most_photos: z.int().min(1).max(50).default(4),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ filter_id, photo_set_id, most_photos }, context) =>
      withToolErrors(async () => {
        const { signal } = context.mcpReq;
        const set = photo_set_id ?? (await guise.photoSets.list(signal)).photo_sets[0]?.id;
        if (set === undefined) throw new AppError('PHOTO_SET_NOT_FOUND', 'There is no photo set.');
        const { photos } = await guise.photoSets.get(set, signal);
        const photo_ids = photos.slice(0, most_photos).map(({ id }) => id);
        return describeRun(
          parts,
          await guise.qaRuns.create({ filter_id, photo_set_id: set, photo_ids }, signal),
        );
      }),
  );

  server.registerTool(
    'read_qa_run',
    {
      title: 'Read a QA run',
      description: 'The pictures of a QA run, with links, errors and verdicts.',
      inputSchema: z.object({ id: z.uuid() }),
      annotations: { readOnlyHint: true },
    },
    ({ id }, context) =>
      withToolErrors(async () => describeRun(parts, await guise.qaRuns.get(id, context.mcpReq.signal))),
  );
};

function describeRun({ linkOf }: ToolParts, { id, filter, price, pass_rate, cells }: QaRun) {
  return dataResult({
    id,
    filter: filter.name,
    price,
    pass_rate,
    cells: cells.map(({ photo, version, status, result_url, thumbnail_url, error, verdict }) => ({
      photo: photo.name,
      version,
      status,
      url: result_url && linkOf(result_url),
      thumbnail_url: thumbnail_url && linkOf(thumbnail_url),
      error,
      verdict,
    })),
  });
}
