import type { Guise } from '@guise/client/guise.ts';
import type { PhotoInput } from '@guise/client/runs/photo-input.ts';
import { Prompt, Ratio, Seed } from '@guise/contract/common.ts';
import { familyOfCatalog } from '@guise/contract/other-clients/named-filters.ts';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { findFilter } from './filter-list.ts';
import { pathOf, savingOf, waitSeconds, watchJob } from './job-result.ts';
import type { AddTools } from './mcp-tools.ts';
import { photoArgument, readPhotoArgument } from './photo-argument.ts';
import { withToolErrors } from './tool-result.ts';

const gender = z.enum(['male', 'female', 'boy', 'girl', 'group']).optional();

/** What a picture is made of. */
interface WantedPicture {
  photo?: PhotoInput | undefined;
  filter?: string | undefined;
  prompt?: string | undefined;
  gender?: z.infer<typeof gender>;
  ratio?: Ratio | undefined;
  seed?: number | undefined;
}

export const addPictureTools: AddTools = (server, parts) => {
  const { guise } = parts;

  server.registerTool(
    'make_picture',
    {
      title: 'Make a picture',
      description:
        'Makes a picture of a photo with a filter of list_filters, or of a prompt with or without a photo. Costs credits. Answers with a small picture, a link to the PNG, and what of the prompt was applied or ignored.',
      inputSchema: z.object({
        photo: photoArgument(parts).optional(),
        filter: z.string().max(300).optional().describe('Id or name of a filter; not with a prompt.'),
        prompt: Prompt.optional(),
        gender: gender.describe(
          'Who is in the photo; told from it without this. `group` for several people.',
        ),
        ratio: Ratio.optional(),
        seed: Seed.optional(),
        wait_seconds: waitSeconds,
        ...savingOf(parts),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    ({ wait_seconds, photo: text, ...wanted }, context) =>
      withToolErrors(async () => {
        const { signal } = context.mcpReq;
        const given = text === undefined ? undefined : await readPhotoArgument(parts, text);
        const { id } = await submitPicture(guise, { ...wanted, photo: given }, signal);
        return watchJob(parts, { id, waitSeconds: wait_seconds, saveTo: pathOf(wanted), signal });
      }),
  );
};

async function submitPicture(
  guise: Guise,
  wanted: WantedPicture,
  signal: AbortSignal,
): Promise<{ id: string }> {
  const { photo, filter: name, prompt, gender: who, ratio, seed } = wanted;
  if (name === undefined) {
    if (prompt === undefined) throw new AppError('VALIDATION_ERROR', 'filter or prompt is required.');
    return guise.submit('self_prompt_v2', { photo, prompt, gender: who, ratio, seed }, { signal });
  }
  if (photo === undefined) throw new AppError('VALIDATION_ERROR', 'photo is required: a filter takes one.');
  const { catalog, ref } = await findFilter(guise, name, signal);
  const family = familyOfCatalog[catalog];
  if (family === 'face_swap_v1')
    return guise.submit(family, { photo, filter: ref, gender: who, ratio, seed }, { signal });
  return guise.submit(family, { photo, style: ref, seed }, { signal });
}
