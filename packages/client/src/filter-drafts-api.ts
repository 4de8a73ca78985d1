import type {
  PromptCheck,
  PromptToCheck,
  TemplateCheck,
  WorkflowCheck,
} from '@guise/contract/definition-checks.ts';
import type { FilterDraft, FilterTestResult } from '@guise/contract/filter-drafts.ts';
import type { FilterOptions, PromptSuggestion } from '@guise/contract/filter-options.ts';
import type { Transport } from './transport.ts';

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
