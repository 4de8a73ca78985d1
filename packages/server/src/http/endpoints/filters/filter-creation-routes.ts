import { FilterType } from '@guise/contract/catalogs.ts';
import {
  PromptCheck,
  PromptToCheck,
  TemplateCheck,
  TemplateToCheck,
  WorkflowCheck,
  WorkflowToCheck,
} from '@guise/contract/definition-checks.ts';
import { FilterDraft, FilterTestResult } from '@guise/contract/filter-drafts.ts';
import { FilterOptions, PromptSuggestionQuery, PromptSuggestions } from '@guise/contract/filter-options.ts';
import { toRun } from '../../../accounts/authority.ts';
import { sampleFamilies } from '../../../catalog/filter-renders.ts';
import { filterOptionsOf } from '../../../catalog/shown-options.ts';
import { storeDraft, storeTemplateDraft } from '../../../previews/filter-drafts.ts';
import { readSceneOptions } from '../../../scenes/scene-options.ts';
import { definitionLongString, filterTestResult, linksFor, partsFor } from '../../custom-filter-requests.ts';
import type { HttpParts } from '../../parts.ts';
import { baseUrlOf, callerOf, disconnectSignal } from '../../request.ts';
import { anyAccountScope, imageBodyBytes, json, none, ok, type Route, route } from '../../route.ts';

const tag = 'Making filters';
const manageScopes = ['manage'] as const;

/** A graph of 500 nodes has about 200 KB. */
const workflowBodyBytes = 4 * 1024 * 1024;

/** The types of filters whose workflows an engine runs. */
async function workflowTypes(parts: HttpParts): Promise<FilterType[]> {
  const runs = await Promise.all(FilterType.options.map((type) => parts.runsWorkflows(sampleFamilies[type])));
  return FilterType.options.filter((_, i) => runs[i]);
}

/** What the creator of filters shows, checks and tries before a filter is saved. */
export const filterCreationRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/filter_options',
    operation: 'listFilterOptions',
    tag,
    summary:
      'Scenes, costumes, looks, lights, weathers and palettes that filters can be made of, with pictures',
    scopes: anyAccountScope,
    success: ok(FilterOptions),
    handle: async (parts, request) => {
      const options = filterOptionsOf(
        await parts.filterOptions(),
        await workflowTypes(parts),
        baseUrlOf(parts, request),
      );
      const own = await readSceneOptions(parts.db, callerOf(request).id, linksFor(parts, request));
      return { ...options, scenes: [...own, ...options.scenes] };
    },
  },
  route({
    ...none,
    method: 'GET',
    path: '/v1/prompt_suggestions',
    operation: 'listPromptSuggestions',
    tag,
    summary: 'Words that the local engine understands, to complete a prompt with',
    scopes: anyAccountScope,
    query: PromptSuggestionQuery,
    success: ok(PromptSuggestions),
    handle: async (parts, { query: { q, limit } }) => ({ suggestions: await parts.suggestWords(q, limit) }),
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/prompt_checks',
    operation: 'checkPrompt',
    tag,
    summary: 'Which words of a prompt a run would follow, and which it would ignore, before it is charged',
    scopes: anyAccountScope,
    body: PromptToCheck,
    success: ok(PromptCheck),
    handle: (parts, request) => parts.checkPrompt(request.body),
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/filter_drafts/test',
    operation: 'testFilterDraft',
    tag,
    summary: 'What a filter that is not saved makes of a photo, uncharged',
    scopes: manageScopes,
    authority: toRun,
    counted: 'tests',
    body: FilterDraft,
    maxBody: imageBodyBytes,
    longString: definitionLongString,
    success: ok(FilterTestResult),
    handle: async (parts, request, reply) => {
      const { id } = callerOf(request);
      const disconnected = disconnectSignal(reply);
      const draftOf = (ownerId: string) => storeDraft(partsFor(parts, request), id, request.body, ownerId);
      return filterTestResult(await parts.tests.runDraft(id, draftOf, disconnected));
    },
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/template_checks',
    operation: 'checkTemplate',
    tag,
    summary: 'The faces of a photo that is to become a template, and which of them cannot be replaced',
    scopes: manageScopes,
    counted: 'tests',
    body: TemplateToCheck,
    maxBody: imageBodyBytes,
    longString: (path) => (path.length === 1 && path[0] === 'image' ? 'image' : 'start'),
    success: ok(TemplateCheck),
    handle: (parts, request, reply) => {
      const disconnected = disconnectSignal(reply);
      const { image } = request.body;
      const accountId = callerOf(request).id;
      const draftOf = (id: string) => storeTemplateDraft(partsFor(parts, request), { id, accountId }, image);
      return parts.tests.checkTemplate(accountId, draftOf, disconnected);
    },
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/workflow_checks',
    operation: 'checkWorkflow',
    tag,
    summary: 'The nodes of a ComfyUI workflow, suggested bindings, and what is wrong with it',
    scopes: manageScopes,
    counted: 'tests',
    body: WorkflowToCheck,
    maxBody: workflowBodyBytes,
    longString: () => 'whole',
    success: ok(WorkflowCheck),
    handle: (parts, { body: { workflow } }) => parts.checks.describeWorkflow(workflow),
  }),
];
