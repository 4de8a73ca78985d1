import {
  ImageEdit,
  ImageGeneration,
  ImagesResult,
  mostEditedPhotos,
  OpenAiModel,
  OpenAiModels,
} from '@guise/contract/other-clients/openai-images.ts';
import type { FastifyRequest } from 'fastify';
import { invalidField } from '../../../errors.ts';
import { callerOf } from '../../request.ts';
import { anyAccountScope, files, imageBodyBytes, json, none, ok, type Route, route } from '../../route.ts';
import { makeImages } from './make-images.ts';
import { findModel, listModels } from './openai-models.ts';

const tag = 'OpenAI images';
const running = { tag, scopes: ['run'], counted: 'runs', success: ok(ImagesResult) } as const;
const reading = { ...none, tag, method: 'GET', scopes: anyAccountScope } as const;
/** Each picture is a run. */
const countedMore = ({ n = 1 }: { n?: number | undefined }) => n - 1;

/** A form has one photo as it is, and several in a list. */
async function prepareEdit({ body }: FastifyRequest): Promise<void> {
  const fields = body as Record<string, unknown>;
  if (typeof fields.image === 'string') fields.image = [fields.image];
  if (fields.mask !== undefined)
    throw invalidField('mask', 'is not supported: filters and prompts find the people themselves');
}

/** OpenAI's image endpoints, below the base address `/openai/v1`. */
export const openAiRoutes: Route[] = [
  route({
    ...files,
    ...running,
    method: 'POST',
    path: '/openai/v1/images/edits',
    operation: 'editImages',
    summary: 'Photos through a filter or a prompt, answered with the pictures when they are made',
    body: ImageEdit,
    prepareBody: prepareEdit,
    maxBody: mostEditedPhotos * imageBodyBytes,
    countedMore,
    handle: (parts, request, reply) => makeImages(parts, request, reply, 'image_edit'),
  }),
  route({
    ...json,
    ...running,
    method: 'POST',
    path: '/openai/v1/images/generations',
    operation: 'generateImages',
    summary: 'Pictures of a prompt without a photo, answered when they are made',
    body: ImageGeneration,
    countedMore,
    handle: (parts, request, reply) => makeImages(parts, request, reply, 'image_generation'),
  }),
  {
    ...reading,
    path: '/openai/v1/models',
    operation: 'listOpenAiModels',
    summary: 'Filters, styles and aliases as models',
    success: ok(OpenAiModels),
    handle: async (parts, request) => ({
      object: 'list',
      data: await listModels(parts, callerOf(request).id),
    }),
  },
  {
    ...reading,
    path: '/openai/v1/models/{id}',
    operation: 'readOpenAiModel',
    summary: 'The model of this name or id',
    success: ok(OpenAiModel),
    handle: (parts, request) => findModel(parts, callerOf(request).id, request.params.id ?? ''),
  },
];
