import type {
  PromptCheck,
  PromptToCheck,
  TemplateCheck,
  WorkflowCheck,
} from '@guise/contract/definition-checks.ts';
import type { FilterDraft, FilterTestResult } from '@guise/contract/filter-drafts.ts';
import type { FilterOptions, PromptSuggestion } from '@guise/contract/filter-options.ts';
import type {
  NewOwnSceneInput,
  OwnScene,
  OwnSceneChange,
  OwnSceneList,
  OwnScenePicture,
  OwnSceneTrialInput,
} from '@guise/contract/scenes/own-scenes.ts';
import type { RequestOptions, Transport } from './transport.ts';

/** What helps to make a filter before it is saved. */
export const filterDraftsApi = (transport: Transport) => ({
  options: (signal?: AbortSignal) =>
    transport.request<FilterOptions>('GET', '/v1/filter_options', { signal }),
  /** What the filter makes of a photo, uncharged. */
  test: (body: FilterDraft, signal?: AbortSignal) =>
    transport.request<FilterTestResult>('POST', '/v1/filter_drafts/test', { body, signal }),
  /** Words that the local engine understands, which complete the last ones of a text. */
  suggestions: (q: string, limit: number, signal?: AbortSignal) =>
    transport.request<{ suggestions: PromptSuggestion[] }>('GET', '/v1/prompt_suggestions', {
      query: { q: q.slice(-200), limit },
      signal,
    }),
  /** Which words of a prompt a run would follow. */
  checkPrompt: (body: PromptToCheck, signal?: AbortSignal) =>
    transport.request<PromptCheck>('POST', '/v1/prompt_checks', { body, signal }),
  /** The faces of a photo that is to become a template. */
  checkTemplate: (image: string, signal?: AbortSignal) =>
    transport.request<TemplateCheck>('POST', '/v1/template_checks', { body: { image }, signal }),
  /** The nodes of a workflow, and where the parts of a run could go in it. */
  checkWorkflow: (workflow: Record<string, unknown>, signal?: AbortSignal) =>
    transport.request<WorkflowCheck>('POST', '/v1/workflow_checks', { body: { workflow }, signal }),
});

const scenes = '/v1/scenes';
const ifMatch = (etag: string | undefined) => (etag ? { 'if-match': etag } : {});

/** Places that the account makes of its own backdrops. Filters name them by their `name`. */
export const scenesApi = (transport: Transport) => ({
  list: (query: { cursor?: string | undefined; limit?: number } = {}, signal?: AbortSignal) =>
    transport.request<OwnSceneList>('GET', scenes, { query, signal }),
  get: (id: string, signal?: AbortSignal) =>
    transport.requestTagged<OwnScene>('GET', `${scenes}/${id}`, { signal }),
  create: (body: NewOwnSceneInput, options: Pick<RequestOptions, 'signal' | 'onUpload'> = {}) =>
    transport.request<OwnScene>('POST', scenes, { body, ...options }),
  /** `etag` is the one of the scene that was read: the call fails if somebody changed it meanwhile. */
  change: (id: string, body: OwnSceneChange, etag?: string, signal?: AbortSignal) =>
    transport.requestTagged<OwnScene>('PATCH', `${scenes}/${id}`, { body, signal, headers: ifMatch(etag) }),
  /** Refused while filters are made with it, unless it is forced. */
  remove: (id: string, force = false, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${scenes}/${id}`, { query: force ? { force: 'true' } : {}, signal }),
  /** A person of a photo in the scene, with settings that need not be saved. */
  preview: (id: string, body: OwnSceneTrialInput, signal?: AbortSignal) =>
    transport.request<OwnScenePicture>('POST', `${scenes}/${id}/preview`, { body, signal }),
  /** A tar archive with a pack that other installations import. */
  async readPack(id: string, signal?: AbortSignal): Promise<Blob> {
    return (await transport.open(`${scenes}/${id}/pack`, { signal })).blob();
  },
});
