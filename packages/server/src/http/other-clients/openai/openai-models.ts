import type { NamedFilter } from '@guise/contract/other-clients/named-filters.ts';
import type { OpenAiModel } from '@guise/contract/other-clients/openai-images.ts';
import { findNamedFilter, listNamedFilters } from '../../../catalog/named-filters.ts';
import type { HttpParts } from '../../parts.ts';

/** In the place of a filter: the request's prompt says what is made. */
export const promptModel = 'prompt';

/** Programs send these unless they are told another one. */
const openAiNames = /^(dall-e-|gpt-image-|chatgpt-image-)/i;

/** Whether a model is the prompt: none is named, or one that only OpenAI has. */
export function isPromptModel(model: string | undefined): boolean {
  const name = model?.trim().toLowerCase() ?? '';
  return name === '' || name === promptModel || openAiNames.test(name);
}

/** Answers of OpenAI's own older models have links where nothing is asked for. */
export function answersWithLinks(model: string | undefined): boolean {
  return /^dall-e-/i.test(model?.trim() ?? '');
}

/** The filter that a model names, null for the prompt. Throws where there is none. */
export async function filterOfModel(
  parts: HttpParts,
  accountId: string,
  model: string | undefined,
): Promise<NamedFilter | null> {
  if (model === undefined || isPromptModel(model)) return null;
  return findNamedFilter(parts, model, { accountId, listedAt: '/openai/v1/models' });
}

export async function listModels(parts: HttpParts, accountId: string): Promise<OpenAiModel[]> {
  const filters = await listNamedFilters(parts, accountId);
  return [promptModel, ...filters.map(({ title }) => title)].map(modelOf);
}

export async function findModel(parts: HttpParts, accountId: string, name: string): Promise<OpenAiModel> {
  const filter = await filterOfModel(parts, accountId, name);
  return modelOf(filter?.title ?? name);
}

/** Filters of the catalog have no date. */
function modelOf(id: string): OpenAiModel {
  return { id, object: 'model', created: 0, owned_by: 'guise' };
}
