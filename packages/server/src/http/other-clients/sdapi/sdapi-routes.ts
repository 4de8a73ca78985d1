import {
  Img2Img,
  Img2ImgResult,
  PromptStyle,
  Sampler,
  SdModel,
  SdOptions,
  SdOptionsChange,
  SdProgress,
  Txt2Img,
} from '@guise/contract/other-clients/sdapi.ts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { callerOf } from '../../request.ts';
import { anyAccountScope, imageBodyBytes, json, none, ok, type Route, route } from '../../route.ts';
import { runSdPicture } from './run-sd-picture.ts';
import { sdLists } from './sd-lists.ts';
import { chooseCheckpoint, listSdModels, readSdOptions } from './sd-options.ts';
import { interruptJob, readProgress } from './sd-progress.ts';

const shared = { tag: 'Stable Diffusion web UI', takesBasic: true } as const;
const reading = { ...none, ...shared, method: 'GET', scopes: anyAccountScope } as const;

/** The paths of AUTOMATIC1111's web UI that booth software calls. */
export const sdapiRoutes: Route[] = [
  route({
    ...json,
    ...shared,
    method: 'POST',
    path: '/sdapi/v1/img2img',
    operation: 'runImg2Img',
    scopes: ['run'],
    summary: 'A photo through a filter or a prompt, answered with the picture when it is made',
    body: Img2Img,
    maxBody: 2 * imageBodyBytes,
    longString: ([field, list, ...deeper]) =>
      field === 'init_images' && list === '*' && deeper.length === 0 ? 'image' : 'start',
    counted: 'runs',
    success: ok(Img2ImgResult),
    handle: runSdPicture,
  }),
  {
    ...reading,
    path: '/sdapi/v1/sd-models',
    operation: 'listSdModels',
    summary: 'Filters as models',
    success: ok(z.array(SdModel)),
    handle: (parts, request) => listSdModels(parts, callerOf(request)),
  },
  {
    ...none,
    ...shared,
    method: 'POST',
    path: '/sdapi/v1/refresh-checkpoints',
    operation: 'refreshSdCheckpoints',
    scopes: anyAccountScope,
    summary: 'Nothing to refresh: filters are always read anew',
    success: ok(z.null()),
    handle: async (_parts, _request, reply) => sendNull(reply),
  },
  {
    ...reading,
    path: '/sdapi/v1/prompt-styles',
    operation: 'listSdPromptStyles',
    summary: 'Filters as styles',
    success: ok(z.array(PromptStyle)),
    handle: async (parts, request) => {
      const models = await listSdModels(parts, callerOf(request));
      return models.map(({ title }) => ({ name: title, prompt: null, negative_prompt: null }));
    },
  },
  {
    ...reading,
    path: '/sdapi/v1/samplers',
    operation: 'listSdSamplers',
    summary: 'One sampler: engines choose by themselves',
    success: ok(z.array(Sampler)),
    handle: async () => [{ name: 'Automatic', aliases: ['automatic'], options: {} }],
  },
  {
    ...reading,
    path: '/sdapi/v1/options',
    operation: 'readSdOptions',
    summary: 'The filter of calls that name none',
    success: ok(SdOptions),
    handle: (parts, request) => readSdOptions(parts, callerOf(request)),
  },
  route({
    ...json,
    ...shared,
    method: 'POST',
    path: '/sdapi/v1/options',
    operation: 'changeSdOptions',
    scopes: ['run'],
    summary: 'Choose the filter of calls with this key that name none; other options are ignored',
    body: SdOptionsChange,
    success: ok(z.null()),
    handle: async (parts, request, reply) => {
      const title = request.body.sd_model_checkpoint;
      if (title) await chooseCheckpoint(parts, callerOf(request), title);
      return sendNull(reply);
    },
  }),
  {
    ...reading,
    path: '/sdapi/v1/progress',
    operation: 'readSdProgress',
    scopes: ['run', 'read'],
    summary: 'How far the newest running job of the caller is',
    success: ok(SdProgress),
    handle: readProgress,
  },
  route({
    ...json,
    ...shared,
    method: 'POST',
    path: '/sdapi/v1/txt2img',
    operation: 'runTxt2Img',
    scopes: ['run'],
    summary: 'A picture of a prompt without a photo, answered when it is made',
    body: Txt2Img,
    longString: () => 'start',
    counted: 'runs',
    success: ok(Img2ImgResult),
    handle: runSdPicture,
  }),
  {
    ...none,
    ...shared,
    method: 'POST',
    path: '/sdapi/v1/interrupt',
    operation: 'interruptSdJob',
    scopes: ['run'],
    summary: 'Cancel the newest running job of this key',
    success: ok(z.null()),
    handle: async (parts, request, reply) => {
      await interruptJob(parts, request);
      return sendNull(reply);
    },
  },
  ...sdLists.map(
    ({ path, operation, summary, shape, read }): Route => ({
      ...reading,
      path: `/sdapi/v1/${path}`,
      operation,
      summary,
      success: ok(shape),
      handle: async () => read(),
    }),
  ),
];

/** Fastify takes null for an answer without a body. */
function sendNull(reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8').send('null');
}
