import { Prompt } from '@guise/contract/common.ts';
import { aspectRatios, videoDurations, videoModels } from '@guise/contract/families/video.ts';
import { z } from 'zod';
import { pathOf, savingOf, waitSeconds, watchJob } from './job-result.ts';
import type { AddTools } from './mcp-tools.ts';
import { photoArgument, readPhotoArgument } from './photo-argument.ts';
import { withToolErrors } from './tool-result.ts';

export const addVideoTools: AddTools = (server, parts) => {
  server.registerTool(
    'make_video',
    {
      title: 'Make a video',
      description:
        'Makes a video that begins with a photo and moves as the prompt says. Costs credits for each second; takes a minute or more.',
      inputSchema: z.object({
        photo: photoArgument(parts),
        prompt: Prompt,
        model: z.enum(videoModels).default('simple'),
        duration: z.enum(videoDurations).default('4s').describe('`simple` makes 4s only.'),
        aspect_ratio: z
          .enum(aspectRatios)
          .default('auto')
          .describe('Other than auto only with `performance`.'),
        wait_seconds: waitSeconds,
        ...savingOf(parts),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    ({ wait_seconds, photo: text, prompt, model, duration, aspect_ratio, ...rest }, context) =>
      withToolErrors(async () => {
        const { signal } = context.mcpReq;
        const input = {
          photo: await readPhotoArgument(parts, text),
          prompt,
          model,
          duration,
          aspectRatio: aspect_ratio,
        };
        const { id } = await parts.guise.submit('single_frame_video', input, { signal });
        return watchJob(parts, { id, waitSeconds: wait_seconds, saveTo: pathOf(rest), signal });
      }),
  );
};
