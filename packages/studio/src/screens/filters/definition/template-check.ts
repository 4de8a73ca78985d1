import type { GuiseApi } from '@guise/client/guise-api.ts';
import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { say } from '../../../words/say.ts';
import type { EditedFilter, TemplatePhoto } from './edited-filter.ts';

/** The faces of a template, found once for each photo. */
export const templateCheckQuery = (guise: GuiseApi, template: TemplatePhoto | undefined) =>
  queryOptions({
    queryKey: ['template_check', template?.photo.url],
    queryFn: ({ signal }) => guise.filterDrafts.checkTemplate(template!.image, signal),
    enabled: template !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether a face of the template can be replaced. */
export const hasUsableFace = ({ faces }: Pick<TemplateCheck, 'faces'>) =>
  faces.some(({ warnings }) => warnings.length === 0);

/** Throws where no face of the template can be replaced: such a filter would fail for every guest. */
export async function assertUsableTemplate(
  guise: GuiseApi,
  queries: QueryClient,
  { kind, template }: EditedFilter,
): Promise<void> {
  if (kind !== 'template' || !template) return;
  // A server that cannot check it says so beside the picture, and decides itself when the filter is saved.
  const check = await queries.fetchQuery(templateCheckQuery(guise, template)).catch(() => undefined);
  if (check && !hasUsableFace(check))
    throw new Error(say('No face in the template picture can be replaced. Choose another picture.'));
}
